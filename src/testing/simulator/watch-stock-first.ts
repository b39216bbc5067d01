import type { Db } from '../../db/database.ts';
import { TASKS } from '../../engine/enqueue.ts';
import type { Task } from '../../jobs/task.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Violation } from './check.ts';

export interface TurnsOptions {
  readonly db: Pick<Db, 'connection'>;
  readonly clock: Pick<Clock, 'now'> & { isAlive(): boolean };
  readonly onBreach: (breach: Violation) => void;
}

/** The work on stock, by name: by its priority a program that thinks less of stock would be right. */
const STOCK_TASKS: ReadonlySet<string> = new Set([TASKS.syncStock, TASKS.lookAtStock, TASKS.showAll]);
/** Stock whose last batch took as long as this may have to wait, ms: stores that hardly answer leave the others room. Said here in a number of its own. */
const SLOW_MS = 5_000;

interface Turn {
  readonly isAtWork: boolean;
  /** When its last batch ended, and whether that had taken long. */
  readonly endedAt: number;
  readonly wasSlow: boolean;
}

/**
 * [I9] Stock goes before everything else: while some is due and could begin, nothing else begins. Stores take our requests in the order in which they come, so that what
 * begins later asks later; what had begun before goes on.
 *
 * Whoever deals out the work asks of each group with stock whether it is held, at the very moment at which the next batches are chosen. What is due then is
 * noted, and struck off when it begins. At the end of a seed nothing of that can be told any more.
 */
export function watchStockFirst(tasks: readonly Task[], options: TurnsOptions): readonly Task[] {
  const { db, clock } = options;
  const turns = new Map<string, Turn>();
  /** Stock that was due when it was last looked for what is to be done next, and when that was. */
  const due = new Map<string, number>();
  const dueJob = db.connection.prepare(
    "SELECT 1 FROM job WHERE state = 'ready' AND group_key = ? AND task = ? AND run_at <= ? LIMIT 1",
  );

  function note(task: string, group: string, isHeld: boolean): void {
    const name = `${task} of ${group}`;
    const now = clock.now();
    const turn = turns.get(name);
    // What ended in this moment is perhaps not written down yet.
    const isFree = turn === undefined || !(turn.isAtWork || turn.wasSlow || turn.endedAt === now);
    if (isFree && !isHeld && dueJob.get(group, task, now) !== undefined) due.set(name, now);
    else due.delete(name);
  }

  function begin(task: string, group: string): (() => void) | null {
    const startedAt = clock.now();
    const name = `${task} of ${group}`;
    if (!STOCK_TASKS.has(task)) {
      for (const [first, at] of due)
        if (at === startedAt && clock.isAlive())
          options.onBreach({
            invariant: 'I9 stock first',
            message: `${name} began while ${first} was due, and before it`,
          });
      return null;
    }
    due.delete(name);
    turns.set(name, { isAtWork: true, endedAt: startedAt, wasSlow: false });
    return () => {
      const endedAt = clock.now();
      turns.set(name, { isAtWork: false, endedAt, wasSlow: endedAt - startedAt >= SLOW_MS });
    };
  }

  return tasks.map((task) => {
    const { name, isHeld } = task;
    const run: Task['run'] = (jobs, group, signal) => {
      const end = begin(name, group);
      const work = task.run(jobs, group, signal);
      if (end !== null) work.then(end, end);
      return work;
    };
    if (isHeld === undefined || !STOCK_TASKS.has(name)) return { ...task, run };
    const looked = (group: string): boolean => {
      const answer = isHeld(group);
      note(name, group, answer);
      return answer;
    };
    return { ...task, run, isHeld: looked };
  });
}
