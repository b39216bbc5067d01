import type { Day } from './day.ts';

/** Fire a dozen times or more in nearly every seed of full size: a seed without one of them is vacuous. */
export const FAULTS_OF_EACH_SEED = [
  ...['slow', 'rate_limited', 'server_error_before', 'server_error_after', 'timeout_before', 'timeout_after'],
  ...['connection_lost_before', 'connection_lost_after', 'malformed', 'html_404'],
  ...['delivery_lost', 'delivery_doubled', 'delivery_late', 'delivery_reordered', 'delivery_refused', 'killed'],
];

/**
 * Fire a few times in a seed, in some not at all: the last two of the first line befall a few writes in a hundred, and a pair with most areas switched off hardly writes. What
 * a day was spared its evening makes up for.
 */
export const RARE_FAULTS = [
  ...(['unauthorized', 'cut_listing', 'empty_listing', 'shrunken_listing', 'late_landing', 'partial_batch'] as const),
  ...(['revoked', 'webhook_switched_off', 'clock_skew', 'shopify_clock_skew', 'listing_outage'] as const),
  ...(['spotty_listing', 'forgetful', 'slept'] as const),
];
export type RareFault = (typeof RARE_FAULTS)[number];

/** Those that a day of this kind has: no machine sleeps but on a drowsy one. */
export function rareOn(day: Day): readonly RareFault[] {
  return RARE_FAULTS.filter((name) => name !== 'slept' || day === 'drowsy');
}
