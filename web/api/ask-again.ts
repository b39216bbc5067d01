import type { QueryClient, QueryFilters } from '@tanstack/react-query';
import { isLong, readFront } from './long-lists.ts';

/** So long is nothing asked for again, and so long is a slow answer waited for. */
const BURST_MS = 250;
const SLOW_ANSWER_MS = 5_000;

/**
 * What is on the page is asked for again. A first answer that is on its way cannot be called off; it may have been given before what
 * has just happened, and is asked for once more when it is here.
 */
export async function askAgain(client: QueryClient, filters: QueryFilters = {}): Promise<void> {
  const first = client
    .getQueryCache()
    .findAll({ ...filters, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined);
  await client.invalidateQueries(filters);
  await Promise.all(first.map(({ queryKey }) => client.invalidateQueries({ queryKey, exact: true })));
}

/** After a live message: a list of which several pages are on the page is asked for its first one, everything else as a whole. */
async function askLive(client: QueryClient, name: string): Promise<void> {
  const long = new Set(
    client
      .getQueryCache()
      .findAll({ queryKey: [name], type: 'active' })
      .filter((query) => isLong(query)),
  );
  await Promise.all([
    askAgain(client, { queryKey: [name], predicate: (query) => !long.has(query) }),
    ...[...long].map((query) => readFront(client, query)),
  ]);
}

/**
 * One refetch for a burst of messages; the first of a burst goes at once, so that a single sale shows without delay. One that calls off
 * an answer is not called off itself: while messages go on, a slow answer would never come.
 */
export function createInvalidator(client: QueryClient): (...names: readonly string[]) => void {
  const waiting = new Set<string>();
  const resting = new Set<string>();
  const unanswered = new Map<string, Promise<void>>();
  const flush = (name: string): void => {
    resting.add(name);
    const callsOff = unanswered.has(name);
    const answered = Promise.race([askLive(client, name), pause(SLOW_ANSWER_MS)]).then(() => {
      if (unanswered.get(name) === answered) unanswered.delete(name);
    });
    unanswered.set(name, answered);
    void Promise.all([pause(BURST_MS), callsOff ? answered : null]).then(() => {
      resting.delete(name);
      if (waiting.delete(name)) flush(name);
    });
  };
  return (...names) => {
    for (const name of names) {
      if (resting.has(name)) waiting.add(name);
      else flush(name);
    }
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
