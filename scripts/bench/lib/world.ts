import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Api, enter, pause, until } from './api.ts';
import { createDeliveryMaker, type DeliveryMaker } from './deliveries.ts';
import type { MemoryLimit } from './memory-limit.ts';
import { freePort, type Server, type Store, startServer, startStore } from './processes.ts';
import { openTap, type Tap } from './tap.ts';
import type { Workshop } from './workshop.ts';

/** Two stores with the same catalogue, each behind a tap, and our server with both connected as a pair. */
export interface World {
  readonly woo: Store;
  readonly shopify: Store;
  readonly wooTap: Tap;
  readonly shopifyTap: Tap;
  readonly server: Server;
  readonly api: Api;
  readonly pairId: string;
  readonly port: number;
  readonly dataDir: string;
  /** Deliveries in the server's database, read by another process, as after a crash. */
  storedCount(): number;
  /** Waits until the server has nothing left to do now. */
  idle(): Promise<void>;
  /** Kills the server at once, without a word. */
  kill(): Promise<void>;
  restart(): Promise<Server>;
  /** Stops both stores from sending webhooks of their own, and makes ours: what is measured is then only what we sent. */
  takeOverWebhooks(): Promise<DeliveryMaker>;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly products: number;
  readonly variants: number;
  readonly limit?: MemoryLimit | null;
  readonly nodeFlags?: readonly string[];
}

const SHOPIFY_TOKEN = 'shpat_sandbox_token';
const SHOPIFY_SECRET = 'sandbox-client-secret';
const IDLE_WITHIN_MS = 120_000;
/** When so long none has come, none comes any more. */
const WEBHOOKS_OVER_MS = 500;
let worldCount = 0;

export async function openWorld(workshop: Workshop, options: WorldOptions): Promise<World> {
  worldCount += 1;
  const size = ['--products', String(options.products), '--variants', String(options.variants)];
  const [woo, shopify, port] = await Promise.all([
    startStore(workshop.woocommerce, size),
    startStore(workshop.shopify, [...size, '--unthrottled', '--allow-http-webhooks']),
    freePort(),
  ]);
  const [wooTap, shopifyTap] = await Promise.all([openTap(portOf(woo)), openTap(portOf(shopify))]);
  const dataDir = join(workshop.dir, `data-${worldCount}`);
  const start = () =>
    startServer({
      program: workshop.server,
      ...{ dataDir, port },
      limit: options.limit ?? null,
      nodeFlags: options.nodeFlags ?? [],
    });
  let server = await start();
  const api = await enter(server.url, 'signup');
  wooTap.isRecording = true;
  const wooStoreId = await api.connectStore({
    name: 'Woo',
    platform: 'woocommerce',
    url: `http://127.0.0.1:${wooTap.port}`,
    consumerKey: woo.info['key'],
    consumerSecret: woo.info['secret'],
  });
  const shopifyStoreId = await api.connectStore({
    name: 'Shop',
    platform: 'shopify',
    shopDomain: `127.0.0.1:${shopifyTap.port}`,
    accessToken: SHOPIFY_TOKEN,
    apiSecret: SHOPIFY_SECRET,
  });
  const pairId = await api.createPair(wooStoreId, shopifyStoreId);
  const isListening = async () =>
    (await woo.control<unknown[]>('webhooks')).length >= 4 &&
    (await shopify.control<{ subscriptions: unknown[] }>('snapshot')).subscriptions.length >= 3;
  if (!(await until(10_000, isListening))) throw new Error('the webhooks were not made');
  const wooSecret = secretIn(wooTap);
  wooTap.isRecording = false;
  wooTap.exchanges.length = 0;

  const storedCount = () => Number(ask(dataDir, 'SELECT count(*) AS n FROM delivery')[0]?.['n']);

  return {
    ...{ woo, shopify, wooTap, shopifyTap, api, pairId, port, dataDir },
    get server() {
      return server;
    },
    storedCount,
    async idle() {
      if (!(await until(IDLE_WITHIN_MS, () => openJobs(dataDir).length === 0)))
        throw new Error(`the server found no rest: ${JSON.stringify(openJobs(dataDir).slice(0, 5))}`);
    },
    kill: () => server.stop('SIGKILL'),
    async restart() {
      server = await start();
      return server;
    },
    async takeOverWebhooks() {
      await Promise.all([pauseWooHooks(woo), shopify.control('setWebhookFaults', { dropRate: 1 })]);
      // What they had on its way would be counted with ours.
      let before = -1;
      while (before !== storedCount()) {
        before = storedCount();
        await pause(WEBHOOKS_OVER_MS);
      }
      const { locations } = await shopify.control<{ locations: { id: string }[] }>('snapshot');
      return createDeliveryMaker({
        ...{ port, shopifyStoreId, wooStoreId, wooSecret },
        shopifySecret: SHOPIFY_SECRET,
        shopDomain: shopify.info['shopDomain'] ?? '',
        locationId: locations[0]?.id ?? '',
      });
    },
    async close() {
      await server.stop();
      await Promise.all([wooTap.close(), shopifyTap.close()]);
      await Promise.all([woo.stop('SIGKILL'), shopify.stop('SIGKILL')]);
    },
  };
}

/** All but the report of next Monday, which the daily housekeeping orders at whatever time of the day that falls on: nobody waits for it. */
function openJobs(dataDir: string): readonly unknown[] {
  const others = `SELECT task, state, attempts, last_error, count(*) AS n FROM job WHERE task <> 'weekly_report' GROUP BY 1, 2, 3, 4`;
  return ask(dataDir, others);
}

function ask(dataDir: string, query: string): readonly Readonly<Record<string, unknown>>[] {
  const database = new Database(`${dataDir}/twinshelf.db`, { readonly: true });
  try {
    return database.prepare<[], Record<string, unknown>>(query).all();
  } finally {
    database.close();
  }
}

function portOf(store: Store): number {
  return Number(new URL(store.info['origin'] ?? '').port);
}

/** The secret that the server gave to the webhooks it made: only the store was told. */
function secretIn(tap: Tap): string {
  for (const { request } of tap.exchanges) {
    const secret = /"secret":"([^"]+)"/.exec(request)?.[1];
    if (secret !== undefined) return secret;
  }
  throw new Error('no webhook was made in WooCommerce');
}

async function pauseWooHooks(woo: Store): Promise<void> {
  const basic = Buffer.from(`${woo.info['key']}:${woo.info['secret']}`).toString('base64');
  for (const { id } of await woo.control<{ id: number }[]>('webhooks')) {
    const reply = await fetch(`${woo.info['origin']}/wp-json/wc/v3/webhooks/${id}`, {
      method: 'PUT',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'paused' }),
    });
    if (!reply.ok) throw new Error(`a webhook could not be paused: ${await reply.text()}`);
  }
}
