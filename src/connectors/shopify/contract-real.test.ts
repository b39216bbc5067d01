import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Clock } from '../../ports/clock.ts';
import type { Connector } from '../../ports/connector.ts';
import { systemClock } from '../../system/clock.ts';
import { systemRandom } from '../../system/random.ts';
import { describeConnectorContract } from '../../testing/contract/connector-contract.ts';
import { createOf, sizedProduct, unique } from '../../testing/contract/fixtures.ts';
import { type ContractHarness, type HarnessRequest, unavailable } from '../../testing/contract/harness.ts';
import { REAL_STORE_TIMEOUT_MS } from '../../testing/contract/rule.ts';
import { signBase64 } from '../shared/hmac.ts';
import { createUndiciTransport } from '../shared/undici-transport.ts';
import { API_VERSION } from './api-version.ts';
import { createShopifyConnector } from './connector.ts';
import { createFaults } from './contract-faults.test.ts';
import { createApiHands, type GraphqlCall } from './contract-hands.test.ts';
import { markKey } from './marks.ts';
import { normaliseShopDomain, shopOrigin } from './shop-domain.ts';

/**
 * The contract held against a real Shopify shop:
 *
 *   TWINSHELF_SHOPIFY_SHOP=example.myshopify.com TWINSHELF_SHOPIFY_TOKEN=shpat_... \
 *     node --test src/connectors/shopify/contract-real.test.ts
 *
 * It leaves test products behind: give it a development store that is made for it, with two locations. A sandbox in a process of its own is one, too:
 * `node src/sandbox/shopify/serve.ts --port 4001 --token shpat_...`, and 127.0.0.1:4001 for the shop.
 */
const { TWINSHELF_SHOPIFY_SHOP, TWINSHELF_SHOPIFY_TOKEN } = process.env;

const WEBHOOK_SECRET = 'secret-that-signs-deliveries';
const PREVIOUS_SECRET = 'the-secret-before-the-rotation';
/** The longest that a test really waits; the rest of what it asks for passes on the connector's clock alone. */
const REAL_WAIT_MAX_MS = 2_500;
/** How late a search index is taken to be. */
const SEARCH_LAG_MS = 5_000;

interface RealShop {
  readonly domain: string;
  readonly token: string;
}

/** A line of the hands' own, so that faults and counts are the connector's alone. Waits out the shop's rate. */
function createCall({ domain, token }: RealShop): GraphqlCall {
  return async (query, variables = {}) => {
    for (;;) {
      const answer = await fetch(`${shopOrigin(domain)}/admin/api/${API_VERSION.handle}/graphql.json`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-shopify-access-token': token },
        body: JSON.stringify({ query, variables }),
      });
      const body = (await answer.json()) as {
        data?: Record<string, unknown> | null;
        errors?: { extensions?: { code?: string } }[];
      };
      if (body.errors?.some(({ extensions }) => extensions?.code === 'THROTTLED')) {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        continue;
      }
      assert.ok(body.data && body.errors === undefined, JSON.stringify(body));
      for (const payload of Object.values(body.data) as ({ userErrors?: unknown[] } | null)[])
        assert.deepEqual(payload?.userErrors ?? [], [], JSON.stringify(payload));
      return body.data;
    }
  };
}

async function definePairMarks(graphql: GraphqlCall): Promise<void> {
  for (const pairId of ['pair_contract', 'pair_one', 'pair_two']) {
    const key = markKey(pairId);
    const found = await graphql(
      'query($key: String!) { metafieldDefinitions(first: 1, ownerType: PRODUCT, namespace: "twinshelf", key: $key) { nodes { id } } }',
      { key },
    );
    if ((found['metafieldDefinitions'] as { nodes: unknown[] }).nodes.length > 0) continue;
    await graphql(
      'mutation($d: MetafieldDefinitionInput!) { metafieldDefinitionCreate(definition: $d) { userErrors { code message } } }',
      { d: { name: key, namespace: 'twinshelf', key, ownerType: 'PRODUCT', type: 'id' } },
    );
  }
}

