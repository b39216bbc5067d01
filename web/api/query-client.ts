import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { onPersonChange } from './session.ts';

const RETRIES_MAX = 2;

/** Whether asking again could help: no answer, or a fault of the server's. */
function isWorthRepeating(failureCount: number, error: Error): boolean {
  if (failureCount >= RETRIES_MAX) return false;
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}

/** The live socket says when something moved, so nothing is fetched again just because time passed; without it, see `ask-unlive.ts`. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 5 * 60_000,
      retry: isWorthRepeating,
      retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 4000),
      networkMode: 'always',
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

// Another tab can sign somebody else in.
onPersonChange(() => queryClient.clear());
