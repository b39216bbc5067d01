import { skuKey } from '../../lib/record-keys.ts';
import { idText } from '../shared/exact-json.ts';
import { type BatchItem, type BatchOptions, type BatchResult, optionsAfter, sendBatch } from './batch.ts';
import type { WooClient } from './client.ts';
import { CODES, type Code, type HeldCodes, withCodeCleared, withCodeSettled } from './code-order.ts';
import { sendFreeing } from './send-freeing.ts';

/**
 * `sendFreeing`, for SKUs and barcodes that pass round in a circle of products: each is refused, since the next one still has it. They are cleared all at
 * once, kept meanwhile as those of variations are (`orderByCodes`), and what was refused is sent again. `held`: those that the products have, as they were
 * seen.
 */
export async function sendSwapping(
  client: WooClient,
  path: string,
  items: readonly BatchItem[],
  held: readonly HeldCodes[],
  options: BatchOptions,
): Promise<BatchResult[]> {
  let results = await sendFreeing(client, path, items, options);
  let sent = items;
  for (const code of CODES) {
    const circle = circlesOf(code, items, held, results);
    if (circle.length === 0) continue;
    const cleared = circle.flatMap((index) => {
      const item = items[index];
      return item === undefined ? [] : withCodeCleared(item, code, held[index]?.[code.field] ?? '');
    });
    const after = optionsAfter(results, options);
    const ends = await sendBatch(client, path, cleared, after);
    // Nobody stands in the way: it is this that failed, and is tried again.
    const failed = ends.find(({ ok }) => !ok);
    if (failed !== undefined) return results.map((result, index) => (circle.includes(index) ? failed : result));
    // What let go of its SKU as well, and was then refused for its barcode, is to take both in one.
    sent = sent.map((item, index) => (circle.includes(index) ? withCodeSettled(item, code) : item));
    const settled = circle.flatMap((index) => sent[index] ?? []);
    const answers = await sendBatch(client, path, settled, after);
    results = results.map((result, index) => answers[circle.indexOf(index)] ?? result);
  }
  return results;
}

/** Where items are that were refused for a code which another such has, and so on round to themselves: nobody else is in the way. */
function circlesOf(
  { field, param }: Code,
  items: readonly BatchItem[],
  held: readonly HeldCodes[],
  results: readonly BatchResult[],
): readonly number[] {
  const ids = items.map(({ verb, body }) => (verb === 'update' ? idText(body['id']) : null));
  const next = items.map(({ body: { [param]: wanted } }, index) => {
    const result = results[index];
    if (result === undefined || result.ok || result.error.kind !== 'rejected') return -1;
    const { field: refused, conflictingId } = result.error.details;
    if (refused !== field || conflictingId === undefined || typeof wanted !== 'string') return -1;
    const holder = ids.indexOf(conflictingId);
    return holder >= 0 && skuKey(held[holder]?.[field] ?? '') === skuKey(wanted) ? holder : -1;
  });
  return items.flatMap((_, start) => {
    let at = next[start] ?? -1;
    for (let steps = 1; at >= 0 && at !== start && steps < items.length; steps += 1) at = next[at] ?? -1;
    return at === start ? [start] : [];
  });
}
