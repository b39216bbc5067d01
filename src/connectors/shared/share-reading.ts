import type { Clock } from '../../ports/clock.ts';

/**
 * Gives an answer that was asked for at `since` (ms) or later, and asks only where there is none: whoever comes meanwhile shares it, so no single
 * one's signal may cut it short. A failure is not remembered.
 */
export function shareReading<T>(clock: Clock, read: (askedAt: number) => Promise<T>): (since: number) => Promise<T> {
  let last: { readonly askedAt: number; readonly answer: Promise<T> } | null = null;
  return (since) => {
    if (last !== null && last.askedAt >= since) return last.answer;
    const askedAt = clock.now();
    const mine = { askedAt, answer: read(askedAt) };
    last = mine;
    mine.answer.catch(() => {
      if (last === mine) last = null;
    });
    return mine.answer;
  };
}
