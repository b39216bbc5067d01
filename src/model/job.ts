/** How a job ended. A snooze costs no attempt. */
export type JobOutcome =
  | { readonly type: 'done' }
  /** `isProgress`: it got further than the try before, and its failures are counted anew from this one. */
  | { readonly type: 'retry'; readonly reason: string; readonly afterMs?: number; readonly isProgress?: boolean }
  | { readonly type: 'snooze'; readonly ms: number }
  | { readonly type: 'cancel'; readonly reason: string };

/** One claimed row, as a task sees it. */
export interface ClaimedJob {
  readonly id: number;
  readonly key: string;
  readonly payload: unknown;
  readonly attempts: number;
}

/** Lower goes first; stock before everything else. `possibleSale`: a shop that tells of sales as of edits told of a product, whose stock nobody has looked at. */
export const JOB_PRIORITY = {
  stock: 0,
  possibleSale: 5,
  product: 10,
  request: 20,
  scan: 30,
  notify: 35,
  housekeeping: 40,
} as const;

/** Drops what removed pairs, stores and workspaces have left behind. */
export const LEFTOVERS_TASK = 'drop_leftovers';
