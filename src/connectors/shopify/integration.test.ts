import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScanPage, StockWrite } from '../../ports/connector.ts';
import { TransportError } from '../shared/transport.ts';
import { createUndiciTransport } from '../shared/undici-transport.ts';
import { createShopifyConnector } from './connector.ts';
import { connectTo, createOf, written } from './integration-support.test.ts';
import { createInProcessShop } from './sandbox-support.test.ts';
import { normaliseShopDomain } from './shop-domain.ts';
import { graphqlTransport, noDownload, silentLog, testRandom } from './test-support.ts';

test('1,000 stock writes cost 4 calls', async () => {
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

test('10,000 products x 3 variants are listed by one start, a few polls and one download', async () => {
  const shop = createInProcessShop();
  shop.sandbox.controls.seed(10_000, 3);
  const connector = connectTo(shop);
  let products = 0;
  let variants = 0;
  let last: ScanPage | null = null;
  for await (const page of connector.scan({ resume: null })) {
    assert.ok(page.snapshots.length <= 200);
    products += page.snapshots.length;
    for (const snapshot of page.snapshots) variants += snapshot.variants.length;
    last = page;
  }
  assert.deepEqual([products, variants, last?.isComplete], [10_000, 30_000, true]);
  assert.equal(shop.urls.filter((url) => url.endsWith('.jsonl')).length, 1);
  assert.ok(shop.sandbox.stats.requests <= 8, `${shop.sandbox.stats.requests} calls`);
  await shop.close();
});

test('the doctor names every missing scope, a version that is not served, a place that is gone', async () => {
  const shop = createInProcessShop({ scopes: ['read_products'] });
  const connector = connectTo(shop, { locationId: '999' });
  const { info, findings } = await connector.inspect();
  assert.ok(info);
  const errors = findings.filter(({ level }) => level === 'error').map(({ code }) => code);
  assert.deepEqual(errors, [
    'SCOPE_MISSING_WRITE_PRODUCTS',
    'SCOPE_MISSING_READ_INVENTORY',
    'SCOPE_MISSING_WRITE_INVENTORY',
    'SCOPE_MISSING_READ_LOCATIONS',
  ]);
  assert.ok(!findings.some(({ code }) => code === 'SCOPES_GRANTED'));
  shop.sandbox.controls.setGrantedScopes(['write_products', 'write_inventory', 'read_locations', 'write_publications']);
  const again = await connector.inspect();
  assert.deepEqual(
    again.findings.filter(({ level }) => level === 'error').map(({ code }) => code),
    ['LOCATION_MISSING'],
  );
  const unauthorised = connectTo(shop, { auth: { type: 'token', accessToken: 'shpat_wrong' } });
  const refused = await unauthorised.inspect();
  assert.deepEqual([refused.info, refused.findings.map(({ code }) => code)], [null, ['CREDENTIALS_REFUSED']]);
  assert.equal(refused.findings[0]?.message, 'Shopify does not accept these credentials for this shop.');
  await shop.close();
});

test('what the doctor says of a shop that does not answer is a sentence, and names no internals', async () => {
  const shop = createInProcessShop();
  const url = `https://${shop.sandbox.shopDomain}/admin/api/x/graphql.json`;
  const say = async (failure: 'dns' | 'refused', code: string): Promise<string> => {
    const transport = () =>
      Promise.reject(new TransportError('before_send', failure, `nothing at ${url} (${code})`, code));
    const { findings } = await connectTo(shop, { transport }).inspect();
    return findings[0]?.message ?? '';
  };
  assert.match(await say('dns', 'ENOTFOUND'), /^There is no server by the name of [^/]*\.$/);
  assert.match(await say('refused', 'ECONNREFUSED'), /^[A-Z].*\.$/);
  await shop.close();
});

test('client credentials: a token is fetched, renewed when refused, and another organisation is told apart', async () => {
  const shop = createInProcessShop();
  const auth = {
    type: 'client_credentials',
    clientId: 'sandbox-client-id',
    clientSecret: 'sandbox-client-secret',
  } as const;
  const connector = connectTo(shop, { auth });
  const created = await written(connector, createOf(1));
  shop.sandbox.controls.revokeToken();
  const [read] = await connector.readProducts([created.externalId]);
  assert.ok(read?.ok);
  await shop.close();

  const other = createInProcessShop({ clientCredentials: 'shop_not_permitted' });
  const refused = await connectTo(other, { auth }).inspect();
  assert.deepEqual(
    refused.findings.map(({ code }) => code),
    ['CREDENTIALS_OTHER_ORGANISATION'],
  );
  // There is no form and no route for an authorization code grant: it is not advised.
  const { message = '', remedy = '' } = refused.findings[0] ?? {};
  assert.match(remedy, /client ID and secret, or with the Admin API token/);
  assert.doesNotMatch(`${message} ${remedy}`, /OAuth/);
  await other.close();
});

test('[S12] stock: an item without a level is not counted there; one that loses it on the way is put back first; none is written that isn’t counted', async () => {
  const shop = createInProcessShop({ locations: [{ name: 'Mapped' }, { name: 'Other' }] });
  const connector = connectTo(shop);
  const created = await written(connector, createOf(1));
  const item = created.variants[0]?.stockId ?? '';
  const [mapped, other] = shop.sandbox.controls.snapshot().locations;
  await shop.graphql(
    'mutation($i: ID!, $l: ID!) { inventoryActivate(inventoryItemId: $i, locationId: $l) @idempotent(key: "k") { userErrors { message } } }',
    { i: item, l: other?.id },
  );
  const data = (await shop.graphql(
    'query($i: ID!, $l: ID!) { inventoryItem(id: $i) { inventoryLevel(locationId: $l) { id } } }',
    { i: item, l: mapped?.id },
  )) as unknown as {
    inventoryItem: { inventoryLevel: { id: string } };
  };
  await shop.graphql(
    'mutation($i: ID!) { inventoryDeactivate(inventoryLevelId: $i) @idempotent(key: "d") { userErrors { message } } }',
    { i: data.inventoryItem.inventoryLevel.id },
  );

  const reader = connectTo(shop);
  const elsewhere = { tracked: false, quantity: 0, stamp: null, limited: 'elsewhere' };
  assert.deepEqual(await reader.readStock([item]), [{ ok: true, value: elsewhere }]);
  const [product] = await reader.readProducts([created.externalId]);
  assert.deepEqual(product?.ok && product.value.variants[0]?.stock, elsewhere);
  const [unread] = await reader.writeStock([{ stockId: item, expected: 0, to: 4, key: 'k' }]);
  assert.equal(unread?.outcome, 'failed', 'nothing is put where the shop does not keep it');

  // This one has read it before it was taken away.
  const [prepared] = await connector.writeStock([{ stockId: item, expected: 0, to: 4, key: 'k0' }]);
  assert.equal(prepared?.outcome, 'withheld');
  // The level comes back with what it held before it was taken away: that is not what was expected, so the caller looks again.
  assert.deepEqual(await connector.writeStock([{ stockId: item, expected: 0, to: 4, key: 'k1' }]), [
    { outcome: 'stale' },
  ]);
  assert.deepEqual(await connector.writeStock([{ stockId: item, expected: 7, to: 4, key: 'k2' }]), [
    { outcome: 'applied' },
  ]);

  shop.sandbox.controls.setTracked(created.variants[0]?.externalId ?? '', false);
  await connector.readStock([item]);
  shop.sandbox.stats.reset();
  const [refused] = await connector.writeStock([{ stockId: item, expected: 4, to: 9, key: 'k3' }]);
  assert.ok(
    refused?.outcome === 'failed' && refused.error.kind === 'rejected' && refused.error.details.field === 'stock',
  );
  assert.equal(shop.sandbox.stats.requests, 0);
  await shop.close();
});

test('[C11] ids beyond 2^53 are carried as text through a read', async () => {
  const id = 'gid://shopify/Product/9007199254740993';
  const transport = graphqlTransport(({ operationName, variables }) => {
    if (operationName === 'ShopSetup')
      return {
        data: {
          shop: { id: 's', myshopifyDomain: 'x', currencyCode: 'USD', weightUnit: 'KILOGRAMS' },
          locations: {
            nodes: [{ id: 'gid://shopify/Location/9007199254740995', name: 'L', isActive: true, isPrimary: true }],
            pageInfo: { hasNextPage: false, endCursor: null },
          },
        },
      };
    assert.equal(variables['locationId'], 'gid://shopify/Location/9007199254740995');
    return {
      data: {
        location: { isActive: true },
        nodes: (variables['ids'] as string[]).map((itemId) => ({
          __typename: 'InventoryItem',
          id: itemId,
          tracked: false,
          inventoryLevel: null,
        })),
      },
    };
  });
  const shop = createInProcessShop();
  const connector = connectTo(shop, { transport, download: noDownload });
  const itemId = id.replace('Product', 'InventoryItem');
  assert.deepEqual(await connector.readStock([itemId]), [
    { ok: true, value: { tracked: false, quantity: 0, stamp: null } },
  ]);
  await shop.close();
});

test('over a real socket: create, read, stock, webhooks, scan', async () => {
  const shop = createInProcessShop();
  await shop.close();
  const { createShopifySandbox } = await import('../../sandbox/shopify/create-shopify-sandbox.ts');
  const sandbox = createShopifySandbox({ allowHttpWebhooks: true });
  const { origin } = await sandbox.listen();
  const { transport, download, close } = createUndiciTransport({ allowLocal: true });
  const clock = {
    now: () => Date.now(),
    brokenAt: () => 0,
    slowedAt: () => 0,
    wallNow: () => Date.now(),
    sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  };
  const connector = createShopifyConnector({
    shopDomain: normaliseShopDomain(origin, { allowLocal: true }),
    auth: { type: 'client_credentials', clientId: 'sandbox-client-id', clientSecret: 'sandbox-client-secret' },
    webhookSecrets: [],
    transport,
    download,
    clock,
    random: testRandom,
    log: silentLog,
  });
  try {
    const { info } = await connector.inspect();
    assert.equal(info?.identity, 'sandbox-shelf.myshopify.com');
    const created = await written(connector, createOf(1));
    const stockId = created.variants[0]?.stockId ?? '';
    assert.deepEqual(await connector.writeStock([{ stockId, expected: 7, to: 3, key: 'k' }]), [{ outcome: 'applied' }]);
    const { active } = await connector.ensureWebhooks('http://127.0.0.1:9/hook');
    assert.ok(active > 0);
    const pages: ScanPage[] = [];
    for await (const page of connector.scan({ resume: null })) pages.push(page);
    assert.deepEqual(
      pages.map(({ snapshots, isComplete }) => [snapshots.length, isComplete]),
      [[1, true]],
    );
    assert.equal(pages[0]?.snapshots[0]?.variants[0]?.stock.quantity, 3);
    assert.ok((connector.health().latencyP50Ms ?? 0) >= 0);
  } finally {
    await sandbox.close();
    await close();
  }
});

test('a shop of many locations shows all of them, and the mapped one is found at the end of them', async () => {
  const shop = createInProcessShop({ locations: Array.from({ length: 520 }, (_, i) => ({ name: `Branch ${i + 1}` })) });
  const last = shop.sandbox.controls.snapshot().locations.at(-1);
  assert.ok(last);
  const { info, findings } = await connectTo(shop, { locationId: last.id }).inspect();
  assert.equal(info?.locations.length, 520);
  assert.deepEqual(
    findings.filter(({ level }) => level === 'error').map(({ code }) => code),
    [],
  );
  await shop.close();
});

test('[C23] without the secret that deliveries are checked with, none is asked for', async () => {
  const shop = createInProcessShop();
  const callback = 'https://shelf.example/api/webhooks/str_1';
  const subscriptions = () => shop.sandbox.controls.snapshot().subscriptions.length;
  assert.ok((await connectTo(shop).ensureWebhooks(callback)).active > 0);
  assert.ok(subscriptions() > 0);
  const auth = { type: 'token', accessToken: 'shpat_sandbox_token' } as const;
  assert.deepEqual(await connectTo(shop, { auth }).ensureWebhooks(callback), { active: 0, repaired: 0 });
  assert.equal(subscriptions(), 0);
  await shop.close();
});

test('[C14] the doctor says where webhooks go, whether they are there, and where they can not come', async () => {
  const shop = createInProcessShop();
  const connector = connectTo(shop);
  const callback = 'https://shelf.example/api/webhooks/str_1';
  const about = async (url?: string | null, of = connector) =>
    (await of.inspect(undefined, url)).findings
      .filter(({ code }) => code.startsWith('WEBHOOK'))
      .map(({ code, level }) => `${code} ${level}`);
  assert.deepEqual(await about(), []);
  assert.deepEqual(await about(null), ['WEBHOOKS_NO_ADDRESS warning']);
  for (const url of ['http://shelf.example/h', 'https://127.0.0.1/h', 'https://192.168.1.9/h'])
    assert.deepEqual(await about(url), ['WEBHOOKS_UNDELIVERABLE warning'], url);
  assert.deepEqual(await about(callback), ['WEBHOOKS_DELIVERABLE ok']);
  await connector.ensureWebhooks(callback);
  assert.deepEqual(await about(callback), ['WEBHOOKS ok']);
  const [first] = shop.sandbox.controls.snapshot().subscriptions;
  await shop.graphql('mutation ($id: ID!) { webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId } }', {
    id: first?.id,
  });
  assert.deepEqual(await about(callback), ['WEBHOOKS_DISABLED warning']);
  const auth = { type: 'token', accessToken: 'shpat_sandbox_token' } as const;
  assert.deepEqual(await about(callback, connectTo(shop, { auth })), ['WEBHOOK_SECRET_MISSING warning']);
  await shop.close();
});
