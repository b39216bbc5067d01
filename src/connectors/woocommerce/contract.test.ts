import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minorDigits } from '../../model/money.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Connector, RawDelivery } from '../../ports/connector.ts';
import { createWooSandbox, type WooSandbox } from '../../sandbox/woocommerce/create-woo-sandbox.ts';
import type { Delivery } from '../../sandbox/woocommerce/environment.ts';
import { describeConnectorContract } from '../../testing/contract/connector-contract.ts';
import { createOf, simpleProduct, unique } from '../../testing/contract/fixtures.ts';
import type { ContractHarness, HarnessRequest, ShopControls } from '../../testing/contract/harness.ts';
import { SeededRandom, seededRandomPort } from '../../testing/simulator/random.ts';
import { VirtualClock } from '../../testing/simulator/virtual-clock.ts';
import { signBase64 } from '../shared/hmac.ts';
import type { Transport } from '../shared/transport.ts';
import { createWooConnector } from './connector.ts';
import { createHands } from './contract-hands.test.ts';
import { FaultyWire } from './contract-wire.test.ts';
import { isPing } from './webhook.ts';

const SITE = 'https://shop.sandbox.example';
const CALLBACK_URL = 'https://twinshelf.example/hooks/woocommerce/str_1';
const KEY = { key: 'ck_0123456789abcdef0123456789abcdef', secret: 'cs_fedcba9876543210fedcba9876543210' };
const WEBHOOK_SECRET = 'secret-that-signs-deliveries';
const PREVIOUS_SECRET = 'the-secret-before-the-rotation';

async function makeHarness({ currency = 'EUR', pageSize, clockSkewMs = 0 }: HarnessRequest): Promise<ContractHarness> {
  const hands = new VirtualClock();
  const stop = hands.autoRun();
  // A limit that is lifted has run out: whoever was told to wait two minutes finds them over.
  let liftedMs = 0;
  const now = () => hands.now() + liftedMs;
  const clock: Clock = {
    now,
    brokenAt: () => 0,
    slowedAt: () => 0,
    wallNow: now,
    sleep: (ms, signal) => hands.sleep(ms, signal),
  };
  const random = new SeededRandom('woocommerce contract');
  const storeNow = () => clock.now() + clockSkewMs;
  const deliveries: Delivery[] = [];
  const sandbox = createWooSandbox({
    siteUrl: SITE,
    currency,
    priceDecimals: minorDigits(currency),
    weightUnit: 'lbs',
    requireHttps: true,
    keys: [{ ...KEY, permissions: 'read_write' }],
    environment: {
      now: storeNow,
      setTimer: (run, ms) => hands.setTimer(run, ms),
      clearTimer: (timer) => hands.clearTimer(timer as ReturnType<VirtualClock['setTimer']>),
      deliver: async (delivery) => {
        deliveries.push(delivery);
        return { status: 200 };
      },
      random: () => random.unit(),
    },
  });
  await sandbox.app.ready();
  const wire = new FaultyWire(storeOf(sandbox, storeNow), (ms) => clock.sleep(ms), storeNow);
  const logged: string[] = [];
  const note = (fields: unknown, message: string) => logged.push(`${message} ${JSON.stringify(fields)}`);
  const open = (): Connector =>
    createWooConnector({
      url: SITE,
      consumerKey: KEY.key,
      consumerSecret: KEY.secret,
      webhookSecrets: [WEBHOOK_SECRET, PREVIOUS_SECRET],
      transport: wire.transport,
      clock,
      random: seededRandomPort(random, clock),
      log: { debug: note, info: note, warn: note, error: note },
      ...(pageSize === undefined ? {} : { pageSize }),
    });
  const { controls } = sandbox;
  const shop = shopOf(sandbox, currency);
  return {
    connector: open(),
    currency,
    cannot: {
      duplicate_skus: 'WooCommerce keeps SKUs unique',
      unstocked: 'WooCommerce has one place for stock',
      huge_ids: 'the sandbox counts ids in numbers; exact ids are held by ids.test.ts',
    },
    unknown: { productId: '999999', stockId: 'p:999999' },
    pageSize: pageSize ?? 100,
    shop,
    faults: {
      supported: ['rate_limited', 'server_error', 'timeout', 'connection_lost', 'malformed', 'html_404'],
      inject: (fault, placement) => wire.inject(fault, placement),
      shutSku: (sku) => void wire.shutSkus.add(sku.toLowerCase()),
      clear: () => {
        liftedMs += wire.clear();
      },
      firedCount: () => wire.firedCount,
      requestCount: (kind) => wire.requestCounts[kind],
      ownThrottleCount: () => null,
    },
    webhooks: {
      callbackUrl: CALLBACK_URL,
      list: async () =>
        controls.webhooks().map(({ id, deliveryUrl, status }) => ({
          id: String(id),
          url: deliveryUrl,
          isActive: status === 'active',
        })),
      addForeign: async (url) => {
        await call(sandbox, 'POST', '/webhooks', { name: 'other', topic: 'order.updated', delivery_url: url });
      },
      breakOne: async () => {
        const hook = controls.webhooks().find(({ deliveryUrl }) => deliveryUrl === CALLBACK_URL)!;
        await call(sandbox, 'PUT', `/webhooks/${hook.id}`, { status: 'disabled' });
      },
      take: async () => {
        await controls.runQueue();
        await controls.settle();
        return deliveries
          .splice(0)
          .map(rawDelivery)
          .filter(({ headers, body }) => !isPing(headers, body));
      },
      sign: (body, secret) => ({
        headers: {
          'content-type': 'application/json',
          'x-wc-webhook-topic': 'product.updated',
          'x-wc-webhook-delivery-id': unique(),
          'x-wc-webhook-signature': signBase64(
            body,
            { current: WEBHOOK_SECRET, previous: PREVIOUS_SECRET, stranger: 'x' }[secret],
          ),
        },
        body,
      }),
    },
    secrets: [KEY.key, KEY.secret, WEBHOOK_SECRET, PREVIOUS_SECRET],
    refusedCreate: async () => {
      const sku = `TAKEN-${unique()}`;
      await shop.addProduct(simpleProduct({}, { sku }));
      return createOf(simpleProduct({}, { sku }));
    },
    captured: () => [...logged, ...wire.urls],
    now: () => clock.now(),
    advance: (ms) => clock.sleep(ms),
    settleSearch: async () => {},
    reopen: async () => open(),
    async close() {
      stop();
      await sandbox.close();
    },
  };
}

