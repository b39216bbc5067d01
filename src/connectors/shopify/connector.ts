import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { StoreInfo } from '../../model/store-info.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Connector } from '../../ports/connector.ts';
import type { Log } from '../../ports/log.ts';
import type { Random } from '../../ports/random.ts';
import { createHealthMeter } from '../shared/health-meter.ts';
import type { DownloadTransport, Transport } from '../shared/transport.ts';
import { API_VERSION } from './api-version.ts';
import { createTokenSource, type ShopifyAuth } from './auth.ts';
import { listChanged } from './changes.ts';
import { createShopifyClient } from './client.ts';
import type { CostGate } from './cost-gate.ts';
import { inspect } from './inspect.ts';
import { createMarkWriter } from './marks-writer.ts';
import { refusalOf } from './product-creator.ts';
import { createProductReader, READ_BATCH_MAX } from './product-reader.ts';
import { WRITE_BATCH_MAX, writeProducts } from './product-writer.ts';
import { createPublisher } from './publisher.ts';
import { represent } from './represent.ts';
import { createScanner } from './scan.ts';
import { isLocalHost, shopOrigin } from './shop-domain.ts';
import { createUntrackedItems, readStock, STOCK_BATCH_MAX } from './stock-reader.ts';
import { writeStock } from './stock-writer.ts';
import { createStoreContext, locationGid } from './store-context.ts';
import { verifyDelivery } from './webhook.ts';
import { ensureWebhooks, removeWebhooks } from './webhook-subscriptions.ts';

export interface ShopifyConnectorOptions {
  /** As `normaliseShopDomain` gives it. A loopback address is called over http, every other over https. */
  readonly shopDomain: string;
  readonly auth: ShopifyAuth;
  /** The one mapped location, as number or global id; null: the primary one. */
  readonly locationId?: string | null;
  /** What webhooks are signed with: the current secret first, then, during a rotation, the previous. The secret of `auth` is always among them. */
  readonly webhookSecrets: readonly string[];
  readonly apiVersion?: string;
  /** For several connectors of one shop (one for each mapped location): Shopify keeps one bucket of points for all of them. */
  readonly gate?: CostGate;
  readonly transport: Transport;
  /** For bulk files, which are read as they come. */
  readonly download: DownloadTransport;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** What `inspect` said of the shop before: spares a question after each start. */
  readonly info?: (Pick<StoreInfo, 'currency' | 'weightUnit'> & Partial<Pick<StoreInfo, 'identity'>>) | null;
  /** For tests: a limit for every request. */
  readonly requestTimeoutMs?: number;
  /** For tests: products on a page of `scan` and `listChanged`. */
  readonly pageSize?: number;
}

/** Our longest wait for a write (60 s) plus the longest that Shopify is known to work on one after its edge gave up. */
const FENCE_MS = 130_000;
/** Shopify remembers the key of a call for 24 hours; an hour less, since a repeat takes its time to get there. */
const KEY_MEMORY_MS = 23 * 3_600_000;

