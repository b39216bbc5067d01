import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { HEARTBEAT_MS, LiveSocket, type LiveStatus, waitBeforeTry } from './live-socket.ts';

/** Stands in for the browser's socket: the test plays the server. */
class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readonly sent: string[] = [];
  readyState = 0;
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  constructor() {
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = 3;
  }
  accept(lastSeq: number): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
    this.say('ready', { workspaceId: 'ws_1', lastSeq });
  }
  say(type: string, payload: unknown): void {
    this.onmessage?.({ data: JSON.stringify({ type, payload, timestamp: '' }) });
  }
  break(): void {
    this.onclose?.();
  }
}

const realGlobals = { WebSocket: globalThis.WebSocket };
const place = {
  visibilityState: 'visible',
  addEventListener: (type: string, listener: () => void) => void events.set(type, listener),
  removeEventListener: () => undefined,
};
let statuses: LiveStatus[] = [];
/** How many renewals were wanted, and how the next one ends. */
let renewals: number;
let renew: () => Promise<boolean>;
/** What the browser tells the page. */
let events: Map<string, () => void>;
let socket: LiveSocket;

function last(): FakeSocket {
  const found = FakeSocket.all.at(-1);
  assert.ok(found);
  return found;
}

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  FakeSocket.all = [];
  statuses = [];
  events = new Map();
  renewals = 0;
  renew = () => Promise.resolve(true);
  Object.assign(globalThis, { WebSocket: FakeSocket, window: place, document: place });
  Object.defineProperty(globalThis, 'navigator', { value: { onLine: true }, configurable: true });
  socket = new LiveSocket({
    url: 'ws://x/api/ws',
    token: () => 'token',
    renewToken: () => {
      renewals += 1;
      return renew();
    },
    onStatus: (status) => statuses.push(status),
    onMessage: () => undefined,
  });
  socket.start();
});

afterEach(() => {
  socket.stop();
  mock.timers.reset();
  Object.assign(globalThis, realGlobals);
});

test('[spec 9] the wait starts at 1 second, doubles, and ends at 30', () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6].map(waitBeforeTry), [1000, 2000, 4000, 8000, 16000, 30000, 30000]);
});

test('the token goes in the first message, never in the address', () => {
  last().accept(7);
  assert.deepEqual(JSON.parse(last().sent[0] ?? ''), {
    type: 'authenticate',
    payload: { accessToken: 'token' },
    timestamp: JSON.parse(last().sent[0] ?? '').timestamp,
  });
  assert.deepEqual(statuses, ['connecting', 'connected']);
});

test('[spec 9] after five tries it is offline', () => {
  last().break();
  for (const waitMs of [1000, 2000, 4000, 8000, 16000]) {
    mock.timers.tick(waitMs);
    last().break();
  }
  assert.equal(FakeSocket.all.length, 6);
  assert.equal(statuses.at(-1), 'offline');
  mock.timers.tick(60_000);
  assert.equal(FakeSocket.all.length, 6);
});

test('an answer of the server after that is one try more, and only then', () => {
  const breakAll = (): void => {
    last().break();
    for (const waitMs of [1000, 2000, 4000, 8000, 16000]) {
      mock.timers.tick(waitMs);
      last().break();
    }
  };
  socket.tryOnce();
  assert.equal(FakeSocket.all.length, 1, 'it is being opened already');
  breakAll();
  socket.tryOnce();
  assert.equal(FakeSocket.all.length, 7);
  last().break();
  assert.equal(statuses.at(-1), 'offline');
  mock.timers.tick(60_000);
  assert.equal(FakeSocket.all.length, 7);
  socket.tryOnce();
  last().accept(3);
  assert.equal(statuses.at(-1), 'connected');
  breakAll();
  assert.equal(FakeSocket.all.length, 8 + 5, 'once connected all tries are there anew');
});

test('after a break it asks for what came since the last row it saw', () => {
  last().accept(7);
  last().say('activity', { seq: 9 });
  last().break();
  mock.timers.tick(1000);
  last().accept(12);
  assert.equal(JSON.parse(last().sent[0] ?? '').payload.afterSeq, 9);
});

