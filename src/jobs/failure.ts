import { ConnectorError } from '../model/connector-error.ts';

/** What a throw of a task means: passing trouble of the world around it, or a bug in it. */
export type Failure = { readonly type: 'passing'; readonly afterMs?: number } | { readonly type: 'bug' };

/** SQLite's and the system's words for a disk that is full, busy or failing: the work is sound and is tried again for as long as it takes. */
const PASSING_CODES =
  /^(SQLITE_(FULL|BUSY|LOCKED|IOERR|NOMEM|READONLY|CANTOPEN)(_|$)|ENOSPC$|EDQUOT$|EMFILE$|ENFILE$|EIO$|ENOMEM$)/;

export function classifyFailure(error: unknown): Failure {
  if (error instanceof ConnectorError) {
    switch (error.kind) {
      case 'rate_limited':
      case 'timeout':
      case 'unavailable':
      case 'unknown_outcome': {
        const { retryAfterMs } = error.details;
        return retryAfterMs === undefined ? { type: 'passing' } : { type: 'passing', afterMs: retryAfterMs };
      }
      case 'unauthorized':
      case 'not_found':
      case 'rejected':
      case 'malformed':
        // Tasks turn these into outcomes and problems; one that got through is a gap in the task.
        return { type: 'bug' };
    }
  }
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : undefined;
  return typeof code === 'string' && PASSING_CODES.test(code) ? { type: 'passing' } : { type: 'bug' };
}

/** One line for the row and the log. */
export function failureText(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.length > 500 ? `${text.slice(0, 499)}…` : text;
}
