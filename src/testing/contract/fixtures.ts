import assert from 'node:assert/strict';
import { CONNECTOR_ERROR_KINDS, ConnectorError } from '../../model/connector-error.ts';
import type { VariantId } from '../../model/ids.ts';
import type { CanonicalProduct, ProductFields, VariantFields } from '../../model/product.ts';
import type { Signal } from '../../model/signal.ts';
import type { Mark, ProductSnapshot } from '../../model/snapshot.ts';
import type { StockSnapshot } from '../../model/stock.ts';
import type {
  Connector,
  NewVariant,
  ProductWrite,
  ReadOutcome,
  StockWrite,
  StockWriteOutcome,
  WriteOutcome,
} from '../../ports/connector.ts';
import type { ContractHarness, ShopProduct, ShopRecord } from './harness.ts';

let counter = 0;
/** Differs between processes and runs, so that tests on a shared real store never meet each other's records. */
const runToken = `${Date.now().toString(36)}${process.pid.toString(36)}`;

/** A short text that occurs nowhere else. */
export function unique(): string {
  counter += 1;
  return `${runToken}-${counter.toString(36)}`;
}

/** A valid GTIN of 8, 12, 13 or 14 digits that no other call gives: WooCommerce keeps them unique. */
export function gtin(length: 8 | 12 | 13 | 14 = 13, prefix = ''): string {
  counter += 1;
  const free = length - 1 - prefix.length;
  const digits = prefix + String((Date.now() * 1_000 + counter) % 10 ** free).padStart(free, '0');
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) sum += Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 3 : 1);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

export function productFields(overrides: Partial<ProductFields> = {}): ProductFields {
  const token = unique();
  return {
    title: `Contract ${token}`,
    descriptionHtml: '<p>Plain text.</p>',
    status: 'active',
    tags: [],
    optionNames: [],
    handle: `contract-${token}`,
    ...overrides,
  };
}

export function variantFields(overrides: Partial<VariantFields> = {}): VariantFields {
  return {
    sku: `SKU-${unique()}`,
    barcode: '',
    price: { regularMinor: 1000, saleMinor: null },
    weightMg: null,
    optionValues: [],
    backorders: 'no',
    taxable: true,
    requiresShipping: true,
    ...overrides,
  };
}

/** A product with one variant and no options. */
export function simpleProduct(
  fields: Partial<ProductFields> = {},
  variant: Partial<VariantFields> = {},
  quantity = 10,
): ShopProduct {
  return {
    fields: productFields(fields),
    variants: [{ fields: variantFields(variant), stock: { tracked: true, quantity } }],
  };
}

/** A product with one option ("Size") and `count` variants. */
export function sizedProduct(
  count: number,
  fields: Partial<ProductFields> = {},
  quantity: number | ((index: number) => number) = 10,
): ShopProduct {
  return {
    fields: productFields({ optionNames: ['Size'], ...fields }),
    variants: Array.from({ length: count }, (_, index) => ({
      fields: variantFields({ optionValues: [`Size ${index + 1}`] }),
      stock: { tracked: true, quantity: typeof quantity === 'number' ? quantity : quantity(index) },
    })),
  };
}

export function mark(pairId = 'pair_contract'): Mark {
  return { pairId, hubId: `prd_${unique()}` };
}

export function variantId(index: number): VariantId {
  return `var_${index}` as VariantId;
}

/** The canonical form of a product whose variants are numbered in order. */
export function canonicalOf(product: ShopProduct): CanonicalProduct {
  const variants: Record<VariantId, VariantFields> = {};
  product.variants.forEach((variant, index) => {
    variants[variantId(index)] = variant.fields;
  });
  return { fields: product.fields, variants };
}

export function createOf(product: ShopProduct, bearing: Mark = mark()): ProductWrite & { type: 'create' } {
  const variants: NewVariant[] = product.variants.map((variant, index) => ({
    variantId: variantId(index),
    fields: variant.fields,
    stock: variant.stock,
  }));
  return { type: 'create', mark: bearing, fields: product.fields, variants };
}

type Update = ProductWrite & { type: 'update' };

export function updateOf(
  seen: ProductSnapshot,
  changes: Partial<Omit<Update, 'type' | 'externalId' | 'seen'>> = {},
): Update {
  return {
    type: 'update',
    externalId: seen.externalId,
    fields: {},
    variants: [],
    newVariants: [],
    archiveVariants: [],
    seen,
    ...changes,
  };
}

export function stockWrite(stockId: string, expected: number, to: number, key = `key-${unique()}`): StockWrite {
  return { stockId, expected, to, key };
}

