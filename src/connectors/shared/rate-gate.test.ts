import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import { VirtualClock } from '../../testing/simulator/virtual-clock.ts';
import { type CallPriority, createRateGate, parseRetryAfter, type RateGateOptions } from './rate-gate.ts';

const GOOD = { status: 200, latencyMs: 50, retryAfterMs: null };

function makeGate(options: Partial<RateGateOptions> = {}) {
  const clock = new VirtualClock();
  const gate = createRateGate({ clock, requestsPerSecond: 10, burst: 1, concurrencyMax: 100, ...options });
  return { clock, gate, startedAt: clock.now() };
}

test('calls are let through no faster than the rate', async () => {
  const { clock, gate, startedAt } = makeGate();
  const entered: number[] = [];
  const all = Array.from({ length: 21 }, async () => {
    const leave = await gate.enter('other');
    entered.push(clock.now() - startedAt);
    leave(GOOD);
  });
  await clock.run(Promise.all(all));
  assert.equal(entered.length, 21);
  assert.ok(entered[20]! >= 2_000 && entered[20]! < 2_100, String(entered[20]));
  for (let at = 10; at < 21; at += 1) assert.ok(entered[at]! - entered[at - 10]! >= 900);
});

test('[W1] who waited while the machine slept has a second to see it and to leave the line', async () => {
  const { clock, gate } = makeGate({ requestsPerSecond: 1 });
  (await gate.enter('stock'))(GOOD);
  const late = new AbortController();
  const waiting = gate.enter('stock', late.signal);
  await clock.runFor(500);
  const brokenAt = clock.now();
  Object.assign(clock, { brokenAt: () => brokenAt });
  clock.setTimer(() => late.abort('too late'), 1_000);
  await assert.rejects(clock.run(waiting), (error) => error === 'too late');
  const leave = await clock.run(gate.enter('stock'));
  assert.ok(clock.now() - brokenAt < 3_000);
  leave(GOOD);
});

test('stock goes first and writes go before reads, whoever waited longer', async () => {
  const { clock, gate } = makeGate();
  const order: string[] = [];
  const go = async (priority: CallPriority, name: string) => {
    const leave = await gate.enter(priority);
    order.push(name);
    leave(GOOD);
  };
  const all = [go('other', 'a'), go('other', 'b'), go('write', 'w'), go('stock', 's1'), go('stock', 's2')];
  await clock.run(Promise.all(all));
  assert.deepEqual(order, ['a', 's1', 's2', 'w', 'b']);
});

test('no more calls under way than allowed', async () => {
  const { clock, gate } = makeGate({ concurrencyMax: 2, burst: 10 });
  let underWay = 0;
  let most = 0;
  const all = Array.from({ length: 8 }, async () => {
    const leave = await gate.enter('write');
    underWay += 1;
    most = Math.max(most, underWay);
    await clock.sleep(500);
    underWay -= 1;
    leave(GOOD);
  });
  await clock.run(Promise.all(all));
  assert.equal(most, 2);
});

test('a place is kept for stock and writes, whatever is being read', async () => {
  const { clock, gate } = makeGate({ concurrencyMax: 3, burst: 10 });
  const entered: string[] = [];
  const go = async (priority: CallPriority, name: string, lastsMs: number) => {
    const leave = await gate.enter(priority);
    entered.push(name);
    await clock.sleep(lastsMs);
    leave(GOOD);
  };
  const reads = ['a', 'b', 'c'].map((name) => go('other', name, 12_000));
  await clock.runFor(100);
  assert.deepEqual(entered, ['a', 'b']);
  const rest = [go('stock', 's', 1_000), go('write', 'w', 1_000)];
  await clock.runFor(100);
  assert.deepEqual(entered, ['a', 'b', 's']);
  await clock.runFor(1_500);
  assert.deepEqual(entered, ['a', 'b', 's', 'w']);
  await clock.run(Promise.all([...reads, ...rest]));
  assert.equal(entered.length, 5);
});

test('429, 5xx and slow answers halve the rate once a second; good ones bring it back', async () => {
  const { clock, gate } = makeGate({ requestsPerSecond: 8, burst: 50 });
  const report = async (answer: typeof GOOD) => (await clock.run(gate.enter('other')))(answer);
  await report({ ...GOOD, status: 500 });
  await report({ ...GOOD, status: 503 });
  assert.equal(gate.perSecond, 4);
  await clock.runFor(1_100);
  await report({ ...GOOD, latencyMs: 20_000 });
  assert.equal(gate.perSecond, 2);
  for (let n = 0; n < 40; n += 1) await report(GOOD);
  assert.equal(gate.perSecond, 8);
  for (let n = 0; n < 20; n += 1) {
    await clock.runFor(1_100);
    await report({ ...GOOD, status: 429 });
  }
  assert.equal(gate.perSecond, 0.5);
});

