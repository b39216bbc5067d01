import { relative } from 'node:path';

interface Failed {
  readonly name: string;
  readonly file: string;
  /** The stack of what it threw. */
  readonly why: string;
}

const LINES_MAX = 4;

/**
 * Of what `failed-reporter.ts` wrote: each failed test with its file, the first lines of why, and where in that file. It stands at
 * the very end, since of a long output often nothing else is kept.
 */
export function tellFailed(lines: string, root: string): string {
  const tests = lines.split('\n').filter((line) => line !== '');
  return tests.map((line) => tellOne(JSON.parse(line) as Failed, root)).join('\n');
}

function tellOne({ name, file, why }: Failed, root: string): string {
  const lines = why.split('\n').filter((line) => line.trim() !== '');
  const isFrame = (line: string) => /^\s*at /.test(line);
  const where = lines.find((line) => isFrame(line) && line.includes(file));
  const told = [...lines.filter((line) => !isFrame(line)).slice(0, LINES_MAX), ...(where === undefined ? [] : [where])];
  return [`  ${relative(root, file)}: ${name}`, ...told.map((line) => `      ${line.trim()}`)].join('\n');
}
