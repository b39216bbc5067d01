import type { ErrorReply, FieldError } from '../../src/contracts/errors.ts';
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
    return new Map(list.map(({ field, message }) => [field.replace(/^\/?(body\/)?/, ''), message]));
  }
}

/** What to tell a person: the server's own words, and how long to wait where it says so; `fallback` for everything else. */
export function wordsOf(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError) || error.status >= 500) return fallback;
  const waitMs = error.details['retryAfterMs'];
  return typeof waitMs === 'number' ? `${error.message} Wait ${formatDuration(waitMs)}.` : error.message;
}

export function noAnswer(): ApiError {
  return new ApiError(0, {
    code: 'OFFLINE',
    message: 'No answer from the server. Check your connection, then try again.',
    details: {},
    requestId: '',
  });
}

/** The error of an answer that is not in our form, e.g. from a proxy in between. */
export function errorFrom(status: number, body: unknown): ApiError {
  const error = (body as Partial<ErrorReply> | null)?.error;
  return new ApiError(status, {
    code: error?.code ?? `HTTP_${status}`,
    message: error?.message ?? `HTTP ${status}`,
    details: error?.details ?? {},
    requestId: error?.requestId ?? '',
  });
}
