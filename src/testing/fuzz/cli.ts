// npm run fuzz -- [--seed TEXT] [--count N]: requests drawn from the API's own description, against the whole program.
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string' }, count: { type: 'string', default: '20000' } },
});
const seed = values.seed ?? String(Date.now());
const from = performance.now();
console.log(`fuzzing with --seed ${seed}`);
const report = await fuzz({ seed, count: Number(values.count) });
const seconds = (performance.now() - from) / 1000;
const statuses = Object.entries(report.byStatus)
  .map(([status, count]) => `${status}: ${count}`)
  .join(', ');
console.log(`${report.requests} requests in ${seconds.toFixed(1)} s, slowest ${Math.round(report.slowestMs)} ms`);
console.log(`${report.reached} of ${report.routes} routes answered with success; ${statuses}`);
for (const finding of report.findings) console.log(`FOUND ${finding}`);
if (report.findings.length > 0) process.exitCode = 1;
