import { readFileSync, writeFileSync } from 'node:fs';
import { isDay, isSeedSet, RECORDS, type Seed, type SeedSize, STEPS } from '../seed-lists.ts';

const FILE = new URL('./known-seeds.txt', import.meta.url);

const HEAD = `# Which seed caught a mutant by an invariant of its own: set seed steps records [day] # the mutant's name
# A hunt begins with it. Written by \`npm run mutants -- --short --note\` and, for those that no short seed catches, \`npm run mutants -- --note\`.
`;

/** Short enough that the check can play some of them every time. */
export const SHORT_SIZE: SeedSize = { steps: 700, records: 30 };
/** What a seed is when it is played to find bugs. */
export const FULL_SIZE: SeedSize = { steps: STEPS, records: RECORDS };

export function isShort({ steps, records }: SeedSize): boolean {
  return steps <= SHORT_SIZE.steps && records <= SHORT_SIZE.records;
}

/** By mutant's name, the seed that caught it. */
export function knownSeeds(text = readFileSync(FILE, 'utf8')): ReadonlyMap<string, Seed> {
  const seeds = new Map<string, Seed>();
  for (const line of text.split('\n')) {
    const match = /^(\w+) (\d+) (\d+) (\d+)(?: (dense|drowsy))? # (.+)$/.exec(line);
    const [, set = '', seed, steps, records, day = 'ordinary', name = ''] = match ?? [];
    const size = { steps: Number(steps), records: Number(records) };
    if (isSeedSet(set) && isDay(day)) seeds.set(name, { set, seed: Number(seed), ...size, day });
  }
  return seeds;
}

/** Notes what a run found, in the order of `names`; what it did not play stays as it was, and what is no mutant any more is left out. */
export function noteSeeds(found: ReadonlyMap<string, Seed>, names: readonly string[]): void {
  const all = new Map([...knownSeeds(), ...found]);
  const lines = names.flatMap((name) => {
    const seed = all.get(name);
    if (seed === undefined) return [];
    const day = seed.day === 'ordinary' ? '' : ` ${seed.day}`;
    return [`${seed.set} ${seed.seed} ${seed.steps} ${seed.records}${day} # ${name}\n`];
  });
  writeFileSync(FILE, HEAD + lines.join(''));
}
