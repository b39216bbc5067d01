import { formatMinor } from '../../model/money.ts';
import type { VariantFields } from '../../model/product.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Connector, RawDelivery } from '../../ports/connector.ts';
import { createWooSandbox, type WooSandbox } from '../../sandbox/woocommerce/create-woo-sandbox.ts';
import type { Delivery } from '../../sandbox/woocommerce/environment.ts';
import { describeConnectorContract } from '../../testing/contract/connector-contract.ts';
import { createOf, simpleProduct, unique } from '../../testing/contract/fixtures.ts';
import type {
  ContractHarness,
  FaultPlacement,
  HarnessRequest,
  InjectedFault,
  ShopControls,
  ShopVariant,
} from '../../testing/contract/harness.ts';
import { SeededRandom, seededRandomPort } from '../../testing/simulator/random.ts';
import { VirtualClock } from '../../testing/simulator/virtual-clock.ts';
import { signBase64 } from '../shared/hmac.ts';
import { type HttpRequest, type HttpResponse, type Transport, TransportError } from '../shared/transport.ts';
import { createWooConnector } from './connector.ts';
import { isPing } from './webhook.ts';

const SITE = 'https://shop.sandbox.example';
const CALLBACK_URL = 'https://twinshelf.example/hooks/woocommerce/str_1';
const KEY = { key: 'ck_0123456789abcdef0123456789abcdef', secret: 'cs_fedcba9876543210fedcba9876543210' };
const WEBHOOK_SECRET = 'secret-that-signs-deliveries';
const PREVIOUS_SECRET = 'the-secret-before-the-rotation';

/** Faults at the wire, as a proxy or a bad line makes them: the connector can't tell them from the real ones. */
class FaultyWire {
  firedCount = 0;
  readonly requestCounts = { read: 0, write: 0 };
  readonly urls: string[] = [];
  #script: { readonly fault: InjectedFault; readonly on: FaultPlacement['on']; times: number; skip: number }[] = [];
  readonly #sandbox: WooSandbox;
  readonly #clock: Clock;
  readonly #storeNow: () => number;

  constructor(sandbox: WooSandbox, clock: Clock, storeNow: () => number) {
    this.#sandbox = sandbox;
    this.#clock = clock;
    this.#storeNow = storeNow;
  }

  inject(fault: InjectedFault, { on, times = 1, skip = 0 }: FaultPlacement): void {
    this.#script.push({ fault, on, times, skip });
  }

  /** Gives the wait that was still being asked for, ms. */
  clear(): number {
    const limits = this.#script.map(({ fault }) => (fault.type === 'rate_limited' ? fault.retryAfterMs : 0));
    this.#script = [];
    return Math.max(0, ...limits);
  }

  readonly transport: Transport = async (request) => {
    if (request.signal?.aborted) throw new TransportError('before_send', 'aborted', 'cancelled');
    // A batch of nothing can't change the store: it is how the doctor asks for permission.
    const isWrite = request.method !== 'GET' && request.body !== '{}';
    this.requestCounts[isWrite ? 'write' : 'read'] += 1;
    this.urls.push(request.url);
    const fault = this.#next(isWrite);
    if (fault && 'when' in fault && fault.when === 'after') await this.#pass(request);
    switch (fault?.type) {
      case undefined:
        return this.#pass(request);
      case 'rate_limited':
        return this.#page(429, 'Too Many Requests', { 'retry-after': String(fault.retryAfterMs / 1000) });
      case 'server_error':
        return this.#page(500, 'Server error');
      case 'malformed':
        return this.#page(200, 'Just a moment...');
      case 'html_404':
        return this.#page(404, 'Not found');
      case 'timeout':
        await this.#clock.sleep(request.timeoutMs);
        throw new TransportError('after_send', 'timeout', 'no answer in time');
      case 'connection_lost':
        throw new TransportError('after_send', 'connection_lost', 'connection lost');
    }
  };

