import type { Change, ProductFieldsView, RecordSide, RecordSummary, VariantView } from '../../contracts/records.ts';
import type { RecordRow } from '../../db/readers/list-records.ts';
import type { RecordSummaryRow } from '../../db/readers/record-summary.ts';
import type { ChangeRow } from '../../db/schema/history.ts';
import type { VariantBindingRow } from '../../db/schema/product.ts';
import type { HeldRecord } from '../../engine/held-by.ts';
import { isoTime } from '../../lib/time.ts';
import type { VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { CanonicalProduct, ProductFields, VariantFields } from '../../model/product.ts';
import { variantLabel } from './conflict.ts';
import { isoTimeOrNull } from './store.ts';

export function presentRecord(row: RecordSummaryRow): RecordSummary {
  return {
    _id: row.id,
    pairId: row.pairId,
    title: row.title,
    sku: row.sku,
    imageUrl: row.imageUrl,
    status: row.status,
    state: row.state,
    variantCount: row.variantCount,
    quantity: row.quantity,
    woocommerceId: row.externalIds.woocommerce ?? null,
    shopifyId: row.externalIds.shopify ?? null,
    updatedAt: isoTime(row.updatedAt),
  };
}

interface Stock {
  readonly quantity: number | null;
  readonly isTracked: boolean;
}

export function presentHub({ product, variants }: RecordRow) {
  const stocks = new Map<string, Stock>(
    variants.map(({ id, quantity, stockState }) => [id, { quantity, isTracked: stockState === 'live' }]),
  );
  return presentProduct(product.data, stocks);
}

interface SideFacts {
  readonly side: Side;
  readonly variantBindings: readonly VariantBindingRow[];
  /** Null: it has gone since `row` was read. */
  readonly held: HeldRecord | null;
  readonly currency: string | null;
}

/** What a side was last known to hold. A removed variant is not shown, whatever was left of it there. */
export function presentSide(row: RecordRow, { side, variantBindings, held, currency }: SideFacts): RecordSide | null {
  const binding = row.bindings[side];
  if (binding === undefined || held === null) return null;
  const mine = variantBindings.filter((one) => one.side === side);
  const stocks = new Map<string, Stock>(
    mine.map(({ variantId, baseQuantity, baseTracked }) => [
      variantId,
      { quantity: baseTracked ? baseQuantity : null, isTracked: baseTracked },
    ]),
  );
  const fences = [binding.fencedUntil, ...mine.map((one) => one.fencedUntil)].filter((at) => at !== null);
  const isShown = ([id]: readonly [string, unknown]) => id in row.product.data.variants;
  const variants = Object.fromEntries(Object.entries(held.product.variants).filter(isShown));
  return {
    side,
    storeId: binding.storeId,
    externalId: binding.externalId,
    adminUrl: binding.adminUrl,
    currency,
    ...presentProduct({ ...held.product, variants }, stocks),
    apart: [...held.apart],
    isPending: binding.intent !== null || mine.some((one) => one.intentKey !== null),
    fencedUntil: isoTimeOrNull(fences.length === 0 ? null : Math.max(...fences)),
  };
}

function presentProduct(data: CanonicalProduct, stocks: ReadonlyMap<string, Stock>) {
  return {
    fields: presentFields(data.fields),
    variants: Object.entries(data.variants).map(([id, fields]) => presentVariant(id as VariantId, fields, stocks)),
  };
}

function presentFields(fields: ProductFields): ProductFieldsView {
  return {
    title: fields.title,
    descriptionHtml: fields.descriptionHtml,
    status: fields.status,
    tags: [...fields.tags],
    optionNames: [...fields.optionNames],
    handle: fields.handle,
  };
}

function presentVariant(variantId: VariantId, fields: VariantFields, stocks: ReadonlyMap<string, Stock>): VariantView {
  const stock = stocks.get(variantId);
  return {
    variantId,
    label: variantLabel(fields),
    sku: fields.sku,
    barcode: fields.barcode,
    price: { regularMinor: fields.price.regularMinor, saleMinor: fields.price.saleMinor },
    weightMg: fields.weightMg,
    optionValues: [...fields.optionValues],
    backorders: fields.backorders,
    quantity: stock?.quantity ?? null,
    isTracked: stock?.isTracked ?? false,
  };
}

export function presentChange(row: ChangeRow): Change {
  return {
    seq: row.seq,
    recordId: row.productId,
    variantId: row.variantId,
    field: row.field,
    origin: row.origin,
    target: row.target,
    from: row.from ?? null,
    to: row.to ?? null,
    cause: row.cause,
    runId: row.runId,
    at: isoTime(row.at),
  };
}
