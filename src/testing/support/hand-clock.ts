import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Random } from '../../ports/random.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock whose hands the test turns; everything that was started runs to its next sleep in between. */
export class HandClock implements Clock {
  #now = 1_000_000;
  readonly #sleepers = new Set<Sleeper>();

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const sleeper = { at: this.#now + ms, wake: resolve };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers.delete(sleeper);
        reject(signal.reason);
      });
    });
  }

  /** Turns the hands forward, waking sleepers in order. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settled();
    for (;;) {
      const next = [...this.#sleepers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#sleepers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.wake();
      await settled();
    }
    this.#now = until;
  }
}

/** Lets everything that waits on nothing but promises run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export function fixedRandom(unit = 0.5): Random {
  let count = 0;
  return {
    id: (prefix) => {
      count += 1;
      return `${prefix}${String(count).padStart(26, '0')}`;
    },
    unit: () => unit,
  };
}

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export function memoryLog(): Log & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at = (level: LogLine['level']) => (fields: LogLine['fields'], message: string) =>
    void lines.push({ level, fields, message });
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
