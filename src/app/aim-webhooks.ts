import type { Connector } from '../ports/connector.ts';

/**
 * The same connector, with its webhooks pointed where this store can reach us. `aim` gives the address for a callback, or null when
 * there is none: then no webhook is made, and the store is polled. A store that this process runs itself needs no doctor for them.
 */
export function aimWebhooks(
  connector: Connector,
  aim: (callbackUrl: string) => string | null,
  isOurOwn: boolean,
): Connector {
  return {
    ...connector,
    inspect(signal, callbackUrl) {
      if (isOurOwn || callbackUrl === undefined) return connector.inspect(signal);
      return connector.inspect(signal, callbackUrl === null ? null : aim(callbackUrl));
    },
    async ensureWebhooks(callbackUrl, signal) {
      const address = aim(callbackUrl);
      return address === null ? { active: 0, repaired: 0 } : connector.ensureWebhooks(address, signal);
    },
    async removeWebhooks(callbackUrl, signal) {
      const address = aim(callbackUrl);
      if (address !== null) await connector.removeWebhooks(address, signal);
    },
  };
}
