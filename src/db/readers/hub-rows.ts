import type { ProductId, VariantId } from '../../model/ids.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import type { ProductBindingRow, ProductRow, VariantBindingRow, VariantRow } from '../schema/product.ts';

/** Rows that every pass reads several times: plain SQL and hand-written mapping, because drizzle's mapping costs ten times the query. */

type Raw = Readonly<Record<string, string | number | null>>;

const product = rawStatement<[id: string], Raw>('SELECT * FROM product WHERE id = ?');
const bindings = rawStatement<[id: string], Raw>('SELECT * FROM product_binding WHERE product_id = ?');
const variants = rawStatement<[id: string], Raw>('SELECT * FROM variant WHERE product_id = ?');
const variant = rawStatement<[id: string], Raw>('SELECT * FROM variant WHERE id = ?');
const variantBindingsOfProduct = rawStatement<[id: string], Raw>('SELECT * FROM variant_binding WHERE product_id = ?');
const variantBindingsOfVariant = rawStatement<[id: string], Raw>('SELECT * FROM variant_binding WHERE variant_id = ?');

/** Data of products with many variants, which is read once for each of them in a pass: parsing 2,048 variants 2,048 times takes minutes. */
const parsed = new Map<ProductId, { readonly text: string; readonly data: ProductRow['data'] }>();
const PARSED_CHARS_MIN = 20_000;
const PARSED_MAX = 16;

function parseData(id: ProductId, text: string): ProductRow['data'] {
  if (text.length < PARSED_CHARS_MIN) return JSON.parse(text) as ProductRow['data'];
  const known = parsed.get(id);
  if (known?.text === text) return known.data;
  const data = JSON.parse(text) as ProductRow['data'];
  parsed.delete(id);
  parsed.set(id, { text, data });
  const [oldest] = parsed.keys();
  if (parsed.size > PARSED_MAX && oldest !== undefined) parsed.delete(oldest);
  return data;
}

export function findProduct(db: Db, id: ProductId): ProductRow | null {
  const row = product(db).get(id);
  if (row === undefined) return null;
  return {
    id: row['id'],
    pairId: row['pair_id'],
    data: parseData(id, String(row['data'])),
    seen: JSON.parse(String(row['seen'])),
    state: row['state'],
    deletedOn: row['deleted_on'],
    priorStatus: row['prior_status'],
    title: row['title'],
    imageUrl: row['image_url'],
    createdAt: row['created_at'],
    updatedAt: row['updated_at'],
  } as ProductRow;
}

export function listBindings(db: Db, id: ProductId): readonly ProductBindingRow[] {
  return bindings(db)
    .all(id)
    .map(
      (row) =>
        ({
          productId: row['product_id'],
          side: row['side'],
          pairId: row['pair_id'],
          storeId: row['store_id'],
          externalId: row['external_id'],
          base: parse(row['base']),
          intent: parse(row['intent']),
          fencedUntil: row['fenced_until'],
          adminUrl: row['admin_url'],
          seenInScan: row['seen_in_scan'],
        }) as ProductBindingRow,
    );
}

export function listVariants(db: Db, id: ProductId): readonly VariantRow[] {
  return variants(db).all(id).map(toVariant);
}

export function findVariant(db: Db, id: VariantId): VariantRow | null {
  const row = variant(db).get(id);
  return row === undefined ? null : toVariant(row);
}

export function listVariantBindings(db: Db, id: ProductId): readonly VariantBindingRow[] {
  return variantBindingsOfProduct(db).all(id).map(toVariantBinding);
}

export function listBindingsOfVariant(db: Db, id: VariantId): readonly VariantBindingRow[] {
  return variantBindingsOfVariant(db).all(id).map(toVariantBinding);
}

function parse(text: string | number | null | undefined): unknown {
  return text === null || text === undefined ? null : JSON.parse(String(text));
}

function toVariant(row: Raw): VariantRow {
  return {
    id: row['id'],
    productId: row['product_id'],
    pairId: row['pair_id'],
    quantity: row['quantity'],
    stockState: row['stock_state'],
    sku: row['sku'],
    barcode: row['barcode'],
  } as VariantRow;
}

function toVariantBinding(row: Raw): VariantBindingRow {
  return {
    variantId: row['variant_id'],
    side: row['side'],
    productId: row['product_id'],
    pairId: row['pair_id'],
    storeId: row['store_id'],
    externalId: row['external_id'],
    stockId: row['stock_id'],
    baseQuantity: row['base_quantity'],
    baseTracked: row['base_tracked'] === 1,
    intentFrom: row['intent_from'],
    intentTo: row['intent_to'],
    intentKey: row['intent_key'],
    intentSentAt: row['intent_sent_at'],
    fencedUntil: row['fenced_until'],
    provisional: row['provisional'],
  } as VariantBindingRow;
}
