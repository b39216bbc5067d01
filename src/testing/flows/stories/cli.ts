// Draws short stories and plays them: all that a few steps around one thing can do, where a seed of the simulator plays one long day.
import { randomInt } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { drawStory } from './draw.ts';
import { shrinkStory } from './shrink.ts';
import { parseStory, tellStory } from './story.ts';
import { verdictOn } from './verdict.ts';

const USAGE = `node src/testing/flows/stories/cli.ts [--stories N | --seconds T] [--from S] [--story "LINE"] [--report FILE]

Plays stories S, S + 1, ... (by default from a random one on), or the one of that line. One that ends badly is made as short as it can be, and
appended to the report as a line that --story takes.`;

async function main(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      stories: { type: 'string', default: '1000' },
      seconds: { type: 'string' },
      from: { type: 'string' },
      story: { type: 'string' },
      report: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return true;
  }
  if (values.story !== undefined) {
    const wrong = await verdictOn(parseStory(values.story));
    console.log(wrong ?? 'it ends well');
    return wrong === null;
  }
  const from = Number(values.from ?? randomInt(2 ** 31));
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1_000;
  const isOver = (n: number) =>
    values.seconds === undefined ? n >= Number(values.stories) : elapsed() >= Number(values.seconds);
  let played = 0;
  let failed = 0;
  for (; !isOver(played); played += 1) {
    const story = drawStory(from + played);
    const wrong = await verdictOn(story);
    if (wrong === null) continue;
    failed += 1;
    const { story: shortest, fault } = await shrinkStory(story, wrong, verdictOn);
    const line = tellStory(shortest);
    console.log(`FAILED story ${from + played}, ${fault}\n    ${line}`);
    if (values.report !== undefined) appendFileSync(values.report, `${line} # story ${from + played}: ${fault}\n`);
  }
  console.log(`${played} stories from ${from} on in ${elapsed().toFixed(0)} s, ${failed} failed`);
  return failed === 0;
}

if (process.argv[1] === import.meta.filename) process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
