import { formatMinor } from '../../model/money.ts';
import type { Connector } from '../../ports/connector.ts';
import { describeConnectorContract } from '../../testing/contract/connector-contract.ts';
import { createOf, simpleProduct } from '../../testing/contract/fixtures.ts';
import {
  type ContractHarness,
  type FaultPlacement,
  type HarnessRequest,
  type InjectedFault,
  type ShopProduct,
  type ShopVariant,
  unavailable,
} from '../../testing/contract/harness.ts';
import { signBase64 } from '../shared/hmac.ts';
import { type HttpRequest, type HttpResponse, TransportError } from '../shared/transport.ts';
import { createShopifyConnector } from './connector.ts';
import { markKey } from './marks.ts';
import { createInProcessShop, type InProcessShop } from './sandbox-support.test.ts';
import { testRandom } from './test-support.ts';

const TOKEN = 'shpat_sandbox_token';
const SECRET = 'sandbox-client-secret';
const PREVIOUS_SECRET = 'sandbox-previous-secret';
const CALLBACK = 'https://twinshelf.example/webhooks/shopify/str_1';

describeConnectorContract('shopify on the sandbox', makeHarness);

async function makeHarness(request: HarnessRequest): Promise<ContractHarness> {
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
  const faults = createFaults(shop);
  const connect = (): Connector =>
    createShopifyConnector({
      shopDomain: shop.sandbox.shopDomain,
      auth: { type: 'token', accessToken: TOKEN, apiSecret: SECRET },
      locationId: null,
      webhookSecrets: [SECRET, PREVIOUS_SECRET],
      transport: faults.transport,
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
      // A handle that is taken: only the platform can know.
      const product = simpleProduct();
      await hands.addProduct(product);
      return createOf(simpleProduct({ handle: product.fields.handle }));
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

/** The merchant's and the shopper's hands: plain calls of the API with mappings of their own, and the sandbox's controls. */
function createHands(
  shop: InProcessShop,
  mapped: string,
  elsewhere: string,
  currency: string,
): ContractHarness['shop'] {
  const { controls } = shop.sandbox;
  const money = (minor: number | null) => (minor === null ? null : formatMinor(minor, currency));
  const prices = ({ price }: Pick<ShopVariant['fields'], 'price'>) => ({
    price: money(price.saleMinor ?? price.regularMinor),
    compareAtPrice: price.saleMinor === null ? null : money(price.regularMinor),
  });
  const variantOf = (stockId: string) => {
    const row = controls.listShelf().find(({ inventoryItemId }) => inventoryItemId === stockId);
    if (!row) throw new Error(`no variant of ${stockId}`);
    return row.variantId;
  };
  const levelOf = (stockId: string) =>
    controls.levelsOf(variantOf(stockId)).find(({ locationId }) => locationId === mapped);

  return {
    async addProduct({ fields, variants }: ShopProduct) {
      const names = fields.optionNames.length === 0 ? ['Title'] : fields.optionNames;
      const valuesOf = (variant: ShopVariant) =>
        fields.optionNames.length === 0 ? ['Default Title'] : variant.fields.optionValues;
      const input = {
        title: fields.title,
        descriptionHtml: fields.descriptionHtml,
        status: fields.status.toUpperCase(),
        tags: fields.tags,
        handle: fields.handle,
        productOptions: names.map((name, at) => ({
          name,
          values: [...new Set(variants.map((variant) => valuesOf(variant)[at]))].map((value) => ({ name: value })),
        })),
        variants: variants.map((variant) => ({
          optionValues: names.map((optionName, at) => ({ optionName, name: valuesOf(variant)[at] })),
          ...prices(variant.fields),
          barcode: variant.fields.barcode,
          inventoryPolicy: variant.fields.backorders === 'no' ? 'DENY' : 'CONTINUE',
          inventoryItem: {
            sku: variant.fields.sku,
            tracked: variant.stock.tracked,
            ...(variant.fields.weightMg === null
              ? {}
              : { measurement: { weight: { unit: 'GRAMS', value: variant.fields.weightMg / 1000 } } }),
          },
          inventoryQuantities: [{ locationId: mapped, name: 'available', quantity: variant.stock.quantity }],
        })),
      };
      const data = (await shop.graphql(
        `mutation($input: ProductSetInput!) { productSet(input: $input) {
          product { id variants(first: 250) { nodes { id inventoryItem { id } } } } userErrors { code field message } } }`,
        { input },
      )) as unknown as {
        productSet: { product: { id: string; variants: { nodes: { id: string; inventoryItem: { id: string } }[] } } };
      };
      const { product } = data.productSet;
      return {
        externalId: product.id,
        variants: product.variants.nodes.map(({ id, inventoryItem }) => ({
          externalId: id,
          stockId: inventoryItem.id,
        })),
      };
    },
    async editProduct(externalId, fields) {
      controls.updateProduct(externalId, {
        ...fields,
        ...(fields.status === undefined ? {} : { status: fields.status.toUpperCase() as 'ACTIVE' }),
      } as Parameters<typeof controls.updateProduct>[1]);
    },
    async editVariant(productId, variantId, fields) {
      const variant = {
        id: variantId,
        ...(fields.price === undefined ? {} : prices({ price: fields.price })),
        ...(fields.barcode === undefined ? {} : { barcode: fields.barcode }),
        ...(fields.sku === undefined ? {} : { inventoryItem: { sku: fields.sku } }),
      };
      await shop.graphql(
        'mutation($id: ID!, $v: [ProductVariantsBulkInput!]!) { productVariantsBulkUpdate(productId: $id, variants: $v) { userErrors { message } } }',
        { id: productId, v: [variant] },
      );
    },
    async sell(stockId, count) {
      controls.placeOrder([{ variant: variantOf(stockId), quantity: count }]);
    },
    async setStock(stockId, quantity) {
      controls.recount(variantOf(stockId), quantity, mapped);
    },
    async quantity(stockId) {
      return levelOf(stockId)?.available ?? 0;
    },
    async unstock(stockId) {
      const activate = `mutation($item: ID!, $location: ID!) {
        inventoryActivate(inventoryItemId: $item, locationId: $location) @idempotent(key: "a-${stockId}") { userErrors { message } } }`;
      await shop.graphql(activate, { item: stockId, location: elsewhere });
      const data = (await shop.graphql(
        'query($id: ID!, $location: ID!) { inventoryItem(id: $id) { inventoryLevel(locationId: $location) { id } } }',
        { id: stockId, location: mapped },
      )) as unknown as { inventoryItem: { inventoryLevel: { id: string } } };
      await shop.graphql(
        `mutation($id: ID!) { inventoryDeactivate(inventoryLevelId: $id) @idempotent(key: "d-${stockId}") { userErrors { message } } }`,
        { id: data.inventoryItem.inventoryLevel.id },
      );
    },
    trash: unavailable('bin'),
    restore: unavailable('bin'),
    async destroy(externalId) {
      controls.deleteProduct(externalId);
    },
    async peek(externalId) {
      const data = await shop.graphql(
        `query($id: ID!) { product(id: $id) { title descriptionHtml status tags handle updatedAt
          metafields(first: 20) { nodes { namespace key value } }
          variants(first: 250) { nodes { id sku barcode price compareAtPrice inventoryPolicy updatedAt
            inventoryItem { tracked inventoryLevels(first: 5) { nodes { quantities(names: ["available", "on_hand"]) { name quantity } } } } } } } }`,
        { id: externalId },
      );
      return data['product'] ?? null;
    },
    async revokeCredentials() {
      controls.setFault(() => ({
        kind: 'status',
        status: 401,
        body: { errors: '[API] Invalid API key or access token' },
      }));
    },
    async restoreCredentials() {
      controls.setFault(null);
    },
  };
}

/** Faults sit between the connector and the sandbox, so that a timeout takes virtual time and the sandbox itself stays whole. */
function createFaults(shop: InProcessShop) {
  let armed: { fault: InjectedFault; placement: FaultPlacement; left: number; skip: number } | null = null;
  let fired = 0;
  const counts = { read: 0, write: 0 };

  function strike(kind: 'read' | 'write'): InjectedFault | null {
    if (armed === null || (armed.placement.on !== 'any' && armed.placement.on !== kind)) return null;
    if (armed.skip > 0) {
      armed.skip -= 1;
      return null;
    }
    if (armed.left <= 0) return null;
    armed.left -= 1;
    fired += 1;
    return armed.fault;
  }

  // Starting a listing is a mutation by name only: it changes nothing in the shop.
  const kindOf = ({ body }: HttpRequest): 'read' | 'write' =>
    /"query":"mutation (?!BulkRunQuery)/.test(String(body ?? '')) ? 'write' : 'read';

  async function transport(request: HttpRequest): Promise<HttpResponse> {
    if (request.signal?.aborted) throw new TransportError('before_send', 'aborted', 'cancelled');
    const kind = kindOf(request);
    counts[kind] += 1;
    const fault = strike(kind);
    if (fault === null) return await shop.transport(request);
    if ('when' in fault && fault.when === 'after') await shop.transport(request);
    return await answerOf(fault, request);
  }

  async function answerOf(fault: InjectedFault, request: HttpRequest): Promise<HttpResponse> {
    const text = (body: string) => new TextEncoder().encode(body);
    switch (fault.type) {
      case 'rate_limited':
        return { status: 429, headers: { 'retry-after': (fault.retryAfterMs / 1000).toFixed(1) }, body: text('{}') };
      case 'server_error':
        return { status: 502, headers: {}, body: text('<html>Bad gateway</html>') };
      case 'malformed':
        return { status: 200, headers: { 'content-type': 'text/html' }, body: text('<html>Welcome</html>') };
      case 'html_404':
        return { status: 404, headers: { 'content-type': 'text/html' }, body: text('<html>Not found</html>') };
      case 'connection_lost':
        throw new TransportError('after_send', 'connection_lost', 'connection lost');
      case 'timeout':
        await shop.time.sleep(Math.min(request.timeoutMs, 5_000));
        throw new TransportError('after_send', 'timeout', 'no answer');
    }
  }

  return {
    transport,
    async download(request: HttpRequest) {
      counts.read += 1;
      const fault = strike('read');
      if (fault !== null) return { ...(await answerOf(fault, request)), chunks: none() };
      const download = await shop.download(request);
      async function* chunks() {
        for await (const chunk of download.chunks) {
          // A store that fails while a file is on its way cuts it.
          if (armed !== null && strike('read') !== null)
            throw new TransportError('after_send', 'connection_lost', 'cut');
          yield chunk;
        }
      }
      return { ...download, chunks: chunks() };
    },
    controls: {
      supported: ['rate_limited', 'server_error', 'timeout', 'connection_lost', 'malformed', 'html_404'],
      inject(fault: InjectedFault, placement: FaultPlacement) {
        armed = { fault, placement, left: placement.times ?? 1, skip: placement.skip ?? 0 };
      },
      clear() {
        armed = null;
      },
      firedCount: () => fired,
      requestCount: (kind: 'read' | 'write') => counts[kind],
      ownThrottleCount: () => shop.sandbox.stats.throttled,
    } satisfies ContractHarness['faults'],
  };
}

async function* none(): AsyncGenerator<Uint8Array> {}
