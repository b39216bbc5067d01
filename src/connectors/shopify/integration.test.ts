import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import type { VariantId } from '../../model/ids.ts';
import type { ProductWrite, StockWrite } from '../../ports/connector.ts';
import { createShopifyConnector, type ShopifyConnectorOptions } from './connector.ts';
import { createInProcessShop, type InProcessShop } from './sandbox-support.test.ts';
import { silentLog, testRandom } from './test-support.ts';

function connectTo(shop: InProcessShop, options: Partial<ShopifyConnectorOptions> = {}) {
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

function createOf(index: number, over: Partial<Extract<ProductWrite, { type: 'create' }>> = {}): ProductWrite {
  return {
    type: 'create',
    mark: { pairId: 'pair_a', hubId: `prd_${index}` },
    fields: {
      title: `Product ${index}`,
      descriptionHtml: '<p>x</p>',
      status: 'active',
      tags: ['b', 'A'],
      optionNames: [],
      handle: `product-${index}`,
    },
    variants: [
      {
        variantId: 'var_1' as VariantId,
        fields: {
          sku: `SKU-${index}`,
          barcode: '',
          price: { regularMinor: 1000, saleMinor: null },
          weightMg: 250_000,
          optionValues: [],
          backorders: 'no',
        },
        stock: { tracked: true, quantity: 7 },
      },
    ],
    ...over,
  };
}

test('1,000 stock writes cost 4 calls, repeats of them too', async () => {
  const shop = createInProcessShop();
  shop.sandbox.controls.seed(1_000, 1);
  const connector = connectTo(shop);
  const shelf = shop.sandbox.controls.listShelf();
  const writes: StockWrite[] = shelf.map((row, index) => ({
    stockId: row.inventoryItemId,
    expected: row.available,
    to: index,
    key: `k${index}`,
  }));
  await connector.readStock(writes.slice(0, 250).map(({ stockId }) => stockId));
  shop.sandbox.stats.reset();
  for (let at = 0; at < writes.length; at += connector.capabilities.stockBatchMax) {
    const outcomes = await connector.writeStock(writes.slice(at, at + connector.capabilities.stockBatchMax));
    assert.ok(outcomes.every(({ outcome }) => outcome === 'applied'));
  }
  assert.equal(shop.sandbox.stats.requests, 4);
  assert.deepEqual(
    shop.sandbox.controls.listShelf().map(({ available }) => available),
    writes.map(({ to }) => to),
  );
  await shop.close();
});
