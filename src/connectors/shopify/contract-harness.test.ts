import type { Connector } from '../../ports/connector.ts';
import { createOf, sizedProduct } from '../../testing/contract/fixtures.ts';
import type { ContractHarness, HarnessRequest } from '../../testing/contract/harness.ts';
import { signBase64 } from '../shared/hmac.ts';
import type { Transport } from '../shared/transport.ts';
import { createShopifyConnector } from './connector.ts';
import { createFaults } from './contract-faults.test.ts';
import { createHands } from './contract-hands.test.ts';
import { markKey } from './marks.ts';
import { createInProcessShop, type InProcessShop } from './sandbox-support.test.ts';
import { testRandom } from './test-support.ts';

const TOKEN = 'shpat_sandbox_token';
const SECRET = 'sandbox-client-secret';
const PREVIOUS_SECRET = 'sandbox-previous-secret';
const CALLBACK = 'https://twinshelf.example/webhooks/shopify/str_1';

/** The sandbox in this process as the contract suite wants a shop. `around`: what lies between it and the connector. */
export async function makeShopifyHarness(
  request: HarnessRequest,
  around: (transport: Transport) => Transport = (transport) => transport,
): Promise<ContractHarness> {
  const currency = request.currency ?? 'EUR';
  const pageSize = request.pageSize ?? 50;
  const shop = createInProcessShop({
    shop: { currencyCode: currency },
    locations: [{ name: 'Mapped' }, { name: 'Elsewhere' }],
    clientSecret: SECRET,
    clockSkewMs: request.clockSkewMs ?? 0,
  });
  const log: string[] = [];
  const logLine = (fields: object, message: string) => log.push(`${message} ${JSON.stringify(fields)}`);
  const faults = createFaults({
    transport: shop.transport,
    download: shop.download,
    sleep: (ms) => shop.time.sleep(ms),
    throttled: () => shop.sandbox.stats.throttled,
  });
  const connect = (): Connector =>
    createShopifyConnector({
      shopDomain: shop.sandbox.shopDomain,
      auth: { type: 'token', accessToken: TOKEN, apiSecret: SECRET },
      locationId: null,
      webhookSecrets: [SECRET, PREVIOUS_SECRET],
      transport: around(faults.transport),
      download: faults.download,
      clock: shop.time,
      random: testRandom,
      log: { debug: logLine, info: logLine, warn: logLine, error: logLine },
      pageSize,
    });
  const connector = connect();
  // A pair's first create defines its mark. The rules are about what comes after, so it is there already.
  for (const pairId of ['pair_contract', 'pair_one', 'pair_two']) await define(shop, markKey(pairId));
  const { locations } = shop.sandbox.controls.snapshot();
  const [mapped, elsewhere] = locations.map(({ id }) => id) as [string, string];
  const hands = createHands(shop, mapped, elsewhere, currency);

  return {
    connector,
    currency,
    cannot: {
      bin: 'Shopify has no bin',
      shut_skus: 'nothing stands before Shopify that looks through what is asked',
      huge_ids: 'the sandbox counts ids as numbers; webhook.test.ts and integration.test.ts hold [C11]',
    },
    unknown: { productId: 'gid://shopify/Product/987654321', stockId: 'gid://shopify/InventoryItem/987654321' },
    pageSize,
    shop: hands,
    faults: faults.controls,
    webhooks: {
      callbackUrl: CALLBACK,
      async list() {
        return shop.sandbox.controls.snapshot().subscriptions.map(({ id, uri }) => ({ id, url: uri, isActive: true }));
      },
      async addForeign(url) {
        await shop.graphql(
          'mutation($url: String!) { webhookSubscriptionCreate(topic: ORDERS_CREATE, webhookSubscription: { uri: $url }) { userErrors { message } } }',
          { url },
        );
      },
      async breakOne() {
        const ours = shop.sandbox.controls.snapshot().subscriptions.find(({ uri }) => uri === CALLBACK);
        await shop.graphql('mutation($id: ID!) { webhookSubscriptionDelete(id: $id) { userErrors { message } } }', {
          id: ours?.id,
        });
      },
      async take() {
        while (shop.sandbox.controls.pendingWebhooks() > 0) await shop.time.advance(100);
        return shop.deliveries.splice(0);
      },
      sign(body, secret) {
        const key = { current: SECRET, previous: PREVIOUS_SECRET, stranger: 'stranger-secret' }[secret];
        return {
          headers: {
            'x-shopify-topic': 'products/update',
            'x-shopify-webhook-id': 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
            'x-shopify-hmac-sha256': signBase64(body, key),
          },
          body,
        };
      },
    },
    secrets: [TOKEN, SECRET, PREVIOUS_SECRET],
    async refusedCreate() {
      // Two variants of one kind: the platform knows them apart by their options alone.
      const { fields, variants } = sizedProduct(1);
      return createOf({ fields, variants: [...variants, ...variants] });
    },
    captured: () => [...log, ...shop.urls],
    now: () => shop.time.now(),
    advance: (ms) => shop.time.advance(ms),
    settleSearch: () => shop.time.advance(1_000),
    reopen: () => Promise.resolve(connect()),
    close: () => shop.close(),
  };
}

async function define(shop: InProcessShop, key: string): Promise<void> {
  await shop.graphql(
    'mutation($d: MetafieldDefinitionInput!) { metafieldDefinitionCreate(definition: $d) { userErrors { code message } } }',
    { d: { name: key, namespace: 'twinshelf', key, ownerType: 'PRODUCT', type: 'id' } },
  );
}
