import type { Server } from '../types.ts';

/**
 * A server that closes ends as soon as its last answer is out. Node closes the connections that are idle at that moment only: one whose answer was
 * still under way stays open afterwards for as long as its client likes, and so does one that has asked nothing yet (browsers open such).
 */
export function addQuickClose(server: Server): void {
  let underWay = 0;
  let isClosing = false;
  const endIdle = (): void => {
    if (isClosing && underWay === 0) server.server.closeAllConnections();
  };
  server.server.on('request', (_request, response) => {
    underWay += 1;
    response.once('close', () => {
      underWay -= 1;
      endIdle();
    });
  });
  server.server.on('connection', (socket) => {
    if (isClosing) socket.destroy();
  });
  server.addHook('onSend', async (_request, reply, payload) => {
    if (isClosing) reply.header('connection', 'close');
    return payload;
  });
  server.addHook('preClose', async () => {
    isClosing = true;
    endIdle();
  });
}
