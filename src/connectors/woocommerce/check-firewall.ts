import { ConnectorError } from '../../model/connector-error.ts';
import type { Add } from './check-version.ts';
import type { WooClient } from './client.ts';
import { isTurnedAway } from './firewall.ts';
import { stampMeta } from './marks.ts';

const REMEDY =
  'Have requests of this server to /wp-json/wc/v3/ left alone in the firewall or security plugin, or ask the host to (ModSecurity): by the address of this server, or for these paths.';

/**
 * Firewalls let most of the API through and turn away what they take offence at: the search by SKU, without which nothing new is made, and writes with
 * meta data, as those of stock are [C14]. Each is asked for in a way that finds and changes nothing: no record has the id 0.
 */
export async function checkFirewall(client: WooClient, add: Add, signal: AbortSignal | undefined): Promise<void> {
  const isShut = async (ask: () => Promise<unknown>) => {
    try {
      await ask();
      return false;
    } catch (error) {
      // What else fails here is told of by what needs it.
      if (error instanceof ConnectorError) return isTurnedAway(error);
      throw error;
    }
  };
  const query = { sku: 'twinshelf', status: 'any', per_page: 1, _fields: 'id' };
  if (await isShut(() => client.get('/products', { query, signal })))
    add(
      'SEARCH_BLOCKED',
      'error',
      'A firewall in front of the store turns away the search for products by their SKU (GET /wp-json/wc/v3/products?sku=…). What is new in the other shop is not made here meanwhile.',
      REMEDY,
    );
  const update = [{ id: 0, meta_data: [stampMeta('twinshelf')] }];
  if (await isShut(() => client.send('POST', '/products/batch', { update }, { intent: 'read', signal })))
    add(
      'STOCK_BLOCKED',
      'error',
      'A firewall in front of the store turns away what sets stock (POST /wp-json/wc/v3/products/batch with meta_data). What is sold in the other shop is not taken off here meanwhile.',
      REMEDY,
    );
}
