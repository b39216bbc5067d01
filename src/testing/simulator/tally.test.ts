import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Day } from './day.ts';
import { FAULTS_OF_EACH_SEED, rareOn } from './faults-of-each-seed.ts';
import type { Seed } from './seed-lists.ts';
import { Tally } from './tally.ts';

const SEED: Seed = { set: 'real', seed: 1, steps: 2_000, records: 50, day: 'ordinary' };

/** What one seed failed for, in which all faults of its day fired but these. */
function verdictOn(seed: Partial<Seed>, missing: readonly string[], violations: readonly string[] = []) {
  const day: Day = seed.day ?? 'ordinary';
  const fired = [...FAULTS_OF_EACH_SEED, ...rareOn(day)].filter((name) => !missing.includes(name));
  const done = {
    violations: violations.map((invariant) => ({ invariant, message: 'broken' })),
    faults: Object.fromEntries(fired.map((name) => [name, 1])),
    ...{ actions: {}, virtualMs: 0, writes: 0, coverage: {}, wallMs: 1 },
  };
  return new Tally().add({ ...SEED, ...seed }, done)?.lines ?? [];
}

test('a seed of full size in which a fault never fired is vacuous, however seldom that comes', () => {
  assert.deepEqual(verdictOn({}, []), []);
  assert.deepEqual(verdictOn({}, ['slow', 'forgetful']), ['vacuous: slow, forgetful never fired in this seed']);
  assert.deepEqual(verdictOn({ day: 'drowsy' }, ['slept']), ['vacuous: slept never fired in this seed']);
  assert.deepEqual(verdictOn({ day: 'dense' }, ['slept']), []);
  assert.deepEqual(verdictOn({ steps: 700 }, ['slow', 'forgetful']), []);
});

test('what comes seldom is not asked of a seed that is of stock alone, nor of one that something broke in', () => {
  assert.deepEqual(verdictOn({ set: 'shared' }, ['forgetful']), []);
  assert.deepEqual(verdictOn({}, ['forgetful'], ['I1 convergence']), ['I1 convergence: broken']);
});
