import { test } from 'node:test';
import type { Clock } from '../../ports/clock.ts';
import type { Connector } from '../../ports/connector.ts';
import { systemClock } from '../../system/clock.ts';
import { systemRandom } from '../../system/random.ts';
import { describeConnectorContract } from '../../testing/contract/connector-contract.ts';
import { createOf, simpleProduct, unique } from '../../testing/contract/fixtures.ts';
import { type ContractHarness, type HarnessRequest, unavailable } from '../../testing/contract/harness.ts';
import { REAL_STORE_TIMEOUT_MS } from '../../testing/contract/rule.ts';
import { createHttpClient } from '../shared/client.ts';
import { createHealthMeter } from '../shared/health-meter.ts';
import { signBase64 } from '../shared/hmac.ts';
import { createRateGate } from '../shared/rate-gate.ts';
import { createUndiciTransport } from '../shared/undici-transport.ts';
import { createWooClient } from './client.ts';
import { createWooConnector } from './connector.ts';
import { createHands, type RestCall } from './contract-hands.test.ts';
import { receiveDeliveries } from './contract-receiver.test.ts';
import { FaultyWire } from './contract-wire.test.ts';
import { readStoreFacts } from './store-facts.ts';
import { normaliseStoreUrl } from './store-url.ts';
import { importWeight } from './weight.ts';

/**
 * The contract held against a real WooCommerce:
 *
 *   TWINSHELF_WOOCOMMERCE_URL=http://127.0.0.1:8000 TWINSHELF_WOOCOMMERCE_KEY=ck_... TWINSHELF_WOOCOMMERCE_SECRET=cs_... \
 *     node --test src/connectors/woocommerce/contract-real.test.ts
 *
 * TWINSHELF_WOOCOMMERCE_CALLBACK=http://127.0.0.1:8080 adds the rules about what the shop really posts, a quarter of an hour: an address of
 * this machine that the shop reaches and WordPress posts to, which is its own host on port 8080.
 *
 * It takes its test products away again, and leaves orders, tags and what lies in the bin behind: give it a shop that is made for it.
 * A sandbox in a process of its own is one, too: `node src/sandbox/woocommerce/serve.ts --port 8000`, with the key and secret that it prints.
 */
const { TWINSHELF_WOOCOMMERCE_URL, TWINSHELF_WOOCOMMERCE_KEY, TWINSHELF_WOOCOMMERCE_SECRET } = process.env;
const { TWINSHELF_WOOCOMMERCE_CALLBACK } = process.env;

const CALLBACK_ROOT = TWINSHELF_WOOCOMMERCE_CALLBACK ?? 'https://twinshelf.example/hooks/woocommerce';
const WEBHOOK_SECRET = 'secret-that-signs-deliveries';
const PREVIOUS_SECRET = 'the-secret-before-the-rotation';
const UNKNOWN_ID = '999999999';
/** The longest that a test really waits; the rest of what it asks for passes on the connector's clock alone. */
const REAL_WAIT_MAX_MS = 2_500;

/** How the address of every product begins that a test of this run makes, see `testing/contract/fixtures.ts`. */
const MADE_BY_THIS_RUN = `contract-${unique().replace(/-\w+$/, '')}-`;

interface RealStore {
  readonly url: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
}

