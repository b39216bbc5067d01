// npm test: everything a change has to pass, stage by stage; stops at the first that fails.
//   npm run check -- types unit    runs only the named stages
// CHECK_STRICT=on, or CI=true: tests that are skipped because this machine lacks a tool fail their stage.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commitHash } from '../src/testing/support/commit.ts';
import { tellFailed } from './lib/failed.ts';
import { readSkipped, type Skipped, tellSkipped } from './lib/skipped.ts';

const ROOT = join(import.meta.dirname, '..');
const UNIT_TESTS = ['src/**/*.test.ts', 'web/*.test.ts', 'web/!(e2e)/**/*.test.ts', 'scripts/**/*.test.ts'];
const BROWSER_TESTS = 'web/e2e/**/*.test.ts';
/** Each test file is a process of its own that loads much the same modules: compiled once, that is a third of a second less for each. */
const ENV = { ...process.env, NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compile') };

const { CHECK_STRICT: strict = '', CI: ci } = process.env;
const IS_STRICT = (strict !== '' && strict !== 'off') || ci === 'true';
/** Where each stage of tests says what it skipped, and what failed. */
const TOLD_DIR = mkdtempSync(join(tmpdir(), 'twinshelf-check-'));

interface Stage {
  readonly name: string;
  readonly command: readonly string[];
  /** Absent parts of the project are passed over, and said to be. */
  readonly isPresent?: boolean;
  /** Runs at the same time as this one, where both are wanted: each of them keeps one of two cores busy. What it prints comes after. */
  readonly beside?: string;
}

const STAGES: readonly Stage[] = [
  { name: 'lint', command: [bin('biome'), 'check', '--error-on-warnings', '.'] },
  { name: 'types', command: [bin('tsc'), '--noEmit'] },
  { name: 'build', command: [process.execPath, 'scripts/build.ts'], isPresent: existsSync(join(ROOT, 'src/main.ts')) },
  // Generated files (migrations, operations) are compared with their sources by unit tests.
  { name: 'unit', command: testCommand('unit', UNIT_TESTS) },
  {
    name: 'browser',
    command: testCommand('browser', [BROWSER_TESTS]),
    isPresent: hasFiles(BROWSER_TESTS),
    beside: 'unit',
  },
  {
    name: 'simulator',
    command: [process.execPath, 'src/testing/simulator/cli.ts', ...seeds()],
  },
  {
    name: 'crash',
    command: [process.execPath, 'scripts/crash-test.ts', '--short'],
    isPresent: hasFiles('scripts/crash-test.ts'),
  },
];

/** Some two hundred seeds: those that never change, and fresh ones that belong to the commit. */
function seeds(): readonly string[] {
  return ['--fixed', '--fresh', '35', '--base-of', commitHash()];
}

function bin(name: string): string {
  return join(ROOT, 'node_modules/.bin', name);
}

function testCommand(stage: string, globs: readonly string[]): readonly string[] {
  const reporters = [
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...[
      '--test-reporter=./scripts/lib/skipped-reporter.ts',
      `--test-reporter-destination=${toldFile(stage, 'skipped')}`,
    ],
    ...['--test-reporter=./scripts/lib/failed-reporter.ts', `--test-reporter-destination=${toldFile(stage, 'failed')}`],
  ];
  return [process.execPath, '--test', ...reporters, ...globs];
}

function toldFile(stage: string, what: 'skipped' | 'failed'): string {
  return join(TOLD_DIR, `${stage}.${what}`);
}

/** Empty for a stage that has no tests. */
function told(stage: string, what: 'skipped' | 'failed'): string {
  const file = toldFile(stage, what);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function hasFiles(pattern: string): boolean {
  return globSync(pattern, { cwd: ROOT }).length > 0;
}

interface Result {
  readonly stage: Stage;
  readonly isPassed: boolean;
  readonly seconds: number;
  readonly skipped: Skipped;
  /** Null: it was shown as it came. */
  readonly printed: string | null;
}

async function runStage(stage: Stage, isShownAtOnce: boolean): Promise<Result> {
  const startedAt = performance.now();
  const [command = '', ...args] = stage.command;
  const stdio = isShownAtOnce ? 'inherit' : 'pipe';
  if (isShownAtOnce) console.log(`\n== ${stage.name}`);
  const child = spawn(command, args, { cwd: ROOT, env: ENV, stdio: ['ignore', stdio, stdio] });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => printed.push(chunk));
  const [code] = await once(child, 'close');
  const seconds = (performance.now() - startedAt) / 1000;
  const skipped = readSkipped(told(stage.name, 'skipped'));
  const isPassed = code === 0 && !(IS_STRICT && skipped.tools.length > 0);
  return { stage, isPassed, seconds, skipped, printed: isShownAtOnce ? null : Buffer.concat(printed).toString() };
}

/** Stages that run side by side stand together. */
function grouped(stages: readonly Stage[]): readonly (readonly Stage[])[] {
  const groups: Stage[][] = [];
  for (const stage of stages) {
    const last = groups.at(-1);
    if (last?.some(({ name }) => name === stage.beside)) last.push(stage);
    else groups.push([stage]);
  }
  return groups;
}

async function main(wanted: readonly string[]): Promise<boolean> {
  const unknown = wanted.filter((name) => !STAGES.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    console.error(`unknown stage: ${unknown.join(', ')}. There are: ${STAGES.map(({ name }) => name).join(', ')}`);
    return false;
  }
  const summary: string[] = [];
  const failed: string[] = [];
  let isPassed = true;
  for (const group of grouped(STAGES.filter(({ name }) => wanted.length === 0 || wanted.includes(name)))) {
    const present = group.filter((stage) => stage.isPresent !== false);
    for (const { name } of group.filter((stage) => !present.includes(stage)))
      summary.push(`  -  ${name} (nothing there yet)`);
    const results = await Promise.all(present.map((stage, at) => runStage(stage, at === 0)));
    for (const { stage, isPassed: isStagePassed, seconds, skipped, printed } of results) {
      if (printed !== null) console.log(`\n== ${stage.name}\n${printed}`);
      summary.push(
        `  ${isStagePassed ? 'ok' : 'FAILED'}  ${stage.name}  ${seconds.toFixed(1)} s${tellSkipped(skipped)}`,
      );
      failed.push(tellFailed(told(stage.name, 'failed'), ROOT));
    }
    isPassed = results.every((result) => result.isPassed);
    if (!isPassed) break;
  }
  const lines = [...failed.filter((tests) => tests !== ''), ...summary];
  console.log(`\n${lines.join('\n')}\n${isPassed ? 'check passed' : 'check FAILED'}`);
  return isPassed;
}

try {
  process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
} finally {
  rmSync(TOLD_DIR, { recursive: true, force: true });
}
