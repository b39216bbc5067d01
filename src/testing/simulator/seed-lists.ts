import { readFileSync } from 'node:fs';
import type { SeedOptions } from './simulate.ts';
import { CAPABILITY_SETS, type CapabilitySet } from './world.ts';

export const STEPS = 2_000;
export const RECORDS = 50;
/** Of each capability set; the kept seeds come on top. */
const FIXED_PER_SET = 12;

const SEEDS_FILE = new URL('./seeds.txt', import.meta.url);

export interface SeedSize {
  readonly steps: number;
  readonly records: number;
}

export function isCapabilitySet(name: string): name is CapabilitySet {
  return (CAPABILITY_SETS as readonly string[]).includes(name);
}

/** Seeds that failed once, each line `set seed steps records # cause`. They are played for ever after. */
export function keptSeeds(text = readFileSync(SEEDS_FILE, 'utf8')): readonly SeedOptions[] {
  return text.split('\n').flatMap((line, index) => {
    const [words = ''] = line.split('#');
    if (words.trim() === '') return [];
    const [set = '', seed, steps, records] = words.trim().split(/\s+/);
    const numbers = [seed, steps, records].map(Number);
    const [seedNumber = Number.NaN, stepCount = Number.NaN, recordCount = Number.NaN] = numbers;
    if (!isCapabilitySet(set) || !numbers.every(Number.isSafeInteger))
      throw new Error(`seeds.txt line ${index + 1} is not "set seed steps records # cause"`);
    return [{ set, seed: seedNumber, steps: stepCount, records: recordCount }];
  });
}

/** The same seeds in every run, so that two commits can be compared. */
export function fixedSeeds(sets: readonly CapabilitySet[], size: SeedSize): readonly SeedOptions[] {
  return Array.from({ length: FIXED_PER_SET }, (_, i) => sets.map((set) => ({ set, seed: i + 1, ...size }))).flat();
}

/** Seeds from `base` on, the sets in turn. */
export function freshSeed(sets: readonly CapabilitySet[], base: number, index: number, size: SeedSize): SeedOptions {
  const set = sets[index % sets.length] ?? 'real';
  return { set, seed: base + Math.floor(index / sets.length), ...size };
}

/** The one command that plays a seed again. */
export function replayCommand(seed: SeedOptions): string {
  return `npm run simulate -- --seed ${seed.seed} --set ${seed.set} --steps ${seed.steps} --records ${seed.records}`;
}
