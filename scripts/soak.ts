// Plays fresh seeds of the simulator, all capability sets in turn, for as long as asked; failing seeds are appended to a report.
//   npm run soak -- --hours 8
//   npm run soak -- --minutes 10 --set plain --report soak-report.txt
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
console.log(`until ${new Date(Date.now() + seconds * 1_000).toISOString()}; failing seeds go to ${values.report}`);
process.exitCode = (await simulate(['--seconds', String(Math.ceil(seconds)), ...passedOn])) ? 0 : 1;
