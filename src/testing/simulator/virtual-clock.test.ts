import assert from 'node:assert/strict';
import { test } from 'node:test';
import PQueue from 'p-queue';
import { SeededRandom } from './random.ts';
import { VirtualClock } from './virtual-clock.ts';

test('timers run in order of time, then of setting; time is what they were set for', async () => {
  const clock = new VirtualClock(1_000);
  const seen: [string, number][] = [];
  clock.setTimer(() => seen.push(['late', clock.now()]), 30);
  clock.setTimer(() => seen.push(['first', clock.now()]), 10);
  clock.setTimer(() => seen.push(['second', clock.now()]), 10);
  const cleared = clock.setTimer(() => seen.push(['never', clock.now()]), 20);
  clock.clearTimer(cleared);
  while (await clock.advance());
  assert.deepEqual(seen, [
    ['first', 1_010],
    ['second', 1_010],
    ['late', 1_030],
  ]);
  assert.equal(clock.nextAt(), null);
});

test('the heap keeps the order of thousands of timers', async () => {
  const clock = new VirtualClock(0);
  const random = new SeededRandom('heap');
  const fired: number[] = [];
  for (let count = 0; count < 3_000; count += 1) {
    const timer = clock.setTimer(() => fired.push(clock.now()), random.int(1_000));
    if (random.chance(0.3)) clock.clearTimer(timer);
  }
  await clock.runUntil(2_000);
  assert.deepEqual(
    fired.toSorted((a, b) => a - b),
    fired,
  );
  assert.ok(fired.length > 1_900 && fired.length < 2_300);
  assert.equal(clock.now(), 2_000);
});

for (const isPromisesOnly of [false, true]) {
  test(`everything that a timer set off comes to rest before the next one, however deep, ${isPromisesOnly ? 'in one turn of the loop' : 'each in a turn of the loop'}`, async () => {
    const clock = new VirtualClock(0, { isPromisesOnly });
    const seen: string[] = [];
    const deep = async (depth: number): Promise<void> => {
      if (depth > 0) await deep(depth - 1);
      await null;
    };
    for (const name of ['a', 'b']) {
      clock.setTimer(() => {
        void deep(2_000).then(() => seen.push(`deep ${name}`));
        process.nextTick(() => seen.push(`tick ${name}`));
      }, 1);
      clock.setTimer(() => seen.push(`next ${name}`), 1);
    }
    clock.setTimer(() => seen.push('later'), 2);
    await clock.runFor(1);
    // Which of the two is first is Node's affair.
    const together = (from: number) => seen.slice(from, from + 2).sort();
    assert.deepEqual([together(0), seen[2]], [['deep a', 'tick a'], 'next a']);
    assert.deepEqual([together(3), seen[5]], [['deep b', 'tick b'], 'next b']);
    assert.equal(seen.length, 6);
  });

  test(`what a timer throws ends the run, ${isPromisesOnly ? 'in one turn of the loop' : 'each in a turn of the loop'}; the next run goes on behind it`, async () => {
    const clock = new VirtualClock(0, { isPromisesOnly });
    const seen: string[] = [];
    clock.setTimer(() => {
      throw new Error('broken');
    }, 1);
    clock.setTimer(() => seen.push('next'), 1);
    await assert.rejects(clock.runFor(5), /broken/);
    assert.deepEqual(seen, []);
    await clock.runFor(5);
    assert.deepEqual(seen, ['next']);
  });
}

test('two runs beside each other both get on, however long the one is', async () => {
  const clock = new VirtualClock(0, { isPromisesOnly: true });
  let count = 0;
  const tick = (): void => {
    count += 1;
    if (count < 1_000) clock.setTimer(tick, 1);
  };
  clock.setTimer(tick, 1);
  const long = clock.runUntil(1_000);
  await clock.runUntil(10);
  assert.ok(count < 100, `the short run waited for the long one (${count})`);
  await long;
  assert.equal(count, 1_000);
});

test('p-queue runs on it to the end, in the same order every time', async () => {
  const once = async (): Promise<string> => {
    const clock = new VirtualClock(0);
    const random = new SeededRandom('queue');
    const queue = new PQueue({ concurrency: 3 });
    const log: string[] = [];
    for (let id = 0; id < 40; id += 1) {
      const ms = random.int(50);
      void queue.add(
        async () => {
          await clock.sleep(ms);
          log.push(`${id}@${clock.now()}`);
        },
        { priority: id % 4 },
      );
    }
    await clock.run(queue.onIdle());
    return log.join(' ');
  };
  const first = await once();
  assert.equal(first.split(' ').length, 40);
  assert.equal(await once(), first);
});

