import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type DepthResult, simulateDepth } from './simulate.ts';

const USAGE = `node src/testing/flows/depth/cli.ts [--seeds N | --seconds T] [--steps M] [--products P] [--from S] [--report FILE] [--verbose]

Plays seeds S, S + 1, ... of the simulator's second depth: the real connectors against the sandbox stores, in one process.
Failing seeds are appended to the report.`;

async function main(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string', default: '10' },
      seconds: { type: 'string' },
      steps: { type: 'string', default: '200' },
      products: { type: 'string', default: '20' },
      from: { type: 'string', default: '1' },
      report: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return true;
  }
  const from = Number(values.from);
  const [steps, products] = [Number(values.steps), Number(values.products)];
  const totals = new Map<string, number>();
  let failed = 0;
  const line = (level: string) => (fields: object, message: string) =>
    console.log(`  ${level} ${message} ${JSON.stringify(fields).slice(0, 600)}`);
  const log = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
  const until = values.seconds === undefined ? null : performance.now() + Number(values.seconds) * 1_000;
  const isOver = (seed: number) => (until === null ? seed >= from + Number(values.seeds) : performance.now() >= until);
  for (let seed = from; !isOver(seed); seed += 1) {
    const startedAt = performance.now();
    let result: DepthResult | null = null;
    let lines: readonly string[];
    try {
      result = await simulateDepth({ seed, steps, products, ...(values.verbose ? { log } : {}) });
      lines = result.violations.map(({ invariant, message }) => `${invariant}: ${message}`);
    } catch (error) {
      lines = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    }
    for (const [kind, counts] of [
      ['fault', result?.faults],
      ['action', result?.actions],
      ['refused', result?.refusals],
      ['problem', result?.problems],
    ] as const)
      for (const [name, times] of Object.entries(counts ?? {}))
        totals.set(`${kind.padEnd(8)} ${name}`, (totals.get(`${kind.padEnd(8)} ${name}`) ?? 0) + times);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const words = `${result?.writes ?? '?'} writes, ${result?.webhooks ?? '?'} webhooks, ${seconds} s`;
    console.log(`${lines.length === 0 ? 'ok    ' : 'FAILED'} seed ${seed}: ${words}`);
    if (lines.length === 0) continue;
    failed += 1;
    console.log(`    ${JSON.stringify(result?.settings ?? {})}`);
    for (const text of lines.slice(0, 8)) console.log(`    ${text}`);
    if (lines.length > 8) console.log(`    ... and ${lines.length - 8} more`);
    const replay = `node src/testing/flows/depth/cli.ts --from ${seed} --seeds 1 --steps ${steps} --products ${products}`;
    console.log(`    ${replay}`);
    if (values.report !== undefined)
      appendFileSync(values.report, `${new Date().toISOString()} FAILED ${replay}\n    ${lines.join('\n    ')}\n`);
  }
  for (const [name, times] of [...totals].sort()) console.log(`${String(times).padStart(7)}  ${name}`);
  console.log(failed === 0 ? 'every invariant held' : `${failed} seeds FAILED`);
  return failed === 0;
}

if (process.argv[1] === import.meta.filename) process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
