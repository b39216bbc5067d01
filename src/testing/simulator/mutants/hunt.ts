import { rmSync } from 'node:fs';
import { DAYS } from '../day.ts';
import { freshSeed, replayCommand, type Seed, type SeedSize } from '../seed-lists.ts';
import { playSeeds, type SeedDone } from '../seed-pool.ts';
import { CAPABILITY_SETS } from '../world.ts';
import { bundleWorker } from './bundle.ts';
import type { Mutant } from './mutant.ts';

export interface HuntOptions {
  readonly seedsMax: number;
  readonly size: SeedSize;
  readonly workers: number;
  /** The first seed that is tried. */
  readonly base: number;
  /** Seeds that are tried before: by mutant's name, the one that is known to catch it. */
  readonly known?: ReadonlyMap<string, Seed>;
}

interface Find {
  readonly seed: Seed;
  /** The first violation, one of an invariant that the mutant is known to break if there is one. */
  readonly violation: string;
  readonly isNamed: boolean;
}

export interface Catch {
  readonly mutant: Mutant;
  /** Null: it was not caught. */
  readonly find: Find | null;
  readonly seedsPlayed: number;
  readonly ms: number;
}

/** So many more seeds are played for one that names the invariant, when another invariant was the first to break. */
const SEEDS_FOR_NAME = 30;

/** Plays seeds with broken programs until the checkers notice. */
export class Hunter {
  readonly #options: HuntOptions;
  readonly #asItIs = new Map<string, Promise<boolean>>();
  #bundle: Promise<string> | null = null;

  constructor(options: HuntOptions) {
    this.#options = options;
  }

  async hunt(mutant: Mutant): Promise<Catch> {
    const startedAt = performance.now();
    const { seedsMax, size, workers, base } = this.#options;
    const sets = mutant.sets ?? CAPABILITY_SETS;
    const script = await bundleWorker(mutant);
    let begun = 0;
    let seedsPlayed = 0;
    let seedsLeft = seedsMax;
    let best: Find | null = null as Find | null;
    await playSeeds({
      script,
      workers,
      next: () => {
        if (seedsLeft <= 0) return null;
        seedsLeft -= 1;
        begun += 1;
        const known = this.#options.known?.get(mutant.name);
        if (known !== undefined && begun === 1) return known;
        return freshSeed({ sets, days: DAYS, base, size }, begun - (known === undefined ? 1 : 2));
      },
      onDone: async (seed, done) => {
        seedsPlayed += 1;
        // What never comes to an end is not played ten times over to give it a better name.
        if (!Number.isFinite(done.wallMs)) seedsLeft = 0;
        const find = findIn(mutant, seed, done);
        if (find === null || best?.isNamed || (best !== null && !find.isNamed)) return !best?.isNamed;
        // A seed that fails without any break says nothing about the break.
        if (!(await this.#passesAsItIs(seed))) return true;
        best = find;
        seedsLeft = Math.min(seedsLeft, SEEDS_FOR_NAME);
        return !find.isNamed;
      },
    });
    rmSync(script, { force: true });
    return { mutant, find: best, seedsPlayed, ms: performance.now() - startedAt };
  }

  /** Asked once for each seed, whatever the mutant. */
  #passesAsItIs(seed: Seed): Promise<boolean> {
    const key = replayCommand(seed);
    const answer = this.#asItIs.get(key) ?? this.#playAsItIs(seed);
    this.#asItIs.set(key, answer);
    return answer;
  }

  async #playAsItIs(seed: Seed): Promise<boolean> {
    this.#bundle ??= bundleWorker(null);
    let rest: Seed | null = seed;
    let isHealthy = false;
    await playSeeds({
      script: await this.#bundle,
      workers: 1,
      next: () => {
        const next = rest;
        rest = null;
        return next;
      },
      onDone: (_, done) => {
        isHealthy = done.violations.length === 0;
        return true;
      },
    });
    return isHealthy;
  }

  async close(): Promise<void> {
    if (this.#bundle !== null) rmSync(await this.#bundle, { force: true });
  }
}

function findIn(mutant: Mutant, seed: Seed, done: SeedDone): Find | null {
  const lines = done.violations.map(({ invariant, message }) => `${invariant}: ${message.split('\n')[0]}`);
  const named = lines.find((line) =>
    mutant.breaks.some((code) => line.startsWith(`${code} `) || line.startsWith(`${code}:`)),
  );
  const violation = named ?? lines[0];
  return violation === undefined ? null : { seed, violation, isNamed: named !== undefined };
}
