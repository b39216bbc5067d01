import { and, asc, count, eq, gt, gte, isNotNull, sql } from 'drizzle-orm';
import type { PairId, ProductId, StoreId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import { type Db, statement } from '../database.ts';
import {
  type ProductBindingRow,
  type ProductRow,
  product,
  productBinding,
  type VariantBindingRow,
  type VariantRow,
  variant,
  variantBinding,
} from '../schema/product.ts';

const bindingByExternal = statement((query) =>
  query
    .select()
    .from(productBinding)
    .where(
      and(
        eq(productBinding.pairId, sql.placeholder('pairId')),
        eq(productBinding.side, sql.placeholder('side')),
        eq(productBinding.externalId, sql.placeholder('externalId')),
      ),
    )
    .prepare(),
);
const variantBindingByExternal = statement((query) =>
  query
    .select()
    .from(variantBinding)
    .where(
      and(
        eq(variantBinding.pairId, sql.placeholder('pairId')),
        eq(variantBinding.side, sql.placeholder('side')),
        eq(variantBinding.externalId, sql.placeholder('externalId')),
      ),
    )
    .prepare(),
);
const bindingsByStock = statement((query) =>
  query
    .select()
    .from(variantBinding)
    .where(
      and(
        eq(variantBinding.storeId, sql.placeholder('storeId')),
        eq(variantBinding.stockId, sql.placeholder('stockId')),
      ),
    )
    .prepare(),
);
const bindingsByStoreRecord = statement((query) =>
  query
    .select()
    .from(productBinding)
    .where(
      and(
        eq(productBinding.storeId, sql.placeholder('storeId')),
        eq(productBinding.externalId, sql.placeholder('externalId')),
      ),
    )
    .prepare(),
);
const variantsBySku = statement((query) =>
  query
    .select()
    .from(variant)
    .where(and(eq(variant.pairId, sql.placeholder('pairId')), eq(variant.sku, sql.placeholder('sku'))))
    .prepare(),
);
const variantsByBarcode = statement((query) =>
  query
    .select()
    .from(variant)
    .where(and(eq(variant.pairId, sql.placeholder('pairId')), eq(variant.barcode, sql.placeholder('barcode'))))
    .prepare(),
);

export function findBindingByExternal(
  db: Db,
  pairId: PairId,
  side: Side,
  externalId: string,
): ProductBindingRow | null {
  return bindingByExternal(db).get({ pairId, side, externalId }) ?? null;
}

export function findVariantBindingByExternal(
  db: Db,
  pairId: PairId,
  side: Side,
  externalId: string,
): VariantBindingRow | null {
  return variantBindingByExternal(db).get({ pairId, side, externalId }) ?? null;
}

/** All pairs' bindings of one stock item of one store: an open intent of any of them fences it for all. */
export function listBindingsByStock(db: Db, storeId: StoreId, stockId: string): readonly VariantBindingRow[] {
  return bindingsByStock(db).all({ storeId, stockId });
}

/** All pairs' bindings of one remote product. */
export function listBindingsByRecord(db: Db, storeId: StoreId, externalId: string): readonly ProductBindingRow[] {
  return bindingsByStoreRecord(db).all({ storeId, externalId });
}

export function listVariantsBySku(db: Db, pairId: PairId, sku: string): readonly VariantRow[] {
  return variantsBySku(db).all({ pairId, sku });
}

export function listVariantsByBarcode(db: Db, pairId: PairId, barcode: string): readonly VariantRow[] {
  return variantsByBarcode(db).all({ pairId, barcode });
}

/** How many live records of a side are bound in this pair: what a complete listing has to show. */
export function countBound(db: Db, pairId: PairId, side: Side): number {
  const row = db.query
    .select({ n: count() })
    .from(productBinding)
    .innerJoin(product, eq(product.id, productBinding.productId))
    .where(
      and(
        eq(productBinding.pairId, pairId),
        eq(productBinding.side, side),
        isNotNull(productBinding.externalId),
        eq(product.state, 'live'),
      ),
    )
    .get();
  return row?.n ?? 0;
}

/** How many live records of a side the last complete listing (number `scanNumber`) showed, or were bound since. */
export function countListed(db: Db, pairId: PairId, side: Side, scanNumber: number): number {
  const row = db.query
    .select({ n: count() })
    .from(productBinding)
    .innerJoin(product, eq(product.id, productBinding.productId))
    .where(
      and(
        eq(productBinding.pairId, pairId),
        eq(productBinding.side, side),
        isNotNull(productBinding.externalId),
        gte(productBinding.seenInScan, scanNumber),
        eq(product.state, 'live'),
      ),
    )
    .get();
  return row?.n ?? 0;
}

/** Some bound record of a side other than these: to prove that the store answers at all. */
export function findCanary(db: Db, pairId: PairId, side: Side, except: readonly string[]): string | null {
  const rows = db.query
    .select({ externalId: productBinding.externalId })
    .from(productBinding)
    .innerJoin(product, eq(product.id, productBinding.productId))
    .where(
      and(
        eq(productBinding.pairId, pairId),
        eq(productBinding.side, side),
        isNotNull(productBinding.externalId),
        eq(product.state, 'live'),
      ),
    )
    .limit(except.length + 1)
    .all();
  return rows.find((row) => row.externalId !== null && !except.includes(row.externalId))?.externalId ?? null;
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

/** Bindings of a pair whose write is open. */
export function listOpenIntents(db: Db, pairId: PairId): readonly ProductBindingRow[] {
  return db.query
    .select()
    .from(productBinding)
    .where(and(eq(productBinding.pairId, pairId), isNotNull(productBinding.intent)))
    .all();
}
