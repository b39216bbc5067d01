import type { Pair } from './pairs.ts';

export type KnownAs = 'now' | 'at_last_sync' | 'when_it_stopped';

/**
 * How new what is known of a pair's records is: of one in real time, what its stores say now; of one that syncs on a schedule or by hand, what they
 * said then; of one that stands still, what they said before.
 */
export function knownAs(pair: Pair): KnownAs {
  if (isStanding(pair)) return 'when_it_stopped';
  return pair.settings.syncSchedule === 'realtime' ? 'now' : 'at_last_sync';
}

/** Whether all records are known to say the same on both sides, now. Not before the pairs are read, nor while one stands still or has something on the way. */
export function areAllLevel(pairs: readonly Pair[] | undefined): boolean {
  return pairs?.every((pair) => knownAs(pair) === 'now' && pair.counts.level === pair.counts.records) === true;
}

/** No product of it is read or written: by a person, for safety (its stock may go on), or because a store refuses us. */
export function isStanding({ status, woocommerce, shopify }: Pair): boolean {
  if (status === 'paused' || status === 'halted') return true;
  return woocommerce.status === 'error' || shopify.status === 'error';
}
