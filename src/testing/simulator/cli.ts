import { appendFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DAYS } from './day.ts';
import { bundleWorker } from './mutants/bundle.ts';
import { SeededRandom } from './random.ts';
import {
  fixedSeeds,
  freshSeed,
  isDay,
  isSeedSet,
  keptSeeds,
  RECORDS,
  SEED_SETS,
  type Seed,
  STEPS,
} from './seed-lists.ts';
import { playSeeds } from './seed-pool.ts';
import { describeFailure, Tally } from './tally.ts';

/** Fresh seeds of a run without options. */
const FRESH = 80;

const USAGE = `npm run simulate -- [options]

  --seed N              play one seed again (with --set, --steps, --records)
  --fixed               the kept seeds of seeds.txt and the fixed ones
  --fresh N             N seeds that were perhaps never played before
  --seconds S           fresh seeds until S seconds are over
  --base N              where fresh seeds begin (a random number by default, printed)
  --base-of TEXT        the same, drawn from a text: the same text, the same seeds
  --set NAME            keyed, real, plain, shared or crowded; all of them by default ("real" with --seed)
  --day NAME            ordinary, dense (more goes wrong at once) or drowsy (such a one on a machine that sleeps now and then); fresh
                        seeds are each of them in turn by default, all others ordinary
  --steps M             ${STEPS} by default
  --records R           ${RECORDS} by default
  --workers W           threads; one for each core by default
  --report FILE         append failing seeds to this file
  --keep-going          go on after a failing seed (as --seconds does)

Without options: --fixed --fresh ${FRESH}. The check plays the fixed ones and some that are drawn from the commit's hash: each commit meets
seeds that were never played before, and meets the same ones in every run.`;

const OPTIONS = {
  seed: { type: 'string' },
  fixed: { type: 'boolean', default: false },
  fresh: { type: 'string' },
  seconds: { type: 'string' },
  base: { type: 'string' },
  'base-of': { type: 'string' },
  set: { type: 'string' },
  day: { type: 'string' },
  steps: { type: 'string' },
  records: { type: 'string' },
  workers: { type: 'string' },
  report: { type: 'string' },
  'keep-going': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Failures after which a run that doesn't keep going ends: the first says most of what there is to say. */
const FAILURES_MAX = 5;

/** Plays seeds as the arguments say; prints what happened in them. False when one failed, or the run proved nothing. */
export async function simulate(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS, strict: true });
  if (values.help) {
    console.log(USAGE);
    return true;
  }
  const seconds = numberOf('seconds', values.seconds);
  const plan = planOf(values);
  const workers = numberOf('workers', values.workers);
  const deadline = seconds === null ? Number.POSITIVE_INFINITY : performance.now() + seconds * 1_000;
  const keepsGoing = values['keep-going'] || seconds !== null;
  const startedAt = performance.now();
  const tally = new Tally();
  let index = 0;
  // One file instead of hundreds: a worker starts at once, and the program in it runs faster.
  const script = await bundleWorker(null);
  await playSeeds({
    script,
    ...(workers === null ? {} : { workers }),
    next: () => {
      if (performance.now() >= deadline) return null;
      index += 1;
      return plan(index - 1);
    },
    onDone: (seed, done) => {
      const failure = tally.add(seed, done);
      if (failure === null) return true;
      const text = describeFailure(failure);
      console.log(text);
      if (values.report !== undefined) appendFileSync(values.report, `${new Date().toISOString()} ${text}\n`);
      return keepsGoing || tally.failures.length < FAILURES_MAX;
    },
  });
  rmSync(script, { force: true });
  console.log(`\n${tally.table()}\n\n${tally.summary(performance.now() - startedAt)}`);
  for (const line of tally.vacuous()) console.log(line);
  console.log(tally.isPassed ? 'every invariant held' : 'FAILED');
  return tally.isPassed;
}

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

/** Which seed comes as the n-th; null when there are no more. */
function planOf(values: Values): (index: number) => Seed | null {
  const size = {
    steps: numberOf('steps', values.steps) ?? STEPS,
    records: numberOf('records', values.records) ?? RECORDS,
  };
  const { set, day } = values;
  if (set !== undefined && !isSeedSet(set)) throw new Error(`there is no set "${set}"`);
  if (day !== undefined && !isDay(day)) throw new Error(`there is no day "${day}"`);
  const seed = numberOf('seed', values.seed);
  if (seed !== null)
    return (index) => (index === 0 ? { set: set ?? 'real', seed, ...size, day: day ?? 'ordinary' } : null);

  const sets = set === undefined ? SEED_SETS : [set];
  const isBare = !values.fixed && values.fresh === undefined && values.seconds === undefined;
  const first =
    values.fixed || isBare
      ? [...keptSeeds().filter((kept) => sets.includes(kept.set)), ...fixedSeeds(sets, size, day)]
      : [];
  const fresh = isBare
    ? FRESH
    : (numberOf('fresh', values.fresh) ?? (values.seconds === undefined ? 0 : Number.POSITIVE_INFINITY));
  const base = numberOf('base', values.base) ?? 1_000_000 + placeOf(values['base-of']);
  const source = { sets, days: day === undefined ? DAYS : [day], base, size };
  if (fresh > 0) console.log(`fresh seeds from --base ${base} on`);
  return (index) => {
    if (index < first.length) return first[index] ?? null;
    return index - first.length < fresh ? freshSeed(source, index - first.length) : null;
  };
}

/** Which seeds are tried today is no matter of the simulation. */
function placeOf(text: string | undefined): number {
  return text === undefined ? Math.floor(Math.random() * 2 ** 31) : new SeededRandom(text).int(2 ** 31);
}

function numberOf(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} wants a whole number, not "${text}"`);
  return value;
}

if (process.argv[1] !== undefined && import.meta.filename === process.argv[1]) {
  process.exitCode = (await simulate(process.argv.slice(2))) ? 0 : 1;
}
