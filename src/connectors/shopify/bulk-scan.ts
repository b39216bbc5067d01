import { chunks } from '../../lib/chunks.ts';
import { VARIANTS_PER_BATCH } from '../../model/batch.ts';
import { ConnectorError, type ConnectorErrorDetails } from '../../model/connector-error.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ScanPage } from '../../ports/connector.ts';
import type { Log } from '../../ports/log.ts';
import { classifyTransportError, untilCancelled } from '../shared/client.ts';
import { type DownloadTransport, TransportError } from '../shared/transport.ts';
import { type BulkProduct, readBulkProducts } from './bulk-file.ts';
import type { ShopifyClient } from './client.ts';
import { importProduct } from './import-mapper.ts';
import { OPERATIONS } from './operations.gen.ts';
import { type ProductReader, READ_BATCH_MAX } from './product-reader.ts';
import { type StoreContext, shopNow, whyUnread } from './store-context.ts';
import { firstUserError } from './user-errors.ts';
import { type BulkOperation, BulkOperationAnswer, BulkRunAnswer } from './wire.ts';

/** How far a bulk listing was read. */
export interface BulkPlace {
  readonly operationId: string;
  /** Products handed out so far. */
  readonly products: number;
}

export interface BulkScanOptions {
  readonly origin: string;
  readonly client: ShopifyClient;
  readonly reader: Pick<ProductReader, 'list'>;
  readonly download: DownloadTransport;
  readonly clock: Clock;
  readonly log: Log;
  readonly context: (signal?: AbortSignal) => Promise<StoreContext>;
  readonly onRead: (snapshot: ProductSnapshot) => void;
  readonly pageSize: number;
  readonly requestTimeoutMs?: number;
}

/** Small shops are done at once, large ones are asked a few times: 50 ms, 90 ms, ... up to 10 s. */
const POLL_FIRST_MS = 50;
const POLL_GROWTH = 1.8;
const POLL_MAX_MS = 10_000;
/** Shopify lets a bulk query run for days. One that counts nothing for this long is stuck. */
const STILL_MAX_MS = 15 * 60_000;
/** Shopify works on while its edge fails, or our points are used up: for so long the operation is asked after all the same, ms. */
const UNANSWERED_MAX_MS = 120_000;
const DOWNLOAD_ATTEMPTS = 3;
const DOWNLOAD_SILENCE_MS = 60_000;
/** The listing is there, and its file can't be had: files lie on a host of their own, which a firewall may not let through. */
export const FILE_UNREACHABLE = 'BULK_FILE_UNREACHABLE';

/**
 * The whole catalogue by one bulk operation: one call to start, a few to poll, one download, whatever the size; not rate limited. The file stays for
 * seven days, so a resumed scan reads on in the very same file.
 */
export async function* bulkScan(
  options: BulkScanOptions,
  from: BulkPlace | null,
  signal: AbortSignal | undefined,
): AsyncGenerator<Omit<ScanPage, 'resume'> & { readonly place: BulkPlace }> {
  const context = await options.context(signal);
  const operationId = from?.operationId ?? (await start(options, context, signal));
  let done = from?.products ?? 0;
  for (let attempt = 1; ; attempt += 1) {
    const listing = await finished(options, operationId, context, signal);
    const doneBefore = done;
    try {
      for await (const { until, ...page } of pages(options, listing, context, done, signal)) {
        done = until;
        yield { ...page, place: { operationId, products: done } };
      }
      return;
    } catch (error) {
      // A lost connection costs a second download, not the scan: what was handed out is stepped over.
      const isPassing =
        error instanceof TransportError && ['timeout', 'connection_lost', 'refused', 'dns'].includes(error.failure);
      if (!isPassing || attempt >= DOWNLOAD_ATTEMPTS) {
        if (!(error instanceof TransportError)) throw error;
        throw done > (from?.products ?? 0) ? lost(error) : unreachable(error);
      }
      if (done > doneBefore) attempt = 0;
      options.log.debug({ attempt, done }, 'the download of the catalogue was cut, trying again');
      await untilCancelled(() => options.clock.sleep(1_000 * attempt, signal), signal);
    }
  }
}