function rawDelivery(delivery: Delivery): RawDelivery {
  const headers = Object.fromEntries(
    Object.entries(delivery.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return { headers, body: new TextEncoder().encode(delivery.body) };
}

/** Straight at the store's API with a key of its own, past the connector. */
async function call(
  sandbox: WooSandbox,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const response = await sandbox.app.inject({
    method: method as 'GET',
    url: `/wp-json/wc/v3${path}`,
    headers: {
      authorization: `Basic ${Buffer.from(`${KEY.key}:${KEY.secret}`).toString('base64')}`,
      'x-forwarded-proto': 'https',
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${response.body}`);
  return response.json();
}

function shopOf(sandbox: WooSandbox, currency: string): ShopControls {
  const { controls } = sandbox;
  const keys = [{ ...KEY, permissions: 'read_write' as const }];
  const numberOf = (stockId: string) => Number(stockId.split(':').at(-1));
  return {
    ...createHands((method, path, body) => call(sandbox, method, path, body), currency, 453_592.37),
    async sell(stockId, count) {
      controls.placeOrder([{ ref: numberOf(stockId), quantity: count }]);
    },
    async setStock(stockId, quantity) {
      controls.recount(numberOf(stockId), quantity);
    },
    async trash(externalId) {
      controls.trashProduct(Number(externalId));
    },
    async restore(externalId) {
      controls.restoreProduct(Number(externalId));
    },
    async destroy(externalId) {
      controls.deleteProduct(Number(externalId), true);
    },
    async revokeCredentials() {
      controls.setKeys([]);
    },
    async restoreCredentials() {
      controls.setKeys(keys);
    },
  };
}

/** The sandbox' own app as the far end of the wire. */
function storeOf(sandbox: WooSandbox, storeNow: () => number): Transport {
  return async (request) => {
    const url = new URL(request.url);
    const response = await sandbox.app.inject({
      method: request.method as 'GET',
      url: `${url.pathname}${url.search}`,
      headers: { ...request.headers, 'x-forwarded-proto': 'https' },
      ...(request.body === undefined ? {} : { payload: request.body as string }),
    });
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(response.headers)) headers[name] = String(value);
    const date = new Date(storeNow()).toUTCString();
    return { status: response.statusCode, headers: { ...headers, date }, body: response.rawPayload };
  };
}

test('a write that is lost after it was sent is counted as sent when the store has it, and not before', async () => {
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const store = async () => {
    await arrival;
    return { status: 200, headers: {}, body: new Uint8Array() };
  };
  const wire = new FaultyWire(store, async () => {}, Date.now);
  wire.inject({ type: 'timeout', when: 'after' }, { on: 'write' });
  const writing = wire.transport({ method: 'POST', url: 'http://store', headers: {}, body: '{"a":1}', timeoutMs: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(wire.requestCounts.write, 0);
  arrive();
  await assert.rejects(writing, { phase: 'after_send' });
  assert.equal(wire.requestCounts.write, 1);
});

describeConnectorContract('woocommerce on the sandbox', makeHarness);
