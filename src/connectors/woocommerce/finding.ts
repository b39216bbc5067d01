import { gtinSpellings } from '../../lib/record-keys.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { type SearchKey, searchKeys, splitSearchKeys } from '../../model/search-key.ts';
import type { Mark, ProductSnapshot } from '../../model/snapshot.ts';
import { idText } from '../shared/exact-json.ts';
import type { Query } from './client.ts';
import type { WooContext } from './context.ts';
import { chunked } from './in-parallel.ts';
import { type ListPage, listById } from './listing.ts';
import { isSameMark, readMarks } from './marks.ts';
import type { Search } from './product-search.ts';
import { readProducts } from './read-products.ts';
import { asRecords } from './record-list.ts';
import { decodeText } from './text.ts';
import type { WireMeta } from './wire.ts';

/**
 * How far before the create is looked for its mark. Generous, because a second counterpart is worse than a few pages: the store's clock may
 * have been set since, or its Date header may be a proxy's.
 */
const LOOK_BACK_MS = 25 * 60 * 60_000;
/** Each value finds one record, but for the few that came out of the bin again or were made in the same moment, and a page holds a hundred. */
const VALUES_PER_CALL_MAX = 90;
const VALUE_CHARS_MAX = 3_000;

/**
 * WooCommerce can't search by meta, and ignores a parameter that it doesn't know: so everything that was changed since
 * the create (a record made later was changed later; unlike the publishing date nobody can set that one back) is
 * listed, the bin apart, and marks are compared [C18].
 */
export async function findByMark(
  context: WooContext,
  mark: Mark,
  createdAfter: number,
  signal?: AbortSignal,
  isOther: (externalId: string) => boolean = () => false,
): Promise<ProductSnapshot | null> {
  // Learns the store's clock if nothing has yet: `createdAfter` is by ours.
  await context.facts();
  const since = createdAfter + (context.client.state.clockSkewMs ?? 0) - LOOK_BACK_MS;
  for (const status of ['any', 'trash']) {
    const query = { status, modified_after: naiveUtc(since), dates_are_gmt: true, _fields: 'id,meta_data' };
    for await (const items of newestThenAll(context, query, signal)) {
      for (const { id, raw } of items) {
        const meta = (raw as { meta_data?: unknown }).meta_data;
        const marks = Array.isArray(meta) ? readMarks(meta as WireMeta[]) : [];
        if (!marks.some((other) => isSameMark(other, mark)) || isOther(id)) continue;
        const [outcome] = await readProducts(context, [id], signal);
        if (outcome?.ok) return outcome.value;
        if (outcome?.error.kind !== 'not_found') throw outcome?.error ?? new ConnectorError('malformed', 'no answer');
      }
    }
  }
  return null;
}

/**
 * What was made just now has the highest ids. Without looking there first, each of a hundred creates whose answer was lost on a slow host would have
 * everything listed that a first copy has made.
 */
async function* newestThenAll(
  { client, pageSize }: WooContext,
  query: Query,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly Pick<ListPage['items'][number], 'id' | 'raw'>[]> {
  // All meta data come along, and builders of pages keep theirs in them.
  const size = Math.min(pageSize, client.pages.now);
  const newest = { ...query, orderby: 'id', order: 'desc', per_page: size };
  const get = async () => {
    const { data, headers } = await client.get('/products', { query: newest, signal });
    return { items: asRecords(data), total: Number(headers['x-wp-total']) };
  };
  const { items, total } = await client.pages.ask(size, get, (page) => page.items.length);
  yield items;
  // Fewer than were asked for are not all of them, where a host caps pages or a plugin takes something out: [C20] is for the listing to see to.
  if (items.length >= total) return;
  const request = { path: '/products', query, pageSize, isHeavy: true, signal };
  for await (const page of listById(client, request)) yield page.items;
}

/**
 * Products with one of these keys on any variant, as keys are compared: the database ignores more than letter case of a SKU (accents, too). GTINs only
 * where WooCommerce finds products by them: older versions ignore the parameter and list everything.
 */
export async function findByKeys(
  context: WooContext,
  keys: readonly SearchKey[],
  signal?: AbortSignal,
): Promise<ProductSnapshot[]> {
  const wanted = new Set(keys);
  const { skus, gtins } = splitSearchKeys(keys);
  const plain = skus.filter((sku) => !sku.includes(','));
  const withComma = skus.filter((sku) => sku.includes(','));
  const { findsBarcodes } = gtins.length === 0 ? { findsBarcodes: false } : await context.facts();
  const query = { status: 'any', per_page: 100, _fields: 'id,type,parent_id,sku,global_unique_id' };
  const bySku = (values: readonly string[]): Search => ({ param: 'sku', values, query });
  const byGtin = (values: readonly string[]): Search => ({ param: 'global_unique_id', values, query });
  const searches = [
    // A comma divides SKUs, but the text as a whole counts as one too: such a SKU is asked for alone.
    ...[...byLength(plain), ...withComma.map((sku) => [sku])].map(bySku),
    ...byLength(findsBarcodes ? gtins.flatMap(gtinSpellings) : []).map(byGtin),
  ];
  const ids = new Set<string>();
  for (const { data } of await context.client.find(searches, signal)) {
    for (const { id, raw } of asRecords(data)) {
      const hit = raw as { type?: unknown; parent_id?: unknown; sku?: unknown; global_unique_id?: unknown };
      const borne = searchKeys({ sku: textOf(hit.sku), barcode: textOf(hit.global_unique_id) });
      if (!borne.some((key) => wanted.has(key))) continue;
      const owner = hit.type === 'variation' ? idText(hit.parent_id) : id;
      if (owner !== null) ids.add(owner);
    }
  }
  const snapshots: ProductSnapshot[] = [];
  for (const run of chunked([...ids], 100)) {
    for (const outcome of await readProducts(context, run, signal)) {
      if (!outcome.ok) {
        if (outcome.error.kind === 'not_found') continue;
        throw outcome.error;
      }
      if (outcome.value.variants.some(({ fields }) => searchKeys(fields).some((key) => wanted.has(key))))
        snapshots.push(outcome.value);
    }
  }
  return snapshots;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? decodeText(String(value)) : '';
}

/** Runs of values that make an address of at most a few thousand characters, whatever letters they are of. */
function byLength(values: readonly string[]): string[][] {
  const runs: string[][] = [];
  let run: string[] = [];
  let chars = 0;
  for (const value of values) {
    const length = encodeURIComponent(value).length + 1;
    if (run.length >= VALUES_PER_CALL_MAX || (run.length > 0 && chars + length > VALUE_CHARS_MAX)) {
      runs.push(run);
      run = [];
      chars = 0;
    }
    run.push(value);
    chars += length;
  }
  return run.length === 0 ? runs : [...runs, run];
}

/** The only form that both flags agree on: with a "Z" and `dates_are_gmt` the result is wrong by the site's offset. */
export function naiveUtc(ms: number): string {
  return new Date(Math.max(0, ms)).toISOString().slice(0, 19);
}
