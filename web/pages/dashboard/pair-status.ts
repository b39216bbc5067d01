import type { Pair } from '../../api/pairs.ts';
import type { Tone } from '../../components/status.tsx';
import { TEXT } from '../../content/messages.en.ts';

/** What a pair does now. While one of its stores refuses us it does nothing, whatever its settings say. */
export function pairStatus(
  pair: Pick<Pair, 'status' | 'runningRunId' | 'settings' | 'woocommerce' | 'shopify'>,
): readonly [Tone, string] {
  if (pair.status === 'halted') return ['bad', 'Halted'];
  if (pair.status === 'paused') return ['quiet', 'Paused'];
  if ([pair.woocommerce, pair.shopify].some(({ status }) => status === 'error')) return ['bad', 'Stands still'];
  if (pair.runningRunId !== null) return ['running', 'Syncing'];
  if (pair.status === 'setup') return ['warn', 'Read the first plan'];
  const { syncDirection } = pair.settings;
  if (syncDirection === 'bidirectional') return ['ok', TEXT.dashboard.bidirectional];
  return ['ok', syncDirection === 'woocommerce_to_shopify' ? 'WooCommerce to Shopify' : 'Shopify to WooCommerce'];
}
