import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Seed } from './seed-lists.ts';
import type { SeedResult } from './simulate.ts';

/** A seed that was played to its end, or stopped. */
export interface SeedDone extends SeedResult {
  readonly wallMs: number;
}

export interface PoolOptions {
  /** The worker's file; a mutant's is a bundle. */
  readonly script?: URL | string;
  readonly workers?: number;
  /** Longer than this in real time: a livelock. Virtual time costs nothing, so that no healthy seed comes near. */
  readonly seedMsMax?: number;
  /** Asked again for each seed until it gives null. */
  readonly next: () => Seed | null;
  /** False: no more seeds are begun. */
  readonly onDone: (seed: Seed, done: SeedDone) => boolean | Promise<boolean>;
}

const SEED_MS_MAX = 180_000;
/** A worker is replaced after so many seeds: databases in memory are only freed with what the dead processes of a seed still hold. */
const SEEDS_PER_WORKER = 120;

/** Plays seeds over worker threads. Resolves when the source is dry, or `onDone` said stop, and what was begun has ended. */
export async function playSeeds(options: PoolOptions): Promise<void> {
  const script = options.script ?? new URL('./seed-worker.ts', import.meta.url);
  const count = options.workers ?? availableParallelism();
  let isStopped = false;
  const next = (): Seed | null => (isStopped ? null : options.next());
  const lane = async (): Promise<void> => {
    let seed = next();
    while (seed !== null) {
      const worker = new Worker(script);
      try {
        for (let played = 0; seed !== null && played < SEEDS_PER_WORKER; played += 1) {
          const done = await playOne(worker, seed, options.seedMsMax ?? SEED_MS_MAX);
          if (!(await options.onDone(seed, done))) isStopped = true;
          seed = next();
          if (done.wallMs === Number.POSITIVE_INFINITY) break;
        }
      } finally {
        await worker.terminate();
      }
    }
  };
  await Promise.all(Array.from({ length: count }, lane));
}

function playOne(worker: Worker, seed: Seed, msMax: number): Promise<SeedDone> {
  return new Promise((resolve) => {
    const settle = (done: SeedDone): void => {
      clearTimeout(timer);
      worker.off('message', settle).off('error', onError).off('exit', onExit);
      resolve(done);
    };
    const onError = (error: unknown): void =>
      settle(cutOff('I0 no bug', error instanceof Error ? (error.stack ?? error.message) : String(error)));
    const onExit = (code: number): void => settle(cutOff('I0 no bug', `the worker ended with code ${code}`));
    const timer = setTimeout(
      () => settle(cutOff('I0 no livelock', `the seed was not at its end after ${msMax / 1_000} s of real time`)),
      msMax,
    );
    worker.on('message', settle).on('error', onError).on('exit', onExit);
    worker.postMessage(seed);
  });
}

/** A seed that did not come to its end. Its worker is not used again. */
function cutOff(invariant: string, message: string): SeedDone {
  const nothing = { faults: {}, actions: {}, virtualMs: 0, writes: 0, coverage: {} };
  return { ...nothing, violations: [{ invariant, message }], wallMs: Number.POSITIVE_INFINITY };
}
