import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAYS, PACES, pauseMs, timesAsOften } from './day.ts';
import { SeededRandom } from './random.ts';
import { fixedSeeds, freshSeed, keptSeeds, replayCommand, type Seed } from './seed-lists.ts';
import { Tally } from './tally.ts';

const SIZE = { steps: 700, records: 30 };

test('a kept seed is of an ordinary day unless its line says otherwise', () => {
  const text = '# head\n\nplain 7 2000 50 # why\nkeyed 8 700 30 dense # why\n';
  assert.deepEqual(keptSeeds(text), [
    { set: 'plain', seed: 7, steps: 2_000, records: 50, day: 'ordinary' },
    { set: 'keyed', seed: 8, steps: 700, records: 30, day: 'dense' },
  ]);
  for (const line of ['plain 7 2000 50 wild # why', 'plain 7 2000 50 dense twice # why', 'plain 7 2000 # why'])
    assert.throws(() => keptSeeds(line), /line 1 is not/);
});

test('every kept seed of the file can be read, and the fixed ones are ordinary', () => {
  assert.ok(keptSeeds().length > 20);
  assert.ok(fixedSeeds(['real', 'plain'], SIZE).every(({ day }) => day === 'ordinary'));
});

test('fresh seeds: the sets in turn, and with each round the days', () => {
  const source = { sets: ['keyed', 'plain'] as const, days: DAYS, base: 40, size: SIZE };
  const first = Array.from({ length: 6 }, (_, i) => freshSeed(source, i));
  assert.deepEqual(
    first.map(({ set, seed, day }) => `${set} ${seed} ${day}`),
    [
      ...['keyed 40 ordinary', 'plain 40 ordinary', 'keyed 41 dense', 'plain 41 dense'],
      ...['keyed 42 drowsy', 'plain 42 drowsy'],
    ],
  );
  assert.equal(freshSeed({ ...source, days: ['dense'] }, 0).day, 'dense');
});

test('the command that replays a seed says what day it was', () => {
  const seed: Seed = { set: 'plain', seed: 7, ...SIZE, day: 'dense' };
  assert.equal(replayCommand(seed), 'npm run simulate -- --seed 7 --set plain --steps 700 --records 30 --day dense');
  assert.ok(!replayCommand({ ...seed, day: 'ordinary' }).includes('--day'));
});

test('a run tells how many of its seeds were dense', () => {
  const tally = new Tally();
  const done = { violations: [], faults: {}, actions: {}, virtualMs: 0, writes: 0, coverage: {}, wallMs: 1 };
  for (const day of ['ordinary', 'dense', 'dense'] as const) tally.add({ set: 'real', seed: 1, ...SIZE, day }, done);
  assert.match(tally.summary(1_000), /^3 seeds \(2 dense, 0 drowsy\)/);
});

test('what only days with people have is not asked of a run of shared shops alone', () => {
  const done = { violations: [], faults: { slow: 1 }, actions: {}, virtualMs: 0, writes: 0, coverage: {}, wallMs: 1 };
  const vacuousOf = (set: Seed['set']) => {
    const tally = new Tally();
    for (let seed = 1; seed <= 25; seed += 1) tally.add({ set, seed, steps: 2_000, records: 50, day: 'dense' }, done);
    return tally.vacuous();
  };
  assert.deepEqual(vacuousOf('shared'), []);
  assert.ok(vacuousOf('real').length > 0);
});

test('an ordinary day is as it is without a pace; a dense one has more of some and shorter pauses', () => {
  const weights = { sell: 40, delete_product: 0.15 };
  assert.deepEqual(timesAsOften(weights, PACES.ordinary.actions), weights);
  const dense = timesAsOften(weights, PACES.dense.actions);
  assert.equal(dense.sell, 40);
  assert.ok(dense.delete_product > 0.15);
  const total = (day: 'ordinary' | 'dense') => {
    const random = new SeededRandom('pauses');
    return Array.from({ length: 1_000 }, () => pauseMs(random, PACES[day])).reduce((sum, ms) => sum + ms, 0);
  };
  assert.ok(Math.abs(total('ordinary') / total('dense') - PACES.dense.tempo) < 0.01);
});
