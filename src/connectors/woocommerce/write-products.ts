import { ConnectorError } from '../../model/connector-error.ts';
import type { ProductWrite, WriteOutcome } from '../../ports/connector.ts';
import { idText, wireId } from '../shared/exact-json.ts';
import { answerWrites } from './answer-writes.ts';
import { isVariable } from './assemble.ts';
import { type BatchItem, type BatchResult, sendBatch } from './batch.ts';
import { storeNow, type WooContext } from './context.ts';
import { lostWeight } from './export-mapper.ts';
import { inParallel } from './in-parallel.ts';
import { needsFreshRead, planCreate, planUpdate } from './product-plan.ts';
import { readRawProducts } from './read-products.ts';
import { refuseAgain } from './refused-codes.ts';
import { tagKey } from './represent.ts';
import { sendFreeing } from './send-freeing.ts';
import { sendSwapping } from './send-swapping.ts';
import type { StoreFacts } from './store-facts.ts';
import { clearAcross, ownCodes } from './swap-across.ts';
import { beginOf, guard, isAlive, type Progress, type Until } from './write-progress.ts';

/**
 * Creates and updates, each with its own outcome [C7]. All products go in shared batches, the variations of each in
 * its own. A variable product is made as a draft, gets its variations and only then its status: nobody ever buys half
 * a product, and what a crash leaves behind bears the mark and is found by it.
 */
export async function writeProducts(
  context: WooContext,
  writes: readonly ProductWrite[],
  signal?: AbortSignal,
  cut = signal,
): Promise<WriteOutcome[]> {
  if (writes.length === 0) return [];
  const facts = await context.facts();
  const all = writes.map(beginOf);
  await makePlans(context, all, facts, signal);
  clearAcross(all.filter(isAlive));
  // [C27]
  const until = (some: readonly Progress[]): Until => ({
    signal: some.some(({ isBegun }) => isBegun) ? cut : signal,
    cut,
  });
  await inParallel(all.filter(isAlive), 3, (one) => sendAhead(context, one, until([one])));
  await inParallel(all.filter(isAlive), 3, (one) => refuseAgain(context.refusedCodes, one, signal));
  // What goes on although its time is over takes nothing along that has not begun.
  const begun = all.filter(({ isBegun }) => isBegun);
  for (const some of [begun, all.filter((one) => !begun.includes(one))]) await sendParents(context, some, until(some));
  await inParallel(all.filter(isAlive), 3, (one) => sendVariations(context, one, until([one])));
  await sendFinalFields(context, all.filter(isAlive), cut);
  return answerWrites(context, all, facts, cut);
}

async function makePlans(
  context: WooContext,
  all: readonly Progress[],
  facts: StoreFacts,
  signal?: AbortSignal,
): Promise<void> {
  const ids = all.flatMap(({ write }) => (needsFreshRead(write) ? [write.externalId] : []));
  const fresh =
    ids.length === 0 ? new Map<string, unknown>() : await readRawProducts(context, [...new Set(ids)], signal);
  for (const one of all) {
    const { write } = one;
    guard(one, () => {
      if (write.type === 'create') one.plan = planCreate(write, facts);
      else {
        const current = fresh.get(write.externalId);
        if (current instanceof ConnectorError) throw current;
        one.plan = planUpdate(write, current, facts, storeNow(context));
      }
    });
  }
}

async function sendParents(context: WooContext, all: readonly Progress[], until: Until): Promise<void> {
  const names = new Set(all.flatMap((one) => (isAlive(one) ? (one.plan?.tags ?? []) : [])));
  const tagIds = await context.tags.resolve([...names], until);
  const sending: { readonly one: Progress; readonly item: BatchItem }[] = [];
  for (const one of all.filter(isAlive)) {
    guard(one, () => {
      const item = one.plan?.parent;
      if (item) sending.push({ one, item: withTags(item, one.plan?.tags ?? null, tagIds) });
    });
  }
  const results = await sendSwapping(
    context.client,
    '/products/batch',
    sending.map(({ item }) => item),
    sending.map(({ one: { write } }) => ownCodes(write)),
    until,
  );
  sending.forEach(({ one }, index) => {
    one.isBegun = true;
    settleParent(one, results[index]);
  });
  await repairTags(context, sending.map(({ one }) => one).filter(isAlive), tagIds, until.cut);
}

