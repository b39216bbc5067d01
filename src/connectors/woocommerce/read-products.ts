import { ConnectorError } from '../../model/connector-error.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { ReadOutcome } from '../../ports/connector.ts';
import { idText } from '../shared/exact-json.ts';
import { assembleProduct, isVariable } from './assemble.ts';
import type { WooContext } from './context.ts';
import { crashedOver, isAlive } from './crashed-reads.ts';
import { isCrash } from './errors.ts';
import { inParallel } from './in-parallel.ts';
import { listIncluded } from './list-included.ts';
import { type ParentRef, parentRef } from './variations.ts';
import { PRODUCT_FIELDS } from './wire.ts';

/** Records that are asked for one by one before the bin is listed instead. */
const SINGLE_READS_MAX = 3;

/**
 * Products by id with all their variations, an outcome for every id in the order asked [C5]. One call per hundred; ids
 * that the listing leaves out (in the bin, deleted) are asked for singly, since only the answer to exactly that
 * question may say "no such record".
 */
export async function readProducts(
  context: WooContext,
  externalIds: readonly string[],
  signal?: AbortSignal,
): Promise<ReadOutcome<ProductSnapshot>[]> {
  if (externalIds.length === 0) return [];
  const facts = await context.facts();
  const raws = await readRawProducts(context, [...new Set(externalIds)], signal);
  const variations = new Map(await context.variations.read(parentsIn(raws), signal));
  await readTornAgain(context, raws, variations, signal);
  return externalIds.map((id) => {
    const raw = raws.get(id);
    if (raw instanceof ConnectorError) return { ok: false, error: raw };
    const parts = variations.get(id) ?? [];
    if (parts instanceof ConnectorError) return { ok: false, error: parts };
    try {
      return { ok: true, value: assembleProduct(raw, parts, facts) };
    } catch (error) {
      if (error instanceof ConnectorError) return { ok: false, error };
      throw error;
    }
  });
}

function parentsIn(raws: ReadonlyMap<string, unknown>): readonly ParentRef[] {
  return [...raws].flatMap(([id, raw]) =>
    !(raw instanceof ConnectorError) && isVariable(raw) ? [parentRef(id, raw)] : [],
  );
}

/**
 * A product is asked for before its variations. Put into the bin between the two questions, its variations go along, and it would read as a live one
 * that has lost them: where one that it names is missing, both are asked for once more, and what is in the bin by then is read there.
 */
async function readTornAgain(
  context: WooContext,
  raws: Map<string, unknown>,
  variations: Map<string, readonly unknown[] | ConnectorError>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const torn = parentsIn(raws).filter(({ id, isTrashed, variationIds }) => {
    const parts = variations.get(id) ?? [];
    if (parts instanceof ConnectorError) return false;
    const there = new Set(parts.map((raw) => idText((raw as { id?: unknown }).id)));
    return !isTrashed && variationIds.some((each) => !there.has(each));
  });
  if (torn.length === 0) return;
  const again = await readRawProducts(
    context,
    torn.map(({ id }) => id),
    signal,
  );
  for (const [id, raw] of again) raws.set(id, raw);
  for (const [id, found] of await context.variations.read(parentsIn(again), signal)) variations.set(id, found);
}

/** The products themselves as sent by the server, or why there is none, by id. */
export async function readRawProducts(
  context: WooContext,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  const list = (wanted: readonly string[], status: 'any' | 'trash') => {
    const query = { status, context: 'edit', _fields: PRODUCT_FIELDS };
    return listIncluded(context.client, { path: '/products', query, signal }, wanted, {
      take({ id, raw }) {
        context.tags.learn((raw as { tags?: unknown }).tags);
        found.set(id, raw);
      },
      leave: (id, error) => found.set(id, error),
    });
  };
  const valid = ids.filter((id) => idText(id) !== null);
  for (const id of ids)
    if (!valid.includes(id)) found.set(id, new ConnectorError('rejected', `"${id.slice(0, 40)}" is not a product id`));
  const missing = () => valid.filter((id) => !found.has(id));
  if (valid.length > 1) await list(valid, 'any');
  if (missing().length > SINGLE_READS_MAX) await list(missing(), 'trash');
  // What is said of one that others are shown beside is said of that one alone.
  const isOthers = [...found.values()].some((raw) => !(raw instanceof ConnectorError));
  await inParallel(missing(), 3, async (id) => {
    try {
      found.set(id, await readSingle(context, id, signal));
    } catch (error) {
      if (!isOthers || !context.records.isReplaced(error)) throw error;
      found.set(id, error);
    }
  });
  return found;
}

async function readSingle(context: WooContext, id: string, signal: AbortSignal | undefined): Promise<unknown> {
  try {
    const query = { context: 'edit', _fields: PRODUCT_FIELDS };
    const data = await context.records.get(`/products/${id}`, { query, signal });
    // A webhook about a variation that was put into the bin does not say that it is one.
    if ((data as { type?: unknown } | null)?.type === 'variation') {
      return new ConnectorError('not_found', `there is no product ${id}: it is a variation`);
    }
    if (idText((data as { id?: unknown } | null)?.id) !== id) {
      return new ConnectorError('malformed', `the WooCommerce store answered with another record than ${id}`);
    }
    context.tags.learn((data as { tags?: unknown }).tags);
    return data;
  } catch (error) {
    if (error instanceof ConnectorError && error.kind === 'not_found') return error;
    if (isCrash(error) && (await isAlive(context.client, signal))) return crashedOver(error);
    throw error;
  }
}
