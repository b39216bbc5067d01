import { ConnectorError } from '../../model/connector-error.ts';
import type { WooClient } from './client.ts';

/** Records that PHP dies over as it reads them, by path and id; of very many the oldest are forgotten, and found anew. */
export interface KnownCrashers {
  readonly size: number;
  has(key: string): boolean;
  /** Those of the keys that are known, the one that was found the longest ago first. */
  among(keys: readonly string[]): readonly string[];
  /** Found, or found once more. */
  add(key: string): void;
  delete(key: string): void;
}

const KNOWN_MAX = 1_000;
const knownOf = new WeakMap<WooClient, Set<string>>();

export function knownCrashers(client: WooClient): KnownCrashers {
  const known = knownOf.get(client) ?? new Set<string>();
  knownOf.set(client, known);
  return {
    get size() {
      return known.size;
    },
    has: (key) => known.has(key),
    among(keys) {
      const wanted = new Set(keys);
      return [...known].filter((key) => wanted.has(key));
    },
    add(key) {
      known.delete(key);
      known.add(key);
      const [oldest] = known;
      if (known.size > KNOWN_MAX && oldest !== undefined) known.delete(oldest);
    },
    delete: (key) => void known.delete(key),
  };
}

/** Whether the store answers at all. */
export async function isAlive(client: WooClient, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await client.get('/products', { query: { status: 'any', per_page: 1, _fields: 'id' }, signal });
    return true;
  } catch (error) {
    if (error instanceof ConnectorError) return false;
    throw error;
  }
}

/** For a person, who alone can mend it: it is about this record, and not about the store. */
export function crashedOver({ details }: ConnectorError): ConnectorError {
  const words =
    'WordPress has a critical error whenever it is read. WooCommerce’s log of fatal errors (Status, Logs) names the plugin that it comes from';
  return new ConnectorError('rejected', words, { ...details, platformMessage: words });
}
