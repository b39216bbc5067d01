import type { StoreInfo } from '../../model/store-info.ts';
import type { Add } from './check-version.ts';
import type { WooClient } from './client.ts';
import { unlessKeptBack } from './errors.ts';
import { readSettings, type Settings } from './store-facts.ts';

/**
 * Whether prices are entered with tax; null where the store does not say. `off`: the store charges no tax, and what is entered is what is paid,
 * whatever the setting for tax says that WooCommerce hides then.
 */
export type TaxBasis = boolean | 'off' | null;

export async function readTaxBasis(client: WooClient, general: Settings, signal?: AbortSignal): Promise<TaxBasis> {
  if (general.get('woocommerce_calc_taxes') === 'no') return 'off';
  const settings = await unlessKeptBack(readSettings(client, 'tax', signal));
  const value = settings?.get('woocommerce_prices_include_tax');
  return value === 'yes' ? true : value === 'no' ? false : null;
}

/** The same as a store's info has it. */
export function taxOf(basis: TaxBasis): Pick<StoreInfo, 'pricesIncludeTax' | 'chargesTax'> {
  return basis === 'off' ? { pricesIncludeTax: null, chargesTax: false } : { pricesIncludeTax: basis };
}

export function checkTaxBasis(basis: TaxBasis, add: Add): void {
  if (basis === 'off')
    add('TAX_BASIS', 'ok', 'Taxes are switched off: the price that is entered is the price that is paid.');
  else if (basis === null)
    add(
      'TAX_BASIS_UNKNOWN',
      'warning',
      'The store does not say whether its prices include tax, so a new pair starts without the syncing of prices.',
      'Allow /wp-json/wc/v3/settings/tax in the firewall or security plugin and test the store again. Or look yourself (WooCommerce, Settings, Tax): where the prices of both stores include tax, or of neither, switch Prices on in the settings of the pair.',
    );
  else add('TAX_BASIS', 'ok', basis ? 'Prices are entered with tax.' : 'Prices are entered without tax.');
}
