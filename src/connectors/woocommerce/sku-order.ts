import { idText } from '../shared/exact-json.ts';
import type { BatchItem } from './batch.ts';
import { joinBodies } from './export-mapper.ts';
import { skuMeta } from './marks.ts';

export interface SkuOrder {
  /** Variations that let go of their SKU before any other is written. */
  readonly released: readonly BatchItem[];
  readonly variations: readonly BatchItem[];
}

/**
 * SKUs that pass from one variation to another within a write. WooCommerce takes a batch item by item and refuses a SKU that another one still has: who
 * gives one up goes first, and where that leads round in a circle, one of them is cleared beforehand. Its old SKU is kept in a meta entry meanwhile, and
 * read as if it were there: what a crash leaves is nobody's edit, and is written again. Should it not be due any more, the next change of the product
 * gives the SKU back. `skus` are those of the variations as they are, by id.
 */
export function orderBySku(items: readonly BatchItem[], skus: ReadonlyMap<string, string>): SkuOrder {
  const givers = new Map<string, BatchItem>();
  for (const item of items) {
    const sku = skus.get(idText(item.body['id']) ?? '') ?? '';
    if (sku !== '' && typeof item.body['sku'] === 'string' && item.body['sku'] !== sku) givers.set(fold(sku), item);
  }
  const giverTo = ({ verb, body }: BatchItem) =>
    verb === 'update' && typeof body['sku'] === 'string' ? givers.get(fold(body['sku'])) : undefined;
  const released = new Set<BatchItem>();
  const ordered = new Set<BatchItem>();
  const place = (item: BatchItem, waiting: ReadonlySet<BatchItem>) => {
    const giver = giverTo(item);
    if (giver !== undefined && giver !== item && !ordered.has(giver)) {
      if (waiting.has(giver)) released.add(giver);
      else place(giver, new Set([...waiting, item]));
    }
    ordered.add(item);
  };
  for (const item of items) place(item, new Set());
  return {
    released: [...released].map(({ body: { id } }) => {
      return { verb: 'update', body: { id, sku: '', meta_data: [skuMeta(skus.get(idText(id) ?? '') ?? '')] } };
    }),
    variations: [...ordered].map((item) => (released.has(item) ? withSkuSettled(item) : item)),
  };
}

/** The change after which the SKU that was kept for a variation means nothing; it is given back where no other one comes. */
export function withSkuSettled({ verb, body }: BatchItem, kept?: string): BatchItem {
  const own = kept === undefined ? {} : { sku: kept };
  return { verb, body: joinBodies({ ...own, ...body }, { meta_data: [skuMeta('')] }) };
}

/** The database's own comparison ignores letter case. */
function fold(sku: string): string {
  return sku.trim().toLowerCase();
}