test('a store that answers fast is asked faster, by the time its answers take; strain ends that for a minute', async () => {
  const { clock, gate } = makeGate({ requestsPerSecond: 8, requestsPerSecondFast: 250 });
  const call = async (latencyMs: number, status = 200) => {
    const leave = await gate.enter('other');
    leave({ status, latencyMs, retryAfterMs: null });
  };
  const calls = (count: number, latencyMs: number) =>
    clock.run(Promise.all(Array.from({ length: count }, () => call(latencyMs))));
  await calls(100, 250);
  assert.ok(gate.perSecond <= 8.5, `a slow store: ${gate.perSecond}`);
  await calls(150, 5);
  assert.equal(gate.perSecond, 250);
  await calls(30, 40);
  assert.ok(gate.perSecond >= 48 && gate.perSecond <= 55, `two calls of 40 ms at once: ${gate.perSecond}`);
  await clock.run(call(5, 429));
  assert.equal(gate.perSecond, 4);
  await calls(60, 5);
  assert.equal(gate.perSecond, 8);
  await clock.runFor(60_000);
  await calls(200, 5);
  assert.ok(gate.perSecond > 100, `rested: ${gate.perSecond}`);
});

test('Retry-After holds everybody back', async () => {
  const { clock, gate, startedAt } = makeGate();
  (await clock.run(gate.enter('other')))({ status: 429, latencyMs: 5, retryAfterMs: 5_000 });
  await clock.run(gate.enter('stock'));
  assert.ok(clock.now() - startedAt >= 5_000);
});

test('a wait of more than 30 s fails at once with how long it would be; those who wait are told too', async () => {
  const { clock, gate, startedAt } = makeGate();
  const leave = await clock.run(gate.enter('other'));
  const waiting = assert.rejects(
    gate.enter('other'),
    (error) => error instanceof ConnectorError && error.kind === 'rate_limited',
  );
  leave({ status: 429, latencyMs: 5, retryAfterMs: 90_000 });
  await waiting;
  await assert.rejects(gate.enter('stock'), (error) => {
    assert.ok(error instanceof ConnectorError && error.kind === 'rate_limited');
    assert.ok((error.details.retryAfterMs ?? 0) > 80_000);
    return true;
  });
  assert.ok(clock.now() - startedAt < 1_000);
});

test('an aborted wait leaves the queue', async () => {
  const { clock, gate } = makeGate();
  await clock.run(gate.enter('other'));
  const abort = new AbortController();
  const waiting = assert.rejects(gate.enter('other', abort.signal), /stop/);
  abort.abort(new Error('stop'));
  await waiting;
  await clock.run(gate.enter('other'));
});

test('Retry-After is seconds or a date', () => {
  const now = Date.UTC(2026, 10, 21, 12);
  const parse = (value: string | undefined, date?: string) =>
    parseRetryAfter(
      { ...(value === undefined ? {} : { 'retry-after': value }), ...(date === undefined ? {} : { date }) },
      now,
    );
  assert.equal(parse('120'), 120_000);
  assert.equal(parse(' 1.5 '), 1_500);
  assert.equal(parse('Sat, 21 Nov 2026 12:00:30 GMT'), 30_000);
  assert.equal(parse('Sat, 21 Nov 2026 11:00:00 GMT'), 0);
  // A store whose clock is an hour ahead, and one whose clock is an hour behind: both mean half a minute.
  assert.equal(parse('Sat, 21 Nov 2026 13:00:30 GMT', 'Sat, 21 Nov 2026 13:00:00 GMT'), 30_000);
  assert.equal(parse('Sat, 21 Nov 2026 11:00:30 GMT', 'Sat, 21 Nov 2026 11:00:00 GMT'), 30_000);
  assert.equal(parse('Sat, 21 Nov 2026 12:00:30 GMT', 'now'), 30_000);
  for (const far of ['31536000', 'Sat, 21 Nov 2099 12:00:00 GMT']) assert.equal(parse(far), 3_600_000);
  for (const bad of [undefined, '', 'soon', '-5']) assert.equal(parse(bad), null);
});
