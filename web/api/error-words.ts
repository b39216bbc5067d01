import { capital } from '../../src/lib/capital.ts';
import { TEXT } from '../content/messages.en.ts';
import { formatDuration } from '../hooks/format.ts';
import { ApiError } from './api-error.ts';

/**
 * "email: must have at most 9 characters", said by the schema, stands beside a field that has a label. A clause, as a connector words what it refuses,
 * becomes a sentence; what is one already is kept to the letter.
 */
function besideField(field: string, message: string): string {
  if (message.startsWith(`${field}: `)) return capital(message.slice(field.length + 2));
  const isClause = /^[^\p{Lu}]/u.test(message) && !/[.!?]$/.test(message);
  return isClause ? `${capital(message)}.` : capital(message);
}

/** What the server refused about these fields of a form. Empty: it is about something else, and the form says it as a whole. */
export function refusedFields<Name extends string>(
  error: unknown,
  names: readonly Name[],
): { readonly [Field in Name]?: string } {
  if (!(error instanceof ApiError)) return {};
  const { fields } = error;
  const refused: { [Field in Name]?: string } = {};
  for (const name of names) {
    const text = fields.get(name);
    if (text !== undefined) refused[name] = besideField(name, text);
  }
  return refused;
}

/** What to tell a person: the server's own words, and how long to wait where they leave it out; `fallback` for everything else. */
export function wordsOf(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError) || error.status >= 500) return fallback;
  const waitMs = error.details['retryAfterMs'];
  const isWaitUnsaid = error.code === 'RATE_LIMITED' && typeof waitMs === 'number';
  return isWaitUnsaid ? TEXT.network.tooMany(formatDuration(waitMs)) : error.message;
}
