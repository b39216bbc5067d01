import type { ProductId, VariantId } from '../../model/ids.ts';
import type { PerSide, Side } from '../../model/platform.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import { type ProductSlot, rowCache } from '../row-cache.ts';
import type { ProductBindingRow, ProductRow, VariantBindingRow, VariantRow } from '../schema/product.ts';

/** Rows that every pass reads several times: kept parsed while nothing moves them; plain SQL and hand-written mapping, because drizzle's costs ten times the query. */

type Raw = Readonly<Record<string, string | number | null>>;

const product = rawStatement<[id: string], Raw>('SELECT * FROM product WHERE id = ?');
const bindings = rawStatement<[id: string], Raw>('SELECT * FROM product_binding WHERE product_id = ?');
const variants = rawStatement<[id: string], Raw>('SELECT * FROM variant WHERE product_id = ?');
const variant = rawStatement<[id: string], Raw>('SELECT * FROM variant WHERE id = ?');
const variantBindingsOfProduct = rawStatement<[id: string], Raw>('SELECT * FROM variant_binding WHERE product_id = ?');
const variantBindingsOfVariant = rawStatement<[id: string], Raw>('SELECT * FROM variant_binding WHERE variant_id = ?');

/** One hub product as it stands: record, bindings, variants and their bindings. Shared between its readers: not to be changed. */
export interface HubRows {
  readonly row: ProductRow;
  readonly bindings: Partial<PerSide<ProductBindingRow>>;
  readonly variants: ReadonlyMap<VariantId, VariantRow>;
  readonly variantBindings: PerSide<ReadonlyMap<VariantId, VariantBindingRow>>;
}

export function findHubRows(db: Db, id: ProductId): HubRows | null {
  const slot = rowCache(db)?.slot(id);
  if (slot?.whole !== undefined) return slot.whole as HubRows;
  const row = findProduct(db, id);
  if (row === null) return null;
  const sides: Partial<PerSide<ProductBindingRow>> = {};
  for (const binding of listBindings(db, id)) sides[binding.side] = binding;
  const variantBindings = {
    woocommerce: new Map<VariantId, VariantBindingRow>(),
    shopify: new Map<VariantId, VariantBindingRow>(),
  };
  for (const binding of listVariantBindings(db, id)) variantBindings[binding.side].set(binding.variantId, binding);
  const whole: HubRows = {
    row,
    bindings: sides,
    variants: new Map(listVariants(db, id).map((each) => [each.id, each])),
    variantBindings,
  };
  if (slot !== undefined) slot.whole = whole;
  return whole;
}

export function findProduct(db: Db, id: ProductId): ProductRow | null {
  const cache = rowCache(db);
  const slot = cache?.slot(id);
  if (slot?.product !== undefined) return slot.product as ProductRow | null;
  const raw = product(db).get(id);
  const row = raw === undefined ? null : toProduct(raw, slot);
  if (slot !== undefined) slot.product = row;
  cache?.weigh(String(raw?.['data'] ?? '').length);
  return row;
}

export function listBindings(db: Db, id: ProductId): readonly ProductBindingRow[] {
  const cache = rowCache(db);
  const slot = cache?.slot(id);
  if (slot?.bindings !== undefined) return slot.bindings as readonly ProductBindingRow[];
  const raw = bindings(db).all(id);
  const rows = raw.map((row) => toBinding(row, slot));
  if (slot !== undefined) slot.bindings = rows;
  for (const row of raw) cache?.weigh(String(row['base'] ?? '').length + String(row['intent'] ?? '').length);
  return rows;
}

export function listVariants(db: Db, id: ProductId): readonly VariantRow[] {
  const slot = rowCache(db)?.slot(id);
  const rows = (slot?.variants as readonly VariantRow[] | undefined) ?? variants(db).all(id).map(toVariant);
  if (slot !== undefined) slot.variants = rows;
  return rows;
}

export function listVariantBindings(db: Db, id: ProductId): readonly VariantBindingRow[] {
  const slot = rowCache(db)?.slot(id);
  const rows =
    (slot?.variantBindings as readonly VariantBindingRow[] | undefined) ??
    variantBindingsOfProduct(db).all(id).map(toVariantBinding);
  if (slot !== undefined) slot.variantBindings = rows;
  return rows;
}

export function findVariant(db: Db, id: VariantId): VariantRow | null {
  const slot = rowCache(db)?.variant(id);
  if (slot?.row !== undefined) return slot.row as VariantRow | null;
  const raw = variant(db).get(id);
  const row = raw === undefined ? null : toVariant(raw);
  if (slot !== undefined) slot.row = row;
  return row;
}

export function listBindingsOfVariant(db: Db, id: VariantId): readonly VariantBindingRow[] {
  const slot = rowCache(db)?.variant(id);
  const rows =
    (slot?.bindings as readonly VariantBindingRow[] | undefined) ??
    variantBindingsOfVariant(db).all(id).map(toVariantBinding);
  if (slot !== undefined) slot.bindings = rows;
  return rows;
}

function toProduct(row: Raw, slot: ProductSlot | undefined): ProductRow {
  return {
    id: row['id'],
    pairId: row['pair_id'],
    data: parse(row['data'], 'data', slot),
    seen: parse(row['seen'], 'seen', slot),
    state: row['state'],
    deletedOn: row['deleted_on'],
    priorStatus: row['prior_status'],
    title: row['title'],
    titleKey: row['title_key'],
    imageUrl: row['image_url'],
    createdAt: row['created_at'],
    updatedAt: row['updated_at'],
  } as ProductRow;
}

const BASE_OF: PerSide<string> = { woocommerce: 'base woocommerce', shopify: 'base shopify' };
const INTENT_OF: PerSide<string> = { woocommerce: 'intent woocommerce', shopify: 'intent shopify' };

function toBinding(row: Raw, slot: ProductSlot | undefined): ProductBindingRow {
  return {
    productId: row['product_id'],
    side: row['side'],
    pairId: row['pair_id'],
    storeId: row['store_id'],
    externalId: row['external_id'],
    base: parse(row['base'], BASE_OF[row['side'] as Side], slot),
    intent: parse(row['intent'], INTENT_OF[row['side'] as Side], slot),
    fencedUntil: row['fenced_until'],
    adminUrl: row['admin_url'],
    madeAt: row['made_at'],
    seenInScan: row['seen_in_scan'],
  } as ProductBindingRow;
}

function parse(text: string | number | null | undefined, column: string, slot: ProductSlot | undefined): unknown {
  if (typeof text !== 'string') return null;
  const kept = slot?.json.get(column);
  if (kept?.text === text) return kept.value;
  const value: unknown = JSON.parse(text);
  slot?.json.set(column, { text, value });
  return value;
}

function toVariant(row: Raw): VariantRow {
  return {
    id: row['id'],
    productId: row['product_id'],
    pairId: row['pair_id'],
    quantity: row['quantity'],
    stockState: row['stock_state'],
    keptBack: row['kept_back'],
    removedBase: parse(row['removed_base'], 'removedBase', undefined),
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

const restored = rawStatement<[after: string, limit: number], Pick<VariantRow, 'id' | 'pairId'>>(
  "SELECT id, pair_id AS pairId FROM variant WHERE stock_state = 'restored' AND id > ? ORDER BY id LIMIT ?",
);

/** Stock that came out of a backup and was not looked at since. */
export function pageRestoredVariants(
  db: Db,
  after: VariantId,
  limit: number,
): readonly Pick<VariantRow, 'id' | 'pairId'>[] {
  return restored(db).all(after, limit);
}