  #next(isWrite: boolean): InjectedFault | null {
    const entry = this.#script.find(({ on, times }) => times > 0 && (on === 'any' || (on === 'write') === isWrite));
    if (!entry) return null;
    if (entry.skip > 0) {
      entry.skip -= 1;
      return null;
    }
    entry.times -= 1;
    this.firedCount += 1;
    return entry.fault;
  }

  async #pass(request: HttpRequest): Promise<HttpResponse> {
    const url = new URL(request.url);
    const response = await this.#sandbox.app.inject({
      method: request.method as 'GET',
      url: `${url.pathname}${url.search}`,
      headers: { ...request.headers, 'x-forwarded-proto': 'https' },
      ...(request.body === undefined ? {} : { payload: request.body as string }),
    });
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(response.headers)) headers[name] = String(value);
    return { status: response.statusCode, headers: { ...headers, date: this.#date() }, body: response.rawPayload };
  }

  #page(status: number, words: string, headers: Record<string, string> = {}): HttpResponse {
    const body = new TextEncoder().encode(`<!DOCTYPE html><html><body><h1>${words}</h1></body></html>`);
    return { status, headers: { 'content-type': 'text/html', date: this.#date(), ...headers }, body };
  }

  #date(): string {
    return new Date(this.#storeNow()).toUTCString();
  }
}

async function makeHarness({ currency = 'EUR', pageSize, clockSkewMs = 0 }: HarnessRequest): Promise<ContractHarness> {
  const hands = new VirtualClock();
  const stop = hands.autoRun();
  // A limit that is lifted has run out: whoever was told to wait two minutes finds them over.
  let liftedMs = 0;
  const clock: Clock = { now: () => hands.now() + liftedMs, sleep: (ms, signal) => hands.sleep(ms, signal) };
  const random = new SeededRandom('woocommerce contract');
  const storeNow = () => clock.now() + clockSkewMs;
  const deliveries: Delivery[] = [];
  const sandbox = createWooSandbox({
    siteUrl: SITE,
    currency,
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
  const wire = new FaultyWire(sandbox, clock, storeNow);
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
  const variantBody = (fields: Partial<VariantFields>) => ({
    ...(fields.sku === undefined ? {} : { sku: fields.sku }),
    ...(fields.barcode === undefined ? {} : { global_unique_id: fields.barcode }),
    ...(fields.price === undefined
      ? {}
      : {
          regular_price: fields.price.regularMinor === null ? '' : formatMinor(fields.price.regularMinor, currency),
          sale_price: fields.price.saleMinor === null ? '' : formatMinor(fields.price.saleMinor, currency),
        }),
    ...(fields.weightMg === undefined
      ? {}
      : { weight: fields.weightMg === null ? '' : (fields.weightMg / 453_592.37).toFixed(8) }),
  });
  const stockBody = ({ fields, stock }: ShopVariant) =>
    stock.tracked
      ? { manage_stock: true, stock_quantity: stock.quantity, backorders: fields.backorders }
      : { manage_stock: false };
  const numberOf = (stockId: string) => Number(stockId.split(':').at(-1));
  const escaped = (text: string) => text.replaceAll('\\', '\\\\');
  const statusBody = (status: string | undefined) =>
    status === undefined
      ? {}
      : {
          status: status === 'active' || status === 'unlisted' ? 'publish' : 'draft',
          catalog_visibility: status === 'unlisted' ? 'hidden' : 'visible',
        };
  /** WooCommerce keeps barcodes unique: a merchant who needs one again takes it from the product that has it. */
  const freeBarcode = async (barcode: string) => {
    if (barcode === '') return;
    const holders = (await call(sandbox, 'GET', `/products?global_unique_id=${barcode}`)) as unknown as {
      id: number;
    }[];
    for (const { id } of holders) await call(sandbox, 'PUT', `/products/${id}`, { global_unique_id: '' });
  };
  return {
    async addProduct({ fields, variants }) {
      const isSimple = fields.optionNames.length === 0;
      for (const { fields: one } of variants) await freeBarcode(one.barcode);
      const product = await call(sandbox, 'POST', '/products', {
        name: escaped(fields.title),
        description: escaped(fields.descriptionHtml),
        slug: fields.handle,
        ...statusBody(fields.status),
        tags: fields.tags.map((name) => ({ name })),
        ...(isSimple
          ? { type: 'simple', ...variantBody(variants[0]!.fields), ...stockBody(variants[0]!) }
          : {
              type: 'variable',
              attributes: fields.optionNames.map((name, at) => ({
                name,
                position: at,
                visible: true,
                variation: true,
                options: [...new Set(variants.map((variant) => variant.fields.optionValues[at]!))],
              })),
            }),
      });
      const id = String(product['id']);
      if (isSimple) return { externalId: id, variants: [{ externalId: id, stockId: `p:${id}` }] };
      const records: { externalId: string; stockId: string }[] = [];
      for (const variant of variants) {
        const made = await call(sandbox, 'POST', `/products/${id}/variations`, {
          ...variantBody(variant.fields),
          ...stockBody(variant),
          attributes: fields.optionNames.map((name, at) => ({ name, option: variant.fields.optionValues[at] })),
        });
        records.push({ externalId: String(made['id']), stockId: `v:${id}:${String(made['id'])}` });
      }
      return { externalId: id, variants: records };
    },
    async editProduct(externalId, fields) {
      await call(sandbox, 'PUT', `/products/${externalId}`, {
        ...(fields.title === undefined ? {} : { name: escaped(fields.title) }),
        ...(fields.descriptionHtml === undefined ? {} : { description: escaped(fields.descriptionHtml) }),
        ...statusBody(fields.status),
        ...(fields.tags === undefined ? {} : { tags: fields.tags.map((name) => ({ name })) }),
      });
    },
    async editVariant(productId, variantId, fields) {
      const path =
        productId === variantId ? `/products/${productId}` : `/products/${productId}/variations/${variantId}`;
      await call(sandbox, 'PUT', path, variantBody(fields));
    },
    async sell(stockId, count) {
      controls.placeOrder([{ ref: numberOf(stockId), quantity: count }]);
    },
    async setStock(stockId, quantity) {
      controls.recount(numberOf(stockId), quantity);
    },
    async quantity(stockId) {
      const [, product, variation] = stockId.split(':');
      const path = variation === undefined ? `/products/${product}` : `/products/${product}/variations/${variation}`;
      return Number((await call(sandbox, 'GET', path))['stock_quantity']);
    },
    async unstock() {
      throw new Error('there is one place for stock');
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
    async peek(externalId) {
      const { related_ids: _related, ...rest } = await call(sandbox, 'GET', `/products/${externalId}`);
      const variations = await call(sandbox, 'GET', `/products/${externalId}/variations?per_page=100`);
      return { ...rest, variations };
    },
    async revokeCredentials() {
      controls.setKeys([]);
    },
    async restoreCredentials() {
      controls.setKeys(keys);
    },
  };
}

describeConnectorContract('woocommerce on the sandbox', makeHarness);
