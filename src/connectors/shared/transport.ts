/** One HTTP exchange as the connectors see it; the real one is `undici-transport.ts`, tests pass their own. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For the whole exchange, the body of the answer included. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Largest answer that is read, after decompression; more is a `too_large` error. Default 8 MiB. */
  readonly maxBytes?: number;
}

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names; repeated headers are joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Where the answer came from, when the transport knows better than the request. */
  readonly url?: string;
}

/**
 * Sends one request and gives the whole answer, whatever its status. Never follows a redirect, never repeats.
 * Throws `TransportError`, and nothing else, when there is no whole answer.
 */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>;

/** An answer that is read piece by piece: for files that must not be held in memory. */
export interface HttpDownload {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Must be read to the end or left by `break`; throws `TransportError` when it is cut short or passes `maxBytes`. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Like `Transport`; `timeoutMs` then bounds the wait for the headers and each silence between two pieces. */
export type DownloadTransport = (request: HttpRequest) => Promise<HttpDownload>;

const TRANSPORT_FAILURES = [
  'blocked',
  'dns',
  'refused',
  'tls',
  'timeout',
  'aborted',
  'too_large',
  'connection_lost',
] as const;
export type TransportFailure = (typeof TRANSPORT_FAILURES)[number];

/**
 * - `before_send`: nothing can have reached the server (guard, DNS, refused connection, TLS handshake).
 * - `after_send`: the first byte was handed to the socket, so the server may have acted on it.
 */
export type TransportPhase = 'before_send' | 'after_send';

export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly phase: TransportPhase;
  readonly failure: TransportFailure;
  /** The system's own code ("ENOTFOUND", "DEPTH_ZERO_SELF_SIGNED_CERT"), or ''. */
  readonly code: string;

  constructor(phase: TransportPhase, failure: TransportFailure, message: string, code = '') {
    super(message);
    this.phase = phase;
    this.failure = failure;
    this.code = code;
  }
}

/** The code of an answer that is larger than what is read of one. */
export const ANSWER_TOO_LARGE = 'ANSWER_TOO_LARGE';

/** In memory it is there three times, its text and its values beside it, and each twice as large by a single character beyond Latin. */
export const RESPONSE_BYTES_MAX = 8 * 1024 * 1024;
