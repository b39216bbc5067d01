// For as long as asked: a burst of 60,000 events while a store is down, the crash test (1,250 kills an hour, 10,000 in a night of eight), fresh
// cases of the planner, fresh short stories, fresh seeds of the real connectors against the sandbox stores, then fresh seeds of the simulator, all
// capability sets in turn. Those that fail are appended to a report.
//   npm run soak -- --hours 8
//   npm run soak -- --minutes 10 --kills 0 --set plain --report soak-report.txt
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { simulate } from '../src/testing/simulator/cli.ts';

const KILLS_PER_HOUR = 1_250;
/** Of what is left after them, this part goes to short stories, and as much to the second depth. */
const SHARE = 1 / 6;

const { values } = parseArgs({
  options: {
    hours: { type: 'string' },
    minutes: { type: 'string' },
    kills: { type: 'string' },
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
const secondsLeft = () => Math.max(1, Math.ceil((until - Date.now()) / 1_000));
console.log(`until ${new Date(until).toISOString()}; failing seeds go to ${values.report}`);
const ends = [isCrashSafe(), isPlannerFine(randomInt(2 ** 31))];
const share = Math.ceil(secondsLeft() * SHARE);
ends.push(doStoriesEndWell(share), isDepthFine(share));
ends.push(await simulate(['--seconds', String(secondsLeft()), ...passedOn]));
process.exitCode = ends.every((isFine) => isFine) ? 0 : 1;

/** The built server, flooded once, and killed again and again. None of the burst's targets is one of time. */
function isCrashSafe(): boolean {
  const kills = Number(values.kills ?? Math.round((seconds / 3_600) * KILLS_PER_HOUR));
  if (kills === 0) return true;
  const parts = [play(['scripts/bench/run.ts', 'burst']), play(['scripts/crash-test.ts', '--cycles', String(kills)])];
  return parts.every((isFine) => isFine);
}

/** The planner's properties as the check asks them, on cases that nobody has seen; a failure prints the case. */
function isPlannerFine(seed: number): boolean {
  console.log(`planner: PLANNER_SEED=${seed}`);
  return play(['--test', '--test-reporter=spec', 'src/core/planner.test.ts'], { PLANNER_SEED: String(seed) });
}

/** A few steps around one thing each. */
function doStoriesEndWell(forSeconds: number): boolean {
  const from = values.base ?? String(randomInt(2 ** 31));
  const size = ['--seconds', String(forSeconds), '--from', from];
  return play(['src/testing/flows/stories/cli.ts', ...size, '--report', values.report]);
}

/** The second depth of the simulator. */
function isDepthFine(forSeconds: number): boolean {
  const from = values.base ?? String(randomInt(2 ** 31));
  const size = ['--seconds', String(forSeconds), '--steps', '300', '--from', from];
  return play(['src/testing/flows/depth/cli.ts', ...size, '--report', values.report]);
}

function play(args: readonly string[], env: Readonly<Record<string, string>> = {}): boolean {
  const options = { cwd: join(import.meta.dirname, '..'), stdio: 'inherit', env: { ...process.env, ...env } } as const;
  return spawnSync(process.execPath, args, options).status === 0;
}
