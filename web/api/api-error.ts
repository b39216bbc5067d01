import type { ErrorReply, FieldError } from '../../src/contracts/errors.ts';
import { TEXT } from '../content/messages.en.ts';
import { formatDuration } from '../hooks/format.ts';

/** A call that did not succeed. Texts are chosen by `code`; `message` is the server's own, for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** UPPER_SNAKE; `OFFLINE` where no answer came at all. */
  readonly code: string;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string;

  constructor(status: number, error: ErrorReply['error']) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.details = error.details;
    this.requestId = error.requestId;
  }

  /** Refused fields of a form, by name. */
  get fields(): ReadonlyMap<string, string> {
    const list = Array.isArray(this.details['fields']) ? (this.details['fields'] as FieldError[]) : [];
    return new Map(list.map(({ field, message }) => [field.replace(/^\/?(body\/)?/, ''), besideField(field, message)]));
  }
}

/** "email: must have at most 9 characters", said by the schema, stands beside a field that has a label. */
function besideField(field: string, message: string): string {
  const text = message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;
  return text.charAt(0).toUpperCase() + text.slice(1);
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
    if (text !== undefined) refused[name] = text;
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

export function noAnswer(): ApiError {
  return new ApiError(0, {
    code: 'OFFLINE',
    message: 'No answer from the server. Check your connection, then try again.',
    details: {},
    requestId: '',
  });
}

/** The error that an answer tells, also one that is not in our form, e.g. from a proxy in between. `retryAfter` is the header, in seconds. */
export function errorFrom(status: number, body: unknown, retryAfter: string | null = null): ApiError {
  const error = (body as Partial<ErrorReply> | null)?.error;
  const waitMs = Number(retryAfter ?? Number.NaN) * 1_000;
  return new ApiError(status, {
    code: error?.code ?? (status === 429 ? 'RATE_LIMITED' : `HTTP_${status}`),
    message: error?.message ?? `HTTP ${status}`,
    details: { ...(Number.isFinite(waitMs) ? { retryAfterMs: waitMs } : {}), ...error?.details },
    requestId: error?.requestId ?? '',
  });
}
