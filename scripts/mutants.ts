// Breaks the program on purpose, one break at a time, and sees whether the simulator notices: the test of the tester.
// Each mutant begins with the seed that is known to catch it (src/testing/simulator/mutants/known-seeds.txt).
//   npm run mutants                         all of them at full size, up to 200 seeds each
//   npm run mutants -- fence stamp          those with one of these words in their names
//   npm run mutants -- --unknown            those without a known seed
//   npm run mutants -- --short              seeds of 700 steps over 30 records
//   npm run mutants -- --afresh             known seeds aside
//   npm run mutants -- --seeds 20 --workers 1 --base 1
//   npm run mutants -- --note               keeps the seeds that caught them by an invariant of their own
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type Catch, Hunter } from '../src/testing/simulator/mutants/hunt.ts';
import { FULL_SIZE, knownSeeds, noteSeeds, SHORT_SIZE } from '../src/testing/simulator/mutants/known-seeds.ts';
import { MUTANTS } from '../src/testing/simulator/mutants.ts';
import { replayCommand } from '../src/testing/simulator/seed-lists.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '200' },
    workers: { type: 'string', default: String(availableParallelism()) },
    base: { type: 'string', default: '1' },
    short: { type: 'boolean', default: false },
    unknown: { type: 'boolean', default: false },
    afresh: { type: 'boolean', default: false },
    note: { type: 'boolean', default: false },
  },
});

const known = knownSeeds();
const chosen = MUTANTS.filter(
  ({ name }) =>
    (positionals.length === 0 || positionals.some((word) => name.includes(word))) &&
    !(values.unknown && known.has(name)),
);
const hunter = new Hunter({
  seedsMax: Number(values.seeds),
  size: values.short ? SHORT_SIZE : FULL_SIZE,
  workers: Number(values.workers),
  base: Number(values.base),
  ...(values.afresh ? {} : { known }),
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
    MUTANTS.map(({ name }) => name),
  );

const missed = catches.filter(({ find }) => find === null);
const unnamed = catches.filter(({ find }) => find !== null && !find.isNamed);
console.log(
  `\n${catches.length - missed.length - unnamed.length} of ${catches.length} mutants caught by an invariant of their own`,
);
for (const { mutant } of missed) console.log(`  NOT CAUGHT  ${mutant.name}`);
for (const { mutant, find } of unnamed)
  console.log(
    `  caught by another invariant than ${mutant.breaks.join('/')}: ${mutant.name} (${find?.violation.slice(0, 60)})`,
  );
process.exitCode = missed.length + unnamed.length === 0 ? 0 : 1;

function describe({ mutant, find, seedsPlayed, ms }: Catch): string {
  const cost = `${seedsPlayed} seeds, ${(ms / 1_000).toFixed(1)} s`;
  if (find === null) return `NOT CAUGHT  ${mutant.name} (${cost})`;
  const mark = find.isNamed ? 'caught' : 'caught by another';
  return `${mark}  ${mutant.name} (${cost})\n    ${find.violation.slice(0, 200)}\n    broken, then: ${replayCommand(find.seed)}`;
}
