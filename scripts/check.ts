// npm test: everything a change has to pass, stage by stage; stops at the first that fails.
//   npm run check -- types unit    runs only the named stages
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const UNIT_TESTS = ['src/**/*.test.ts', 'web/*.test.ts', 'web/!(e2e)/**/*.test.ts', 'scripts/**/*.test.ts'];
const BROWSER_TESTS = 'web/e2e/**/*.test.ts';

interface Stage {
  readonly name: string;
  readonly command: readonly string[];
  /** Absent parts of the project are passed over, and said to be. */
  readonly isPresent?: boolean;
}

const STAGES: readonly Stage[] = [
  { name: 'lint', command: [bin('biome'), 'check', '--error-on-warnings', '.'] },
  { name: 'types', command: [bin('tsc'), '--noEmit'] },
  { name: 'build', command: [process.execPath, 'scripts/build.ts'], isPresent: existsSync(join(ROOT, 'src/main.ts')) },
  // Generated files (migrations, operations) are compared with their sources by unit tests.
  { name: 'unit', command: testCommand(UNIT_TESTS) },
  { name: 'browser', command: testCommand([BROWSER_TESTS]), isPresent: hasFiles(BROWSER_TESTS) },
  {
    name: 'simulator',
    command: [process.execPath, '--import', 'tsx', 'src/testing/simulator/cli.ts'],
  },
  {
    name: 'crash',
    command: [process.execPath, 'scripts/crash-test.ts', '--short'],
    isPresent: hasFiles('scripts/crash-test.ts'),
  },
];

function bin(name: string): string {
  return join(ROOT, 'node_modules/.bin', name);
}

function testCommand(globs: readonly string[]): readonly string[] {
  return [process.execPath, '--import', 'tsx', '--test', '--test-reporter=spec', ...globs];
}

function hasFiles(pattern: string): boolean {
  return globSync(pattern, { cwd: ROOT }).length > 0;
}

function runStage(stage: Stage): { readonly isPassed: boolean; readonly seconds: number } {
  const startedAt = performance.now();
  const [command = '', ...args] = stage.command;
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  return { isPassed: status === 0, seconds: (performance.now() - startedAt) / 1000 };
}

function main(wanted: readonly string[]): boolean {
  const unknown = wanted.filter((name) => !STAGES.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    console.error(`unknown stage: ${unknown.join(', ')}. There are: ${STAGES.map(({ name }) => name).join(', ')}`);
    return false;
  }
  const summary: string[] = [];
  let isPassed = true;
  for (const stage of STAGES) {
    if (wanted.length > 0 && !wanted.includes(stage.name)) continue;
    if (stage.isPresent === false) {
      summary.push(`  -  ${stage.name} (nothing there yet)`);
      continue;
    }
    console.log(`\n== ${stage.name}`);
    const result = runStage(stage);
    isPassed = result.isPassed;
    summary.push(`  ${isPassed ? 'ok' : 'FAILED'}  ${stage.name}  ${result.seconds.toFixed(1)} s`);
    if (!isPassed) break;
  }
  console.log(`\n${summary.join('\n')}\n${isPassed ? 'check passed' : 'check FAILED'}`);
  return isPassed;
}

process.exitCode = main(process.argv.slice(2)) ? 0 : 1;
