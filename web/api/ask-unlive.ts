import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** While the live channel does not stand, what is on the page is asked for this often. */
export const ASK_UNLIVE_MS = 60_000;

/** A call that had no answer is asked again also while the channel stands: nothing else would. */
function isUnanswered(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 0;
}

/** Asks for what is on the page and may have moved unseen. True: the server has answered. */
export async function askUnlive(client: QueryClient, isLive: boolean): Promise<boolean> {
  let isAnswered = false;
  const watching = client.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success' && !event.action.manual) isAnswered = true;
  });
  try {
    await client.refetchQueries(
      { type: 'active', predicate: ({ state }) => !isLive || isUnanswered(state.error) },
      { cancelRefetch: false },
    );
  } finally {
    watching();
  }
  return isAnswered;
}
