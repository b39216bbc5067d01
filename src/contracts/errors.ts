import { type Static, Type } from 'typebox';

/**
 * Every code that an error reply can carry, with its HTTP status and the words used when the thrower gave none. Some are reserved (docs/api.md says
 * which): clients may know them, and nothing sends them.
 * The web app chooses its text by code; it never parses messages.
 */
export const ERROR_CATALOGUE = {
  BAD_REQUEST: { status: 400, message: 'The request could not be understood.' },
  INVALID_JSON: { status: 400, message: 'The body is not valid JSON.' },
  UNAUTHORIZED: { status: 401, message: 'Sign in to continue.' },
  TOKEN_EXPIRED: { status: 401, message: 'Token expired' },
  INVALID_CREDENTIALS: { status: 401, message: 'Invalid email or password.' },
  TWO_FACTOR_REQUIRED: { status: 401, message: 'Enter the code from your authenticator app.' },
  INVALID_CODE: { status: 401, message: 'This code is not right. Enter the present one, or a recovery code.' },
  SESSION_EXPIRED: { status: 401, message: 'Session expired. Please log in again.' },
  NOT_AUTHENTIC: { status: 401, message: 'The signature does not match.' },
  FORBIDDEN: { status: 403, message: 'Your role in this workspace does not allow this.' },
  SIGNUP_CLOSED: { status: 403, message: 'This instance does not take new accounts. Ask its owner for an invitation.' },
  SETUP_TOKEN_REQUIRED: {
    status: 403,
    message: 'The first account of this instance needs the set-up token from its log.',
  },
  PROOF_REQUIRED: { status: 403, message: 'Confirm that it is you: enter your password once more.' },
  SESSION_ONLY: { status: 403, message: 'API tokens can not do this: sign in.' },
  SOURCE_REFUSED: { status: 403, message: 'Webhooks from this address are not accepted.' },
  ORIGIN_REFUSED: { status: 403, message: 'Requests from this origin are not accepted.' },
  NOT_FOUND: { status: 404, message: 'There is no such thing here.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This address does not answer to that method.' },
  CONFLICT: { status: 409, message: 'This clashes with what is already there.' },
  EMAIL_TAKEN: { status: 409, message: 'An account with this email already exists.' },
  IDENTITY_TAKEN: { status: 409, message: 'This sign-in is connected to another account already.' },
  PASSWORD_MISSING: { status: 409, message: 'Set a password first.' },
  ALREADY_MEMBER: { status: 409, message: 'This person belongs to the workspace already.' },
  ALREADY_VERIFIED: { status: 409, message: 'This email address is verified already.' },
  LAST_OWNER: { status: 409, message: 'A workspace needs an owner. Make somebody else an owner first, or delete it.' },
  LAST_ADMIN: { status: 409, message: 'An instance needs an administrator. Make somebody else one first.' },
  LIMIT_REACHED: { status: 409, message: 'There are too many of these already.' },
  TWO_FACTOR_ON: { status: 409, message: 'Two-factor sign-in is on already.' },
  TWO_FACTOR_OFF: { status: 409, message: 'Two-factor sign-in is off.' },
  TWO_FACTOR_NOT_BEGUN: { status: 409, message: 'Begin with a new secret for your authenticator app.' },
  NOT_OURS_TO_ROTATE: { status: 409, message: 'This secret is changed at the store.' },
  ROTATION_UNDER_WAY: { status: 409, message: 'The last rotation is less than a day old. Try again tomorrow.' },
  BACKUP_UNDER_WAY: { status: 409, message: 'A backup is being made already. Wait until it is ready.' },
  IDEMPOTENCY_IN_PROGRESS: { status: 409, message: 'The first request with this Idempotency-Key is still at work.' },
  PAIR_EXISTS: { status: 409, message: 'These two stores are already a pair.' },
  PAIR_RING: { status: 409, message: 'This pair would close a ring of stores.' },
  PAIR_HALTED: { status: 409, message: 'The pair was halted for safety and waits for your decision.' },
  PAIR_PAUSED: { status: 409, message: 'The pair is paused.' },
  PAIR_NOT_LINKED: { status: 409, message: 'Apply a plan first: the two stores are not linked yet.' },
  PAIR_BUSY: { status: 409, message: 'A sync or a plan of this pair is under way.' },
  PLAN_HASH_MISMATCH: { status: 409, message: 'The plan is not the one that you looked at.' },
  PLAN_SETTINGS_CHANGED: {
    status: 409,
    message: 'The pair settings were changed after this plan was made. Make a new one.',
  },
  PLAN_NOT_READY: { status: 409, message: 'The plan is not ready.' },
  CONFLICT_MOVED: { status: 409, message: 'A value changed meanwhile. Look at the conflict again.' },
  CONFLICT_CLOSED: { status: 409, message: 'The conflict is already resolved.' },
  STORE_ALREADY_CONNECTED: { status: 409, message: 'This store is already connected.' },
  STORE_IN_PAIR: { status: 409, message: 'The store belongs to a pair. Delete the pair first.' },
  LOCATION_IN_USE: { status: 409, message: 'The location of a linked pair cannot be changed.' },
  PAIR_NOT_ACTIVE: { status: 409, message: 'Only an active pair can do this.' },
  STOCK_NOT_COUNTED: {
    status: 409,
    message:
      'The stock of this item is not kept the same at present, or what was sold before the count is not known yet.',
  },
  ENDPOINT_LIMIT: { status: 409, message: 'This workspace has as many webhook endpoints as it can.' },
  ENDPOINT_DISABLED: { status: 409, message: 'This endpoint is switched off. Switch it on first.' },
  DEMO_DATA_PRESENT: { status: 409, message: 'The demo data is in this workspace already.' },
  SANDBOX_STORE: { status: 409, message: 'A sandbox store can not do this.' },
  OUT_OF_STOCK: { status: 409, message: 'There is not enough stock.' },
  RUN_NOT_RUNNING: { status: 409, message: 'The run is already finished.' },
  REQUEST_TOO_SLOW: { status: 408, message: 'The request did not arrive in time. Send it again.' },
  BODY_TOO_LARGE: { status: 413, message: 'The body is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send JSON (content-type: application/json).' },
  VALIDATION: { status: 422, message: 'Some fields are not valid.' },
  EMAIL_UNVERIFIED: { status: 422, message: 'The sign-in did not vouch for an email address.' },
  TOKEN_INVALID: { status: 422, message: 'This link is not valid any more. Ask for a new one.' },
  INVITATION_INVALID: { status: 422, message: 'This invitation is not valid any more. Ask for a new one.' },
  INVITATION_OTHER_EMAIL: { status: 422, message: 'This invitation is for another email address.' },
  WRONG_PASSWORD: { status: 422, message: 'This is not your current password.' },
  CODE_REQUIRED: { status: 422, message: 'Enter the code from your authenticator app.' },
  WRONG_CODE: { status: 422, message: 'This code is not right. Enter the present one, or a recovery code.' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, message: 'This Idempotency-Key was used for another request.' },
  PROVIDER_FAILED: {
    status: 422,
    message:
      'The provider of this sign-in does not answer as it should. Try again in a minute; if it stays so, the administrator of this instance finds the reason in the log of the server.',
  },
  STORE_UNREACHABLE: { status: 422, message: 'The store could not be reached.' },
  STORE_CHECK_FAILED: { status: 422, message: 'The store can not be connected as it is.' },
  DIFFERENT_SHOP: { status: 422, message: 'At this address is another store.' },
  PRICE_BASIS_DIFFERS: { status: 422, message: 'Prices can not be copied between these two stores.' },
  CONTACT_FULL: { status: 429, message: 'The letter box of this instance is full.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Try again in a moment.' },
  LOGIN_THROTTLED: { status: 429, message: 'Too many attempts. Try again in a moment.' },
  MAIL_THROTTLED: { status: 429, message: 'Several messages are on their way already. Try again in an hour.' },
  DEMO_FULL: { status: 429, message: 'All demo places are taken.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The headers are too large: send at most 16 KB.' },
  INTERNAL: { status: 500, message: 'Something went wrong on our side.' },
  NOT_READY: { status: 503, message: 'The server is starting or stopping. Try again in a moment.' },
  STORAGE_FAILED: {
    status: 503,
    message:
      'This could not be stored: the disk of the server is full or can not be written. Free some space there, then try again.',
  },
  TIMEOUT: { status: 503, message: 'This took too long. Try again.' },
  BACKUP_FAILED: { status: 409, message: 'The backup could not be made.' },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CATALOGUE, code);
}

/** One field of a request that was refused, named, with what to do about it. */
export const FieldError = Type.Object({
  field: Type.String(),
  message: Type.String(),
});
export type FieldError = Static<typeof FieldError>;

/**
 * `details.fields` (422) lists fields with their remedy; `details.findings` carries a store doctor's findings;
 * `details.retryAfterMs` says how long to wait (429).
 */
export const ErrorReply = Type.Object({
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    details: Type.Record(Type.String(), Type.Unknown()),
    requestId: Type.String(),
  }),
});
export type ErrorReply = Static<typeof ErrorReply>;
