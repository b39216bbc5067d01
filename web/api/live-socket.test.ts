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
const nowhere = { addEventListener: () => undefined, removeEventListener: () => undefined };
let statuses: LiveStatus[] = [];
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
  Object.assign(globalThis, { WebSocket: FakeSocket, window: nowhere, document: nowhere });
  Object.defineProperty(globalThis, 'navigator', { value: { onLine: true }, configurable: true });
  socket = new LiveSocket({
    url: 'ws://x/api/ws',
    token: () => 'token',
    renewToken: () => Promise.resolve(true),
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

test('the server’s heartbeat is answered', () => {
  last().accept(1);
  last().say('heartbeat', {});
  assert.match(last().sent.at(-1) ?? '', /"heartbeat_ack"/);
});
