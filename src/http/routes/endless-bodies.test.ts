// What is sent and never ends: measured in a process of its own, where no other body is still held.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { insertWorld } from '../../testing/http/insert-world.ts';
import { makeTestApp } from '../../testing/http/make-test-app.ts';

const MB = 1024 * 1024;
const FIVE_MB = Buffer.alloc(5 * MB, 'a');

/** Sends all but the last byte of a body, of five megabytes by default, and keeps the line open. `said`: what was answered so far. */
function begin(port: string, path: string, from: string, isChunked = false, body = FIVE_MB) {
  const socket: Socket = connect(Number(port), '127.0.0.1');
  const line = { said: '', socket };
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    line.said += String(chunk);
  });
  const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${body.length}`;
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${from}\r\n${length}\r\n\r\n`);
  if (isChunked) socket.write(`${body.length.toString(16)}\r\n`);
  socket.write(body.subarray(1));
  return line;
}

/** Bytes outside the heap that are not garbage. */
function held(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  setFlagsFromString('--no-expose-gc');
  return process.memoryUsage().arrayBuffers;
}

/** What is held once nothing more of what was before is let go: a body that has been answered may stay for some turns. */
async function heldAtRest(): Promise<number> {
  let least = held();
  for (let still = 0; still < 10; still += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const now = held();
    if (now < least) [least, still] = [now, -1];
  }
  return least;
}

/** A server that listens behind a proxy of ours, and the lines to it, which all end with the test. */
async function openToBodies() {
  const app = await makeTestApp({
    engine: { acceptDelivery: async () => 'stored' as const },
    deps: { trustedProxies: ['127.0.0.1'] },
  });
  const world = insertWorld(app.db, app.person().workspace.id, app.clock.now());
  const path = `/api/webhooks/${world.storeIds.woocommerce}`;
  const { port } = new URL(await app.server.listen({ host: '127.0.0.1', port: 0 }));
  const lines: ReturnType<typeof begin>[] = [];
  const hangUp = () => {
    for (const { socket } of lines) socket.destroy();
  };
  return {
    ...{ app, path, port, lines, hangUp },
    async [Symbol.asyncDispose]() {
      hangUp();
      await app[Symbol.asyncDispose]();
    },
  };
}

/** Long enough that a machine busy with other tests gets there, too: only what never happens fails. */
const NEVER_MS = 60_000;

const soon = async (isSo: () => boolean | Promise<boolean>, what: string) => {
  const from = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - from < NEVER_MS, what);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

test('bodies that never end fill no memory: a source has ten megabytes under way and all together 32, and small ones go on', async () => {
  await using open = await openToBodies();
  const { app, path, port, lines, hangUp } = open;
  const post = async (from: string, size: number) => {
    const headers = { 'x-forwarded-for': from };
    const reply = await app.server.inject({ method: 'POST', url: path, headers, payload: FIVE_MB.subarray(0, size) });
    return [reply.statusCode, reply.headers['retry-after'], reply.statusCode === 200 || reply.json().error.code];
  };
  const before = await heldAtRest();
  lines.push(...Array.from({ length: 40 }, () => begin(port, path, '203.0.113.1')));
  const refused = () => lines.filter(({ said }) => said.startsWith('HTTP/1.1 429'));
  await soon(() => refused().length >= 38, 'not all but two were refused');
  await soon(() => held() - before < 12 * MB, 'what was refused is kept');
  assert.equal(refused().length, 38, 'what a source may have under way is taken in');
  for (const { socket } of refused()) socket.destroy();
  const others = ['203.0.113.2', '203.0.113.3'].flatMap((from) => [begin(port, path, from), begin(port, path, from)]);
  lines.push(...others);
  await soon(() => held() - before > 29 * MB, 'others are let in');
  assert.deepEqual(await post('203.0.113.1', 16 * 1024), [429, '5', 'RATE_LIMITED']);
  assert.deepEqual(await post('203.0.113.4', 5 * MB), [429, '5', 'RATE_LIMITED']);
  assert.deepEqual(await post('203.0.113.4', 16 * 1024), [200, undefined, true], 'as large as webhooks are');
  hangUp();
  await soon(async () => (await post('203.0.113.1', 5 * MB))[0] === 200, 'what was given up is still counted');
});

test('bodies that do not say how long they are count as they come: many small ones pass, and none fills the memory', async () => {
  await using open = await openToBodies();
  const { app, path, port, lines, hangUp } = open;
  const said = (start: string) => lines.filter((line) => line.said.startsWith(start)).length;
  const small = Buffer.alloc(2_000, 'a');
  lines.push(...Array.from({ length: 100 }, () => begin(port, path, '203.0.113.1', true, small)));
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(said('HTTP/1.1 429'), 0, 'all of them are under way');
  for (const { socket } of lines) socket.write('a\r\n0\r\n\r\n');
  await soon(() => said('HTTP/1.1 200') === 100, 'not all were taken');
  for (const { socket } of lines.splice(0)) socket.destroy();
  const before = await heldAtRest();
  lines.push(...Array.from({ length: 20 }, () => begin(port, path, '203.0.113.1', true)));
  await soon(() => said('HTTP/1.1 429') >= 18, 'not all but two were refused');
  await soon(() => held() - before < 13 * MB, 'what was refused is kept');
  hangUp();
  const whole = () =>
    app.server.inject({ method: 'POST', url: path, headers: { 'x-forwarded-for': '203.0.113.1' }, payload: FIVE_MB });
  await soon(async () => (await whole()).statusCode === 200, 'what was given up is still counted');
});