async function start(
  options: BulkScanOptions,
  context: StoreContext,
  signal: AbortSignal | undefined,
): Promise<string> {
  const query = OPERATIONS.bulkProducts.text.replace('gid://shopify/Location/0', context.locationId);
  // To the engine a scan is a read: a listing that was started twice changes nothing.
  const answer = await options.client.call(OPERATIONS.bulkRunQuery, { query }, BulkRunAnswer, {
    signal,
    intent: 'read',
  });
  const error = firstUserError(answer.bulkOperationRunQuery.userErrors);
  if (error !== null) throw error;
  const id = answer.bulkOperationRunQuery.bulkOperation?.id;
  if (id === undefined) throw new ConnectorError('malformed', 'Shopify named no operation after starting one');
  return id;
}

/** What came of an operation, and why its file tells nothing of the stock, or null. */
interface Listing {
  readonly operation: BulkOperation;
  readonly stockUnread: string | null;
}

async function finished(
  options: BulkScanOptions,
  id: string,
  { locationId }: StoreContext,
  signal: AbortSignal | undefined,
): Promise<Listing> {
  const { client, clock } = options;
  let movedAt = clock.now();
  let answeredAt = movedAt;
  let counted = '';
  for (let waitMs = POLL_FIRST_MS; ; waitMs = Math.min(POLL_MAX_MS, waitMs * POLL_GROWTH)) {
    await untilCancelled(() => clock.sleep(waitMs, signal), signal);
    let bulkOperation: BulkOperation | null;
    let stockUnread: string | null;
    try {
      const answer = await client.call(OPERATIONS.bulkOperation, { id, locationId }, BulkOperationAnswer, { signal });
      ({ bulkOperation } = answer);
      stockUnread = whyUnread(answer.location);
      answeredAt = clock.now();
    } catch (error) {
      const { retryAfterMs = 0 } = passingDetails(error);
      if (clock.now() + retryAfterMs - answeredAt > UNANSWERED_MAX_MS) throw error;
      await untilCancelled(() => clock.sleep(retryAfterMs, signal), signal);
      continue;
    }
    if (bulkOperation === null) throw startOver('Shopify no longer knows this listing');
    const { status, errorCode } = bulkOperation;
    if (status === 'COMPLETED') return { operation: bulkOperation, stockUnread };
    if (status === 'FAILED' && errorCode === 'ACCESS_DENIED') {
      throw new ConnectorError(
        'unauthorized',
        'the app lacks a permission of this Shopify shop, needed to list all products',
        {
          platformCode: errorCode,
        },
      );
    }
    // A partial file would be a shop with fewer products than it has: never used.
    if (status !== 'CREATED' && status !== 'RUNNING' && status !== 'CANCELING') {
      const details = { platformCode: errorCode ?? status };
      throw new ConnectorError(
        'unavailable',
        `Shopify did not finish the listing of all products (${status})`,
        details,
      );
    }
    const now = `${status} ${bulkOperation.objectCount}`;
    if (now !== counted) movedAt = clock.now();
    counted = now;
    if (clock.now() - movedAt > STILL_MAX_MS) {
      throw new ConnectorError('unavailable', 'Shopify’s listing of all products does not get on', {
        platformCode: 'STUCK',
      });
    }
  }
}

/** Of what passes by itself; anything else is thrown. */
function passingDetails(error: unknown): ConnectorErrorDetails {
  const isPassing =
    error instanceof ConnectorError &&
    (error.kind === 'rate_limited' || error.kind === 'timeout' || error.kind === 'unavailable') &&
    error.details.isCancelled !== true &&
    !/^HTTP_4|^SHOP_INACTIVE$/.test(error.kind === 'rate_limited' ? '' : (error.details.platformCode ?? ''));
  if (!isPassing) throw error;
  return error.details;
}

