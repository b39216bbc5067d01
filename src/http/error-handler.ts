import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ERROR_CATALOGUE, type ErrorCode, type ErrorReply, isErrorCode } from '../contracts/errors.ts';
import { isDiskError } from '../db/database.ts';
import { Refusal } from '../model/refusal.ts';
import type { Log } from '../ports/log.ts';
import { AppError } from './app-error.ts';
import { describeValidation } from './describe-validation.ts';

interface Answer {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** What Fastify and its plugins refuse by themselves, in our codes. */
const FASTIFY_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_JSON_BODY: 'INVALID_JSON',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'BAD_REQUEST',
  FST_ERR_BAD_URL: 'BAD_REQUEST',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
  FST_ERR_HANDLER_TIMEOUT: 'TIMEOUT',
};

const ORIGINS_TOLD_MAX = 5;

/** The one way from a thrown error to a reply. From 500 up the message stays in the log. */
export function createErrorHandler(log: Log) {
  const toldOrigins = new Set<string>();
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const answer = withWait(withLimit(answerTo(error), request.routeOptions.bodyLimit), reply.getHeader('retry-after'));
    if (answer.status >= 500 && answer.code !== 'NOT_READY') {
      const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
      log.error({ requestId: request.id, route: request.routeOptions.url, error: message, stack }, 'request failed');
    }
    // A few, once: anybody can send any. To people it looks like a session that does not last, and a live channel that is not there.
    if (answer.code === 'ORIGIN_REFUSED' && toldOrigins.size < ORIGINS_TOLD_MAX && !toldOrigins.has(answer.message)) {
      toldOrigins.add(answer.message);
      log.warn({ host: request.host }, answer.message);
    }
    const retryAfterMs = answer.details['retryAfterMs'];
    if (typeof retryAfterMs === 'number') reply.header('retry-after', String(Math.ceil(retryAfterMs / 1000)));
    return reply.code(answer.status).type('application/json; charset=utf-8').send(errorReply(answer, request.id));
  };
}

/** Routes differ in how much they take. */
function withLimit(answer: Answer, limitBytes: number | undefined): Answer {
  if (answer.code !== 'BODY_TOO_LARGE' || limitBytes === undefined) return answer;
  const most = limitBytes < 1024 * 1024 ? `${limitBytes / 1024} KB` : `${limitBytes / (1024 * 1024)} MB`;
  return { ...answer, message: `The body is too large: send at most ${most}.` };
}

/** What counts the requests of a source says how long to wait in the header alone. */
function withWait(answer: Answer, retryAfterS: unknown): Answer {
  if (answer.code !== 'RATE_LIMITED' || retryAfterS === undefined) return answer;
  return { ...answer, details: { ...answer.details, retryAfterMs: Number(retryAfterS) * 1000 } };
}

export function errorReply(answer: Omit<Answer, 'status'>, requestId: string): ErrorReply {
  return {
    error: { code: answer.code, message: answer.message, details: { ...answer.details }, requestId },
  };
}

export function answerTo(error: unknown): Answer {
  if (error instanceof AppError) return byCode(error.code, error.message, error.details);
  if (error instanceof Refusal) {
    if (isErrorCode(error.code)) return byCode(error.code, error.message, error.details);
    return { status: 409, code: error.code, message: error.message, details: error.details };
  }
  if (!(error instanceof Error)) return byCode('INTERNAL');
  const { validation, validationContext, code, statusCode } = error as FastifyError;
  if (validation !== undefined) {
    const fields = describeValidation(validation, validationContext ?? 'body');
    return byCode('VALIDATION', fields[0]?.message, { fields });
  }
  if (isDiskError(error)) return byCode('STORAGE_FAILED');
  const known = FASTIFY_CODES[code];
  if (known !== undefined) return byCode(known);
  if (statusCode === 429) return byCode('RATE_LIMITED');
  if (error instanceof SyntaxError && statusCode === 400) return byCode('INVALID_JSON');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return byCode('BAD_REQUEST');
  return byCode('INTERNAL');
}

function byCode(code: ErrorCode, message?: string, details: Readonly<Record<string, unknown>> = {}): Answer {
  const entry = ERROR_CATALOGUE[code];
  const isHidden = entry.status >= 500;
  return {
    status: entry.status,
    code,
    message: isHidden || message === undefined ? entry.message : message,
    details: isHidden ? {} : details,
  };
}
