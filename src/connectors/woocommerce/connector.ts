import { ConnectorError } from '../../model/connector-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Capabilities, Connector } from '../../ports/connector.ts';
import type { Log } from '../../ports/log.ts';
import type { Random } from '../../ports/random.ts';
import { cancelled, createHttpClient } from '../shared/client.ts';
import { createHealthMeter } from '../shared/health-meter.ts';
import { createRateGate, type RateGate, type RateGateOptions } from '../shared/rate-gate.ts';
import type { Transport } from '../shared/transport.ts';
import { keptByBin, listBin } from './bin.ts';
import { listChanged } from './changes.ts';
import { barcodesOf } from './check-version.ts';
import { createWooClient } from './client.ts';
import type { WooContext } from './context.ts';
import { createFactsKeeper } from './facts-keeper.ts';
import { findByKeys, findByMark } from './finding.ts';
import { inspectStore } from './inspect.ts';
import { readProducts } from './read-products.ts';
import { createRecordReader } from './record-reader.ts';
import { refusalOf } from './refusal-of.ts';
import { createRefusedCodes } from './refused-codes.ts';
import { representProduct } from './represent.ts';
import { scanProducts } from './scan.ts';
import { readStock, writeStock } from './stock.ts';
import type { StoreFacts } from './store-facts.ts';
import { normaliseStoreUrl } from './store-url.ts';
import { createTagBook } from './tag-book.ts';
import { createVariationReader } from './variations.ts';
import { verifyDelivery } from './webhook.ts';
import { ensureWebhooks, removeWebhooks } from './webhook-admin.ts';
import { writeProducts } from './write-products.ts';

export interface WooConnectorOptions {
  /** As a person typed it. */
  readonly url: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  /** Current first, then those that a rotation has not yet replaced everywhere. */
  readonly webhookSecrets: readonly string[];
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Known settings of the store; read from it when left out. */
  readonly info?: Omit<StoreFacts, 'siteUrl' | 'hasBarcodes' | 'findsBarcodes'>;
  /** Of WooCommerce, as it was last read; taken to be a new one when left out. */
  readonly version?: string;
  /** The turns of all who call this shop; its own when left out. */
  readonly gate?: RateGate;
  /** Ceiling of our own rate; it falls by itself when the store strains. */
  readonly requestsPerSecond?: number;
  readonly concurrencyMax?: number;
  readonly readTimeoutMs?: number;
  readonly writeTimeoutMs?: number;
  /** Longer than a request of ours can still land: our timeout plus what PHP and its proxy may take. */
  readonly fenceMs?: number;
  /** Records asked for in one page of a listing, 2 to 100; small for tests. */
  readonly pageSize?: number;
}

const REQUESTS_PER_SECOND = 8;
/** For a store that answers in a few milliseconds; what it gets is decided by how long its answers take. */
const REQUESTS_PER_SECOND_FAST = 250;
const READ_TIMEOUT_MS = 30_000;
/** A batch of a hundred creates takes 4 s on a quiet machine, ten times that on a cheap host. */
const WRITE_TIMEOUT_MS = 60_000;
const FENCE_MS = 130_000;

/** The rate that a WooCommerce shop is called at, as far as it bears that. */
export function createWooGate(
  options: Pick<RateGateOptions, 'clock' | 'concurrencyMax' | 'window'> &
    Partial<Pick<RateGateOptions, 'requestsPerSecond'>>,
): RateGate {
  const { clock, requestsPerSecond, concurrencyMax, window } = options;
  return createRateGate({
    clock,
    requestsPerSecond: requestsPerSecond ?? REQUESTS_PER_SECOND,
    ...(requestsPerSecond === undefined ? { requestsPerSecondFast: REQUESTS_PER_SECOND_FAST } : {}),
    ...(concurrencyMax === undefined ? {} : { concurrencyMax }),
    ...(window === undefined ? {} : { window }),
  });
}

