// Breaks the program on purpose, one break at a time, and sees whether the simulator notices: the test of the tester.
//   npm run mutants                         all of them, up to 200 seeds each
//   npm run mutants -- fence stamp          those with one of these words in their names
//   npm run mutants -- --seeds 20 --steps 600 --records 30 --workers 1 --base 1
//   npm run mutants -- --steps 700 --records 30 --note    keeps the seeds that caught them, for the short hunt of the tests
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type Catch, Hunter } from '../src/testing/simulator/mutants/hunt.ts';
import { noteSeeds } from '../src/testing/simulator/mutants/known-seeds.ts';
import { MUTANTS } from '../src/testing/simulator/mutants.ts';
import { replayCommand } from '../src/testing/simulator/seed-lists.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '200' },
    steps: { type: 'string', default: '2000' },
    records: { type: 'string', default: '50' },
    workers: { type: 'string', default: String(availableParallelism()) },
    base: { type: 'string', default: '1' },
    note: { type: 'boolean', default: false },
  },
});

const chosen = MUTANTS.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
);
const hunter = new Hunter({
  seedsMax: Number(values.seeds),
  size: { steps: Number(values.steps), records: Number(values.records) },
  workers: Number(values.workers),
  base: Number(values.base),
});
const catches: Catch[] = [];
for (const mutant of chosen) {
  const result = await hunter.hunt(mutant);
  catches.push(result);
  console.log(describe(result));
}
await hunter.close();

if (values.note)
  noteSeeds(
    new Map(catches.flatMap(({ mutant, find }) => (find?.isNamed === true ? [[mutant.name, find.seed] as const] : []))),
  );

const missed = catches.filter(({ find }) => find === null);
const unnamed = catches.filter(({ find }) => find !== null && !find.isNamed);
console.log(`\n${catches.length - missed.length} of ${catches.length} mutants caught`);
for (const { mutant } of missed) console.log(`  NOT CAUGHT  ${mutant.name}`);
for (const { mutant, find } of unnamed)
  console.log(
    `  caught by another invariant than ${mutant.breaks.join('/')}: ${mutant.name} (${find?.violation.slice(0, 60)})`,
  );
process.exitCode = missed.length === 0 ? 0 : 1;

function describe({ mutant, find, seedsPlayed, ms }: Catch): string {
  const cost = `${seedsPlayed} seeds, ${(ms / 1_000).toFixed(1)} s`;
  if (find === null) return `NOT CAUGHT  ${mutant.name} (${cost})`;
  const mark = find.isNamed ? 'caught' : 'caught by another';
  return `${mark}  ${mutant.name} (${cost})\n    ${find.violation.slice(0, 200)}\n    broken, then: ${replayCommand(find.seed)}`;
}
