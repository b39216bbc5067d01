import type { Log } from '../../ports/log.ts';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export interface TestLog extends Log {
  readonly lines: readonly LogLine[];
  /** All lines as JSON, to search for what must not be there. */
  text(): string;
}

/** A log that keeps its lines instead of printing them. */
export function makeTestLog(): TestLog {
  const lines: LogLine[] = [];
  const write =
    (level: LogLine['level']) =>
    (fields: Readonly<Record<string, unknown>>, message: string): void => {
      lines.push({ level, fields, message });
    };
  return {
    lines,
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    text: () => lines.map((line) => JSON.stringify(line)).join('\n'),
  };
}
