import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Coverage, CoverageTally, checkCoverage, type Subject } from './coverage.ts';
import type { Seed } from './seed-lists.ts';
import { Tally } from './tally.ts';

function covered(subject: Subject, compared: number, problems: number): Coverage {
  const tally = new CoverageTally();
  tally.compared(subject, compared);
  tally.leftOut(subject, 'problem', problems);
  return tally.counts;
}

/** A run of full seeds that all compared as much. */
function runOf(coverage: Coverage, set: Seed['set'] = 'real'): Tally {
  const done = { violations: [], faults: { slow: 1 }, actions: {}, virtualMs: 0, writes: 0, coverage, wallMs: 1 };
  const tally = new Tally();
  for (let seed = 1; seed <= 25; seed += 1) tally.add({ set, seed, steps: 2_000, records: 50, day: 'ordinary' }, done);
  return tally;
}

test('[I0] a seed of which next to nothing was compared is vacuous', () => {
  assert.deepEqual(checkCoverage(covered('record', 80, 20)), []);
  const [violation, ...others] = checkCoverage(covered('record', 4, 96));
  assert.equal(violation?.invariant, 'I0 vacuous');
  assert.match(violation?.message ?? '', /^no more of record was compared than 4 % of 100 \(left out: problem 96\)$/);
  assert.deepEqual(others, []);
});

test('a handful says nothing of a share, and what a seed has none of is not asked for', () => {
  assert.deepEqual(checkCoverage(covered('field', 0, 19)), []);
  assert.deepEqual(checkCoverage({}), []);
});

test('a run is held to more than a seed, and to what a single seed may have none of', () => {
  const vacuousOf = (coverage: Coverage) =>
    runOf(coverage)
      .vacuous()
      .filter((line) => line.includes('compared'));
  assert.deepEqual(vacuousOf(covered('stock_counted', 50, 50)), []);
  assert.deepEqual(checkCoverage(covered('stock_counted', 5, 95)), []);
  assert.match(
    vacuousOf(covered('stock_counted', 5, 95))[0] ?? '',
    /^vacuous: no more of stock_counted .* in 25 seeds$/,
  );
  assert.deepEqual(checkCoverage(covered('stock_shown', 70, 30)), []);
  assert.equal(vacuousOf(covered('stock_shown', 70, 30)).length, 1);
});

test('the table says how much was compared, the least share of a seed, and what was left out', () => {
  const table = runOf(covered('record', 80, 20)).table();
  assert.match(table, /^record +2000 +80 % +80 % of 2500 \(left out: problem 500\)$/m);
});
