import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { insertWorld } from '../testing/http/insert-world.ts';
import { makeTestApp, type TestApp } from '../testing/http/make-test-app.ts';

/** Below what any connection is kept for, and long enough for a machine that is busy with other tests. */
const SOON_MS = 10_000;

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

/** A server whose deliveries are answered when the test says so, and one that has arrived. */
async function withSlowAnswer(): Promise<{
  readonly app: TestApp;
  readonly port: number;
  readonly reply: Promise<readonly [number | undefined, string]>;
  readonly answer: () => void;
}> {
  const asked = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const app = await makeTestApp({
    engine: {
      acceptDelivery: async () => {
        arrived.resolve();
        await asked.promise;
        return 'stored';
      },
    },
  });
  const { storeIds } = insertWorld(app.db, app.person().workspace.id, app.clock.now());
  const path = `/api/webhooks/${storeIds.shopify}`;
  const port = await listen(app);
  const agent = new Agent({ keepAlive: true });
  const reply = new Promise<readonly [number | undefined, string]>((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, method: 'POST', agent }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += String(chunk);
      });
      response.on('end', () => {
        resolve([response.statusCode, text]);
        agent.destroy();
      });
    });
    sent.on('error', reject);
    sent.end();
  });
  await Promise.race([arrived.promise, reply]);
  return { app, port, reply, answer: asked.resolve };
}

/** Everything that comes until the other side hangs up. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  await once(socket, 'close');
  return text;
}

test('an answer that is under way when the server closes is given, and its connection does not stay', async () => {
  const { app, port, reply, answer } = await withSlowAnswer();
  await using _ = app;
  const silent = await open(port, '');
  const closed = closesSoon(app);
  setTimeout(answer, 200);
  assert.deepEqual(await reply, [200, '{"ok":true}']);
  await closed;
  silent.destroy();
});

test('what is asked while the server closes is refused in the form that all errors have; its health says that it stops', async () => {
  const { app, port, reply, answer } = await withSlowAnswer();
  await using _ = app;
  const [stores, health, page, live] = [
    await open(port, ''),
    await open(port, ''),
    await open(port, ''),
    await open(port, ''),
  ];
  const closed = closesSoon(app);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const heard = [stores, health, page, live].map(readAll);
  stores.write('GET /api/stores HTTP/1.1\r\nhost: x\r\n\r\n');
  health.write('GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n');
  page.write('GET /dashboard HTTP/1.1\r\nhost: x\r\n\r\n');
  live.write(
    'GET /api/ws HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  for (const told of await Promise.all(heard)) {
    const [head = '', body = ''] = told.split('\r\n\r\n');
    assert.match(head, /^HTTP\/1\.1 503 /);
    assert.match(head, /\r\nretry-after: [1-9]/i);
    assert.match(head, /\r\nconnection: close/i);
    assert.match(head, /\r\nx-content-type-options: nosniff/i);
    const said = JSON.parse(body);
    if (said.status !== undefined) {
      assert.deepEqual(said, { status: 'stopping', version: '0.0.0-test' });
      continue;
    }
    const { code, message, details, requestId } = said.error;
    assert.deepEqual([code, details], ['NOT_READY', {}]);
    assert.match(message, /stopping.*again/);
    assert.match(requestId, /^req_/);
  }
  answer();
  assert.deepEqual(await reply, [200, '{"ok":true}'], 'what was under way is answered');
  await closed;
});
