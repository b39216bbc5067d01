import { TEXT } from '../content/messages.en.ts';
import { formatDuration } from '../hooks/format.ts';
import { sentence } from '../hooks/sentence.ts';
import { ApiError } from './api-error.ts';

/** "email: must have at most 9 characters" stands beside a field that has a label. What is said without the field's name is kept to the letter, unless it is a clause. */
function besideField(field: string, message: string): string {
  if (message.startsWith(`${field}: `)) return sentence(message.slice(field.length + 2));
  return /^\p{Lu}/u.test(message) ? message : sentence(message);
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

/** Of what fails on the server's side, what its words name a remedy for. */
const REMEDIED: ReadonlySet<string> = new Set(['STORAGE_FAILED', 'TIMEOUT', 'NOT_READY']);

/** What to tell a person: the server's own words, and how long to wait where they leave it out; `fallback` for everything else. */
export function wordsOf(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError) || (error.status >= 500 && !REMEDIED.has(error.code))) return fallback;
  const waitMs = error.details['retryAfterMs'];
  const isWaitUnsaid = error.code === 'RATE_LIMITED' && typeof waitMs === 'number';
  return isWaitUnsaid ? TEXT.network.tooMany(formatDuration(waitMs)) : error.message;
}
