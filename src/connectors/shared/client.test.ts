import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import { SeededRandom, seededRandomPort } from '../../testing/simulator/random.ts';
import { VirtualClock } from '../../testing/simulator/virtual-clock.ts';
import { type CallIntent, createHttpClient, redact } from './client.ts';
import { createHealthMeter } from './health-meter.ts';
import { createRateGate } from './rate-gate.ts';
import { type HttpResponse, TransportError } from './transport.ts';

const answer = (status: number, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers,
  body: new Uint8Array(),
});
const silent = { debug() {}, info() {}, warn() {}, error() {} };

function makeClient(script: (HttpResponse | TransportError)[], urls: string[] = []) {
  const clock = new VirtualClock();
  const health = createHealthMeter(clock);
  let sent = 0;
  const client = createHttpClient({
    clock,
    health,
    log: silent,
    random: seededRandomPort(new SeededRandom('client'), clock),
    gate: createRateGate({ clock, requestsPerSecond: 100 }),
    secrets: ['ck_secret_key'],
    transport: async ({ url }) => {
      urls.push(url);
      const next = script[Math.min(sent, script.length - 1)]!;
      sent += 1;
      if (next instanceof Error) throw next;
      return next;
    },
  });
  const send = (intent: CallIntent) =>
    clock.run(
      client.send({
        intent,
        priority: 'other',
        request: { method: 'GET', url: 'https://x.example/', headers: {}, timeoutMs: 1 },
      }),
    );
  return { clock, client, health, send, sentCount: () => sent };
}

const lost = (phase: 'before_send' | 'after_send') =>
  new TransportError(phase, 'connection_lost', 'lost', 'ECONNRESET');

test('a store that is away for maintenance is looked for soon, whatever it says of when it is back; what it says with 429 is obeyed', async () => {
  for (const [status, waitMs] of [
    [503, 15_000],
    [429, 600_000],
  ] as const) {
    const { clock, send } = makeClient([answer(status, { 'retry-after': '600' }), answer(200)]);
    const startedAt = clock.now();
    assert.equal((await send('read')).status, status);
    const retry = async (): Promise<number> => {
      try {
        return (await send('read')).status;
      } catch {
        await clock.runFor(1_000);
        return retry();
      }
    };
    assert.equal(await retry(), 200);
    assert.ok(Math.abs(clock.now() - startedAt - waitMs) <= 30_000, `${status}: ${clock.now() - startedAt} ms`);
  }
});

test('[C27] a write that waits out a Retry-After is given up at once when it may not leave any more', async () => {
  const { clock, client, sentCount } = makeClient([answer(429, { 'retry-after': '20' }), answer(200)]);
  const startedAt = clock.now();
  const abort = new AbortController();
  const request = { method: 'POST', url: 'https://x.example/', headers: {}, timeoutMs: 1, signal: abort.signal };
  const sent = client.send({ intent: 'write', priority: 'write', request, cut: new AbortController().signal });
  const refused = assert.rejects(sent, (error) => error instanceof ConnectorError && error.kind === 'unavailable');
  await clock.runFor(3_000);
  abort.abort();
  await clock.run(refused);
  assert.deepEqual([sentCount(), clock.now() - startedAt], [1, 3_000]);
});

test('[C9] reads are repeated on 429, 5xx and lost connections, three times in all', async () => {
  for (const fault of [
    answer(429),
    answer(500),
    answer(502),
    answer(503),
    answer(504),
    lost('before_send'),
    lost('after_send'),
  ]) {
    const passing = makeClient([fault, fault, answer(200)]);
    assert.equal((await passing.send('read')).status, 200);
    assert.equal(passing.sentCount(), 3);
  }
  const lasting = makeClient([answer(500)]);
  assert.equal((await lasting.send('read')).status, 500);
  assert.equal(lasting.sentCount(), 3);
});

test('[C9] each repetition asks for an address of its own where the caller makes them', async () => {
  const urls: string[] = [];
  const { clock, client } = makeClient([answer(503), lost('after_send'), answer(200)], urls);
  let made = 1;
  const request = { method: 'GET', url: 'https://x.example/?1', headers: {}, timeoutMs: 1 };
  const urlOf = () => `https://x.example/?${++made}`;
  assert.equal((await clock.run(client.send({ intent: 'read', priority: 'other', request, urlOf }))).status, 200);
  assert.deepEqual(urls, ['https://x.example/?1', 'https://x.example/?2', 'https://x.example/?3']);
});

test('[C9] the first answer of a store is waited for once, later ones are asked for again', async () => {
  const late = new TransportError('after_send', 'timeout', 'late');
  const hanging = makeClient([late]);
  await assert.rejects(hanging.send('read'));
  assert.equal(hanging.sentCount(), 1);
  const known = makeClient([answer(200), late, late, answer(200)]);
  await known.send('read');
  assert.equal((await known.send('read')).status, 200);
  assert.equal(known.sentCount(), 4);
});

