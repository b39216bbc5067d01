/**
 * How long ago a reading may have been asked for when a write that was decided on it leaves, ms. What is older is read again right then: an edit
 * that somebody typed meanwhile is merged and not written over, however slowly a store answers.
 */
export const READING_FRESH_MS = 10_000;

/** So long a write may wait for its turn however long its reading took, ms: else a store that answers slowly would never be written to. */
export const WAIT_MIN_MS = 5_000;
/** With a store whose answers usually take long it may be three of them, and this at most, ms. */
export const SLOW_WAIT_MAX_MS = 30_000;

/** Products of one call whose variants may each take a request of their own: a call stays a few rounds of requests long. */
const APART_MAX = 12;

/** Requests of one call that may go out one after another, at most (`APART_MAX` of them, in the few rounds that a connector makes of it). */
export const CALL_ROUNDS_MAX = 4;

/**
 * The list in pieces that a connector takes in one call: at most `max` items, and at most so many of those that have requests of their own
 * (`apart` names them; null: goes along with others) that the last of a call still leaves shortly after the first.
 */
export function windowChunks<T>(
  list: readonly T[],
  max: number,
  apart: (item: T) => string | null,
): readonly (readonly T[])[] {
  const result: T[][] = [];
  let current: T[] = [];
  let names = new Set<string>();
  for (const item of list) {
    const name = apart(item);
    const isFull = current.length >= max || (name !== null && !names.has(name) && names.size >= APART_MAX);
    if (isFull) {
      result.push(current);
      current = [];
      names = new Set();
    }
    current.push(item);
    if (name !== null) names.add(name);
  }
  if (current.length > 0) result.push(current);
  return result;
}
