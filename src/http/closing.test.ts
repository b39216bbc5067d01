import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { insertWorld } from '../testing/http/insert-world.ts';
import { makeTestApp, type TestApp } from '../testing/http/make-test-app.ts';

/** Far below what any connection is kept for. */
const SOON_MS = 2_000;

async function listen({ server }: TestApp): Promise<number> {
  await server.listen({ host: '127.0.0.1', port: 0 });
  return (server.server.address() as { port: number }).port;
}

async function open(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

async function closesSoon({ server }: TestApp): Promise<void> {
  const from = performance.now();
  const late = setTimeout(() => server.server.closeAllConnections(), SOON_MS);
  await server.close();
  clearTimeout(late);
  assert.ok(performance.now() - from < SOON_MS, 'a connection held the server up');
}

test('a connection that a proxy keeps for its next request is not closed before it: Caddy keeps one for two minutes', async () => {
  await using app = await makeTestApp();
  assert.ok(app.server.server.keepAliveTimeout > 125_000);
});

test('a server that closes does not wait for connections that ask nothing', async () => {
  await using app = await makeTestApp();
  const port = await listen(app);
  const sockets = await Promise.all([open(port, ''), open(port, 'GET /api/health HTTP/1.1\r\nhost: x\r\n')]);
  const ended = Promise.all(sockets.map((socket) => new Promise((resolve) => socket.on('close', resolve))));
  await closesSoon(app);
  await ended;
});

test('an answer that is under way when the server closes is given, and its connection does not stay', async () => {
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let hasAsked = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    hasAsked = resolve;
  });
  await using app = await makeTestApp({
    engine: {
      acceptDelivery: async () => {
        hasAsked();
        await asked;
        return 'stored';
      },
    },
  });
  const { storeIds } = insertWorld(app.db, app.person().workspace.id, app.clock.now());
  const path = `/api/webhooks/${storeIds.shopify}`;
  const port = await listen(app);
  const silent = await open(port, '');
  const agent = new Agent({ keepAlive: true });
  const reply = new Promise<readonly [number | undefined, string]>((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, method: 'POST', agent }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += String(chunk);
      });
      response.on('end', () => resolve([response.statusCode, text]));
    });
    sent.on('error', reject);
    sent.end();
  });
  await Promise.race([arrived, reply]);
  const closed = closesSoon(app);
  setTimeout(answer, 200);
  assert.deepEqual(await reply, [200, '{"ok":true}']);
  await closed;
  agent.destroy();
  silent.destroy();
});
