import type { Claim } from '../db/writers/jobs.ts';
import { assert } from '../lib/assert.ts';
import { SECOND_MS } from '../lib/time.ts';
import type { ClaimedJob, JobOutcome } from '../model/job.ts';
import type { Clock } from '../ports/clock.ts';
import { classifyFailure, type Failure } from './failure.ts';
import type { Task } from './task.ts';

/** How one job of a batch ended. `interrupted`: the server is stopping; it costs nothing. */
export type JobResult =
  | { readonly type: 'outcome'; readonly outcome: JobOutcome }
  | { readonly type: 'failed'; readonly failure: Failure; readonly error: unknown }
  | { readonly type: 'interrupted' };

/** How long a task may take to end once it was asked to: what it has on the wire may still be answered. */
const ABANDON_MS = 30 * SECOND_MS;
/** The same when the server stops, also for one whose time was up before: longer than a write is heard out, shorter than what a container is given (Docker: 10 s). */
const ABANDON_AT_STOP_MS = 6 * SECOND_MS;
const ENDED = 'the work has ended';

class TaskTimeout extends Error {
  override readonly name = 'TaskTimeout';
}

/**
 * Gives a batch to its task; never throws. A batch that throws because of a bug is given again one by one, so that a poisoned
 * job stands alone and its neighbours go on.
 */
export async function runBatch(
  task: Task,
  claims: readonly Claim[],
  groupKey: string,
  clock: Clock,
  stop: AbortSignal,
): Promise<readonly JobResult[]> {
  const together = await attempt(task, claims, groupKey, clock, stop);
  const isPoisoned = together.some((result) => result.type === 'failed' && result.failure.type === 'bug');
  if (!isPoisoned || claims.length === 1) return together;
  const results: JobResult[] = [];
  for (const claim of claims) {
    const [result] = await attempt(task, [claim], groupKey, clock, stop);
    results.push(result ?? { type: 'interrupted' });
  }
  return results;
}

async function attempt(
  task: Task,
  claims: readonly Claim[],
  groupKey: string,
  clock: Clock,
  stop: AbortSignal,
): Promise<readonly JobResult[]> {
  const all = (result: JobResult): readonly JobResult[] => claims.map(() => result);
  if (stop.aborted) return all({ type: 'interrupted' });
  const work = new AbortController();
  const timer = new AbortController();
  let isTimedOut = false;
  // A task that does not heed its signal must not hold its lane for ever: what it does from here on is its own, and its jobs are tried again.
  let abandon = (_afterMs: number): void => undefined;
  const abandoned = new Promise<never>((_resolve, reject) => {
    abandon = (afterMs) => {
      clock.sleep(afterMs, timer.signal).then(
        () => reject(new TaskTimeout(`${task.name} did not end when it was asked to`)),
        () => undefined,
      );
    };
  });
  const onStop = (): void => {
    work.abort(stop.reason);
    abandon(ABANDON_AT_STOP_MS);
  };
  stop.addEventListener('abort', onStop, { once: true });
  clock.sleep(task.timeoutMs, timer.signal).then(
    () => {
      isTimedOut = true;
      work.abort(new TaskTimeout(`${task.name} took longer than ${task.timeoutMs} ms`));
      abandon(ABANDON_MS);
    },
    () => undefined,
  );
  try {
    const outcomes = await Promise.race([task.run(claims.map(asJob), groupKey, work.signal), abandoned]);
    assert(outcomes.length === claims.length, `task ${task.name} gives one outcome for each job`);
    return outcomes.map((outcome) => ({ type: 'outcome', outcome }));
  } catch (error) {
    if (stop.aborted) return all({ type: 'interrupted' });
    if (isTimedOut) return all({ type: 'failed', failure: { type: 'passing' }, error: work.signal.reason });
    return all({ type: 'failed', failure: classifyFailure(error), error });
  } finally {
    // With a reason of its own: without one an error with a stack is made each time.
    timer.abort(ENDED);
    stop.removeEventListener('abort', onStop);
  }
}

function asJob({ id, key, payload, attempts }: Claim): ClaimedJob {
  return { id, key, payload, attempts };
}