test('[spec 9] a heartbeat every 30 seconds; no answer for 30 more is a broken line', () => {
  last().accept(1);
  mock.timers.tick(HEARTBEAT_MS);
  assert.match(last().sent.at(-1) ?? '', /"heartbeat"/);
  last().say('heartbeat_ack', {});
  mock.timers.tick(HEARTBEAT_MS);
  const silent = last();
  mock.timers.tick(HEARTBEAT_MS);
  mock.timers.tick(1000);
  assert.notEqual(last(), silent);
});

test('a line that is open and stays silent is a broken one, also before the server has said that it is ready', () => {
  const silent = last();
  silent.readyState = FakeSocket.OPEN;
  silent.onopen?.();
  mock.timers.tick(HEARTBEAT_MS);
  mock.timers.tick(1000);
  assert.notEqual(last(), silent);
  assert.equal(silent.readyState, 3, 'closed');
  last().accept(1);
  assert.equal(statuses.at(-1), 'connected');
});

test('the server’s heartbeat is answered', () => {
  last().accept(1);
  last().say('heartbeat', {});
  assert.match(last().sent.at(-1) ?? '', /"heartbeat_ack"/);
});

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

test('refused, it renews the session once; refused again it is offline, and connected it may renew anew', async () => {
  for (const code of ['SESSION_EXPIRED', 'UNAUTHORIZED', 'TOKEN_EXPIRED']) {
    renewals = 0;
    last().say('refused', { code });
    await settle();
    assert.equal(renewals, 1, code);
    last().accept(1);
    assert.equal(statuses.at(-1), 'connected');
  }
  last().say('refused', { code: 'UNAUTHORIZED' });
  await settle();
  last().say('refused', { code: 'UNAUTHORIZED' });
  await settle();
  assert.deepEqual([renewals, statuses.at(-1)], [2, 'offline']);
});

test('a session that can not be renewed is asked for once; what has nothing to do with it not at all', async () => {
  last().accept(1);
  last().say('refused', { code: 'RATE_LIMITED' });
  assert.deepEqual([renewals, statuses.at(-1)], [0, 'offline']);
  renew = () => Promise.resolve(false);
  socket.tryOnce();
  last().say('refused', { code: 'SESSION_EXPIRED' });
  await settle();
  assert.deepEqual([renewals, statuses.at(-1), FakeSocket.all.length], [1, 'offline', 2]);
});

test('a renewal without an answer is no renewal: it is tried again', async () => {
  renew = () => Promise.reject(new Error('no answer'));
  last().say('refused', { code: 'TOKEN_EXPIRED' });
  await settle();
  renew = () => Promise.resolve(true);
  mock.timers.tick(1000);
  last().say('refused', { code: 'TOKEN_EXPIRED' });
  await settle();
  last().accept(1);
  assert.deepEqual([renewals, statuses.at(-1)], [2, 'connected']);
});

test('what is opened while the token is renewed gives way: one socket, one heartbeat', async () => {
  let answer = (_isRenewed: boolean): void => undefined;
  renew = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  last().say('refused', { code: 'TOKEN_EXPIRED' });
  events.get('visibilitychange')?.();
  const between = last();
  between.accept(1);
  answer(true);
  await settle();
  assert.notEqual(last(), between);
  assert.equal(between.readyState, 3, 'closed');
  last().accept(1);
  mock.timers.tick(HEARTBEAT_MS);
  assert.equal(last().sent.length, 2, 'who it is, and one heartbeat');
  assert.equal(between.sent.length, 1);
});

test('stopped while the token is renewed it says nothing more', async () => {
  let answer = (_isRenewed: boolean): void => undefined;
  renew = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  last().say('refused', { code: 'TOKEN_EXPIRED' });
  socket.stop();
  const said = statuses.length;
  answer(false);
  await settle();
  assert.deepEqual([statuses.length, FakeSocket.all.length], [said, 1]);
});
