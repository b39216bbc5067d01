import { SECOND_MS } from '../lib/time.ts';
import type { Clock } from '../ports/clock.ts';

/**
 * How long a write that is on its way is heard out once its work is to end: cut off, nobody could tell whether it landed, and its record would wait
 * out a fence of minutes. Well below what a container is given to stop (Docker: 10 s).
 */
export const HEAR_OUT_MS = 4 * SECOND_MS;

/** A reason of its own: without one an error with a stack is made each time. */
const ANSWERED = 'answered';

/** Does a write; `cut` is aborted `HEAR_OUT_MS` after `signal`, or at once where that was before. */
export async function hearOut<T>(
  signal: AbortSignal,
  clock: Clock,
  write: (cut: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal.aborted) return write(signal);
  const cut = new AbortController();
  const timer = new AbortController();
  const onAbort = (): void => {
    clock.sleep(HEAR_OUT_MS, timer.signal).then(
      () => cut.abort(signal.reason),
      () => undefined,
    );
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await write(cut.signal);
  } finally {
    signal.removeEventListener('abort', onAbort);
    timer.abort(ANSWERED);
  }
}