/** What the sandbox's controls do there, by the API. */
function createHands(
  graphql: GraphqlCall,
  mapped: string,
  elsewhere: string,
  currency: string,
): ContractHarness['shop'] {
  const available = async (stockId: string): Promise<number> => {
    const data = (await graphql(
      'query($id: ID!, $location: ID!) { inventoryItem(id: $id) { inventoryLevel(locationId: $location) { quantities(names: ["available"]) { quantity } } } }',
      { id: stockId, location: mapped },
    )) as { inventoryItem: { inventoryLevel: { quantities: { quantity: number }[] } | null } | null };
    return data.inventoryItem?.inventoryLevel?.quantities[0]?.quantity ?? 0;
  };
  const change = (input: object) =>
    graphql(
      `mutation($input: InventorySetQuantitiesInput!) {
        inventorySetQuantities(input: $input) @idempotent(key: "${randomUUID()}") { userErrors { code message } } }`,
      { input: { name: 'available', reason: 'correction', ...input } },
    );
  return {
    ...createApiHands(graphql, mapped, elsewhere, currency),
    async editProduct(id, { status, ...fields }) {
      await graphql(
        'mutation($p: ProductUpdateInput!) { productUpdate(product: $p) { userErrors { field message } } }',
        { p: { id, ...fields, ...(status === undefined ? {} : { status: status.toUpperCase() }) } },
      );
    },
    // Taken off by hand: orders of a development store are limited to five a minute.
    async sell(stockId, count) {
      const delta = { inventoryItemId: stockId, locationId: mapped, delta: -count };
      await graphql(
        `mutation($input: InventoryAdjustQuantitiesInput!) {
          inventoryAdjustQuantities(input: $input) @idempotent(key: "${randomUUID()}") { userErrors { code message } } }`,
        {
          input: {
            name: 'available',
            reason: 'correction',
            changes: [{ ...delta, changeFromQuantity: await available(stockId) }],
          },
        },
      );
    },
    async setStock(stockId, quantity) {
      await change({
        quantities: [{ inventoryItemId: stockId, locationId: mapped, quantity, changeFromQuantity: null }],
      });
    },
    quantity: available,
    trash: unavailable('bin'),
    restore: unavailable('bin'),
    async destroy(id) {
      await graphql('mutation($id: ID!) { productDelete(input: { id: $id }) { userErrors { field message } } }', {
        id,
      });
    },
    revokeCredentials: unavailable('revoke'),
    restoreCredentials: unavailable('revoke'),
  };
}