function settleParent(one: Progress, result: BatchResult | undefined): void {
  if (!result) one.error = new ConnectorError('unknown_outcome', 'the write got no answer');
  else if (!result.ok) one.error = result.error;
  else {
    const id = idText((result.data as { id?: unknown } | null)?.id);
    if (id === null) one.error = new ConnectorError('unknown_outcome', 'WooCommerce answered a write without an id');
    one.externalId = id ?? one.externalId;
    one.raw = result.data;
    one.isPartlyDone = true;
  }
}

/** A tag that was deleted since we learned its id is left out in silence: it is made anew and the tags are set again. */
async function repairTags(
  context: WooContext,
  sent: readonly Progress[],
  tagIds: ReadonlyMap<string, string | ConnectorError>,
  signal?: AbortSignal,
): Promise<void> {
  const incomplete = sent.flatMap((one) => {
    const got = new Set(listOfIds((one.raw as { tags?: unknown }).tags));
    const lost = (one.plan?.tags ?? []).filter((name) => !got.has(String(tagIds.get(tagKey(name)))));
    return lost.length === 0 ? [] : [{ one, lost }];
  });
  if (incomplete.length === 0) return;
  context.tags.forget(incomplete.flatMap(({ lost }) => lost));
  const again = await context.tags.resolve([...new Set(incomplete.flatMap(({ one }) => one.plan?.tags ?? []))], {
    signal,
  });
  const items: { readonly one: Progress; readonly item: BatchItem }[] = [];
  for (const { one } of incomplete) {
    guard(one, () => {
      const item: BatchItem = { verb: 'update', body: { id: wireId(one.externalId ?? '') } };
      items.push({ one, item: withTags(item, one.plan?.tags ?? null, again) });
    });
  }
  const results = await sendBatch(
    context.client,
    '/products/batch',
    items.map(({ item }) => item),
    { signal },
  );
  items.forEach(({ one }, index) => {
    settleParent(one, results[index]);
  });
}

function sendVariationBatch(
  { client }: WooContext,
  { externalId }: Progress,
  items: readonly BatchItem[],
  until: Until,
): Promise<BatchResult[]> {
  return sendFreeing(client, `/products/${externalId}/variations/batch`, items, { ...until, isOneWrite: true });
}

async function sendAhead(context: WooContext, one: Progress, until: Until): Promise<void> {
  const items = one.plan?.ahead ?? [];
  if (items.length === 0 || one.externalId === null) return;
  const results = await sendVariationBatch(context, one, items, until);
  one.isBegun = true;
  settleVariations(one, results);
}

async function sendVariations(context: WooContext, one: Progress, until: Until): Promise<void> {
  const items = one.plan?.variations ?? [];
  if (items.length === 0 || one.externalId === null) return;
  const results = await sendVariationBatch(context, one, items, until);
  settleVariations(one, results);
  if (one.error) {
    context.refusedCodes.learn(items, results);
    if (one.write.type === 'create') await takeBack(context, one, results, until.cut);
    return;
  }
  await sendLostWeights(context, one, items, results, until.cut);
  if (one.error) return;
  one.newVariantIds = results
    .slice(results.length - (one.plan?.newVariantCount ?? 0))
    .flatMap((result) => (result.ok ? [idText((result.data as { id?: unknown }).id) ?? ''] : []));
}