test('sleep rejects with the reason when it is aborted, before or while it sleeps', async () => {
  const clock = new VirtualClock(0);
  await assert.rejects(clock.sleep(5, AbortSignal.abort(new Error('before'))), /before/);
  const controller = new AbortController();
  const sleeping = assert.rejects(clock.sleep(100, controller.signal), /while/);
  clock.setTimer(() => controller.abort(new Error('while')), 10);
  await clock.run(sleeping);
  assert.equal(clock.now(), 10);
  assert.equal(clock.nextAt(), null, 'its timer is gone');
});

test('run gives what the promise settles to, and says so when it waits for nothing that can come', async () => {
  const clock = new VirtualClock(0);
  assert.equal(await clock.run(clock.sleep(3).then(() => 'done')), 'done');
  await assert.rejects(clock.run(clock.sleep(3).then(() => Promise.reject(new Error('no')))), /no/);
  await assert.rejects(clock.run(new Promise(() => undefined)), /waits for a timer/);
});

test('runUntil leaves what is due later', async () => {
  const clock = new VirtualClock(0);
  let count = 0;
  clock.setTimer(() => count++, 10);
  clock.setTimer(() => count++, 11);
  await clock.runUntil(10);
  assert.equal(count, 1);
  assert.equal(clock.nextAt(), 11);
});

test('a skewed clock reads otherwise and runs alike', async () => {
  const clock = new VirtualClock(1_000);
  let skew = 500;
  const store = clock.skewed(() => skew);
  assert.equal(store.now(), 1_500);
  skew = -500;
  await clock.run(store.sleep(10));
  assert.equal(store.now(), 510);
});

test('a killed process hears no timer any more, and others go on', async () => {
  const clock = new VirtualClock(0);
  const one = clock.process();
  const two = clock.process();
  const seen: string[] = [];
  void one.sleep(10).then(() => seen.push('one'));
  void two.sleep(10).then(() => seen.push('two'));
  one.setTimer(() => seen.push('one again'), 10);
  clock.setTimer(() => one.kill(), 5);
  await clock.runFor(20);
  assert.deepEqual(seen, ['two']);
  assert.equal(one.isAlive(), false);
  assert.equal(two.isAlive(), true);
});

test('a process whose machine sleeps hears its timers later by that much, and finds that time went on without it', async () => {
  const clock = new VirtualClock(0);
  const one = clock.process();
  const seen: [string, number][] = [];
  const note = (what: string) => seen.push([what, one.now()]);
  void one.sleep(10).then(() => note('set before'));
  const cleared = one.setTimer(() => assert.fail('cleared'), 12);
  one.setTimer(() => note('long'), 200);
  clock.setTimer(() => one.fallAsleep(100), 5);
  clock.setTimer(() => void one.asleep()?.then(() => note('awake')), 20);
  clock.setTimer(() => one.clearTimer(cleared), 50);
  await clock.runFor(400);
  assert.deepEqual(seen, [
    ['awake', 105],
    ['set before', 110],
    ['long', 300],
  ]);
  assert.deepEqual([one.brokenAt(), one.asleep()], [105, null]);
});

test('with autoRun whoever awaits goes on by itself, in virtual time alone', async () => {
  const clock = new VirtualClock(0);
  const stop = clock.autoRun();
  const startedAt = performance.now();
  await clock.sleep(3_600_000);
  await Promise.all([clock.sleep(5), clock.sleep(7)]);
  assert.equal(clock.now(), 3_600_007);
  assert.ok(performance.now() - startedAt < 1_000);
  stop();
  clock.setTimer(() => assert.fail('stopped'), 1);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(clock.now(), 3_600_007);
});

test('it is fast: tens of thousands of timers a second', async () => {
  const clock = new VirtualClock(0);
  const loop = async (): Promise<void> => {
    for (let turn = 0; turn < 10_000; turn += 1) await clock.sleep(1);
  };
  const startedAt = performance.now();
  await clock.run(Promise.all([loop(), loop()]));
  // 50 ms on a quiet machine; the bound only catches a clock that waits for real.
  assert.ok(performance.now() - startedAt < 3_000);
});
