import type { PairId, StoreId } from '../../model/ids.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import type { EventRow } from '../schema/machinery.ts';
import { findPair, findStore } from './pairs.ts';

/** What an event is about, as people call it. Null: it is about none, or it is gone. */
export interface EventNames {
  /** Title of the record. */
  readonly record: string | null;
  /** SKU of the variant, or its option values where it has none. */
  readonly variant: string | null;
  readonly store: string | null;
  /** Both stores of the pair. */
  readonly pair: string | null;
  readonly currency: string | null;
}

const titleOf = rawStatement<[id: string], { readonly title: string }>('SELECT title FROM product WHERE id = ?');

// A product may have thousands of variants: its JSON is opened only for a variant that has no SKU to be called by.
const variantOf = rawStatement<[id: string], { readonly sku: string; readonly options: string | null }>(
  `SELECT sku, CASE WHEN sku = '' THEN
     (SELECT json_extract(data, '$.variants."' || variant.id || '".optionValues') FROM product WHERE id = variant.product_id)
   END AS options FROM variant WHERE id = ?`,
);

/** In a field's path: `variant.var_01.price`. */
const VARIANT_IN_PATH = /^variant\.([^.]+)\./;

export function nameEvent(db: Db, { pairId, payload }: Pick<EventRow, 'pairId' | 'payload'>): EventNames {
  const about = (payload ?? {}) as Readonly<Record<string, unknown>>;
  const text = (key: string): string => (typeof about[key] === 'string' ? about[key] : '');
  const variantId = text('variantId') || VARIANT_IN_PATH.exec(text('field'))?.[1] || '';
  // A problem that is about a store as a whole has it for its subject.
  const storeId = text('storeId') || (text('subject').startsWith('str_') ? text('subject') : '');
  const pair = pairId === null ? null : findPair(db, pairId as PairId);
  const woocommerce = pair === null ? null : findStore(db, pair.woocommerceStoreId);
  const shopify = pair === null ? null : findStore(db, pair.shopifyStoreId);
  return {
    record: text('productId') === '' ? null : (titleOf(db).get(text('productId'))?.title ?? null),
    variant: variantId === '' ? null : variantName(db, variantId),
    store: storeId === '' ? null : (findStore(db, storeId as StoreId)?.name ?? null),
    pair: woocommerce === null || shopify === null ? null : `${woocommerce.name} and ${shopify.name}`,
    currency: woocommerce?.info?.currency ?? shopify?.info?.currency ?? null,
  };
}

function variantName(db: Db, id: string): string | null {
  const row = variantOf(db).get(id);
  if (row === undefined) return null;
  if (row.sku !== '' || row.options === null) return row.sku === '' ? null : row.sku;
  return (JSON.parse(row.options) as readonly string[]).join(' / ') || null;
}
