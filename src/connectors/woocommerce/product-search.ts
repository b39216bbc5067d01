import { ConnectorError } from '../../model/connector-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Query, WooAnswer, WooClient } from './client.ts';
import { isTurnedAway, LET_THROUGH } from './firewall.ts';

/** Asks for the products that bear a SKU or GTIN, by `sku` or `global_unique_id` of the query. */
export type ProductSearch = (query: Query, signal?: AbortSignal) => Promise<WooAnswer>;

/** What a firewall has turned away is not asked again for so long, ms: some hosts shut an address out after a few refusals. */
const PAUSE_MS = 15 * 60_000;
const SHUT_MAX = 1_000;
/** A question that nothing can take offence at. */
const HARMLESS = { sku: 'twinshelf', global_unique_id: '4006381333931' } as const;

/**
 * Searches that a firewall in front of WooCommerce turns away, for the parameter or for a value ("1 OR 1=1" is an attack to it), while it lets others
 * through, are refusals of which a person is told: nothing else would show that what is new is never made.
 */
export function createProductSearch(get: WooClient['get'], clock: Clock): ProductSearch {
  /** By the values that were asked for; '': whatever they are. */
  const shut = new Map<string, { readonly until: number; readonly error: ConnectorError }>();

  /** null: it failed otherwise, which tells of no firewall. */
  async function isLetThrough(query: Query, signal: AbortSignal | undefined): Promise<boolean | null> {
    try {
      await get('/products', { query: { ...query, status: 'any', per_page: 1, _fields: 'id' }, signal });
      return true;
    } catch (error) {
      if (error instanceof ConnectorError) return isTurnedAway(error) ? false : null;
      throw error;
    }
  }

  return async (query, signal) => {
    const param = query['sku'] === undefined ? 'global_unique_id' : 'sku';
    const values = String(query[param] ?? '');
    const known = [shut.get(param), shut.get(`${param} ${values}`)].find((one) => one && clock.now() < one.until);
    if (known) throw known.error;
    const ask = async () => {
      const answer = await get('/products', { query, signal });
      shut.delete(param);
      shut.delete(`${param} ${values}`);
      return answer;
    };
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ConnectorError) || !isTurnedAway(error)) throw error;
      if ((await isLetThrough({}, signal)) !== true) throw error;
    }
    try {
      // Firewalls have their moments, too: what is let through now is no refusal.
      return await ask();
    } catch (error) {
      if (!(error instanceof ConnectorError) || !isTurnedAway(error)) throw error;
      const isForValues = await isLetThrough({ [param]: HARMLESS[param] }, signal);
      if (isForValues === null) throw error;
      const refusal = shutSearch(param, isForValues ? values : null, error);
      const [oldest] = shut.keys();
      if (shut.size >= SHUT_MAX && oldest !== undefined) shut.delete(oldest);
      shut.set(isForValues ? `${param} ${values}` : param, { until: clock.now() + PAUSE_MS, error: refusal });
      throw refusal;
    }
  };
}

/** `values`: that it is turned away for; null: for whatever is asked. */
function shutSearch(param: keyof typeof HARMLESS, values: string | null, { details }: ConnectorError): ConnectorError {
  const name = param === 'sku' ? 'SKU' : 'barcode';
  const short = values !== null && values.length > 120 ? `${values.slice(0, 120)}…` : values;
  const what = short === null ? `the search for products by their ${name}` : `the search for the ${name} “${short}”`;
  const words = `a firewall or security plugin in front of it turns away ${what} (GET /wp-json/wc/v3/products?${param}=…, status ${details.httpStatus}), though it lets others through. What is new in the other shop waits for that: ${LET_THROUGH}`;
  return new ConnectorError('rejected', words, { ...details, platformMessage: words });
}
