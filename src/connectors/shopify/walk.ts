import { chunks } from '../../lib/chunks.ts';
import { VARIANTS_PER_BATCH } from '../../model/batch.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { ScanPage } from '../../ports/connector.ts';
import { compareIds } from '../shared/exact-json.ts';
import type { ShopifyClient } from './client.ts';
import { gidNumber } from './gid.ts';
import { OPERATIONS } from './operations.gen.ts';
import { type ProductReader, READ_BATCH_MAX } from './product-reader.ts';
import { type ProductsListed, ProductsListedAnswer } from './wire.ts';

export interface WalkOptions {
  readonly client: ShopifyClient;
  readonly reader: ProductReader;
  readonly pageSize: number;
}

/** A connection walks at most 25,000 objects: before that a new one begins behind the last product. */
const CONNECTION_OBJECTS_MAX = 22_500;

/**
 * The whole catalogue page by page, in the order of the products' ids: what is added meanwhile comes at the end, and what goes moves nothing that is
 * still to come. It costs a call for each 25 products where a bulk operation costs a handful in all, and needs nothing but ordinary reads.
 * `after`: the id of the last product handed out; null: from the start.
 */
export async function* walk(
  options: WalkOptions,
  after: string | null,
  signal: AbortSignal | undefined,
): AsyncGenerator<Omit<ScanPage, 'resume'> & { readonly last: string | null }> {
  const { client, reader, pageSize } = options;
  let last = after;
  let cursor: string | null = null;
  let walked = 0;
  for (;;) {
    // Behind a product without a cursor, the search is asked; with one, the list itself, which knows what is new.
    const query: string | null = cursor === null && last !== null ? `id:>${gidNumber(last)}` : null;
    const variables: Record<string, unknown> = { first: pageSize, after: cursor, query };
    const answer: ProductsListed = await client.call(OPERATIONS.productsListed, variables, ProductsListedAnswer, {
      signal,
    });
    const { nodes, pageInfo } = answer.products;
    const ids = nodes.map(({ id }) => id);
    for (const id of ids) {
      if (last !== null && compareIds(gidNumber(id), gidNumber(last)) <= 0) throw notAsAsked();
      last = id;
    }
    const isComplete = !pageInfo.hasNextPage;
    if (ids.length === 0 && !isComplete) throw notAsAsked();
    let snapshots: ProductSnapshot[] = [];
    let variants = 0;
    for (const some of chunks(ids, READ_BATCH_MAX)) {
      // Without those that were deleted since they were listed.
      for (const snapshot of await reader.list(some, signal)) {
        snapshots.push(snapshot);
        variants += snapshot.variants.length;
      }
      const lastOfSome = some.at(-1) ?? null;
      if (variants < VARIANTS_PER_BATCH || lastOfSome === last) continue;
      yield { snapshots, isComplete: false, last: lastOfSome };
      snapshots = [];
      variants = 0;
    }
    yield { snapshots, isComplete, last };
    if (isComplete) return;
    walked += ids.length;
    const isLong = walked >= CONNECTION_OBJECTS_MAX;
    cursor = isLong ? null : pageInfo.endCursor;
    if (isLong) walked = 0;
  }
}

function notAsAsked(): ConnectorError {
  return new ConnectorError('malformed', 'Shopify’s list of all products does not go on as it was asked for');
}
