import type { Pair } from '../../api/pairs.ts';

type Settings = Pair['settings'];

interface Option<Value> {
  readonly value: Value;
  readonly label: string;
}

/** What can be chosen for the settings of a pair, in the words of the form. */
export const SCHEDULES: readonly Option<Settings['syncSchedule']>[] = [
  { value: 'realtime', label: 'Real time' },
  { value: 'hourly', label: 'Hourly' },
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Weekly' },
  { value: 'manual', label: 'Only by hand' },
];
export const CONFLICTS: readonly Option<Settings['conflictResolution']>[] = [
  { value: 'manual', label: 'Ask me' },
  { value: 'newest', label: 'The newer change wins' },
  { value: 'oldest', label: 'The older change wins' },
  { value: 'woocommerce', label: 'WooCommerce wins' },
  { value: 'shopify', label: 'Shopify wins' },
];
export const LINK_RULES: readonly Option<Settings['linkRule']>[] = [
  { value: 'woocommerce', label: 'WooCommerce wins' },
  { value: 'shopify', label: 'Shopify wins' },
  { value: 'fill_blanks', label: 'Only fill blanks' },
];
export const STOCK_RULES: readonly Option<Settings['stockLinkRule']>[] = [
  { value: 'smaller', label: 'The smaller number' },
  { value: 'woocommerce', label: 'The number of WooCommerce' },
  { value: 'shopify', label: 'The number of Shopify' },
  { value: 'sum', label: 'The sum of both, where they differ' },
];
export const SIDE_OPTIONS: readonly Option<Settings['preferredSide']>[] = [
  { value: 'woocommerce', label: 'WooCommerce' },
  { value: 'shopify', label: 'Shopify' },
];
export const DELETE_POLICIES: readonly Option<Settings['deletePolicy']>[] = [
  { value: 'archive', label: 'Put it away in the other, too' },
  { value: 'keep', label: 'Leave it in the other' },
];
export const INTERVALS: readonly Option<Settings['syncInterval']>[] = [
  { value: 5, label: 'Every 5 minutes' },
  { value: 15, label: 'Every 15 minutes' },
  { value: 30, label: 'Every 30 minutes' },
  { value: 60, label: 'Every hour' },
  { value: 360, label: 'Every 6 hours' },
];
export const RETRIES: readonly Option<Settings['retryAttempts']>[] = [
  { value: 1, label: '1 more try' },
  { value: 3, label: '3 more tries' },
  { value: 5, label: '5 more tries' },
];
