// npm run bench -- [names]: measures the built server in a process of its own, against stores in processes of their own.
import type { Bench } from './bench.ts';
import { burst } from './burst.ts';
import { firstLink, large } from './catalogue.ts';
import { intake } from './intake.ts';
import { latency } from './latency.ts';
import { openWorkshop } from './lib/workshop.ts';
import { start } from './start.ts';

const BENCHES: readonly Bench[] = [start, latency, intake, burst, firstLink, large];

async function main(names: readonly string[]): Promise<boolean> {
  const unknown = names.filter((name) => !BENCHES.some((bench) => bench.name === name));
  if (unknown.length > 0) {
    console.error(`There is no ${unknown.join(', ')}. There are: ${BENCHES.map(({ name }) => name).join(', ')}`);
    return false;
  }
  const workshop = await openWorkshop();
  let isMet = true;
  try {
    for (const bench of BENCHES) {
      if (names.length > 0 && !names.includes(bench.name)) continue;
      console.log(`\n${bench.name}: ${bench.about}`);
      for (const row of await bench.run(workshop)) {
        const verdict = row.isMet === null ? '    ' : row.isMet ? 'ok  ' : 'MISS';
        const target = row.target === '' ? '' : `   (${row.target})`;
        console.log(`  ${verdict} ${row.what.padEnd(104)} ${row.value}${target}`);
        if (row.isMet === false) isMet = false;
      }
    }
  } finally {
    workshop.close();
  }
  return isMet;
}

process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
