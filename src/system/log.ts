import { pino } from 'pino';
import { redactFields, redactText } from '../lib/redact.ts';
import type { Log } from '../ports/log.ts';

export interface LogOptions {
  readonly level: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  /** `json`: one object a line, for collectors. `text`: for a person at a terminal. */
  readonly format: 'json' | 'text';
  /** Takes each finished line; default: standard output. */
  readonly write?: (line: string) => void;
}

/** The server's log. Secrets and email addresses are taken out of fields and messages before anything is written. */
export function createLog(options: LogOptions): Log {
  const write = options.write ?? ((line: string) => void process.stdout.write(line));
  const destination = { write: options.format === 'json' ? write : (line: string) => write(asText(line)) };
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    destination,
  );
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (fields: Readonly<Record<string, unknown>>, message: string): void => {
      if (logger.isLevelEnabled(level)) logger[level](redactFields(fields), redactText(message));
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** `09:30:05 info  a message  count=3 store=str_1`, with the stack on lines of its own. */
function asText(line: string): string {
  const { time, level, msg, stack, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const details = Object.entries(fields).map(([name, value]) => {
    const text = typeof value === 'string' && !/\s/.test(value) ? value : JSON.stringify(value);
    return `${name}=${text}`;
  });
  const words = [
    String(time).slice(11, 19),
    String(level).padEnd(5),
    msg,
    ...(details.length > 0 ? [''] : []),
    ...details,
  ];
  const trace = typeof stack === 'string' ? `${stack}\n` : '';
  return `${words.join(' ')}\n${trace}`;
}
