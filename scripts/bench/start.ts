import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { pause } from './lib/api.ts';
import { percentile } from './lib/numbers.ts';
import { freePort, startServer } from './lib/processes.ts';

const STARTS = 7;
const IDLE_MS = 8_000;
const READY_MS = 1_000;
const IDLE_MB = 100;

export const start: Bench = {
  name: 'start',
  about: 'start to the first 200, and memory when nothing is to be done (DEMO=off)',
  async run(workshop) {
    const ready: number[] = [];
    const port = await freePort();
    // The first one makes the database.
    for (let n = 0; n < STARTS; n += 1) {
      const server = await startServer({ program: workshop.server, dataDir: join(workshop.dir, 'start'), port });
      ready.push(server.readyMs);
      await server.stop();
    }
    const server = await startServer({ program: workshop.server, dataDir: join(workshop.dir, 'start'), port });
    await pause(IDLE_MS);
    const idleMb = server.residentMb();
    const peakMb = server.peakMb();
    await server.stop();
    const median = percentile(ready, 0.5);
    return [
      {
        what: 'start to first 200: median / longest',
        value: `${median.toFixed(0)} / ${Math.max(...ready).toFixed(0)} ms`,
        target: `< ${READY_MS} ms`,
        isMet: median < READY_MS,
      },
      {
        what: 'idle memory / peak since the start',
        value: `${idleMb} / ${peakMb} MB`,
        target: `< ${IDLE_MB} MB idle`,
        isMet: idleMb < IDLE_MB,
      },
    ];
  },
};
