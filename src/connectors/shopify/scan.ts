import { ConnectorError } from '../../model/connector-error.ts';
import type { ScanPage, ScanRequest } from '../../ports/connector.ts';
import { type BulkPlace, type BulkScanOptions, bulkScan, FILE_UNREACHABLE, startOver } from './bulk-scan.ts';
import { isGid } from './gid.ts';
import type { ProductReader } from './product-reader.ts';
import { walk } from './walk.ts';

export interface ScannerOptions extends Omit<BulkScanOptions, 'pageSize'> {
  readonly reader: ProductReader;
  readonly pageSize?: number;
}

/** Where a scan goes on: in a bulk file, or (walked page by page) behind a product. */
type Place = BulkPlace | { readonly lastId: string };

const PAGE_SIZE = 200;
/** For so long after a bulk listing that came to nothing none is tried again, ms. */
const DISTRUST_MS = 3_600_000;
/** What Shopify says of a bulk operation that it does not take, or does not bring to an end; and that its file can't be had. */
const BULK_CODES = new Set([
  ...['FAILED', 'CANCELED', 'EXPIRED', 'INTERNAL_SERVER_ERROR', 'TIMEOUT', 'STUCK'],
  ...['OPERATION_IN_PROGRESS', 'LIMIT_REACHED', FILE_UNREACHABLE],
]);

/**
 * The whole catalogue of a shop. By one bulk operation; where that is refused (other apps' operations hold all places), fails, gets stuck or gives a
 * file that is not whole or can't be reached, by ordinary reads page by page: dearer and slower, and it gets there.
 */
export function createScanner(options: ScannerOptions): (request: ScanRequest) => AsyncGenerator<ScanPage> {
  const { clock, log, client, reader } = options;
  const pageSize = options.pageSize ?? PAGE_SIZE;
  let distrustedUntil = Number.NEGATIVE_INFINITY;

  async function* byBulk(from: BulkPlace | null, signal: AbortSignal | undefined): AsyncGenerator<ScanPage> {
    for await (const { place, ...page } of bulkScan({ ...options, pageSize }, from, signal))
      yield { ...page, resume: writePlace(place) };
  }

  async function* byWalking(after: string | null, signal: AbortSignal | undefined): AsyncGenerator<ScanPage> {
    try {
      for await (const { last, ...page } of walk({ client, reader, pageSize }, after, signal))
        yield { ...page, resume: writePlace({ lastId: last ?? '' }) };
    } catch (error) {
      if (!(error instanceof ConnectorError) || error.kind !== 'malformed') throw error;
      // It is what is left once a bulk listing came to nothing: there is no third way.
      throw new ConnectorError(error.kind, error.message, { ...error.details, cutShort: 'shopify' });
    }
  }

  return async function* scan({ resume, signal }) {
    const from = resume === null ? null : readPlace(resume);
    if (from !== null && 'lastId' in from) {
      yield* byWalking(from.lastId === '' ? null : from.lastId, signal);
      return;
    }
    const isDistrusted = clock.now() < distrustedUntil;
    if (isDistrusted && from !== null) throw startOver('Shopify’s listing was not whole');
    if (!isDistrusted) {
      let isBegun = from !== null;
      try {
        for await (const page of byBulk(from, signal)) {
          isBegun = true;
          yield page;
        }
        return;
      } catch (error) {
        if (!isBulkTrouble(error)) throw error;
        distrustedUntil = clock.now() + DISTRUST_MS;
        // What was handed out came from that file: the next scan begins afresh.
        if (isBegun) throw error;
        log.warn(
          { error: error.message },
          'a bulk listing of Shopify came to nothing: all products are read page by page',
        );
      }
    }
    yield* byWalking(null, signal);
  };
}

/** Whether it is the bulk operation that does not work, and not the shop, the way to it, or our access. */
function isBulkTrouble(error: unknown): error is ConnectorError {
  if (!(error instanceof ConnectorError)) return false;
  return error.kind === 'malformed' || error.kind === 'rejected' || BULK_CODES.has(error.details.platformCode ?? '');
}

function writePlace(place: Place): string {
  return JSON.stringify('lastId' in place ? [place.lastId] : [place.operationId, place.products]);
}

function readPlace(text: string): Place {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) {
      const [id, products] = value as unknown[];
      if (value.length === 1 && typeof id === 'string' && (id === '' || isGid(id, 'Product'))) return { lastId: id };
      const isCount = Number.isInteger(products) && Number(products) >= 0;
      if (value.length === 2 && typeof id === 'string' && isGid(id, 'BulkOperation') && isCount)
        return { operationId: id, products: Number(products) };
    }
  } catch {
    // told below
  }
  throw startOver('this is not a place in a listing of Shopify');
}
