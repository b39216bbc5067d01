// The test of the tester. Each break still fits the source, and is caught by a short seed; a slow machine begins with others every day.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { applyEdit } from './mutants/bundle.ts';
import { Hunter } from './mutants/hunt.ts';
import { FULL_SIZE, isShort, knownSeeds, SHORT_SIZE } from './mutants/known-seeds.ts';
import { MUTANTS, type Mutant } from './mutants.ts';

const SOURCE = join(import.meta.dirname, '../..');
const DAY_MS = 86_400_000;
/** After this no more hunts are begun: a machine with two cores gets through all of them in about that time. */
const HUNT_MS = 50_000;
/** The known seed, and some more for the day on which the program has changed and the seed plays another story. */
const SEEDS_MAX = 60;

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

  test('every mutant with a short seed is caught, by that seed or soon after (npm run mutants plays all of them at full size)', {
    timeout: 180_000,
  }, async (t) => {
    const known = knownSeeds();
    const hunter = new Hunter({ seedsMax: SEEDS_MAX, size: SHORT_SIZE, workers: 1, base: 1, known });
    const startedAt = performance.now();
    const missed: string[] = [];
    const rest = rotated(MUTANTS.filter(({ name }) => isShort(known.get(name) ?? FULL_SIZE)));
    t.diagnostic(`${rest.length} of ${MUTANTS.length} mutants have a short seed noted (npm run mutants notes more)`);
    let played = 0;
    const lane = async (): Promise<void> => {
      for (let mutant = rest.shift(); mutant !== undefined; mutant = rest.shift()) {
        const { find, seedsPlayed } = await hunter.hunt(mutant);
        played += 1;
        if (find === null || seedsPlayed > 1)
          t.diagnostic(
            `${mutant.name}: ${find === null ? 'NOT CAUGHT' : find.violation.slice(0, 80)} (${seedsPlayed} seeds)`,
          );
        if (find === null) missed.push(mutant.name);
        if (performance.now() - startedAt > HUNT_MS) return;
      }
    };
    await Promise.all([lane(), lane()]);
    await hunter.close();
    t.diagnostic(`${played} mutants played; ${rest.length} have their turn tomorrow`);
    assert.deepEqual(missed, [], 'not caught');
  });
});

/** Another beginning every day, so that all have had their turn after a few weeks. */
function rotated(mutants: readonly Mutant[]): Mutant[] {
  const from = (Math.floor(Date.now() / DAY_MS) * 5) % mutants.length;
  return [...mutants.slice(from), ...mutants.slice(0, from)];
}
