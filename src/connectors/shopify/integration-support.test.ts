import assert from 'node:assert/strict';
import type { VariantId } from '../../model/ids.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { Connector, NewVariant, ProductWrite } from '../../ports/connector.ts';
import { createShopifyConnector, type ShopifyConnectorOptions } from './connector.ts';
import type { InProcessShop } from './sandbox-support.test.ts';
import { silentLog, testRandom } from './test-support.ts';

/** Shared by the tests against the sandbox. */

type Create = Extract<ProductWrite, { type: 'create' }>;
type Update = Extract<ProductWrite, { type: 'update' }>;

export function connectTo(shop: InProcessShop, options: Partial<ShopifyConnectorOptions> = {}): Connector {
  return createShopifyConnector({
    shopDomain: shop.sandbox.shopDomain,
    auth: { type: 'token', accessToken: 'shpat_sandbox_token', apiSecret: 'sandbox-client-secret' },
    webhookSecrets: [],
    transport: shop.transport,
    download: shop.download,
    clock: shop.time,
    random: testRandom,
    log: silentLog,
    ...options,
  });
}

export function variant(
  optionValues: readonly string[],
  quantity = 7,
  over: Partial<NewVariant['fields']> = {},
): NewVariant {
  return {
    variantId: `var_${optionValues.join('_')}` as VariantId,
    fields: {
      sku: '',
      barcode: '',
      price: { regularMinor: 1000, saleMinor: null },
      weightMg: null,
      optionValues,
      backorders: 'no',
      taxable: true,
      requiresShipping: true,
      ...over,
    },
    stock: { tracked: true, quantity },
  };
}

export function createOf(
  index: number,
  fields: Partial<Create['fields']> = {},
  variants: readonly NewVariant[] = [variant([])],
): Create {
  return {
    type: 'create',
    mark: { pairId: 'pair_a', hubId: `prd_${index}` },
    fields: {
      title: `Product ${index}`,
      descriptionHtml: '',
      status: 'active',
      tags: [],
      optionNames: [],
      handle: `product-${index}`,
      ...fields,
    },
    variants,
  };
}

export function updateOf(seen: ProductSnapshot, changes: Partial<Update>): Update {
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

export async function written(connector: Connector, write: ProductWrite): Promise<ProductSnapshot> {
  const [outcome] = await connector.writeProducts([write]);
  assert.ok(outcome);
  if (!outcome.ok) throw outcome.error;
  return outcome.snapshot;
}
