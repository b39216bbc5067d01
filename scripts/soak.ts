// Plays fresh cases of the planner, then fresh seeds of the simulator, all capability sets in turn, for as long as asked; failing seeds are
// appended to a report.
//   npm run soak -- --hours 8
//   npm run soak -- --minutes 10 --set plain --report soak-report.txt
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { simulate } from '../src/testing/simulator/cli.ts';

const { values } = parseArgs({
  options: {
    hours: { type: 'string' },
    minutes: { type: 'string' },
    set: { type: 'string' },
    workers: { type: 'string' },
    base: { type: 'string' },
    report: { type: 'string', default: 'soak-report.log' },
  },
});

const seconds =
  Number(values.hours ?? 0) * 3_600 + Number(values.minutes ?? (values.hours === undefined ? 60 : 0)) * 60;
const passedOn = (['set', 'workers', 'base', 'report'] as const).flatMap((name) => {
  const value = values[name];
  return value === undefined ? [] : [`--${name}`, value];
});
const until = Date.now() + seconds * 1_000;
console.log(`until ${new Date(until).toISOString()}; failing seeds go to ${values.report}`);
const isPlannerFine = playPlanner(randomInt(2 ** 31));
const secondsLeft = Math.max(1, Math.ceil((until - Date.now()) / 1_000));
const isSimulatorFine = await simulate(['--seconds', String(secondsLeft), ...passedOn]);
process.exitCode = isPlannerFine && isSimulatorFine ? 0 : 1;

/** The planner's properties as the check asks them, on cases that nobody has seen; a failure prints the case. */
function playPlanner(seed: number): boolean {
  console.log(`planner: PLANNER_SEED=${seed}`);
  const root = join(import.meta.dirname, '..');
  const { status } = spawnSync(process.execPath, ['--test', '--test-reporter=spec', 'src/core/planner.test.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PLANNER_SEED: String(seed) },
  });
  return status === 0;
}