async function sendLostWeights(
  context: WooContext,
  one: Progress,
  items: readonly BatchItem[],
  results: readonly BatchResult[],
  signal?: AbortSignal,
): Promise<void> {
  const again = items.flatMap(({ body }, index): BatchItem[] => {
    const [weight, result] = [lostWeight(body), results[index]];
    if (weight === null || !result?.ok) return [];
    return [{ verb: 'update', body: { id: (result.data as { id?: unknown }).id, ...weight } }];
  });
  if (again.length === 0) return;
  const failed = worstOf(await sendVariationBatch(context, one, again, { signal }));
  if (failed)
    one.error = new ConnectorError('unknown_outcome', `made without its weight: ${failed.message}`, failed.details);
}

function settleVariations(one: Progress, results: readonly BatchResult[]): void {
  one.error = worstOf(results);
  if (results.some(({ ok }) => ok)) one.isPartlyDone = true;
}

/** What may have happened weighs more than what was refused: it is that which has to be looked at. */
function worstOf(results: readonly BatchResult[]): ConnectorError | null {
  const failed = results.filter((result) => !result.ok);
  return (failed.find((result) => result.error.kind === 'unknown_outcome') ?? failed[0])?.error ?? null;
}

/**
 * A refused create must leave nothing: the draft that was made for it a moment ago, which nobody has seen, is deleted.
 * If that fails, or if the variations may still be landing, it stays, and `unknown_outcome` sends the engine looking
 * for its mark.
 */
async function takeBack(
  context: WooContext,
  one: Progress,
  results: readonly BatchResult[],
  signal?: AbortSignal,
): Promise<void> {
  try {
    if (one.error === null || one.error.kind === 'unknown_outcome') return;
    await context.client.send('DELETE', `/products/${one.externalId}`, undefined, { query: { force: true }, signal });
    one.isPartlyDone = false;
    one.error = withoutOwnConflict(one.error, results);
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    context.log.warn({ product: one.externalId, kind: error.kind }, 'half a product could not be taken back');
    one.error = new ConnectorError(
      'unknown_outcome',
      `${one.error?.message ?? 'refused'}; a draft was left behind`,
      one.error?.details,
    );
  }
}

/** What stood in the way was a variation of the same draft, and is gone with it: nobody could find it. */
function withoutOwnConflict(error: ConnectorError, results: readonly BatchResult[]): ConnectorError {
  const { conflictingId, ...details } = error.details;
  const own = results.flatMap((result) => (result.ok ? [idText((result.data as { id?: unknown }).id)] : []));
  return conflictingId === undefined || !own.includes(conflictingId)
    ? error
    : new ConnectorError(error.kind, error.message, details);
}

async function sendFinalFields(context: WooContext, all: readonly Progress[], signal?: AbortSignal): Promise<void> {
  const waiting = all.filter((one) => one.plan?.finalFields);
  const items = waiting.map(
    (one): BatchItem => ({
      verb: 'update',
      body: { id: wireId(one.externalId ?? ''), ...one.plan?.finalFields },
    }),
  );
  const results = await sendBatch(context.client, '/products/batch', items, { signal });
  waiting.forEach((one, index) => {
    const result = results[index];
    if (result?.ok) {
      if (!isVariable(one.raw)) one.raw = result.data;
      return;
    }
    // The product is there, as a draft: the engine finds it by its mark and goes on from there.
    const words = result?.error.message ?? 'no answer';
    one.error = new ConnectorError(
      'unknown_outcome',
      `the product was made but not finished: ${words}`,
      result?.error.details,
    );
  });
}

function withTags(
  item: BatchItem,
  names: readonly string[] | null,
  ids: ReadonlyMap<string, string | ConnectorError>,
): BatchItem {
  if (names === null) return item;
  const tags = names.map((name) => {
    const id = ids.get(tagKey(name));
    if (typeof id !== 'string') throw id ?? new ConnectorError('unavailable', `the tag "${name}" has no id`);
    return { id: wireId(id) };
  });
  return { verb: item.verb, body: { ...item.body, tags } };
}

function listOfIds(tags: unknown): string[] {
  return Array.isArray(tags) ? tags.flatMap((tag: { id?: unknown } | null) => idText(tag?.id) ?? []) : [];
}
