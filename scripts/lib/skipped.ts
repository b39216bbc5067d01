import { missingTools } from '../../src/testing/support/missing-tools.ts';

/** What a stage left out. */
export interface Skipped {
  /** Tests, and whole groups of them, which count as one. */
  readonly count: number;
  /** What this machine lacks, each once: tests that were skipped for it say nothing about the change. */
  readonly tools: readonly string[];
}

/** Of what `skipped-reporter.ts` wrote. */
export function readSkipped(lines: string): Skipped {
  const reasons = lines.split('\n').filter((line) => line !== '');
  return {
    count: reasons.length,
    tools: [...new Set(reasons.flatMap((reason) => missingTools(JSON.parse(reason) as string)))],
  };
}

/** For the line of a stage: ", 3 skipped: no Chromium". */
export function tellSkipped({ count, tools }: Skipped): string {
  if (count === 0) return '';
  return `, ${count} skipped${tools.length === 0 ? '' : `: no ${tools.join(', no ')}`}`;
}