async function makeHarness(store: RealStore, { pageSize }: HarnessRequest): Promise<ContractHarness> {
  let skippedMs = 0;
  const clock: Clock = {
    now: () => systemClock.now() + skippedMs,
    brokenAt: () => systemClock.brokenAt(),
    slowedAt: () => systemClock.slowedAt(),
    wallNow: () => systemClock.wallNow() + skippedMs,
    sleep: (ms, signal) => systemClock.sleep(ms, signal),
  };
  const sockets = createUndiciTransport({ allowLocal: true });
  // A request that is never answered need not be waited for: that it failed after it was sent is all that counts.
  const wire = new FaultyWire(sockets.transport, async () => {}, Date.now);
  const logged: string[] = [];
  const note = (fields: unknown, message: string) => logged.push(`${message} ${JSON.stringify(fields)}`);
  const log = { debug: note, info: note, warn: note, error: note };
  const open = (): Connector =>
    createWooConnector({
      ...store,
      version: environment.version,
      webhookSecrets: [WEBHOOK_SECRET, PREVIOUS_SECRET],
      transport: wire.transport,
      clock,
      random: systemRandom,
      log,
      ...(pageSize === undefined ? {} : { pageSize }),
    });
  // The hands have a line of their own, so that faults and counts are the connector's alone.
  const client = createWooClient({
    ...store,
    http: createHttpClient({
      transport: sockets.transport,
      gate: createRateGate({ clock: systemClock, requestsPerSecond: 100 }),
      health: createHealthMeter(systemClock),
      clock: systemClock,
      random: systemRandom,
      log,
      secrets: [store.consumerSecret],
    }),
    clock: systemClock,
    random: systemRandom,
    readTimeoutMs: 30_000,
    writeTimeoutMs: 60_000,
  });
  const call: RestCall = async (method, path, body) => {
    const { pathname, searchParams } = new URL(path, 'http://path');
    const query = Object.fromEntries(searchParams);
    const answer =
      method === 'GET'
        ? await client.get(pathname, { query })
        : await client.send(method as 'POST', pathname, body, { query });
    return answer.data as Record<string, unknown>;
  };
  const { environment } = (await call('GET', '/system_status?_fields=environment')) as {
    environment: { version: string };
  };
  const facts = await readStoreFacts(client, store.url, environment.version);
  const shop = createHands(call, facts.currency, importWeight('1', facts.weightUnit) ?? 1);
  const connector = open();
  // Which way of signing in the store takes is found out by trying: not in the midst of a test that counts requests.
  await connector.readProducts([UNKNOWN_ID]);
  wire.requestCounts.read = 0;
  const receiver = TWINSHELF_WOOCOMMERCE_CALLBACK
    ? await receiveDeliveries(TWINSHELF_WOOCOMMERCE_CALLBACK, () => visit(store.url))
    : null;
  const callbackUrl = `${CALLBACK_ROOT}/${unique()}`;
  const made: string[] = [];
  const webhooksOf = async () =>
    (await call('GET', '/webhooks?per_page=100&status=all')) as unknown as {
      id: number;
      status: string;
      delivery_url: string;
    }[];
  return {
    connector,
    currency: facts.currency,
    cannot: {
      duplicate_skus: 'WooCommerce keeps SKUs unique',
      unstocked: 'WooCommerce has one place for stock',
      huge_ids: 'ids of a real store are small',
      clock_skew: "a real store's clock can't be set from here",
      revoke: "a key can't be withdrawn through the API",
      empty_store: 'a real store is shared by all tests',
      ...(facts.hasBarcodes && facts.findsBarcodes
        ? {}
        : { barcodes: 'a version before 9.6 has none, or does not find them' }),
      ...(receiver ? {} : { deliveries: 'WooCommerce posts to no address that is known to be here' }),
      days: 'a real day is too long for a test',
    },
    unknown: { productId: UNKNOWN_ID, stockId: `p:${UNKNOWN_ID}` },
    pageSize: pageSize ?? 100,
    shop,
    faults: {
      supported: ['rate_limited', 'server_error', 'timeout', 'connection_lost', 'malformed', 'html_404'],
      inject: (fault, placement) => wire.inject(fault, placement),
      shutSku: (sku) => void wire.shutSkus.add(sku.toLowerCase()),
      clear: () => {
        skippedMs += wire.clear();
      },
      firedCount: () => wire.firedCount,
      requestCount: (kind) => wire.requestCounts[kind],
      ownThrottleCount: () => null,
    },
    webhooks: {
      callbackUrl,
      list: async () =>
        (await webhooksOf()).map(({ id, status, delivery_url }) => ({
          id: String(id),
          url: delivery_url,
          isActive: status === 'active',
        })),
      addForeign: async (url) => {
        const { id } = await call('POST', '/webhooks', { name: 'other', topic: 'order.updated', delivery_url: url });
        made.push(String(id));
      },
      breakOne: async () => {
        const hook = (await webhooksOf()).find(({ delivery_url }) => delivery_url === callbackUrl)!;
        await call('PUT', `/webhooks/${hook.id}`, { status: 'disabled' });
      },
      take: receiver?.take ?? unavailable('deliveries'),
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
    // Without TLS the key's name travels in the address, as OAuth wants it; what it signs with never does.
    secrets: [
      ...(store.url.startsWith('https:') ? [store.consumerKey] : []),
      store.consumerSecret,
      WEBHOOK_SECRET,
      PREVIOUS_SECRET,
    ],
    refusedCreate: async () => {
      const sku = `TAKEN-${unique()}`;
      await shop.addProduct(simpleProduct({}, { sku }));
      return createOf(simpleProduct({}, { sku }));
    },
    captured: () => [...logged, ...wire.urls],
    now: () => clock.now(),
    async advance(ms) {
      const waitMs = Math.min(ms, REAL_WAIT_MAX_MS);
      const until = systemClock.now() + waitMs;
      // A timer of the system clock alone would not keep the process up.
      await new Promise((resolve) => setTimeout(resolve, until - systemClock.now()));
      skippedMs += ms - waitMs;
    },
    settleSearch: async () => {},
    async reopen() {
      const other = open();
      await other.readProducts([UNKNOWN_ID]);
      return other;
    },
    async close() {
      // A store that fills up from rule to rule, and from run to run, would be listed page by page for minutes.
      const found = (await call('GET', '/products?status=any&per_page=100&_fields=id,slug')) as unknown as {
        id: number;
        slug: string;
      }[];
      const gone = found.filter(({ slug }) => slug.startsWith(MADE_BY_THIS_RUN)).map(({ id }) => id);
      if (gone.length > 0) await call('POST', '/products/batch', { delete: gone });
      for (const { id, delivery_url } of await webhooksOf()) {
        if (delivery_url === callbackUrl || made.includes(String(id)))
          await call('DELETE', `/webhooks/${id}?force=true`);
      }
      await receiver?.close();
      await sockets.close();
    },
  };
}

/** WordPress works off what waits when its cron is called, as every visit of a page does. */
async function visit(storeUrl: string): Promise<void> {
  await fetch(`${storeUrl}/wp-cron.php?doing_wp_cron`).then((answer) => answer.arrayBuffer());
}

if (TWINSHELF_WOOCOMMERCE_URL && TWINSHELF_WOOCOMMERCE_KEY && TWINSHELF_WOOCOMMERCE_SECRET) {
  const store: RealStore = {
    url: normaliseStoreUrl(TWINSHELF_WOOCOMMERCE_URL),
    consumerKey: TWINSHELF_WOOCOMMERCE_KEY,
    consumerSecret: TWINSHELF_WOOCOMMERCE_SECRET,
  };
  describeConnectorContract('woocommerce, a real store', (request) => makeHarness(store, request), {
    timeoutMs: REAL_STORE_TIMEOUT_MS,
  });
} else {
  test('the contract against a real WooCommerce', { skip: 'TWINSHELF_WOOCOMMERCE_URL, _KEY and _SECRET are not set' });
}
