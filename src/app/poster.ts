import { refuseUrl } from '../connectors/shared/address-guard.ts';
import { parseUrl } from '../connectors/shared/parse-url.ts';
import { TransportError } from '../connectors/shared/transport.ts';
import { createUndiciTransport } from '../connectors/shared/undici-transport.ts';
import type { Poster } from '../ports/poster.ts';

const TIMEOUT_MS = 15_000;
/** What a receiver answers is not read by anybody. */
const ANSWER_BYTES_MAX = 64 * 1024;

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
          throw error instanceof TransportError ? new Error(error.message, { cause: error }) : error;
        }
      },
    },
  };
}
