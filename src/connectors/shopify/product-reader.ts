import { chunks } from '../../lib/chunks.ts';
import { gtinSpellings } from '../../lib/record-keys.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { type SearchKey, searchKeys, splitSearchKeys } from '../../model/search-key.ts';
import type { Mark, ProductSnapshot } from '../../model/snapshot.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ReadOutcome } from '../../ports/connector.ts';
import { ANSWER_TOO_LARGE } from '../shared/transport.ts';
import type { ShopifyClient } from './client.ts';
import { explainProduct } from './explain-product.ts';
import { isGid } from './gid.ts';
import { importProduct } from './import-mapper.ts';
import { inParallel } from './in-parallel.ts';
import { MARK_NAMESPACE, markKey, markValue } from './marks.ts';
import { OPERATIONS } from './operations.gen.ts';
import { type StoreContext, shopNow, whyUnread } from './store-context.ts';
import {
  ByIdentifierAnswer,
  NodesAnswer,
  type ProductRow,
  ProductRowShape,
  type VariantRow,
  type VariantsByKey,
  VariantsByKeyAnswer,
  VariantsPageAnswer,
} from './wire.ts';

export interface ProductReaderOptions {
  readonly client: ShopifyClient;
  readonly clock: Pick<Clock, 'now'>;
  readonly context: (signal?: AbortSignal) => Promise<StoreContext>;
  /** Told of every item read, so that a later write knows which are not counted. */
  readonly onRead: (snapshot: ProductSnapshot) => void;
}

export interface ProductReader {
  read(externalIds: readonly string[], signal?: AbortSignal): Promise<ReadOutcome<ProductSnapshot>[]>;
  /** For listings: without those that are gone, and with those that can't be read as `unsyncable`. */
  list(externalIds: readonly string[], signal?: AbortSignal): Promise<ProductSnapshot[]>;
  findByMark(mark: Mark, signal?: AbortSignal): Promise<ProductSnapshot | null>;
  /** The product at this address. Exact at once: no search is asked. */
  findByHandle(handle: string, signal?: AbortSignal): Promise<ProductSnapshot | null>;
  findByKeys(keys: readonly SearchKey[], signal?: AbortSignal): Promise<ProductSnapshot[]>;
}

/** `row`: what came of the record, whether it was understood or not. */
interface Answered {
  readonly outcome: ReadOutcome<ProductSnapshot>;
  readonly row: unknown;
}

export const READ_BATCH_MAX = 25;
/** Variants that come with their product; the rest of a larger one is paged. */
const VARIANTS_FIRST = 100;
/** Products whose further variants are asked for at once. All of a batch would wait for each other's points, past the time after which a call gives up. */
const PAGED_AT_ONCE = 4;
/** Values in one search. */
const TERMS_PER_SEARCH = 20;
/** Pages of a hundred that Shopify lets one search be walked: 25,000 objects. */
const SEARCH_PAGES_MAX = 250;

