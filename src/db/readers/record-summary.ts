import type { PairId, ProductId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { ProductStatus, VariantFields } from '../../model/product.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import { type RecordState, STATE } from './record-states.ts';

/** What lists show of a record: as long for one with thousands of variants as for one with a single one. */
export interface RecordSummaryRow {
  readonly id: ProductId;
  readonly pairId: PairId;
  readonly title: string;
  readonly imageUrl: string;
  readonly updatedAt: number;
  readonly state: RecordState;
  readonly status: ProductStatus;
  /** Of the first variant that has one, or ''. */
  readonly sku: string;
  readonly variantCount: number;
  /** Of all variants that are counted; null: none is. */
  readonly quantity: number | null;
  readonly externalIds: Readonly<Partial<Record<Side, string | null>>>;
}

const KNOWN = `json_each(product.data, '$.variants')`;
/** What was removed is only known by its key, for when it comes back. */
const VARIANTS = `(SELECT key, value FROM ${KNOWN} WHERE key NOT IN (SELECT id FROM variant WHERE product_id = product.id AND stock_state = 'removed'))`;
const FIRST_SKU = `coalesce((SELECT json_extract(value, '$.sku') FROM ${VARIANTS} WHERE json_extract(value, '$.sku') <> '' LIMIT 1), '')`;
const summary = rawStatement<[id: string], Omit<RecordSummaryRow, 'externalIds'>>(
  `SELECT id, pair_id AS pairId, title, image_url AS imageUrl, updated_at AS updatedAt, ${STATE} AS state,
     json_extract(data, '$.fields.status') AS status,
     (SELECT count(*) FROM ${VARIANTS}) AS variantCount,
     ${FIRST_SKU} AS sku,
     (SELECT sum(quantity) FROM variant v WHERE v.product_id = product.id AND v.stock_state = 'live') AS quantity
   FROM product WHERE id = ?`,
);
const externalIds = rawStatement<[id: string], { readonly side: Side; readonly externalId: string | null }>(
  'SELECT side, external_id AS externalId FROM product_binding WHERE product_id = ?',
);

/** The database looks into the product's JSON: whole products of a page are more than a small machine can hold. */
export function findRecordSummary(db: Db, id: ProductId): RecordSummaryRow | null {
  const row = summary(db).get(id);
  if (row === undefined) return null;
  return {
    ...row,
    externalIds: Object.fromEntries(
      externalIds(db)
        .all(id)
        .map((binding) => [binding.side, binding.externalId]),
    ),
  };
}

/** What a list shows of one field's record. */
export interface FieldOwner {
  readonly title: string;
  readonly imageUrl: string;
  /** Of the record's first variant that has one, or ''. */
  readonly sku: string;
  /** The variant that the field belongs to, where it belongs to one. */
  readonly variant: VariantFields | null;
}

const owner = rawStatement<
  [parts: string, id: string],
  Omit<FieldOwner, 'variant'> & { readonly variant: string | null }
>(
  `SELECT title, image_url AS imageUrl, ${FIRST_SKU} AS sku,
     (SELECT value FROM ${KNOWN} WHERE key IN (SELECT value FROM json_each(?)) LIMIT 1) AS variant
   FROM product WHERE id = ?`,
);

/** Field paths carry the id of the variant that they are about, in any of their parts. Null: the record is gone. */
export function findFieldOwner(db: Db, id: ProductId, field: string): FieldOwner | null {
  const row = owner(db).get(JSON.stringify(field.split('.')), id);
  if (row === undefined) return null;
  return { ...row, variant: row.variant === null ? null : (JSON.parse(row.variant) as VariantFields) };
}
