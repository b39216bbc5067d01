import type { ShelfItem, ShelvesReply } from '../../api/demo.ts';
import { plural } from '../../hooks/format.ts';

/** One product as both shops show it; null where a shop does not have it. */
export interface Twin {
  readonly sku: string;
  readonly woocommerce: ShelfItem | null;
  readonly shopify: ShelfItem | null;
  /** 1 for the largest of a product's sizes, 2 and 3 for smaller ones. */
  readonly step: number;
}

/** What two shops say differently about one product. */
export type Difference = 'missing' | 'title' | 'price' | 'stock';

const SIZE = /^(?:xs|s|m|l|xl|small|medium|large|[\d.,]+ ?(?:cm|mm|ml|l|g|kg)?)$/i;
const STEPS_MAX = 3;

/** Sizes come smallest first; the last one is drawn whole. */
function stepOf(item: ShelfItem, items: readonly ShelfItem[]): number {
  if (!SIZE.test(item.variant)) return 1;
  const sizes = items.filter(({ title, variant }) => title === item.title && SIZE.test(variant));
  return Math.min(STEPS_MAX, sizes.length - sizes.indexOf(item));
}

export function toTwins(shelves: ShelvesReply): Twin[] {
  const right = new Map(shelves.shopify.items.map((item) => [item.sku, item]));
  const left = new Set(shelves.woocommerce.items.map(({ sku }) => sku));
  return [
    ...shelves.woocommerce.items.map((item) => ({
      sku: item.sku,
      woocommerce: item,
      shopify: right.get(item.sku) ?? null,
      step: stepOf(item, shelves.woocommerce.items),
    })),
    ...shelves.shopify.items
      .filter(({ sku }) => !left.has(sku))
      .map((item) => ({ sku: item.sku, woocommerce: null, shopify: item, step: stepOf(item, shelves.shopify.items) })),
  ];
}

export function differencesOf({ woocommerce, shopify }: Twin): readonly Difference[] {
  if (!woocommerce || !shopify) return ['missing'];
  const found: Difference[] = [];
  if (woocommerce.title !== shopify.title) found.push('title');
  if (woocommerce.priceMinor !== shopify.priceMinor) found.push('price');
  if (woocommerce.stock !== shopify.stock) found.push('stock');
  return found;
}

export function nameOf(item: ShelfItem): string {
  return item.variant === '' ? item.title : `${item.title}, ${item.variant}`;
}

/** The text by which a label notices that it has changed. */
export function fingerprint(item: ShelfItem | null): string {
  return item ? JSON.stringify([item.title, item.priceMinor, item.stock]) : '';
}

/** Towards which side the level tilts: the one with more on its shelf. */
export function tiltOf(twins: readonly Twin[]): 'level' | 'left' | 'right' {
  const differing = twins.filter((twin) => differencesOf(twin).length > 0);
  if (differing.length === 0) return 'level';
  const ahead = differing.reduce((sum, { woocommerce, shopify }) => sum + weigh(woocommerce) - weigh(shopify), 0);
  return ahead >= 0 ? 'left' : 'right';
}

function weigh(item: ShelfItem | null): number {
  return item === null ? 0 : 1 + (item.stock ?? 0);
}

/** What is said of labels that are not the same on both shelves. */
export function differenceWords(count: number, isSyncing: boolean): string {
  return `${plural(count, 'label')} ${isSyncing ? 'on the way' : count === 1 ? 'differs' : 'differ'}`;
}
