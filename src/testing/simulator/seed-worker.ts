import { parentPort } from 'node:worker_threads';
import { simulateCrowd } from './crowded-host.ts';
import type { Seed } from './seed-lists.ts';
import type { SeedDone } from './seed-pool.ts';
import { simulateShared } from './shared-store.ts';
import { type SeedResult, simulateSeed } from './simulate.ts';

/** One thread that plays the seeds it is given, one after the other. */
const port = parentPort;
if (port === null) throw new Error('seed-worker runs as a worker thread');

port.on('message', (options: Seed) => {
  play(options).then(
    (done) => port.postMessage(done),
    (error: unknown) => {
      throw error;
    },
  );
});

async function play(options: Seed): Promise<SeedDone> {
  const startedAt = performance.now();
  const result = await simulationOf(options).catch(brokenSeed);
  return { ...result, wallMs: performance.now() - startedAt };
}

function simulationOf({ set, ...options }: Seed): Promise<SeedResult> {
  if (set === 'crowded') return simulateCrowd(options);
  return set === 'shared' ? simulateShared(options) : simulateSeed({ ...options, set });
}

/** What was thrown out of the simulator itself is a finding like any other. */
function brokenSeed(error: unknown): SeedResult {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const nothing = { faults: {}, actions: {}, virtualMs: 0, writes: 0, coverage: {} };
  return { ...nothing, violations: [{ invariant: 'I0 no bug', message }] };
}