export async function addSimple(harness: ContractHarness, quantity = 10): Promise<ShopRecord & { stockId: string }> {
  const record = await harness.shop.addProduct(simpleProduct({}, {}, quantity));
  return { ...record, stockId: record.variants[0]!.stockId };
}

export async function addSeveral({ shop }: ContractHarness, count: number): Promise<ShopRecord[]> {
  const records: ShopRecord[] = [];
  for (let index = 0; index < count; index += 1) records.push(await shop.addProduct(simpleProduct()));
  return records;
}

/** Whether one of the signals is about the record, one of its variants or its stock. */
export function names(signals: readonly Signal[], record: ShopRecord): boolean {
  return signals.some(({ kind, externalId }) => {
    if (kind === 'product') return externalId === record.externalId;
    return record.variants.some((variant) => externalId === (kind === 'stock' ? variant.stockId : variant.externalId));
  });
}

/** The record, which must be readable. */
export async function readOne(connector: Connector, externalId: string): Promise<ProductSnapshot> {
  const [outcome] = await connector.readProducts([externalId]);
  return value(outcome);
}

/** What is held by items, without when they moved, which is told with each reading afresh [C26]. */
export async function stockOf(connector: Connector, stockIds: readonly string[]): Promise<StockSnapshot[]> {
  const outcomes = await connector.readStock(stockIds);
  return outcomes.map((outcome) => {
    const { unmovedSince: _since, madeAt: _made, ...snapshot } = value(outcome);
    return snapshot;
  });
}

export function value<T>(outcome: ReadOutcome<T> | undefined): T {
  assert.ok(outcome, 'an outcome for every id');
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}

/** Sends one write and returns its outcome. */
export async function writeOne(connector: Connector, write: ProductWrite): Promise<WriteOutcome> {
  const outcomes = await connector.writeProducts([write]);
  assert.equal(outcomes.length, 1, 'one outcome for one write');
  return outcomes[0]!;
}

/** Sends one write, which must succeed. */
export async function written(connector: Connector, write: ProductWrite): Promise<WriteOutcome & { ok: true }> {
  const outcome = await writeOne(connector, write);
  if (!outcome.ok) throw outcome.error;
  return outcome;
}

export async function writeStockOne(connector: Connector, write: StockWrite): Promise<StockWriteOutcome> {
  const outcomes = await connector.writeStock([write]);
  assert.equal(outcomes.length, 1, 'one outcome for one write');
  return outcomes[0]!;
}

/** Sends writes, and once more what was withheld of them for the sake of the others. */
export async function writeStockAll(
  connector: Connector,
  writes: readonly StockWrite[],
): Promise<readonly StockWriteOutcome[]> {
  const first = await connector.writeStock(writes);
  assert.equal(first.length, writes.length, 'one outcome for each write');
  const withheld = writes.filter((_, i) => first[i]!.outcome === 'withheld');
  if (withheld.length === 0) return first;
  const then = await connector.writeStock(withheld);
  return writes.map((write, i) => (withheld.includes(write) ? then[withheld.indexOf(write)]! : first[i]!));
}

/** Fails unless `error` is a ConnectorError of a known kind (one of `kinds`, when given). */
export function assertConnectorError(error: unknown, kinds: readonly string[] = CONNECTOR_ERROR_KINDS): ConnectorError {
  assert.ok(error instanceof ConnectorError, `a ConnectorError, not ${describe(error)}`);
  assert.ok(
    (CONNECTOR_ERROR_KINDS as readonly string[]).includes(error.kind),
    `a kind of the closed set, not ${error.kind}`,
  );
  assert.ok(kinds.includes(error.kind), `kind ${kinds.join(' or ')}, not ${error.kind} (${error.message})`);
  return error;
}

/** Runs `call`, which must fail with a ConnectorError (of one of `kinds`). */
export async function failure(call: () => Promise<unknown>, kinds?: readonly string[]): Promise<ConnectorError> {
  let result: unknown;
  try {
    result = await call();
  } catch (error) {
    return assertConnectorError(error, kinds);
  }
  assert.fail(`expected a failure, got ${describe(result)}`);
}

/** The error of a write that must not have succeeded. */
export function refusal(outcome: WriteOutcome | StockWriteOutcome, kinds?: readonly string[]): ConnectorError {
  if ('ok' in outcome) {
    assert.ok(!outcome.ok, 'the write must not be called a success');
    return assertConnectorError(outcome.error, kinds);
  }
  assert.equal(outcome.outcome, 'failed');
  return assertConnectorError((outcome as { error: unknown }).error, kinds);
}

function describe(thing: unknown): string {
  if (thing instanceof Error) return `${thing.name}: ${thing.message}`;
  return JSON.stringify(thing)?.slice(0, 200) ?? String(thing);
}
