import { skuKey } from '../../lib/record-keys.ts';
import { idText } from '../shared/exact-json.ts';
import { type BatchItem, type BatchOptions, type BatchResult, optionsAfter, sendBatch } from './batch.ts';
import type { WooClient } from './client.ts';
import { skuMeta } from './marks.ts';
import { sendFreeing } from './send-freeing.ts';
import { withSkuSettled } from './sku-order.ts';

/**
 * `sendFreeing`, for SKUs that pass round in a circle of products: each is refused, since the next one still has it. They are cleared all at once, kept
 * meanwhile as those of variations are (`orderBySku`), and what was refused is sent again. `skus`: those that the products have, as they were seen.
 */
export async function sendSwapping(
  client: WooClient,
  path: string,
  items: readonly BatchItem[],
  skus: readonly string[],
  options: BatchOptions,
): Promise<BatchResult[]> {
  const results = await sendFreeing(client, path, items, options);
  const circle = circlesOf(items, skus, results);
  if (circle.length === 0) return results;
  const cleared = circle.map((index): BatchItem => {
    const meta_data = [skuMeta(skus[index] ?? '')];
    return { verb: 'update', body: { id: items[index]?.body['id'], sku: '', meta_data } };
  });
  const after = optionsAfter(results, options);
  const ends = await sendBatch(client, path, cleared, after);
  // Nobody stands in the way: it is this that failed, and is tried again.
  const failed = ends.find(({ ok }) => !ok);
  if (failed !== undefined) return results.map((result, index) => (circle.includes(index) ? failed : result));
  const settled = circle.flatMap((index) => (items[index] === undefined ? [] : withSkuSettled(items[index])));
  const answers = await sendBatch(client, path, settled, after);
  return results.map((result, index) => answers[circle.indexOf(index)] ?? result);
}

/** Where items are that were refused for a SKU which another such has, and so on round to themselves: nobody else is in the way. */
function circlesOf(
  items: readonly BatchItem[],
  skus: readonly string[],
  results: readonly BatchResult[],
): readonly number[] {
  const ids = items.map(({ verb, body }) => (verb === 'update' ? idText(body['id']) : null));
  const next = items.map(({ body: { sku } }, index) => {
    const result = results[index];
    if (result === undefined || result.ok || result.error.kind !== 'rejected') return -1;
    const { field, conflictingId } = result.error.details;
    if (field !== 'sku' || conflictingId === undefined || typeof sku !== 'string') return -1;
    const holder = ids.indexOf(conflictingId);
    return holder >= 0 && skuKey(skus[holder] ?? '') === skuKey(sku) ? holder : -1;
  });
  return items.flatMap((_, start) => {
    let at = next[start] ?? -1;
    for (let steps = 1; at >= 0 && at !== start && steps < items.length; steps += 1) at = next[at] ?? -1;
    return at === start ? [start] : [];
  });
}