test('[C9] a store that gave no answer at all is asked once a call, until it does', async () => {
  const down = lost('before_send');
  const client = makeClient([down, down, down, down, answer(200), answer(503), answer(200)]);
  await assert.rejects(client.send('read'));
  assert.equal(client.sentCount(), 3);
  await assert.rejects(client.send('read'));
  assert.equal(client.sentCount(), 4);
  assert.equal((await client.send('read')).status, 200);
  assert.equal((await client.send('read')).status, 200, 'repeated again');
  assert.equal(client.sentCount(), 7);
});

test('[C9] a name that does not exist is an answer: whoever mistyped it is told at once', async () => {
  const wrong = makeClient([new TransportError('before_send', 'dns', 'no such name', 'ENOTFOUND'), answer(200)]);
  await assert.rejects(() => wrong.send('read'), ConnectorError);
  assert.equal(wrong.sentCount(), 1);
  const unsure = makeClient([new TransportError('before_send', 'dns', 'nobody to ask', 'EAI_AGAIN'), answer(200)]);
  assert.equal((await unsure.send('read')).status, 200);
});

test('[C8] [C9] a write is sent once, except after 429', async () => {
  for (const fault of [answer(500), answer(503), answer(504)]) {
    const client = makeClient([fault]);
    assert.equal((await client.send('write')).status, fault.status);
    assert.equal(client.sentCount(), 1);
  }
  const refused = makeClient([answer(429, { 'retry-after': '2' }), answer(200)]);
  const startedAt = refused.clock.now();
  assert.equal((await refused.send('write')).status, 200);
  assert.ok(refused.clock.now() - startedAt >= 2_000);
});

test('[C8] a lost write is unknown after sending and unavailable before', async () => {
  const kindOf = async (error: TransportError, intent: CallIntent) => {
    const { send } = makeClient([error]);
    return send(intent).then(
      () => 'none',
      (reason: unknown) => (reason instanceof ConnectorError ? reason.kind : 'other'),
    );
  };
  assert.equal(await kindOf(lost('after_send'), 'write'), 'unknown_outcome');
  assert.equal(await kindOf(lost('before_send'), 'write'), 'unavailable');
  assert.equal(await kindOf(new TransportError('after_send', 'timeout', 't'), 'write'), 'unknown_outcome');
  assert.equal(await kindOf(new TransportError('before_send', 'timeout', 't'), 'write'), 'timeout');
  assert.equal(await kindOf(new TransportError('after_send', 'timeout', 't'), 'read'), 'timeout');
  assert.equal(await kindOf(new TransportError('after_send', 'too_large', 't'), 'read'), 'malformed');
  assert.equal(await kindOf(new TransportError('before_send', 'blocked', 't'), 'read'), 'unavailable');
});

test('a Retry-After beyond 30 s is handed back at once', async () => {
  const { send, sentCount, clock } = makeClient([answer(429, { 'retry-after': '90' })]);
  const startedAt = clock.now();
  assert.equal((await send('read')).status, 429);
  assert.equal(sentCount(), 1);
  assert.ok(clock.now() - startedAt < 1_000);
});

test('[C12] secrets are hidden in plain, encoded and base64 form, and words are cut', () => {
  const secret = 'cs_a+b/c=d';
  const text = `x ${secret} y ${encodeURIComponent(secret)} z ${Buffer.from(secret).toString('base64')}`;
  assert.equal(redact(text, [secret]), 'x [hidden] y [hidden] z [hidden]');
  assert.equal(makeClient([answer(200)]).client.clean(`ck_secret_key${'w'.repeat(900)}`).length, 500);
});

test('a fault of our own amid a write that was sent is never told as a write that was given up before', async () => {
  const { clock, client, sentCount } = makeClient([new TypeError('a bug') as unknown as HttpResponse]);
  const abort = new AbortController();
  const request = { method: 'POST', url: 'https://x.example/', headers: {}, timeoutMs: 1, signal: abort.signal };
  const sent = client.send({ intent: 'write', priority: 'write', request, cut: new AbortController().signal });
  abort.abort();
  await clock.run(assert.rejects(sent, TypeError));
  assert.equal(sentCount(), 1);
});

test('health does not count what we gave up ourselves as a failure of the store', async () => {
  const { health, send } = makeClient([new TransportError('after_send', 'aborted', 'cancelled')]);
  await assert.rejects(send('read'), (error) => error instanceof ConnectorError && error.details.isCancelled === true);
  assert.deepEqual([health.read().failureCount, health.read().lastErrorKind], [0, null]);
});

test('health counts calls, failures and throttling, and knows percentiles', async () => {
  const { health, send } = makeClient([answer(200), answer(401), answer(429)]);
  assert.equal(health.read().latencyP50Ms, null);
  await send('read');
  await send('read');
  await send('write');
  const read = health.read();
  assert.equal(read.callCount, 5);
  assert.equal(read.failureCount, 4);
  assert.equal(read.throttledCount, 3);
  assert.equal(read.lastErrorKind, 'rate_limited');
  assert.ok(read.lastContactAt !== null && read.latencyP50Ms !== null && read.latencyP99Ms !== null);
});