/** A Shopify shop by its Admin GraphQL API. Holds [C1]-[C33]; proven by the tests beside it and by the contract suite against the sandbox. */
export function createShopifyConnector(options: ShopifyConnectorOptions): Connector {
  const { auth, clock, random, log, transport, shopDomain } = options;
  const origin = shopOrigin(shopDomain);
  const locationId = options.locationId ?? null;
  const apiVersion = options.apiVersion ?? API_VERSION.handle;
  const paging = options.pageSize === undefined ? {} : { pageSize: options.pageSize };
  const limits = options.requestTimeoutMs === undefined ? {} : { requestTimeoutMs: options.requestTimeoutMs };
  const shared = options.gate === undefined ? {} : { gate: options.gate };

  const health = createHealthMeter(clock);
  const tokens = createTokenSource({ auth, origin, transport, clock });
  const calls = { transport, clock, random, log, health, ...shared, ...limits };
  const client = createShopifyClient({ origin, apiVersion, tokens, ...calls });
  const info = options.info ?? null;
  const store = createStoreContext({ client, clock, shopDomain, origin, locationId, info });
  /** As last read; until it is known, `represent` takes the common case of two digits. */
  let currency = info?.currency ?? 'USD';
  const context = async (signal?: AbortSignal) => {
    const known = await store.context(signal);
    currency = known.currency;
    return known;
  };
  const untracked = createUntrackedItems();
  const onRead = (snapshot: ProductSnapshot) => {
    for (const { stockId, stock } of snapshot.variants) untracked.note(stockId, stock.tracked);
  };
  const reader = createProductReader({ client, clock, context, onRead });
  const { download } = options;
  const scan = createScanner({ origin, client, reader, download, clock, log, context, onRead, ...paging, ...limits });
  const marks = createMarkWriter(client);
  const publisher = createPublisher(client, clock, log);

  const ownSecret = auth.type === 'token' ? auth.apiSecret : auth.clientSecret;
  const secrets = [...new Set([...options.webhookSecrets, ownSecret ?? ''])].filter((secret) => secret !== '');
  const permanentDomain = isLocalHost(shopDomain) ? null : shopDomain;
  const webhooks = {
    secrets,
    shopDomains: permanentDomain === null ? null : [permanentDomain, info?.identity?.toLowerCase() ?? permanentDomain],
    locationId: locationId === null ? null : locationGid(locationId),
  };

  return {
    platform: 'shopify',
    capabilities: {
      stockWrite: 'compare_and_set',
      keyMemoryMs: KEY_MEMORY_MS,
      fenceMs: FENCE_MS,
      readBatchMax: READ_BATCH_MAX,
      stockBatchMax: STOCK_BATCH_MAX,
      writeBatchMax: WRITE_BATCH_MAX,
      makesByMark: true,
      canArchiveVariant: false,
      hidesBackorders: false,
      loneOptions: 'added',
      weighsInOneUnit: false,
      tellsStock: true,
    },
    represent: (product) => represent(product, currency),
    refusalOf: (write) => refusalOf(write, currency),
    // Shopify has no bin.
    listBin: () => Promise.resolve(new Map()),
    inspect: (signal, callbackUrl) =>
      inspect(
        {
          client,
          clock,
          publisher,
          shopDomain: permanentDomain,
          locationId,
          hasWebhookSecret: secrets.length > 0,
          apiVersion,
          callbackUrl,
        },
        signal,
      ),
    async readUnits(since) {
      const units = await store.readUnits(since);
      currency = units.currency;
      return units;
    },
    readProducts: (externalIds, signal) => reader.read(externalIds, signal),
    readStock: (stockIds, signal) => readStock({ client, context, untracked }, stockIds, signal),
    writeStock: (writes, signal, cut) => writeStock({ client, context, untracked }, writes, signal, cut),
    writeProducts: (writes, signal, cut) =>
      writeProducts({ client, clock, context, marks, publisher, reader }, writes, signal, cut),
    async findByMark(mark, _createdAfter, signal, isOther) {
      // No two records of a shop bear one mark.
      const found = await reader.findByMark(mark, signal);
      return found !== null && isOther?.(found.externalId) === true ? null : found;
    },
    findByKeys: (keys, signal) => reader.findByKeys(keys, signal),
    scan,
    listChanged: (cursor, signal) => listChanged({ client, clock, context, ...paging }, cursor, signal),
    verifyDelivery: (delivery) => verifyDelivery(webhooks, delivery),
    async ensureWebhooks(callbackUrl, signal) {
      if (secrets.length > 0) return ensureWebhooks(client, callbackUrl, signal);
      // Without a secret every delivery would be refused.
      await removeWebhooks(client, callbackUrl, signal);
      return { active: 0, repaired: 0 };
    },
    removeWebhooks: (callbackUrl, signal) => removeWebhooks(client, callbackUrl, signal),
    health: () => health.read(),
    close: () => Promise.resolve(),
  };
}