/** A WooCommerce store through its REST API v3, without any plugin of ours. Measured against 10.5. */
export function createWooConnector(options: WooConnectorOptions): Connector {
  const siteUrl = normaliseStoreUrl(options.url);
  const { clock, random, log, consumerKey, consumerSecret, webhookSecrets } = options;
  const health = createHealthMeter(clock);
  const gate = options.gate ?? createWooGate(options);
  const basic = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64');
  const secrets = [basic, consumerSecret, consumerKey, ...webhookSecrets];
  const http = createHttpClient({ transport: options.transport, gate, health, clock, random, log, secrets });
  const client = createWooClient({
    url: siteUrl,
    consumerKey,
    consumerSecret,
    http,
    clock,
    random,
    readTimeoutMs: options.readTimeoutMs ?? READ_TIMEOUT_MS,
    writeTimeoutMs: options.writeTimeoutMs ?? WRITE_TIMEOUT_MS,
  });
  const pageSize = Math.max(2, Math.min(100, options.pageSize ?? 100));
  const version = options.version ?? '';
  const known = options.info ? { ...options.info, siteUrl, ...barcodesOf(version) } : null;
  const keeper = createFactsKeeper({ client, clock, siteUrl, version, known });
  let isClosed = false;

  const context: WooContext = {
    client,
    clock,
    log,
    pageSize,
    records: createRecordReader(client, clock, siteUrl),
    tags: createTagBook(client),
    refusedCodes: createRefusedCodes(client),
    variations: createVariationReader(client, pageSize),
    facts: keeper.facts,
  };
  const capabilities: Capabilities = {
    stockWrite: 'stamped',
    keyMemoryMs: 0,
    fenceMs: options.fenceMs ?? FENCE_MS,
    readBatchMax: 100,
    stockBatchMax: 100,
    writeBatchMax: 100,
    makesByMark: false,
    canArchiveVariant: true,
    hidesBackorders: true,
    loneOptions: 'kept',
    weighsInOneUnit: true,
    tellsStock: false,
  };
  const assertOpen = (signal: AbortSignal | undefined) => {
    if (isClosed) throw new ConnectorError('unavailable', 'the connection to the WooCommerce store was closed');
    if (signal?.aborted === true) throw cancelled('the call was cancelled before it began');
  };
  const open = async <T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> => {
    assertOpen(signal);
    return work();
  };

  return {
    platform: 'woocommerce',
    capabilities,
    represent: representProduct,
    refusalOf: (write, bin) =>
      refusalOf(write, version) ?? (bin === undefined || write.type === 'update' ? null : keptByBin(write, bin)),
    listBin: (signal) => open(signal, () => listBin(context, signal)),
    async inspect(signal, callbackUrl) {
      const askedAt = clock.now();
      const { info, findings, facts } = await inspectStore(client, {
        ...{ siteUrl, callbackUrl, signal },
        knownVersion: version,
      });
      if (facts !== null) keeper.take(facts, askedAt);
      return { info, findings };
    },
    readUnits: (since, signal) => open(signal, () => keeper.readUnits(since)),
    readProducts: (ids, signal) => open(signal, () => readProducts(context, ids, signal)),
    readStock: (ids, signal) => open(signal, () => readStock(context, ids, signal)),
    writeStock: (writes, signal, cut) => open(signal, () => writeStock(context, writes, signal, cut)),
    writeProducts: (writes, signal, cut) => open(signal, () => writeProducts(context, writes, signal, cut)),
    findByMark: (mark, createdAfter, signal, isOther) =>
      open(signal, () => findByMark(context, mark, createdAfter, signal, isOther)),
    findByKeys: (keys, signal) => open(signal, () => findByKeys(context, keys, signal)),
    async *scan(request) {
      assertOpen(request.signal);
      yield* scanProducts(context, request);
    },
    listChanged: (cursor, signal) => open(signal, () => listChanged(context, cursor, signal)),
    verifyDelivery: (delivery) => verifyDelivery(delivery, webhookSecrets),
    ensureWebhooks: (url, signal) =>
      open(signal, () => ensureWebhooks(client, { callbackUrl: url, secret: webhookSecrets[0] ?? '' }, signal)),
    removeWebhooks: (url, signal) => open(signal, () => removeWebhooks(client, url, signal)),
    health: () => health.read(),
    askAgain: () => client.find.askAgain(),
    async close() {
      isClosed = true;
    },
  };
}
