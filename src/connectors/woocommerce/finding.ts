import { skuKey } from '../../lib/record-keys.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { Mark, ProductSnapshot } from '../../model/snapshot.ts';
import { idText } from '../shared/exact-json.ts';
import type { WooContext } from './context.ts';
import { chunked } from './in-parallel.ts';
import { asRecords, listById } from './listing.ts';
import { isSameMark, readMarks } from './marks.ts';
import { readProducts } from './read-products.ts';
import { decodeText } from './text.ts';
import type { WireMeta } from './wire.ts';

/**
 * How far before the create is looked for its mark. Generous, because a second counterpart is worse than a few pages: the store's clock may
 * have been set since, or its Date header may be a proxy's.
 */
const LOOK_BACK_MS = 25 * 60 * 60_000;
/** Each SKU finds one record at most, and a page holds a hundred. */
const SKUS_PER_CALL_MAX = 90;
const SKU_CHARS_MAX = 3_000;

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
): Promise<ProductSnapshot | null> {
  // Learns the store's clock if nothing has yet: `createdAfter` is by ours.
  await context.facts();
  const since = createdAfter + (context.client.state.clockSkewMs ?? 0) - LOOK_BACK_MS;
  for (const status of ['any', 'trash']) {
    const query = { status, modified_after: naiveUtc(since), dates_are_gmt: true, _fields: 'id,meta_data' };
    for await (const page of listById(context.client, {
      path: '/products',
      query,
      pageSize: context.pageSize,
      signal,
    })) {
      for (const { id, raw } of page.items) {
        const meta = (raw as { meta_data?: unknown }).meta_data;
        const marks = Array.isArray(meta) ? readMarks(meta as WireMeta[]) : [];
        if (!marks.some((other) => isSameMark(other, mark))) continue;
        const [outcome] = await readProducts(context, [id], signal);
        if (outcome?.ok) return outcome.value;
        if (outcome?.error.kind !== 'not_found') throw outcome?.error ?? new ConnectorError('malformed', 'no answer');
      }
    }
  }
  return null;
}

/** Products with one of these SKUs on any variant, as SKUs are compared: the database ignores more than letter case (accents, too). */
export async function findBySku(
  context: WooContext,
  skus: readonly string[],
  signal?: AbortSignal,
): Promise<ProductSnapshot[]> {
  const wanted = new Set(skus.map(skuKey).filter((sku) => sku !== ''));
  const plain = [...wanted].filter((sku) => !sku.includes(','));
  const withComma = [...wanted].filter((sku) => sku.includes(','));
  const ids = new Set<string>();
  // A comma divides SKUs, but the text as a whole counts as one too: such a SKU is asked for alone.
  for (const run of [...byLength(plain), ...withComma.map((sku) => [sku])]) {
    const query = { sku: run.join(','), status: 'any', per_page: 100, _fields: 'id,type,parent_id,sku' };
    const { data } = await context.client.get('/products', { query, signal });
    for (const { id, raw } of asRecords(data)) {
      const hit = raw as { type?: unknown; parent_id?: unknown; sku?: unknown };
      if (typeof hit.sku !== 'string' || !wanted.has(skuKey(decodeText(hit.sku)))) continue;
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
      if (outcome.value.variants.some((variant) => wanted.has(skuKey(variant.fields.sku))))
        snapshots.push(outcome.value);
    }
  }
  return snapshots;
}

/** Runs of SKUs that make an address of at most a few thousand characters, whatever letters they are of. */
function byLength(skus: readonly string[]): string[][] {
  const runs: string[][] = [];
  let run: string[] = [];
  let chars = 0;
  for (const sku of skus) {
    const length = encodeURIComponent(sku).length + 1;
    if (run.length >= SKUS_PER_CALL_MAX || (run.length > 0 && chars + length > SKU_CHARS_MAX)) {
      runs.push(run);
      run = [];
      chars = 0;
    }
    run.push(sku);
    chars += length;
  }
  return run.length === 0 ? runs : [...runs, run];
}

/** The only form that both flags agree on: with a "Z" and `dates_are_gmt` the result is wrong by the site's offset. */
export function naiveUtc(ms: number): string {
  return new Date(Math.max(0, ms)).toISOString().slice(0, 19);
}
