import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as openSocket, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Check } from 'typebox/value';
import type { WebSocket } from 'ws';
import { deleteWorkspace } from '../../accounts/delete-workspace.ts';
import { logout } from '../../accounts/logout.ts';
import { createWorkspace, removeMember, switchWorkspace } from '../../accounts/workspaces.ts';
import type { ServerMessage } from '../../contracts/live.ts';
import { LIVE_HEARTBEAT_MS, ServerMessage as ServerMessageSchema } from '../../contracts/live.ts';
import { transact } from '../../db/database.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { closeProblemsBySubject, raiseProblem } from '../../db/writers/history.ts';
import type { ProblemId, WorkspaceId } from '../../model/ids.ts';
import { insertWorld } from '../../testing/http/insert-world.ts';
import { makeTestApp, type TestApp, type TestPerson } from '../../testing/http/make-test-app.ts';

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

const DEVICE = { ip: '127.0.0.1', userAgent: 'test', isLocal: true };

/** An owner, and a colleague in their workspace who has one of their own too and listens. */
async function withColleague(app: TestApp): Promise<{ owner: TestPerson; bob: TestPerson; client: Client }> {
  const owner = app.person();
  const bob = app.person({ role: 'member', workspaceId: owner.workspace.id });
  createWorkspace(app.accounts, bob, 'His own', DEVICE);
  const client = await connect(app);
  client.send('authenticate', { accessToken: bob.token });
  await client.next('ready');
  return { owner, bob, client };
}

/** Their access token by now. */
async function renewed(app: TestApp, { refreshToken }: TestPerson): Promise<string> {
  const reply = await app.server.inject({ method: 'POST', url: '/api/auth/refresh', payload: { refreshToken } });
  return reply.json().accessToken;
}

function heardOf(client: Client): readonly string[] {
  return client.received.flatMap((one) => (one.type === 'activity' ? [one.payload.type] : []));
}

test('who was taken out of a workspace hears nothing of it from then on, and comes back in their own', async () => {
  await using app = await makeTestApp();
  const { owner, bob, client } = await withColleague(app);
  say(app, owner.workspace.id, 'pair_paused');
  await client.next('activity');
  removeMember(app.accounts, owner, bob.user.id, DEVICE);
  say(app, owner.workspace.id, 'pair_resumed');
  assert.equal(await client.closed, 1001);
  assert.deepEqual(heardOf(client), ['pair_paused']);
  const early = await connect(app);
  early.send('authenticate', { accessToken: bob.token });
  const refused = await early.next('refused');
  assert.equal(refused.type === 'refused' && refused.payload.code, 'TOKEN_EXPIRED', 'it was for the other workspace');
  const again = await connect(app);
  again.send('authenticate', { accessToken: await renewed(app, bob) });
  const ready = await again.next('ready');
  assert.ok(ready.type === 'ready' && ready.payload.workspaceId !== owner.workspace.id);
  again.socket.terminate();
});

test('a deleted workspace is heard by nobody', async () => {
  await using app = await makeTestApp();
  const { owner, client } = await withColleague(app);
  await deleteWorkspace(app.accounts, owner, owner.workspace.name, DEVICE);
  say(app, owner.workspace.id, 'pair_resumed');
  assert.equal(await client.closed, 1001);
  assert.deepEqual(heardOf(client), []);
});

test('where nothing happens, the next beat closes it; who only went to another workspace of theirs hears on', async (t) => {
  await using app = await makeTestApp();
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { owner, bob, client } = await withColleague(app);
  const other = createWorkspace(app.accounts, bob, 'Another', DEVICE);
  switchWorkspace(app.accounts, bob, other);
  t.mock.timers.tick(LIVE_HEARTBEAT_MS);
  await client.next('heartbeat');
  say(app, owner.workspace.id, 'pair_paused');
  await client.next('activity');
  client.send('heartbeat_ack');
  removeMember(app.accounts, owner, bob.user.id, DEVICE);
  client.send('heartbeat');
  await client.next('heartbeat_ack');
  t.mock.timers.tick(LIVE_HEARTBEAT_MS);
  assert.equal(await client.closed, 1001);
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
  // What is answered came after what was asked for before it.
  client.send('heartbeat');
  await client.next('heartbeat_ack');
  say(app, me.workspace.id, 'run_completed', { runId: world.runId });
  await client.next('sync_completed', 3);
  client.send('heartbeat');
  await client.next('heartbeat_ack', 2);
  const stores = client.received.flatMap((one) => (one.type === 'sync_completed' ? [one.payload.storeId] : []));
  assert.deepEqual(stores.slice(2), [world.storeIds.woocommerce], 'narrowed to one store');
  client.socket.terminate();
});

