import { readFileSync, writeFileSync } from 'node:fs';
import { isSeedSet, type Seed, type SeedSize } from '../seed-lists.ts';

const FILE = new URL('./known-seeds.txt', import.meta.url);

const HEAD = `# Which seed caught a mutant the last time: set seed # the mutant's name
# A short hunt begins with it. Written by \`npm run mutants -- --steps 700 --records 30 --note\`.
`;

/** The size that the noted seeds were played with. */
export const KNOWN_SIZE: SeedSize = { steps: 700, records: 30 };

/** By mutant's name, the seed that caught it. */
export function knownSeeds(text = readFileSync(FILE, 'utf8')): ReadonlyMap<string, Seed> {
  const seeds = new Map<string, Seed>();
  for (const line of text.split('\n')) {
    const match = /^(\w+) (\d+) # (.+)$/.exec(line);
    const [, set = '', seed = '', name = ''] = match ?? [];
    if (isSeedSet(set)) seeds.set(name, { set, seed: Number(seed), ...KNOWN_SIZE });
  }
  return seeds;
}

/** Notes what a run found; what it did not play stays as it was. */
export function noteSeeds(found: ReadonlyMap<string, Seed>): void {
  const all = new Map([...knownSeeds(), ...found]);
  const lines = [...all].map(([name, { set, seed }]) => `${set} ${seed} # ${name}\n`);
  writeFileSync(FILE, HEAD + lines.join(''));
}
