import type { BackorderRule } from '../../model/product.ts';

/** How an item is named to a person. */
export interface StockLabel {
  readonly title: string;
  readonly sku: string;
  /** Whether it may be sold below zero; 'no' where it is not known. */
  readonly backorders?: BackorderRule | undefined;
}

export function labelText(label: Pick<StockLabel, 'title' | 'sku'>): string {
  return label.sku === '' ? `"${label.title}"` : `"${label.title}" (${label.sku})`;
}
