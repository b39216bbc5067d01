// The test of the tester. Each break still fits the source, and a few of them, others every day, are hunted with short seeds.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { applyEdit } from './mutants/bundle.ts';
import { Hunter } from './mutants/hunt.ts';
import { MUTANTS, type Mutant } from './mutants.ts';

const SOURCE = join(import.meta.dirname, '../..');
const DAY_MS = 86_400_000;
const HUNT_MS = 40_000;

describe('mutants of the simulator', () => {
  test('there are the eight named breaks and many more, each with a name of its own', () => {
    assert.ok(MUTANTS.length >= 28);
    assert.equal(new Set(MUTANTS.map(({ name }) => name)).size, MUTANTS.length);
  });

  test('every break fits exactly one place of the source', () => {
    for (const { name, edits } of MUTANTS) {
      for (const edit of edits) {
        const source = readFileSync(join(SOURCE, edit.file), 'utf8');
        assert.doesNotThrow(() => applyEdit(source, edit), `${name}: change its edit along with src/${edit.file}`);
      }
    }
  });

  test("today's mutants are caught (npm run mutants plays all of them)", { timeout: 180_000 }, async (t) => {
    const hunter = new Hunter({ seedsMax: 60, size: { steps: 700, records: 30 }, workers: 2, base: 1 });
    const startedAt = performance.now();
    const missed: string[] = [];
    for (const mutant of rotated(MUTANTS.filter(({ isRare }) => isRare !== true))) {
      if (performance.now() - startedAt > HUNT_MS) break;
      const { find, seedsPlayed } = await hunter.hunt(mutant);
      t.diagnostic(
        `${mutant.name}: ${find === null ? 'NOT CAUGHT' : find.violation.slice(0, 80)} (${seedsPlayed} seeds)`,
      );
      if (find === null) missed.push(mutant.name);
    }
    await hunter.close();
    // `npm run mutants` gives each of them its 200 seeds; here a short hunt has to find most, or the simulator has gone blind.
    assert.ok(missed.length <= 1, `not caught: ${missed.join(', ')}`);
  });
});

/** Another beginning every day, so that all have had their turn after a few weeks. */
function rotated(mutants: readonly Mutant[]): readonly Mutant[] {
  const from = (Math.floor(Date.now() / DAY_MS) * 5) % mutants.length;
  return [...mutants.slice(from), ...mutants.slice(0, from)];
}
