import { TransportError, type TransportFailure } from './transport.ts';
import { explainUnreachable } from './unreachable.ts';

interface ExchangeState {
  readonly url: string;
  readonly timeoutMs: number;
  readonly isSent: boolean;
  readonly isTimedOut: boolean;
  readonly isAborted: boolean;
}

/** Whatever Node or undici threw, as a `TransportError` whose message names no query and no credential. */
export function toTransportError(error: unknown, state: ExchangeState): TransportError {
  if (error instanceof TransportError) return error;
  const cause = rootCause(error);
  if (cause instanceof TransportError) return cause;
  const phase = state.isSent ? 'after_send' : 'before_send';
  const code = codeOf(cause) || codeOf(error);
  if (state.isTimedOut) {
    return new TransportError(
      phase,
      'timeout',
      `no answer from ${state.url} within ${Math.ceil(state.timeoutMs / 1000)} s`,
      code,
    );
  }
  if (state.isAborted) return new TransportError(phase, 'aborted', `the call of ${state.url} was cancelled`, code);
  const failure = failureOf(code);
  // What is thrown here is read by people: as the reason of a failed run, and of a store that is away.
  const words = explainUnreachable(code, state.url)?.words ?? `${WORDS[failure]} ${state.url}`;
  return new TransportError(phase, failure, words, code);
}

const WORDS: Record<TransportFailure, string> = {
  blocked: 'not allowed to call',
  dns: 'no such host:',
  refused: 'no connection to',
  tls: 'no secure connection to',
  timeout: 'no answer from',
  aborted: 'cancelled:',
  too_large: 'too large an answer from',
  connection_lost: 'connection lost to',
};

/** Undici wraps several failed connection attempts (IPv6, then IPv4) in an AggregateError: the first tells enough. */
function rootCause(error: unknown): unknown {
  let current = error;
  for (let depth = 0; depth < 5; depth += 1) {
    if (current instanceof AggregateError && current.errors.length > 0) current = current.errors[0];
    else if (current instanceof Error && current.cause instanceof Error) current = current.cause;
    else break;
  }
  return current;
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string') return code;
  // Of an answer that is no HTTP the parser names only itself.
  return error instanceof Error && error.name === 'HTTPParserError' ? 'HTTP_PARSER_ERROR' : '';
}

function failureOf(code: string): TransportFailure {
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) return 'dns';
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout';
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(code)) return 'refused';
  if (/CERT|^ERR_TLS|^ERR_SSL|^EPROTO|SIGNATURE|ISSUER|HOSTNAME_MISMATCH/.test(code)) return 'tls';
  return 'connection_lost';
}
