import { MINUTE_MS, SECOND_MS } from '../lib/time.ts';

const BASE_MS = SECOND_MS;
const CAP_MS = 5 * MINUTE_MS;

/** Wait before the next try after `failures` failures in a row (1 or more): doubling from 1 s up to 5 min, shortened by up to half at random. */
export function backoffMs(failures: number, unit: number): number {
  const full = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(failures - 1, 30));
  return Math.round(full * (0.5 + unit / 2));
}