test('a store that goes away is told of at once; that it answers again leaves no row, and is told at the next beat, once', async (t) => {
  let lastErrorKind: 'unavailable' | null = null;
  const idle = { callCount: 7, failureCount: 1, throttledCount: 0, latencyP50Ms: 40, latencyP99Ms: 90 };
  await using app = await makeTestApp({
    engine: { storeHealth: () => ({ ...idle, lastContactAt: 1, lastErrorAt: 2, lastErrorKind }) },
  });
  t.mock.timers.enable({ apis: ['setInterval'] });
  const me = app.person();
  const { pairId, storeIds } = insertWorld(app.db, me.workspace.id, app.clock.now());
  const away = storeIds.woocommerce;
  const client = await connect(app);
  client.send('authenticate', { accessToken: me.token });
  await client.next('ready');
  const heard = () =>
    client.received.flatMap(({ type, payload }) =>
      type === 'store_health_changed' ? [[payload.storeId, payload.connectionStatus, payload.reason]] : [],
    );
  const beat = async () => {
    const before = client.received.filter(({ type }) => type === 'heartbeat_ack').length;
    t.mock.timers.tick(LIVE_HEARTBEAT_MS);
    client.send('heartbeat');
    await client.next('heartbeat_ack', before + 1);
    return heard();
  };
  assert.deepEqual(await beat(), []);
  const words = { code: 'STORE_AWAY', level: 'error', message: 'It has not answered.', remedy: 'See.' } as const;
  const about = { productId: null, side: 'woocommerce', subject: away } as const;
  const of = { workspaceId: me.workspace.id, pairId };
  transact(app.db, (tx) => {
    const at = app.clock.now();
    raiseProblem(tx, 'prb_away' as ProblemId, { ...of, storeId: away, details: null, ...about, ...words }, at);
    recordEvent(tx, { ...of, type: 'problem', payload: { ...words, ...about }, at });
  });
  await client.next('store_health_changed');
  const told = [[away, 'error', 'It has not answered.']];
  assert.deepEqual(await beat(), told);
  transact(app.db, (tx) => closeProblemsBySubject(tx, pairId, 'STORE_AWAY', away, app.clock.now()));
  assert.deepEqual(await beat(), [...told, [away, 'healthy', null]]);
  assert.equal((await beat()).length, 2, 'what was told is not told again');
  lastErrorKind = 'unavailable';
  const silent = await beat();
  assert.deepEqual(
    silent.slice(2).map(([, status]) => status),
    ['unknown', 'unknown'],
    'neither answered the last call, as the lists show it',
  );
  client.socket.terminate();
});