export function createProductReader(options: ProductReaderOptions): ProductReader {
  const { client, clock, onRead } = options;
  /** Shrinks for good when the store charges a batch more than one query may cost. */
  let batchSize = READ_BATCH_MAX;

  async function readChunk(ids: readonly string[], signal: AbortSignal | undefined): Promise<Answered[]> {
    const context = await options.context(signal);
    const failed = new Map<number, ConnectorError>();
    let nodes: readonly unknown[];
    let stockUnread: string | null;
    try {
      const variables = { ids, locationId: context.locationId, variantsFirst: VARIANTS_FIRST };
      const answer = await client.call(OPERATIONS.productsById, variables, NodesAnswer, {
        signal,
        onNodeError: (index, error) => failed.set(index, error),
      });
      stockUnread = whyUnread(answer.location);
      ({ nodes } = answer);
    } catch (error) {
      const code = error instanceof ConnectorError ? error.details.platformCode : undefined;
      const isTooDear = code === 'MAX_COST_EXCEEDED';
      if (!(isTooDear || code === ANSWER_TOO_LARGE) || ids.length === 1) throw error;
      const half = Math.ceil(ids.length / 2);
      if (isTooDear) batchSize = half;
      return [...(await readChunk(ids.slice(0, half), signal)), ...(await readChunk(ids.slice(half), signal))];
    }
    if (nodes.length !== ids.length) {
      throw new ConnectorError('malformed', `Shopify answered ${nodes.length} records for ${ids.length} ids`);
    }
    // What came of a record beside an error is not all of it; and a null beside one does not say that it is gone.
    return await inParallel(nodes, PAGED_AT_ONCE, async (row, index) => {
      const error = failed.get(index);
      return { outcome: error ? { ok: false, error } : await readNode(row, context, stockUnread, signal), row };
    });
  }

  async function readNode(
    node: unknown,
    context: StoreContext,
    stockUnread: string | null,
    signal: AbortSignal | undefined,
  ): Promise<ReadOutcome<ProductSnapshot>> {
    if (node === null) return gone();
    const mismatch = ProductRowShape.mismatch(node);
    if (mismatch !== null) {
      return {
        ok: false,
        error: new ConnectorError('malformed', `a product from Shopify could not be understood: ${mismatch}`),
      };
    }
    try {
      const value = await complete(node as ProductRow, context, stockUnread, signal);
      return value === null ? gone() : { ok: true, value };
    } catch (error) {
      if (isOfOne(error)) return { ok: false, error };
      throw error;
    }
  }

  /** Null when it was deleted while its variants were being paged. */
  async function complete(
    row: ProductRow,
    context: StoreContext,
    stockUnread: string | null,
    signal: AbortSignal | undefined,
  ): Promise<ProductSnapshot | null> {
    const variants: VariantRow[] = [...row.variants.nodes];
    let page = row.variants.pageInfo;
    while (page.hasNextPage) {
      const variables = { id: row.id, locationId: context.locationId, after: page.endCursor };
      const { product } = await client.call(OPERATIONS.variantsPage, variables, VariantsPageAnswer, { signal });
      if (product === null) return null;
      variants.push(...product.variants.nodes);
      page = product.variants.pageInfo;
    }
    const snapshot = importProduct(
      { product: row, variants, media: row.media.nodes, marks: row.metafields.nodes },
      context,
      shopNow(client, clock),
    );
    if (stockUnread !== null) return { ...snapshot, stockUnread };
    onRead(snapshot);
    return snapshot;
  }

  async function readEach(externalIds: readonly string[], signal: AbortSignal | undefined): Promise<Answered[]> {
    const askable = externalIds.filter((id) => isGid(id, 'Product'));
    const byId = new Map<string, Answered>();
    const unique = [...new Set(askable)];
    for (let at = 0; at < unique.length; ) {
      const chunk = unique.slice(at, at + batchSize);
      at += chunk.length;
      const answers = await readChunk(chunk, signal);
      chunk.forEach((id, index) => {
        byId.set(id, answers[index] ?? { outcome: gone(), row: null });
      });
    }
    return externalIds.map((id) => byId.get(id) ?? { outcome: { ok: false, error: notAProductId(id) }, row: null });
  }

  async function read(externalIds: readonly string[], signal?: AbortSignal): Promise<ReadOutcome<ProductSnapshot>[]> {
    return (await readEach(externalIds, signal)).map(({ outcome }) => outcome);
  }

  async function identify(identifier: object, signal: AbortSignal | undefined): Promise<ProductSnapshot | null> {
    const context = await options.context(signal);
    const variables = { identifier, locationId: context.locationId, variantsFirst: VARIANTS_FIRST };
    const answer = await client.call(OPERATIONS.productByIdentifier, variables, ByIdentifierAnswer, { signal });
    return answer.productByIdentifier === null
      ? null
      : await complete(answer.productByIdentifier, context, whyUnread(answer.location), signal);
  }

  return {
    read,
    async list(externalIds, signal) {
      const context = await options.context(signal);
      const answers = await readEach(externalIds, signal);
      return externalIds.flatMap((id, index): ProductSnapshot[] => {
        const { outcome, row } = answers[index] ?? { outcome: gone(), row: null };
        if (outcome.ok) return [outcome.value];
        return outcome.error.kind === 'not_found' ? [] : [explainProduct(id, row, outcome.error, context)];
      });
    },
    findByHandle: (handle, signal) => identify({ handle }, signal),
    async findByMark(mark, signal) {
      const customId = { namespace: MARK_NAMESPACE, key: markKey(mark.pairId), value: markValue(mark) };
      try {
        const snapshot = await identify({ customId }, signal);
        // Whether Shopify minds letter case in such a value is not documented; a mark is compared whole.
        const isBearer = snapshot?.marks.some(({ pairId, hubId }) => pairId === mark.pairId && hubId === mark.hubId);
        return isBearer === true ? snapshot : null;
      } catch (error) {
        // No definition for this pair yet: nothing can bear its marks.
        if (isMissingDefinition(error)) return null;
        throw error;
      }
    },
    async findByKeys(keys, signal) {
      const wanted = new Set(keys);
      const isWanted = (fields: Parameters<typeof searchKeys>[0]) => searchKeys(fields).some((key) => wanted.has(key));
      const { skus, gtins } = splitSearchKeys(keys);
      const terms = [
        // The search minds no letter case, and neither does what is made of its answer.
        ...skus.map((sku) => `sku:${searchText(sku)}`),
        // A barcode is a text there: it is found as it was written down.
        ...gtins.flatMap(gtinSpellings).map((barcode) => `barcode:${searchText(barcode)}`),
      ];
      const productIds = new Set<string>();
      for (const chunk of chunks(terms, TERMS_PER_SEARCH)) {
        const query = chunk.join(' OR ');
        let after: string | null = null;
        for (let pages = 1; ; pages += 1) {
          const variables = { query, after };
          const answer: VariantsByKey = await client.call(OPERATIONS.variantsByKey, variables, VariantsByKeyAnswer, {
            signal,
          });
          const { productVariants } = answer;
          for (const { sku, barcode, product } of productVariants.nodes)
            if (isWanted({ sku: sku ?? '', barcode: barcode ?? '' })) productIds.add(product.id);
          if (!productVariants.pageInfo.hasNextPage) break;
          // The search knows words, not SKUs. Who holds one may stand further on: not seen is not "not there".
          if (pages >= SEARCH_PAGES_MAX)
            throw new ConnectorError('rejected', 'too many variants resemble a SKU for all of them to be looked at', {
              field: 'sku',
            });
          after = productVariants.pageInfo.endCursor;
        }
      }
      const outcomes = await read([...productIds], signal);
      const snapshots: ProductSnapshot[] = [];
      for (const outcome of outcomes) {
        if (outcome.ok) {
          // The index may lag behind: what counts is what the product says now.
          if (outcome.value.variants.some(({ fields }) => isWanted(fields))) snapshots.push(outcome.value);
        } else if (outcome.error.kind !== 'not_found') throw outcome.error;
      }
      return snapshots;
    },
  };
}

/** Whether it is this product's own pages that Shopify can't give, and not any that failed. */
function isOfOne(error: unknown): error is ConnectorError {
  if (!(error instanceof ConnectorError)) return false;
  return error.kind === 'malformed' || error.details.platformCode === 'INTERNAL_SERVER_ERROR';
}

/** A value of Shopify's search language, whatever characters are in it. */
function searchText(value: string): string {
  return `'${value.replace(/[\\']/g, (character) => `\\${character}`)}'`;
}

/** `customId` is refused with this until the pair's metafield definition exists. */
export function isMissingDefinition(error: unknown): boolean {
  return (
    error instanceof ConnectorError &&
    error.details.platformCode === 'NOT_FOUND' &&
    /metafield definition/i.test(error.details.platformMessage ?? '')
  );
}

function gone(): { readonly ok: false; readonly error: ConnectorError } {
  return { ok: false, error: new ConnectorError('not_found', 'Shopify has no product with this id') };
}

function notAProductId(id: string): ConnectorError {
  return new ConnectorError('rejected', `“${id.slice(0, 80)}” is not the id of a Shopify product`, {
    field: 'externalId',
  });
}
