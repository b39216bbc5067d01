import type { HttpRequest } from '../../../connectors/shared/transport.ts';
import type { PerSide, Side } from '../../../model/platform.ts';
import type { RawDelivery } from '../../../ports/connector.ts';
import { createShopifySandbox, type ShopifySandbox } from '../../../sandbox/shopify/create-shopify-sandbox.ts';
import type { ShopifySandboxOptions } from '../../../sandbox/shopify/types.ts';
import { createWooSandbox, type WooSandbox } from '../../../sandbox/woocommerce/create-woo-sandbox.ts';
import type { WooSandboxOptions } from '../../../sandbox/woocommerce/options.ts';
import type { VirtualClock } from '../../simulator/virtual-clock.ts';
import type { Answer, Host } from './wire.ts';

export const WOO_URL = 'https://shop.example';
export const SHOP_DOMAIN = 'shelf.myshopify.com';
export const WOO_KEY = { key: 'ck_0123456789abcdef0123', secret: 'cs_fedcba9876543210fedc' };
export const SHOP_TOKEN = 'shpat_0123456789abcdef';
export const SHOP_SECRET = 'shpss_0123456789abcdef';

export interface ShopsOptions {
  readonly clock: VirtualClock;
  random(): number;
  /** One webhook on its way to us; gives the status that it is answered with. Rejects when nobody listens. */
  deliver(side: Side, url: string, delivery: RawDelivery): Promise<number>;
  readonly woo?: WooSandboxOptions;
  readonly shopify?: ShopifySandboxOptions;
}

export interface Shops {
  readonly woo: WooSandbox;
  readonly shopify: ShopifySandbox;
  readonly hosts: PerSide<Host>;
  close(): Promise<void>;
}

/** Both sandbox stores on virtual time, reached without sockets. */
export async function openShops(options: ShopsOptions): Promise<Shops> {
  const { clock } = options;
  const timers = {
    now: () => clock.now(),
    setTimer: (run: () => void, ms: number) => clock.setTimer(run, ms),
    clearTimer: (timer: unknown) => clock.clearTimer(timer as ReturnType<VirtualClock['setTimer']>),
    random: options.random,
  };
  const deliverTo =
    (side: Side) =>
    async ({ url, headers, body }: { url: string; headers: Readonly<Record<string, string>>; body: string }) => {
      const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      return { status: await options.deliver(side, url, { headers: lower, body: new TextEncoder().encode(body) }) };
    };
  const woo = createWooSandbox({
    siteUrl: WOO_URL,
    requireHttps: true,
    keys: [{ ...WOO_KEY, permissions: 'read_write' }],
    ...options.woo,
    environment: { ...timers, deliver: deliverTo('woocommerce') },
  });
  const shopify = createShopifySandbox({
    shopDomain: SHOP_DOMAIN,
    accessToken: SHOP_TOKEN,
    clientId: 'client-id-of-the-app',
    clientSecret: SHOP_SECRET,
    ...options.shopify,
    environment: { ...timers, deliver: deliverTo('shopify') },
  });
  await woo.app.ready();
  await shopify.app.ready();
  await warmUp();
  const date = () => new Date(clock.now()).toUTCString();
  return {
    woo,
    shopify,
    hosts: {
      woocommerce: { side: 'woocommerce', inject: oneAtATime((request) => inject(woo.app, request, date())) },
      shopify: { side: 'shopify', inject: oneAtATime((request) => inject(shopify.app, request, date())) },
    },
    async close() {
      await woo.close();
      await shopify.close();
    },
  };
}

/** What a store loads from disk at its first request is loaded now: virtual time waits for turns of the event loop, not for disks. */
async function warmUp(): Promise<void> {
  const shop = createWooSandbox({ requireHttps: false });
  for (const path of ['settings/general', 'system_status'])
    await shop.app.inject({
      method: 'GET',
      url: `/wp-json/wc/v3/${path}`,
      headers: { authorization: `Basic ${Buffer.from('ck_sandbox:cs_sandbox').toString('base64')}` },
    });
  await shop.close();
}

type App = WooSandbox['app'];

async function inject(app: App, request: HttpRequest, date: string): Promise<Answer> {
  const { pathname, search } = new URL(request.url);
  const response = await app.inject({
    method: request.method as 'GET',
    url: `${pathname}${search}`,
    headers: { ...request.headers, 'x-forwarded-proto': 'https' },
    ...(request.body === undefined ? {} : { payload: Buffer.from(request.body) }),
  });
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : String(value);
  }
  // Node dates its answers by the real clock.
  return { status: response.statusCode, headers: { ...headers, date }, body: response.rawPayload };
}

/** Turns of the event loop that a request takes at most, unless it hangs. */
const TURNS_OF_ONE = 40;

/** In the order of arrival, whatever the event loop does with their streams: what a seed does must not depend on that. */
function oneAtATime(run: (request: HttpRequest) => Promise<Answer>): (request: HttpRequest) => Promise<Answer> {
  let last: Promise<unknown> = Promise.resolve();
  return async (request) => {
    const before = last;
    let isDone = false;
    const own = before.then(() => {
      const answer = run(request);
      const settled = answer.then(
        () => undefined,
        () => undefined,
      );
      void settled.then(() => {
        isDone = true;
      });
      return { answer, settled };
    });
    last = own.then(async ({ settled }) => {
      // Who hangs holds up nobody else.
      for (let turn = 0; turn < TURNS_OF_ONE && !isDone; turn += 1)
        await Promise.race([settled, new Promise<void>((resolve) => setImmediate(resolve))]);
    });
    return (await own).answer;
  };
}