test('whoever comes is told how long nothing has happened in the workspace', async () => {
  await using app = await makeTestApp();
  const me = app.person();
  const quietMs = async () => {
    const client = await connect(app);
    client.send('authenticate', { accessToken: me.token });
    const ready = await client.next('ready');
    client.socket.terminate();
    return ready.type === 'ready' ? ready.payload.quietMs : undefined;
  };
  assert.equal(await quietMs(), null);
  say(app, me.workspace.id, 'pair_paused');
  app.clock.advance(5_000);
  say(app, app.person().workspace.id, 'pair_resumed');
  assert.equal(await quietMs(), 5_000);
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

/** What a client of theirs is answered. */
async function join(app: TestApp, { token }: Pick<TestPerson, 'token'>): Promise<string> {
  const client = await connect(app);
  client.send('authenticate', { accessToken: token });
  const answer = await Promise.race([client.next('ready'), client.next('refused')]);
  return answer.type === 'refused' ? answer.payload.code : 'joined';
}

test('one person takes no more than their places, in however many workspaces', async () => {
  await using app = await makeTestApp();
  const [me, other] = [app.person(), app.person()];
  for (let n = 0; n < 50; n += 1) assert.equal(await join(app, me), 'joined');
  switchWorkspace(app.accounts, me, createWorkspace(app.accounts, me, 'Second', DEVICE));
  assert.equal(await join(app, { token: await renewed(app, me) }), 'RATE_LIMITED');
  assert.equal(await join(app, other), 'joined');
});

test('a visitor of the demo has a few places: all demos together leave most of them to people', async () => {
  await using app = await makeTestApp();
  const [visitor, another] = [app.person({ isDemo: true }), app.person({ isDemo: true })];
  for (let n = 0; n < 8; n += 1) assert.equal(await join(app, visitor), 'joined');
  assert.equal(await join(app, visitor), 'RATE_LIMITED');
  assert.equal(await join(app, another), 'joined');
});

test('strangers of one place can not take all places', async () => {
  await using app = await makeTestApp();
  const strangers = await Promise.all(Array.from({ length: 40 }, () => connect(app)));
  const late = await connect(app);
  const refused = await late.next('refused');
  assert.equal(refused.type === 'refused' && refused.payload.code, 'RATE_LIMITED');
  strangers[0]?.send('authenticate', { accessToken: app.person().token });
  await strangers[0]?.next('ready');
  const next = await connect(app);
  next.send('authenticate', { accessToken: app.person().token });
  await next.next('ready');
});

test('a client that takes nothing costs bounded memory, and is told what it missed', async () => {
  await using app = await makeTestApp();
  const me = app.person();
  await app.server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.server.address() as { port: number };
  const socket = await openByHand(port, { type: 'authenticate', payload: { accessToken: me.token } });
  await waitFor(socket, '"type":"ready"');
  socket.pause();
  const total = 6_000;
  for (let n = 0; n < total; n += 100) {
    // Each commit gives the server a turn, as in life.
    transact(app.db, (tx) => {
      for (let one = n; one < n + 100; one += 1) {
        const payload = { one, text: 'x'.repeat(20_000) };
        recordEvent(tx, {
          workspaceId: me.workspace.id,
          pairId: null,
          type: 'pair_paused',
          payload,
          at: app.clock.now(),
        });
      }
    });
    await sleep(1);
  }
  let heard = '';
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString('latin1').replaceAll(/x{100,}/g, 'x');
  });
  socket.resume();
  for (let waited = 0; !heard.includes('"type":"lagged"') && waited < 10_000; waited += 20) await sleep(20);
  assert.match(heard, /"type":"lagged"/);
  // 120 MB were noted; what was on its way is what the two sockets hold, and a quarter of a megabyte before them.
  const rows = heard.match(/"type":"activity"/g)?.length ?? 0;
  assert.ok(rows < 1_000, `${rows} of ${total} rows were sent to who did not listen`);
  say(app, me.workspace.id, 'pair_resumed');
  for (let waited = 0; !heard.includes('pair_resumed') && waited < 2_000; waited += 20) await sleep(20);
  assert.match(heard, /pair_resumed/, 'from then on it hears everything again');
  socket.destroy();
});

/** A websocket without a library, whose reading can be stopped. */
async function openByHand(port: number, first: object): Promise<Socket> {
  const socket = openSocket(port, '127.0.0.1');
  await once(socket, 'connect');
  const key = Buffer.alloc(16, 7).toString('base64');
  const head = ['GET /api/ws HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Connection: Upgrade', 'Upgrade: websocket'];
  socket.write(`${[...head, 'Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${key}`].join('\r\n')}\r\n\r\n`);
  await waitFor(socket, '101 Switching Protocols');
  const text = Buffer.from(JSON.stringify(first));
  // One text frame, masked with zeros.
  const frame = Buffer.concat([Buffer.from([0x81, 0xfe, text.length >> 8, text.length & 255, 0, 0, 0, 0]), text]);
  socket.write(frame);
  return socket;
}

async function waitFor(socket: Socket, words: string): Promise<void> {
  let heard = '';
  const listen = (chunk: Buffer): void => {
    heard += chunk.toString('latin1');
  };
  socket.on('data', listen);
  for (let waited = 0; !heard.includes(words); waited += 5) {
    if (waited > 5_000) throw new Error(`no ${words} in ${heard}`);
    await sleep(5);
  }
  socket.off('data', listen);
}
