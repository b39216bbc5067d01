import { ConnectorError } from '../../model/connector-error.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ScanPage, ScanRequest } from '../../ports/connector.ts';
import type { Log } from '../../ports/log.ts';
import { classifyTransportError } from '../shared/client.ts';
import { type DownloadTransport, TransportError } from '../shared/transport.ts';
import { readBulkProducts } from './bulk-file.ts';
import { type ShopifyClient, untilCancelled } from './client.ts';
import { isGid } from './gid.ts';
import { importProduct } from './import-mapper.ts';
import { OPERATIONS } from './operations.gen.ts';
import type { StoreContext } from './store-context.ts';
import { firstUserError } from './user-errors.ts';
import { type BulkOperation, BulkOperationAnswer, BulkRunAnswer } from './wire.ts';

export interface ScanOptions {
  readonly client: ShopifyClient;
  readonly download: DownloadTransport;
  readonly clock: Clock;
  readonly log: Log;
  readonly context: (signal?: AbortSignal) => Promise<StoreContext>;
  readonly onRead: (snapshot: ProductSnapshot) => void;
  readonly pageSize?: number;
  readonly requestTimeoutMs?: number;
}

const PAGE_SIZE = 200;
/** Small shops are done at once, large ones are asked a few times: 50 ms, 90 ms, ... up to 10 s. */
const POLL_FIRST_MS = 50;
const POLL_GROWTH = 1.8;
const POLL_MAX_MS = 10_000;
/** Shopify lets a bulk query run for days; a catalogue that takes this long is a fault. */
const RUN_MAX_MS = 6 * 3_600_000;
const DOWNLOAD_ATTEMPTS = 3;
const DOWNLOAD_SILENCE_MS = 60_000;

/**
 * The whole catalogue by one bulk operation: one call to start, a few to poll, one download, whatever the size; not rate limited. The file stays for
 * seven days, so a resumed scan reads on in the very same file.
 */
export async function* scan(options: ScanOptions, request: ScanRequest): AsyncGenerator<ScanPage> {
  const { signal } = request;
  const context = await options.context(signal);
  const from = request.resume === null ? null : readResume(request.resume);
  const operationId = from?.operationId ?? (await start(options, context, signal));
  let done = from?.products ?? 0;
  for (let attempt = 1; ; attempt += 1) {
    const operation = await finished(options, operationId, signal);
    const doneBefore = done;
    try {
      for await (const page of pages(options, operation, context, done, signal)) {
        done += page.snapshots.length;
        yield { ...page, resume: writeResume({ operationId, products: done }) };
      }
      return;
    } catch (error) {
      // A lost connection costs a second download, not the scan: what was handed out is stepped over.
      const isPassing =
        error instanceof TransportError && ['timeout', 'connection_lost', 'refused', 'dns'].includes(error.failure);
      if (!isPassing || attempt >= DOWNLOAD_ATTEMPTS) throw error instanceof TransportError ? lost(error) : error;
      if (done > doneBefore) attempt = 0;
      options.log.debug({ attempt, done }, 'the download of the catalogue was cut, trying again');
      await untilCancelled(() => options.clock.sleep(1_000 * attempt, signal), signal);
    }
  }
}

async function start(options: ScanOptions, context: StoreContext, signal: AbortSignal | undefined): Promise<string> {
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

async function finished(options: ScanOptions, id: string, signal: AbortSignal | undefined): Promise<BulkOperation> {
  const { client, clock } = options;
  const startedAt = clock.now();
  for (let waitMs = POLL_FIRST_MS; ; waitMs = Math.min(POLL_MAX_MS, waitMs * POLL_GROWTH)) {
    await untilCancelled(() => clock.sleep(waitMs, signal), signal);
    const { bulkOperation } = await client.call(OPERATIONS.bulkOperation, { id }, BulkOperationAnswer, { signal });
    if (bulkOperation === null) throw startOver('Shopify no longer knows this listing');
    const { status, errorCode } = bulkOperation;
    if (status === 'COMPLETED') return bulkOperation;
    if (status === 'FAILED' && errorCode === 'ACCESS_DENIED') {
      throw new ConnectorError('unauthorized', 'the app lacks a permission that is needed to list all products', {
        platformCode: errorCode,
      });
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
    if (clock.now() - startedAt > RUN_MAX_MS) {
      throw new ConnectorError('unavailable', 'Shopify has not finished the listing of all products for hours');
    }
  }
}

/** Pages after the first `skip` products. The last one comes only after the file was found whole. */
async function* pages(
  options: ScanOptions,
  operation: BulkOperation,
  context: StoreContext,
  skip: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Omit<ScanPage, 'resume'>> {
  const pageSize = options.pageSize ?? PAGE_SIZE;
  let snapshots: ProductSnapshot[] = [];
  let seen = 0;
  for await (const parts of readBulkProducts(await fileOf(options, operation, signal), operation)) {
    seen += 1;
    if (seen <= skip) continue;
    if (snapshots.length === pageSize) {
      yield { snapshots, isComplete: false };
      snapshots = [];
    }
    const snapshot = importProduct(parts, context);
    options.onRead(snapshot);
    snapshots.push(snapshot);
  }
  if (seen < skip) throw startOver('Shopify’s listing is shorter than what was read of it before');
  yield { snapshots, isComplete: true };
}

async function fileOf(
  options: ScanOptions,
  operation: BulkOperation,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  if (operation.url === null) return nothing(); // no products: the counts are checked all the same
  // The address is signed for anybody who has it: no token goes with it, and it is never logged.
  const download = await options.download({
    method: 'GET',
    url: operation.url,
    headers: {},
    timeoutMs: options.requestTimeoutMs ?? DOWNLOAD_SILENCE_MS,
    ...(signal ? { signal } : {}),
  });
  if (download.status === 200) return download.chunks;
  if (download.status >= 500)
    throw new TransportError('after_send', 'connection_lost', `HTTP ${download.status} for the listing`);
  throw startOver(`Shopify’s listing can no longer be fetched (HTTP ${download.status})`);
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

interface Resume {
  readonly operationId: string;
  /** Products handed out so far. */
  readonly products: number;
}

function writeResume(resume: Resume): string {
  return JSON.stringify([resume.operationId, resume.products]);
}

function readResume(text: string): Resume {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value) && value.length === 2) {
      const [operationId, products] = value as unknown[];
      if (
        typeof operationId === 'string' &&
        isGid(operationId, 'BulkOperation') &&
        Number.isInteger(products) &&
        Number(products) >= 0
      ) {
        return { operationId, products: Number(products) };
      }
    }
  } catch {
    // told below
  }
  throw startOver('this is not a place in a listing of Shopify');
}

function startOver(message: string): ConnectorError {
  return new ConnectorError('rejected', `${message}: start the scan afresh`, { platformCode: 'SCAN_RESUME_LOST' });
}

function lost(error: TransportError): ConnectorError {
  return classifyTransportError(error, 'read');
}
