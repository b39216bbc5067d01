import type { ClaimedJob, JobOutcome } from '../model/job.ts';

/** One kind of work. Its jobs are idempotent: each may run again after a crash. */
export interface Task {
  readonly name: string;
  /** Most jobs of one group given to one call. */
  readonly batchMax: number;
  /**
   * After this the signal is aborted, and what the call had in hand is tried again later. A call that does not end within half a minute after
   * that is given up: its lane is free again. Whatever it locked stays locked, and it must look at its signal before it writes.
   */
  readonly timeoutMs: number;
  /**
   * While this says so, the jobs of that group are left where they are. Asked each time work is looked for: it must cost next to nothing, and
   * a commit that ends it asks for work (`wakeGroup`).
   */
  readonly isHeld?: (groupKey: string) => boolean;
  /**
   * Works on jobs of one group; one outcome for each, in the order given. No second call for the same group and task is made before
   * this one has ended. Whatever it throws counts against the jobs one by one: a batch that threw is given again singly.
   */
  readonly run: (jobs: readonly ClaimedJob[], groupKey: string, signal: AbortSignal) => Promise<readonly JobOutcome[]>;
}
