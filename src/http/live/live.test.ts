import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Check } from 'typebox/value';
import type { WebSocket } from 'ws';
import { logout } from '../../accounts/logout.ts';
import type { ServerMessage } from '../../contracts/live.ts';
import { ServerMessage as ServerMessageSchema } from '../../contracts/live.ts';
import { transact } from '../../db/database.ts';
import { recordEvent } from '../../db/writers/events.ts';
import type { WorkspaceId } from '../../model/ids.ts';
import { insertWorld } from '../../testing/http/insert-world.ts';
import { makeTestApp, type TestApp } from '../../testing/http/make-test-app.ts';

interface Client {
  readonly socket: WebSocket;
  readonly received: ServerMessage[];
  readonly closed: Promise<number>;
  send(type: string, payload?: object): void;
  /** The first message of that type that came or comes. */
  next(type: ServerMessage['type'], count?: number): Promise<ServerMessage>;
}

async function connect(app: TestApp, headers: Record<string, string> = {}): Promise<Client> {
  const received: ServerMessage[] = [];
  let closed: Promise<number> = Promise.resolve(0);
  const socket = await app.server.injectWS(
    '/api/ws',
    { headers },
    {
      onInit: (ws) => {
        ws.on('message', (data) => {
          const message = JSON.parse(String(data));
          assert.ok(Check(ServerMessageSchema, message), `contract of ${message.type}: ${String(data)}`);
          received.push(message);
        });
        closed = new Promise((resolve) => ws.on('close', resolve));
      },
    },
  );
  return {
    socket,
    received,
    closed,
    send: (type, payload) => socket.send(JSON.stringify({ type, payload })),
    async next(type, count = 1) {
      for (let waited = 0; waited < 2_000; waited += 5) {
        const found = received.filter((message) => message.type === type)[count - 1];
        if (found !== undefined) return found;
        await sleep(5);
      }
      throw new Error(`no ${type}; got ${received.map((message) => message.type).join(', ')}`);
    },
  };
}

function say(app: TestApp, workspaceId: WorkspaceId, type: string, payload: object = {}): void {
  transact(app.db, (tx) => recordEvent(tx, { workspaceId, pairId: null, type, payload, at: app.clock.now() }));
}

test('a client that says who it is hears its own workspace, and no other', async () => {
  await using app = await makeTestApp();
  const me = app.person();
  const other = app.person();
  const client = await connect(app);
  client.send('authenticate', { accessToken: me.token });
  await client.next('ready');
  say(app, other.workspace.id, 'pair_paused');
  say(app, me.workspace.id, 'pair_resumed');
  await client.next('activity');
  assert.deepEqual(
    client.received.map((message) => message.type === 'activity' && message.payload.type).filter(Boolean),
    ['pair_resumed'],
  );
  client.send('heartbeat');
  await client.next('heartbeat_ack');
  client.socket.terminate();
});

test('runs and stores become the messages of the specification, for each store of the pair', async () => {
  await using app = await makeTestApp();
  const me = app.person();
  const world = insertWorld(app.db, me.workspace.id, app.clock.now());
  const client = await connect(app);
  client.send('authenticate', { accessToken: me.token });
  await client.next('ready');
  say(app, me.workspace.id, 'run_completed', { runId: world.runId });
  const done = await client.next('sync_completed', 2);
  assert.ok(done.type === 'sync_completed');
  assert.equal(done.payload.storeId, world.storeIds.shopify);
  assert.equal(done.payload.stats.totalProcessed, 1);
  say(app, me.workspace.id, 'store_health_changed', {
    storeId: world.storeIds.shopify,
    status: 'error',
    reason: 'gone',
  });
  const health = await client.next('store_health_changed');
  assert.ok(health.type === 'store_health_changed' && health.payload.reason === 'gone');
  say(app, me.workspace.id, 'usage_alert', { message: '80 % used', level: 'warning' });
  await client.next('usage_alert');
  client.send('subscribe_sync', { storeId: world.storeIds.woocommerce });
  await sleep(20);
  say(app, me.workspace.id, 'run_completed', { runId: world.runId });
  await client.next('sync_completed', 3);
  await sleep(20);
  const stores = client.received.flatMap((one) => (one.type === 'sync_completed' ? [one.payload.storeId] : []));
  assert.deepEqual(stores.slice(2), [world.storeIds.woocommerce], 'narrowed to one store');
  client.socket.terminate();
});

test('after a reconnect the missed rows come first, in order, without a gap', async () => {
  await using app = await makeTestApp();
  const me = app.person();
  for (let n = 1; n <= 300; n += 1) say(app, me.workspace.id, 'pair_paused');
  const client = await connect(app);
  client.send('authenticate', { accessToken: me.token, afterSeq: 10 });
  await client.next('activity', 290);
  say(app, me.workspace.id, 'pair_resumed');
  await client.next('activity', 291);
  const seqs = client.received.flatMap((message) => (message.type === 'activity' ? [message.payload.seq] : []));
  assert.deepEqual(
    seqs,
    Array.from({ length: 291 }, (_, n) => n + 11),
  );
  client.socket.terminate();
});

test('strangers are refused by name: no token, a bad one, an expired one, an ended session, another origin, nonsense', async () => {
  await using app = await makeTestApp();
  const me = app.person();
  const refusal = async (type: string, payload?: object) => {
    const client = await connect(app);
    client.send(type, payload);
    const refused = await client.next('refused');
    await client.closed;
    return refused.type === 'refused' ? refused.payload.code : '';
  };
  assert.equal(await refusal('heartbeat'), 'UNAUTHORIZED');
  assert.equal(await refusal('authenticate', { accessToken: 'nonsense' }), 'UNAUTHORIZED');
  assert.equal(await refusal('authenticate', { accessToken: `mock_${me.token}` }), 'UNAUTHORIZED');
  assert.equal(await refusal('drop_table'), 'BAD_REQUEST');
  app.clock.advance(16 * 60_000);
  assert.equal(await refusal('authenticate', { accessToken: me.token }), 'TOKEN_EXPIRED');
  const fresh = app.person();
  logout(
    app.accounts,
    { sessionId: fresh.session.id, refreshToken: null },
    { ip: '127.0.0.1', userAgent: '', isLocal: true },
  );
  assert.equal(await refusal('authenticate', { accessToken: fresh.token }), 'SESSION_EXPIRED');
  await assert.rejects(connect(app, { origin: 'https://evil.example', host: 'shelf.example' }), /403/);
  const own = await connect(app, { origin: 'http://shelf.example', host: 'shelf.example' });
  own.socket.terminate();
});

test('the address answers a plain request with an error, not with a socket', async () => {
  await using app = await makeTestApp();
  const reply = await app.server.inject('/api/ws');
  assert.equal(reply.statusCode, 400);
});
