import { AppError } from '../app-error.ts';
import type { Server } from '../types.ts';

/** A restart takes a few seconds. */
const RETRY_AFTER_S = 5;

/**
 * A server that closes ends as soon as its last answer is out. Node closes the connections that are idle at that moment only: one whose answer was
 * still under way stays open afterwards for as long as its client likes, and so does one that has asked nothing yet (browsers open such).
 * Returns whether it is closing.
 */
export function addQuickClose(server: Server): () => boolean {
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
  return () => isClosing;
}

/**
 * What comes over a connection that was opened before is refused in the form of all errors: Fastify's own answer has another one. Only a route that
 * says how the server is still speaks.
 */
export function refuseWhileClosing(server: Server, isClosing: () => boolean): void {
  server.addHook('onRequest', async (request, reply) => {
    if (!isClosing()) return;
    reply.header('retry-after', String(RETRY_AFTER_S));
    if (request.routeOptions.url !== '/api/health') throw new AppError('NOT_READY');
  });
}
