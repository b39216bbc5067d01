import type { ErrorReply, FieldError } from '../../src/contracts/errors.ts';

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

export function noAnswer(): ApiError {
  return new ApiError(0, {
    code: 'OFFLINE',
    message: 'No answer from the server. Check your connection, then try again.',
    details: {},
    requestId: '',
  });
}

const WHO_MAY: Readonly<Record<string, string>> = {
  member: ' It takes a member: ask an administrator for that role.',
  admin: ' It takes an administrator or owner: ask one.',
  owner: ' It takes an owner: ask one.',
};

/** Of what a role does not allow: which one does. Pages show what there is to do to everybody, and not all may do it. */
function whoMay({ code, details }: ErrorReply['error']): string {
  return code === 'FORBIDDEN' ? (WHO_MAY[String(details?.['neededRole'])] ?? '') : '';
}

/** The error that an answer tells, also one that is not in our form, e.g. from a proxy in between. `retryAfter` is the header, in seconds. */
export function errorFrom(status: number, body: unknown, retryAfter: string | null = null): ApiError {
  const error = (body as Partial<ErrorReply> | null)?.error;
  const waitMs = Number(retryAfter ?? Number.NaN) * 1_000;
  return new ApiError(status, {
    code: error?.code ?? (status === 429 ? 'RATE_LIMITED' : `HTTP_${status}`),
    message: typeof error?.message === 'string' ? `${error.message}${whoMay(error)}` : `HTTP ${status}`,
    details: { ...(Number.isFinite(waitMs) ? { retryAfterMs: waitMs } : {}), ...error?.details },
    requestId: error?.requestId ?? '',
  });
}
