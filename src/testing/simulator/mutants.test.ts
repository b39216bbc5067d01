// The test of the tester. Each break still fits the source, and those that this commit plays are caught by a short seed, by an invariant of their own.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { commitHash } from '../support/commit.ts';
import { applyEdit } from './mutants/bundle.ts';
import { type Catch, Hunter } from './mutants/hunt.ts';
import { FULL_SIZE, isShort, knownSeeds, SHORT_SIZE } from './mutants/known-seeds.ts';
import { MUTANTS, type Mutant } from './mutants.ts';
import { SeededRandom } from './random.ts';

const SOURCE = join(import.meta.dirname, '../..');
/** What everyone in this field gets wrong: how the names of these mutants begin. Each commit plays them. */
const NAMED = [
  ...['stock as a plain register:', 'no intent:', 'no fence:', 'echo not recognised:', 'create without look-up:'],
  ...['base not written out before the hub moves', 'lock per binding:', 'guard per run:'],
];
/** Checks that are shown to be awake by hardly anything else: these mutants are always played, too. */
const ALONE = [
  ...['each product write leaves twice', 'a problem that is none is raised about every product'],
  ...['no rate:', 'told when to come again', 'stock takes turns with products'],
];
/** Of the others each commit draws so many, about half. */
const DRAWN = 38;
/** The known seed, and some more for the day on which the program has changed and the seed plays another story. */
const SEEDS_MAX = 60;

const beginsWith = (words: string) => MUTANTS.filter(({ name }) => name.startsWith(words));
const ALWAYS = [...NAMED, ...ALONE].flatMap(beginsWith);

describe('mutants of the simulator', () => {
  test('there are the eight named breaks and at least twenty more, each with a name of its own', () => {
    assert.equal(NAMED.length, 8);
    for (const words of [...NAMED, ...ALONE]) assert.equal(beginsWith(words).length, 1, words);
    assert.ok(MUTANTS.length >= NAMED.length + 20);
    assert.equal(new Set(MUTANTS.map(({ name }) => name)).size, MUTANTS.length);
    for (const { name, breaks } of MUTANTS) assert.ok(breaks.length > 0, `${name} names no invariant`);
  });

  test('every break fits exactly one place of the source', () => {
    for (const { name, edits } of MUTANTS) {
      for (const edit of edits) {
        const source = readFileSync(join(SOURCE, edit.file), 'utf8');
        assert.doesNotThrow(() => applyEdit(source, edit), `${name}: change its edit along with src/${edit.file}`);
      }
    }
  });

  test('a commit always plays the same mutants, the named ones among them, and another commit others', () => {
    const names = (commit: string) => playedBy(commit).map(({ name }) => name);
    assert.deepEqual(names('one'), names('one'));
    assert.notDeepEqual(new Set(names('one')), new Set(names('another')));
    for (const { name } of ALWAYS) assert.ok(names('one').includes(name), name);
    assert.equal(new Set(names('one')).size, ALWAYS.length + DRAWN);
  });

  test('the mutants of this commit are caught by an invariant of their own, by the seed that is known or soon after (npm run mutants plays all)', async (t) => {
    const known = knownSeeds();
    const hunter = new Hunter({ seedsMax: SEEDS_MAX, size: SHORT_SIZE, workers: 1, base: 1, known });
    const rest = playedBy(commitHash());
    const failed: string[] = [];
    const lane = async (): Promise<void> => {
      for (let mutant = rest.shift(); mutant !== undefined; mutant = rest.shift()) {
        const result = await hunter.hunt(mutant);
        const words = verdictOn(result);
        if (result.find?.isNamed !== true) failed.push(words);
        else if (result.seedsPlayed > 1) t.diagnostic(words);
      }
    };
    await Promise.all([lane(), lane()]);
    await hunter.close();
    assert.deepEqual(
      failed,
      [],
      'look for another seed with `npm run mutants -- --short --note` and a word of its name',
    );
  });
});

/** Those that are always played, and some of the others. Those that only a seed of full size catches are left to `npm run mutants`. */
function playedBy(commit: string): Mutant[] {
  const known = knownSeeds();
  const others = MUTANTS.filter((mutant) => !ALWAYS.includes(mutant) && isShort(known.get(mutant.name) ?? FULL_SIZE));
  return [...ALWAYS, ...new SeededRandom(commit).shuffle(others).slice(0, DRAWN)];
}

function verdictOn({ mutant, find, seedsPlayed }: Catch): string {
  if (find === null) return `${mutant.name}: NOT CAUGHT (${seedsPlayed} seeds)`;
  const by = find.isNamed ? 'caught' : `caught by another invariant than ${mutant.breaks.join('/')}`;
  return `${mutant.name}: ${by}, ${find.violation.slice(0, 80)} (${seedsPlayed} seeds)`;
}