/** Pages after the first `skip` products; `until`: how far they go. The last one comes only after the file was found whole. */
async function* pages(
  options: BulkScanOptions,
  { operation, stockUnread }: Listing,
  context: StoreContext,
  skip: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Omit<ScanPage, 'resume'> & { readonly until: number }> {
  const { pageSize } = options;
  let listed: (ProductSnapshot | string)[] = [];
  let variants = 0;
  let seen = 0;
  for await (const product of readBulkProducts(await fileOf(options, operation, signal), operation)) {
    seen += 1;
    if (seen <= skip) continue;
    const isFull = listed.length === pageSize || variants + product.variantCount > VARIANTS_PER_BATCH;
    if (isFull && listed.length > 0) {
      yield { snapshots: await whole(options, listed, signal), isComplete: false, until: seen - 1 };
      listed = [];
      variants = 0;
    }
    listed.push(snapshotOf(options, product, context, stockUnread));
    variants += product.variantCount;
  }
  if (seen < skip) throw startOver('Shopify’s listing is shorter than what was read of it before');
  yield { snapshots: await whole(options, listed, signal), isComplete: true, until: seen };
}

/** The id alone, of a product that the listing doesn't show in a way that we know. */
function snapshotOf(
  options: BulkScanOptions,
  { id, parts, fault }: BulkProduct,
  context: StoreContext,
  stockUnread: string | null,
): ProductSnapshot | string {
  if (parts === null) {
    options.log.debug({ id, fault }, 'a product of the listing could not be understood and is read by itself');
    return id;
  }
  const snapshot = importProduct(parts, context, shopNow(options.client, options.clock));
  if (stockUnread !== null) return { ...snapshot, stockUnread };
  options.onRead(snapshot);
  return snapshot;
}

/** What is there as an id alone is read by ordinary reads, and, where that does not help either, listed with its reason. */
async function whole(
  { reader }: BulkScanOptions,
  listed: readonly (ProductSnapshot | string)[],
  signal: AbortSignal | undefined,
): Promise<ProductSnapshot[]> {
  const ids = listed.filter((entry) => typeof entry === 'string');
  const read = new Map<string, ProductSnapshot>();
  for (const some of chunks(ids, READ_BATCH_MAX))
    for (const snapshot of await reader.list(some, signal)) read.set(snapshot.externalId, snapshot);
  return listed.flatMap((entry) => (typeof entry === 'string' ? (read.get(entry) ?? []) : [entry]));
}

async function fileOf(
  options: BulkScanOptions,
  operation: BulkOperation,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  if (operation.url === null || operation.url === '') return nothing(); // no products: the counts are checked all the same
  if (!URL.canParse(operation.url, options.origin))
    throw new TransportError('before_send', 'blocked', 'the listing has no valid address');
  const giveUp = new AbortController();
  // The address is signed for anybody who has it: no token goes with it, and it is never logged.
  const download = await options.download({
    method: 'GET',
    url: new URL(operation.url, options.origin).href,
    headers: {},
    timeoutMs: options.requestTimeoutMs ?? DOWNLOAD_SILENCE_MS,
    signal: signal ? AbortSignal.any([signal, giveUp.signal]) : giveUp.signal,
  });
  if (download.status === 200) return download.chunks;
  giveUp.abort();
  await letGo(download.chunks);
  if (download.status >= 500)
    throw new TransportError('after_send', 'connection_lost', `HTTP ${download.status} for the listing`);
  throw startOver(`Shopify’s listing can no longer be fetched (HTTP ${download.status})`);
}

/** Of an answer nothing of which is wanted: its socket and its clock wait for a reader. */
async function letGo(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const _chunk of chunks) return;
  } catch {
    // it is gone all the same
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

export function startOver(message: string): ConnectorError {
  return new ConnectorError('rejected', `${message}: start the scan afresh`, { platformCode: 'SCAN_RESUME_LOST' });
}

function lost(error: TransportError): ConnectorError {
  return classifyTransportError(error, 'read');
}

/** Nothing came of the file, however often it was asked for. */
function unreachable(error: TransportError): ConnectorError {
  if (error.failure === 'aborted') return lost(error);
  const message = `the file of Shopify’s listing could not be fetched: ${lost(error).message}`;
  return new ConnectorError('unavailable', message, { platformCode: FILE_UNREACHABLE });
}
