import { and, asc, eq, gt, isNotNull, sql } from 'drizzle-orm';
import { present } from '../../lib/assert.ts';
import { gtinSpellings } from '../../lib/record-keys.ts';
import type { PairId, ProductId, StoreId, VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import { type SearchKey, splitSearchKeys } from '../../model/search-key.ts';
import { type Db, statement } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import { keptAnswer } from '../row-cache.ts';
import {
  type ProductBindingRow,
  type ProductRow,
  product,
  productBinding,
  type VariantBindingRow,
  type VariantRow,
} from '../schema/product.ts';
import { findVariant, listBindings, listBindingsOfVariant, listVariants } from './hub-rows.ts';

// Only the key is looked up; the row itself comes from what is kept parsed.
const productByExternal = rawStatement<[pair: string, side: string, external: string], { id: ProductId }>(
  'SELECT product_id AS id FROM product_binding WHERE pair_id = ? AND side = ? AND external_id = ?',
);
const variantBindingByExternal = rawStatement<[pair: string, side: string, external: string], { id: VariantId }>(
  'SELECT variant_id AS id FROM variant_binding WHERE pair_id = ? AND side = ? AND external_id = ?',
);
const bindingsByStock = rawStatement<[store: string, stock: string], StockKey>(
  'SELECT variant_id AS id, side, pair_id AS pairId FROM variant_binding WHERE store_id = ? AND stock_id = ?',
);
// '/' follows '.': every key that begins with the call and a dot.
const variantsOfCall = rawStatement<[pair: string, side: string, call: string, call: string], { id: VariantId }>(
  `SELECT variant_id AS id FROM variant_binding
   WHERE pair_id = ? AND intent_key IS NOT NULL AND side = ? AND intent_key > ? || '.' AND intent_key < ? || '/'`,
);
const bindingsByStoreRecord = rawStatement<[store: string, external: string], { id: ProductId; side: Side }>(
  'SELECT product_id AS id, side FROM product_binding WHERE store_id = ? AND external_id = ?',
);
const variantsBySku = rawStatement<[pair: string, sku: string], { id: VariantId }>(
  'SELECT id FROM variant WHERE pair_id = ? AND sku COLLATE NOCASE = ?',
);
const variantsByBarcode = rawStatement<[pair: string, barcode: string], { id: VariantId }>(
  'SELECT id FROM variant WHERE pair_id = ? AND barcode = ?',
);

/** The pair's product that is bound to a record. */
export function findProductByExternal(db: Db, pairId: PairId, side: Side, externalId: string): ProductId | null {
  return keptAnswer(
    db,
    'bound',
    externalId,
    `record ${pairId} ${side}`,
    () => productByExternal(db).get(pairId, side, externalId)?.id ?? null,
  );
}

export function findVariantBindingByExternal(
  db: Db,
  pairId: PairId,
  side: Side,
  externalId: string,
): VariantBindingRow | null {
  const id = keptAnswer(
    db,
    'bound',
    externalId,
    `variant ${pairId} ${side}`,
    () => variantBindingByExternal(db).get(pairId, side, externalId)?.id ?? null,
  );
  return id === null ? null : (listBindingsOfVariant(db, id).find((row) => row.side === side) ?? null);
}

/** All pairs' bindings of one stock item of one store. */
export function listBindingsByStock(db: Db, storeId: StoreId, stockId: string): readonly VariantBindingRow[] {
  return listStockKeys(db, storeId, stockId).flatMap(({ id, side }) =>
    listBindingsOfVariant(db, id).filter((row) => row.side === side),
  );
}

/** The pair's variants that are bound to one stock item of one store. */
export function listVariantsByStock(db: Db, pairId: PairId, storeId: StoreId, stockId: string): readonly VariantId[] {
  return listStockKeys(db, storeId, stockId).flatMap((key) => (key.pairId === pairId ? [key.id] : []));
}

interface StockKey {
  readonly id: VariantId;
  readonly side: Side;
  readonly pairId: PairId;
}

function listStockKeys(db: Db, storeId: StoreId, stockId: string): readonly StockKey[] {
  return keptAnswer(db, 'bound', stockId, `stock ${storeId}`, () => bindingsByStock(db).all(storeId, stockId));
}

/** All pairs' bindings of one remote product. */
export function listBindingsByRecord(db: Db, storeId: StoreId, externalId: string): readonly ProductBindingRow[] {
  const keys = keptAnswer(db, 'bound', externalId, `records ${storeId}`, () =>
    bindingsByStoreRecord(db).all(storeId, externalId),
  );
  return keys.flatMap(({ id, side }) => listBindings(db, id).filter((row) => row.side === side));
}

function getVariant(db: Db, id: VariantId): VariantRow {
  return present(findVariant(db, id), `variant ${id} exists`);
}

/** Whatever the letter case: `lib/record-keys.ts`. */
export function listVariantsBySku(db: Db, pairId: PairId, sku: string): readonly VariantRow[] {
  return variantsBySku(db)
    .all(pairId, sku)
    .map(({ id }) => getVariant(db, id));
}

/** By a barcode as it is compared (`gtinKey`), however it is written down. */
export function listVariantsByGtin(db: Db, pairId: PairId, gtin: string): readonly VariantRow[] {
  return gtinSpellings(gtin).flatMap((barcode) =>
    variantsByBarcode(db)
      .all(pairId, barcode)
      .map(({ id }) => getVariant(db, id)),
  );
}

/** Variants of a pair that can be found by a SKU or a GTIN. */
export function listVariantsByKey(db: Db, pairId: PairId, key: SearchKey): readonly VariantRow[] {
  const { skus, gtins } = splitSearchKeys([key]);
  return [
    ...skus.flatMap((sku) => listVariantsBySku(db, pairId, sku)),
    ...gtins.flatMap((gtin) => listVariantsByGtin(db, pairId, gtin)),
  ];
}

/** By the rows themselves: whoever asks how many there are reads them next. */
export function countVariants(db: Db, productId: ProductId): number {
  return listVariants(db, productId).length;
}

/** Of all that are bound, those less whose product is deleted: few, and an index has them. A product's own row is as large as a product is. */
const DELETED = `SELECT count(*) FROM product p JOIN product_binding b ON b.product_id = p.id AND b.side = :side
  WHERE p.pair_id = :pair AND p.state = 'deleted' AND b.external_id IS NOT NULL`;

type OfSide = { readonly pair: string; readonly side: string };
const boundCount = rawStatement<[OfSide], { n: number }>(
  `SELECT (SELECT count(*) FROM product_binding WHERE pair_id = :pair AND side = :side AND external_id IS NOT NULL) - (${DELETED}) AS n`,
);

/** How many live records of a side are bound in this pair: what a complete listing has to show. */
export function countBound(db: Db, pairId: PairId, side: Side): number {
  return boundCount(db).get({ pair: pairId, side })?.n ?? 0;
}

const listedCount = rawStatement<[OfSide & { readonly scan: number }], { n: number }>(
  `SELECT (SELECT count(*) FROM product_binding WHERE pair_id = :pair AND side = :side AND external_id IS NOT NULL AND seen_in_scan >= :scan)
    - (${DELETED} AND b.seen_in_scan >= :scan) AS n`,
);

/** How many live records of a side the last complete listing (number `scanNumber`) showed, or were bound since. */
export function countListed(db: Db, pairId: PairId, side: Side, scanNumber: number): number {
  return listedCount(db).get({ pair: pairId, side, scan: scanNumber })?.n ?? 0;
}

const boundLive = rawStatement<[pair: string, side: string, max: number, offset: number], { externalId: string }>(
  `SELECT b.external_id AS externalId FROM product_binding b JOIN product p ON p.id = b.product_id
   WHERE b.pair_id = ? AND b.side = ? AND b.external_id IS NOT NULL AND p.state = 'live' LIMIT ? OFFSET ?`,
);

/** Some bound records of a side other than these: to prove that the store answers at all. */
export function findWitnesses(
  db: Db,
  pairId: PairId,
  side: Side,
  except: readonly string[],
  count: number,
  offset = 0,
): readonly string[] {
  const rows = boundLive(db).all(pairId, side, except.length + count, offset);
  return rows.flatMap(({ externalId }) => (except.includes(externalId) ? [] : [externalId])).slice(0, count);
}

export interface LinkedRecord {
  readonly productId: ProductId;
  readonly externalId: string;
  readonly base: ProductBindingRow['base'];
  readonly adminUrl: string;
}

// Groups of the same size in the order of the ids, and the last record of each.
const linkedSample = rawStatement<[count: number, store: string], { id: ProductId; external: string }>(
  `SELECT id, external FROM (
     SELECT b.product_id AS id, b.external_id AS external, CAST(? AS INTEGER) AS wanted,
       row_number() OVER (ORDER BY b.external_id) AS place, count(*) OVER () AS total
     FROM product_binding b JOIN product p ON p.id = b.product_id
     WHERE b.store_id = ? AND b.external_id IS NOT NULL AND p.state = 'live' GROUP BY b.external_id)
   WHERE place * wanted / total > (place - 1) * wanted / total`,
);

/** Up to `count` live records of a store that are linked in any pair, spread over all of them. */
export function sampleLinked(db: Db, storeId: StoreId, count: number): readonly LinkedRecord[] {
  return linkedSample(db)
    .all(count, storeId)
    .flatMap(({ id, external }) => {
      const row = listBindings(db, id).find((one) => one.storeId === storeId && one.externalId === external);
      return row ? [{ productId: id, externalId: external, base: row.base, adminUrl: row.adminUrl }] : [];
    });
}

/** One keyset page of a pair's products, by id. */
export function pageProducts(db: Db, pairId: PairId, after: string, limit: number): readonly ProductRow[] {
  return db.query
    .select()
    .from(product)
    .where(and(eq(product.pairId, pairId), gt(product.id, after as ProductId)))
    .orderBy(asc(product.id))
    .limit(limit)
    .all();
}

/** Variants whose stock intent is open and left in this call. */
export function listVariantsOfCall(db: Db, pairId: PairId, side: Side, call: string): readonly VariantId[] {
  return variantsOfCall(db)
    .all(pairId, side, call, call)
    .map(({ id }) => id);
}

const openIntents = statement((query) =>
  query
    .select()
    .from(productBinding)
    .where(and(eq(productBinding.pairId, sql.placeholder('pairId')), isNotNull(productBinding.intent)))
    .prepare(),
);

/** Bindings of a pair whose write is open. */
export function listOpenIntents(db: Db, pairId: PairId): readonly ProductBindingRow[] {
  return openIntents(db).all({ pairId });
}