async function makeHarness(real: RealShop, { pageSize = 50 }: HarnessRequest): Promise<ContractHarness> {
  const graphql = createCall(real);
  let skippedMs = 0;
  const clock: Clock = {
    now: () => systemClock.now() + skippedMs,
    brokenAt: () => systemClock.brokenAt(),
    slowedAt: () => systemClock.slowedAt(),
    wallNow: () => systemClock.wallNow() + skippedMs,
    sleep: (ms, signal) => systemClock.sleep(ms, signal),
  };
  const sockets = createUndiciTransport({ allowLocal: true });
  const urls: string[] = [];
  const faults = createFaults({
    transport: (request) => {
      urls.push(request.url);
      return sockets.transport(request);
    },
    download: (request) => sockets.download(request),
    // A request that is never answered need not be waited for: that it failed after it was sent is all that counts.
    sleep: async () => {},
    throttled: () => null,
  });
  const logged: string[] = [];
  const note = (fields: object, message: string) => logged.push(`${message} ${JSON.stringify(fields)}`);
  const open = (): Connector =>
    createShopifyConnector({
      shopDomain: real.domain,
      auth: { type: 'token', accessToken: real.token, apiSecret: WEBHOOK_SECRET },
      webhookSecrets: [WEBHOOK_SECRET, PREVIOUS_SECRET],
      transport: faults.transport,
      download: faults.download,
      clock,
      random: systemRandom,
      log: { debug: note, info: note, warn: note, error: note },
      pageSize,
    });
  await definePairMarks(graphql);
  const connector = open();
  const { info } = await connector.inspect();
  assert.ok(info, 'the shop answers');
  const mapped = info.locations.find(({ isDefault }) => isDefault === true)?.id ?? '';
  const elsewhere = info.locations.find(({ id, isActive }) => id !== mapped && isActive)?.id;
  const callbackUrl = `https://twinshelf.example/webhooks/shopify/${unique()}`;
  const made: string[] = [];
  const subscriptions = async () => {
    const data = (await graphql('{ webhookSubscriptions(first: 250) { nodes { id uri } } }')) as {
      webhookSubscriptions: { nodes: { id: string; uri: string }[] };
    };
    return data.webhookSubscriptions.nodes;
  };
  const drop = (id: string | undefined) =>
    graphql('mutation($id: ID!) { webhookSubscriptionDelete(id: $id) { userErrors { message } } }', { id });
  const advance = async (ms: number) => {
    const waitMs = Math.min(ms, REAL_WAIT_MAX_MS);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    skippedMs += ms - waitMs;
  };
  return {
    connector,
    currency: info.currency,
    cannot: {
      bin: 'Shopify has no bin',
      shut_skus: 'nothing stands before Shopify that looks through what is asked',
      huge_ids: 'ids of a real shop are what they are',
      clock_skew: "a real shop's clock can't be set from here",
      revoke: "a token can't be withdrawn through the API",
      empty_store: 'a real shop is shared by all tests',
      deliveries: 'Shopify does not deliver to here',
      days: 'a real day is too long for a test',
      ...(elsewhere === undefined ? { unstocked: 'the shop has one location only' } : {}),
    },
    unknown: { productId: 'gid://shopify/Product/987654321', stockId: 'gid://shopify/InventoryItem/987654321' },
    pageSize,
    shop: createHands(graphql, mapped, elsewhere ?? '', info.currency),
    faults: faults.controls,
    webhooks: {
      callbackUrl,
      list: async () => (await subscriptions()).map(({ id, uri }) => ({ id, url: uri, isActive: true })),
      async addForeign(url) {
        await graphql(
          'mutation($url: String!) { webhookSubscriptionCreate(topic: ORDERS_CREATE, webhookSubscription: { uri: $url }) { userErrors { message } } }',
          { url },
        );
        made.push(url);
      },
      breakOne: async () => {
        await drop((await subscriptions()).find(({ uri }) => uri === callbackUrl)?.id);
      },
      take: unavailable('deliveries'),
      sign: (body, secret) => ({
        headers: {
          'x-shopify-topic': 'products/update',
          'x-shopify-webhook-id': randomUUID(),
          'x-shopify-hmac-sha256': signBase64(
            body,
            { current: WEBHOOK_SECRET, previous: PREVIOUS_SECRET, stranger: 'x' }[secret],
          ),
        },
        body,
      }),
    },
    secrets: [real.token, WEBHOOK_SECRET, PREVIOUS_SECRET],
    async refusedCreate() {
      const { fields, variants } = sizedProduct(1);
      return createOf({ fields, variants: [...variants, ...variants] });
    },
    captured: () => [...logged, ...urls],
    now: () => clock.now(),
    advance,
    settleSearch: () => new Promise((resolve) => setTimeout(resolve, SEARCH_LAG_MS)),
    reopen: () => Promise.resolve(open()),
    async close() {
      for (const { id, uri } of await subscriptions()) if (uri === callbackUrl || made.includes(uri)) await drop(id);
      await sockets.close();
    },
  };
}

if (TWINSHELF_SHOPIFY_SHOP && TWINSHELF_SHOPIFY_TOKEN) {
  const real: RealShop = {
    domain: normaliseShopDomain(TWINSHELF_SHOPIFY_SHOP, { allowLocal: true }),
    token: TWINSHELF_SHOPIFY_TOKEN,
  };
  describeConnectorContract('shopify, a real shop', (request) => makeHarness(real, request), {
    timeoutMs: REAL_STORE_TIMEOUT_MS,
  });
} else {
  test('the contract against a real Shopify shop', { skip: 'TWINSHELF_SHOPIFY_SHOP and _TOKEN are not set' });
}
