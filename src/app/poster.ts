import { refuseUrl } from '../connectors/shared/address-guard.ts';
import { parseUrl } from '../connectors/shared/parse-url.ts';
import { TransportError, type TransportFailure } from '../connectors/shared/transport.ts';
import { createUndiciTransport } from '../connectors/shared/undici-transport.ts';
import type { Poster } from '../ports/poster.ts';

const TIMEOUT_MS = 15_000;
/** What a receiver answers is not read by anybody. */
const ANSWER_BYTES_MAX = 64 * 1024;

const WORDS: Readonly<Record<TransportFailure, string>> = {
  blocked: 'Its address is not one of the public internet.',
  dns: 'There is no such host.',
  refused: 'It refused the connection.',
  tls: 'No secure connection could be made: look at its certificate.',
  timeout: `It did not answer within ${TIMEOUT_MS / 1000} seconds.`,
  aborted: 'The attempt was cut off.',
  too_large: 'Its answer was too large.',
  connection_lost: 'The connection was lost.',
};

/** Outgoing webhooks over sockets of their own: no address that is trusted for a store is trusted here. */
export function createPoster(options: { readonly allowLocal: boolean; readonly userAgent: string }): {
  readonly poster: Poster;
  close(): Promise<void>;
} {
  const { transport, close } = createUndiciTransport({ allowLocal: options.allowLocal, connectionsPerOrigin: 4 });
  return {
    close,
    poster: {
      refuses(text) {
        const url = parseUrl(text);
        if (url === null) return 'This is not an address. Write it like https://example.com/hooks.';
        if (url.username !== '' || url.password !== '') return 'Leave user name and password out of the address.';
        return refuseUrl(url, options.allowLocal ? 'local' : 'public');
      },
      async post({ url, headers, body, signal }) {
        try {
          const { status } = await transport({
            ...{ method: 'POST', url, body, signal },
            headers: { ...headers, 'user-agent': options.userAgent },
            timeoutMs: TIMEOUT_MS,
            maxBytes: ANSWER_BYTES_MAX,
          });
          return { status };
        } catch (error) {
          // Not the transport's own words: they name the address, and the address of a chat is its password.
          throw error instanceof TransportError ? new Error(WORDS[error.failure]) : error;
        }
      },
    },
  };
}
