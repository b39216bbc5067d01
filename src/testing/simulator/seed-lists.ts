import { readFileSync } from 'node:fs';
import { DAYS, type Day } from './day.ts';
import { CAPABILITY_SETS } from './world.ts';

/** The capability sets of one pair; `shared`: two pairs that have one store in common; `crowded`: more pairs than a server works for at once, always of one size. */
export const SEED_SETS = [...CAPABILITY_SETS, 'shared', 'crowded'] as const;
export type SeedSet = (typeof SEED_SETS)[number];

/** One seed as it is asked for. */
export interface Seed {
  readonly set: SeedSet;
  readonly seed: number;
  readonly steps: number;
  readonly records: number;
  readonly day: Day;
}

export const STEPS = 2_000;
export const RECORDS = 50;
/** Of each set; the kept seeds come on top. */
const FIXED_PER_SET = 24;
/** One crowd is much like another. */
const FIXED_CROWDED = 4;

const SEEDS_FILE = new URL('./seeds.txt', import.meta.url);

export interface SeedSize {
  readonly steps: number;
  readonly records: number;
}

export function isSeedSet(name: string): name is SeedSet {
  return (SEED_SETS as readonly string[]).includes(name);
}

export function isDay(name: string): name is Day {
  return (DAYS as readonly string[]).includes(name);
}

/** Seeds that failed once, each line `set seed steps records [day] # cause`. They are played for ever after. */
export function keptSeeds(text = readFileSync(SEEDS_FILE, 'utf8')): readonly Seed[] {
  return text.split('\n').flatMap((line, index) => {
    const [words = ''] = line.split('#');
    if (words.trim() === '') return [];
    const [set = '', seed, steps, records, day = 'ordinary', ...rest] = words.trim().split(/\s+/);
    const numbers = [seed, steps, records].map(Number);
    const [seedNumber = Number.NaN, stepCount = Number.NaN, recordCount = Number.NaN] = numbers;
    if (!isSeedSet(set) || !numbers.every(Number.isSafeInteger) || !isDay(day) || rest.length > 0)
      throw new Error(`seeds.txt line ${index + 1} is not "set seed steps records [day] # cause"`);
    return [{ set, seed: seedNumber, steps: stepCount, records: recordCount, day }];
  });
}

/** The same seeds in every run, so that two commits can be compared. */
export function fixedSeeds(sets: readonly SeedSet[], size: SeedSize, day: Day = 'ordinary'): readonly Seed[] {
  return Array.from({ length: FIXED_PER_SET }, (_, i) =>
    sets.filter((set) => set !== 'crowded' || i < FIXED_CROWDED).map((set) => ({ set, seed: i + 1, ...size, day })),
  ).flat();
}

/** Seeds from `base` on, the sets in turn, and with each round the days. */
export function freshSeed(
  { sets, days, base, size }: { sets: readonly SeedSet[]; days: readonly Day[]; base: number; size: SeedSize },
  index: number,
): Seed {
  const set = sets[index % sets.length] ?? 'real';
  const round = Math.floor(index / sets.length);
  return { set, seed: base + round, ...size, day: days[round % days.length] ?? 'ordinary' };
}

/** The one command that plays a seed again. */
export function replayCommand(seed: Seed): string {
  const { set, steps, records, day } = seed;
  const words = `--seed ${seed.seed} --set ${set} --steps ${steps} --records ${records}`;
  return `npm run simulate -- ${words}${day === 'ordinary' ? '' : ` --day ${day}`}`;
}
