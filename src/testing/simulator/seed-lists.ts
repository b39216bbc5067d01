import { readFileSync } from 'node:fs';
import { CAPABILITY_SETS } from './world.ts';

/** The capability sets of one pair, and `shared`: two pairs that have one store in common. */
export const SEED_SETS = [...CAPABILITY_SETS, 'shared'] as const;
export type SeedSet = (typeof SEED_SETS)[number];

/** One seed as it is asked for. */
export interface Seed {
  readonly set: SeedSet;
  readonly seed: number;
  readonly steps: number;
  readonly records: number;
}

export const STEPS = 2_000;
export const RECORDS = 50;
/** Of each set; the kept seeds come on top. */
const FIXED_PER_SET = 36;

const SEEDS_FILE = new URL('./seeds.txt', import.meta.url);

export interface SeedSize {
  readonly steps: number;
  readonly records: number;
}

export function isSeedSet(name: string): name is SeedSet {
  return (SEED_SETS as readonly string[]).includes(name);
}

/** Seeds that failed once, each line `set seed steps records # cause`. They are played for ever after. */
export function keptSeeds(text = readFileSync(SEEDS_FILE, 'utf8')): readonly Seed[] {
  return text.split('\n').flatMap((line, index) => {
    const [words = ''] = line.split('#');
    if (words.trim() === '') return [];
    const [set = '', seed, steps, records] = words.trim().split(/\s+/);
    const numbers = [seed, steps, records].map(Number);
    const [seedNumber = Number.NaN, stepCount = Number.NaN, recordCount = Number.NaN] = numbers;
    if (!isSeedSet(set) || !numbers.every(Number.isSafeInteger))
      throw new Error(`seeds.txt line ${index + 1} is not "set seed steps records # cause"`);
    return [{ set, seed: seedNumber, steps: stepCount, records: recordCount }];
  });
}

/** The same seeds in every run, so that two commits can be compared. */
export function fixedSeeds(sets: readonly SeedSet[], size: SeedSize): readonly Seed[] {
  return Array.from({ length: FIXED_PER_SET }, (_, i) => sets.map((set) => ({ set, seed: i + 1, ...size }))).flat();
}

/** Seeds from `base` on, the sets in turn. */
export function freshSeed(sets: readonly SeedSet[], base: number, index: number, size: SeedSize): Seed {
  const set = sets[index % sets.length] ?? 'real';
  return { set, seed: base + Math.floor(index / sets.length), ...size };
}

/** The one command that plays a seed again. */
export function replayCommand(seed: Seed): string {
  return `npm run simulate -- --seed ${seed.seed} --set ${seed.set} --steps ${seed.steps} --records ${seed.records}`;
}
