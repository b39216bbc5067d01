import { ConnectorError } from '../../model/connector-error.ts';
import type { Add } from './check-version.ts';
import type { WooClient } from './client.ts';
import { isTurnedAway } from './firewall.ts';

const REMEDY =
  'Have requests of this server to /wp-json/wc/v3/ left alone in the firewall or security plugin, or ask the host to (ModSecurity): by the address of this server, or for these paths.';

/**
 * Firewalls let most of the API through and turn away what they take offence at, such as the search by SKU, without which nothing new is made [C14]. What
 * they do with a write shows when one is due: a doctor sends none.
 */
export async function checkFirewall(client: WooClient, add: Add, signal: AbortSignal | undefined): Promise<void> {
  try {
    await client.get('/products', { query: { sku: 'twinshelf', status: 'any', per_page: 1, _fields: 'id' }, signal });
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    // What else fails here is told of by what needs it.
    if (!isTurnedAway(error)) return;
    add(
      'SEARCH_BLOCKED',
      'error',
      'A firewall in front of the store turns away the search for products by their SKU (GET /wp-json/wc/v3/products?sku=…). What is new in the other shop is not made here meanwhile.',
      REMEDY,
    );
  }
}
