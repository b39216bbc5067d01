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

/** A fault of the server's of which it says no more than that; of some it names the remedy, as of a full disk. */
function isUntold({ status, code }: ApiError): boolean {
  return status >= 500 && (code === 'INTERNAL' || code === `HTTP_${status}`);
}

/** What to tell a person: the server's own words, and how long to wait where they leave it out; `fallback` for everything else. */
export function wordsOf(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError) || isUntold(error)) return fallback;
  const waitMs = error.details['retryAfterMs'];
  const isWaitUnsaid = error.code === 'RATE_LIMITED' && typeof waitMs === 'number';
  return isWaitUnsaid ? TEXT.network.tooMany(formatDuration(waitMs)) : error.message;
}

/** "Could not pause Harbour. The store is away.": what was tried, and then why not, in the words that came with it; `untold` where none did. */
export function failureWords(tried: string, error: unknown, untold = `${tried} Please try again.`): string {
  const why = wordsOf(error, '');
  return why === '' ? untold : `${tried} ${why}`;
}
