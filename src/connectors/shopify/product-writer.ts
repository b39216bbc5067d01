import { ConnectorError } from '../../model/connector-error.ts';
import type { ProductStatus } from '../../model/product.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { Clock } from '../../ports/clock.ts';
import type { NewVariant, ProductWrite, WriteOutcome } from '../../ports/connector.ts';
import { cancelled, untilCancelled } from '../shared/client.ts';
import { partlyDone } from '../shared/partly-done.ts';
import type { ShopifyClient } from './client.ts';
import { exportFields } from './export-mapper.ts';
import { inParallel } from './in-parallel.ts';
import type { MarkWriter } from './marks-writer.ts';
import { isWithoutOptions, normaliseOptionValue } from './normalise.ts';
import { createProduct } from './product-creator.ts';
import type { ProductReader } from './product-reader.ts';
import { updateFields, updateProduct } from './product-updater.ts';
import { isVisible, type Publisher } from './publisher.ts';
import type { StoreContext } from './store-context.ts';

export interface ProductWriterOptions {
  readonly client: ShopifyClient;
  readonly clock: Clock;
  readonly context: (signal?: AbortSignal) => Promise<StoreContext>;
  readonly marks: MarkWriter;
  readonly publisher: Publisher;
  readonly reader: ProductReader;
}

/** Writes under way at once. The cost gate keeps the rate; this keeps the shop's attention for others. */
const CONCURRENCY = 4;
/** Three rounds of them: the last leaves shortly after the first. Fewer than one read answers for and one `metafieldsSet` takes. */
export const WRITE_BATCH_MAX = 3 * CONCURRENCY;

/** What one write came to before its record is read back. */
type Sent =
  | { readonly ok: true; readonly id: string; readonly newVariantIds: readonly string[] | null }
  | { readonly ok: false; readonly error: ConnectorError };

/**
 * Every write has its own outcome [C7]. The records are read back in one call for the whole batch, which costs less than selecting them in each
 * mutation's payload; what can't be read back is `unknown_outcome`, although it was written: the engine then looks before it writes again.
 */
export async function writeProducts(
  options: ProductWriterOptions,
  writes: readonly ProductWrite[],
  signal?: AbortSignal,
  cut = signal,
): Promise<WriteOutcome[]> {
  const sent = await inParallel(writes, CONCURRENCY, (write) => send(options, write, signal, cut));
  await setMarks(options, writes, sent, cut);
  return await readBack(options, writes, sent, cut);
}

async function send(
  options: ProductWriterOptions,
  write: ProductWrite,
  signal: AbortSignal | undefined,
  cut: AbortSignal | undefined,
): Promise<Sent> {
  try {
    const context = await options.context(signal);
    if (write.type === 'create') {
      const { status } = write.fields;
      const isForSale = isVisible(status);
      const made: typeof write = isForSale ? { ...write, fields: { ...write.fields, status: 'draft' } } : write;
      const id = await untilCancelled(() => createProduct(options, made, context, signal, cut), signal);
      if (isForSale) await putOnSale(options, id, status, cut);
      return { ok: true, id, newVariantIds: null };
    }
    // [C27] What is left of it may be a mark alone, which is set for all of them together.
    if (signal?.aborted) throw cancelled('the write was cancelled before it was sent');
    const newVariantIds = await updateProduct(options, write, context, signal, cut);
    return { ok: true, id: write.externalId, newVariantIds };
  } catch (error) {
    if (error instanceof ConnectorError) return { ok: false, error };
    throw error;
  }
}

/**
 * In the online store first, and for sale then: whatever answer is lost, or whenever the server is killed, what is not shown there is a draft still, which is
 * found by its mark and finished. For sale and shown nowhere it would look like what it is meant to be.
 */
async function putOnSale(
  { client, publisher }: ProductWriterOptions,
  id: string,
  status: ProductStatus,
  cut: AbortSignal | undefined,
): Promise<void> {
  try {
    await publisher.publish(id, { signal: cut });
    await updateFields(client, { id, ...exportFields({ status }) }, { signal: cut });
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    throw new ConnectorError(
      'unknown_outcome',
      `the product was made but not finished: ${error.message}`,
      error.details,
    );
  }
}

async function setMarks(
  options: ProductWriterOptions,
  writes: readonly ProductWrite[],
  sent: Sent[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const wanted = writes.flatMap((write, index) => {
    const result = sent[index];
    return write.type === 'update' && write.mark !== undefined && result?.ok === true
      ? [{ index, ownerId: result.id, mark: write.mark }]
      : [];
  });
  if (wanted.length === 0) return;
  const fail = (index: number, error: ConnectorError) => {
    sent[index] = { ok: false, error: changesFields(writes[index]) ? partlyDone(error) : error };
  };
  try {
    for (const pairId of new Set(wanted.map(({ mark }) => mark.pairId)))
      await options.marks.ensureDefined(pairId, { signal });
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    for (const { index } of wanted) fail(index, error);
    return;
  }
  const errors = await options.marks.setAll(wanted, signal);
  errors.forEach((error, at) => {
    const entry = wanted[at];
    if (error !== null && entry !== undefined) fail(entry.index, error);
  });
}

function changesFields(write: ProductWrite | undefined): boolean {
  if (write?.type !== 'update') return false;
  return Object.keys(write.fields).length > 0 || write.variants.length > 0 || write.newVariants.length > 0;
}

async function readBack(
  options: ProductWriterOptions,
  writes: readonly ProductWrite[],
  sent: readonly Sent[],
  signal: AbortSignal | undefined,
): Promise<WriteOutcome[]> {
  const ids = [...new Set(sent.flatMap((result) => (result.ok ? [result.id] : [])))];
  const snapshots = new Map<string, ProductSnapshot | ConnectorError>();
  try {
    const outcomes = ids.length === 0 ? [] : await options.reader.read(ids, signal);
    ids.forEach((id, index) => {
      const outcome = outcomes[index];
      if (outcome === undefined) return;
      if (outcome.ok) snapshots.set(id, outcome.value);
      else snapshots.set(id, outcome.error.kind === 'not_found' ? outcome.error : notReadBack(outcome.error));
    });
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    for (const id of ids) snapshots.set(id, notReadBack(error));
  }
  return sent.map((result, index): WriteOutcome => {
    if (!result.ok) return result;
    const read = snapshots.get(result.id) ?? notReadBack(null);
    if (read instanceof ConnectorError) return { ok: false, error: read };
    const write = writes[index];
    const newVariantIds = write?.type === 'create' ? idsByOptions(write.variants, read) : result.newVariantIds;
    if (newVariantIds === null) {
      return {
        ok: false,
        error: new ConnectorError('unknown_outcome', 'not all variants of the new product could be told apart'),
      };
    }
    return { ok: true, snapshot: read, newVariantIds };
  });
}

function notReadBack(error: ConnectorError | null): ConnectorError {
  return new ConnectorError(
    'unknown_outcome',
    `the product was written but could not be read back${error === null ? '' : `: ${error.message}`}`,
    error?.details ?? {},
  );
}

/** Ids of a new product's variants in the order given: option values tell them apart, for no two variants share them. */
function idsByOptions(given: readonly NewVariant[], snapshot: ProductSnapshot): string[] | null {
  const [only] = snapshot.variants;
  if (given.length === 1 && snapshot.variants.length === 1 && only !== undefined) return [only.externalId];
  const key = (values: readonly string[]) =>
    JSON.stringify(values.map((value) => normaliseOptionValue(value).toLowerCase()));
  const byOptions = new Map(snapshot.variants.map((variant) => [key(variant.fields.optionValues), variant.externalId]));
  const isPlain = isWithoutOptions(snapshot.fields.optionNames, []);
  const ids = given.map((variant) => byOptions.get(key(isPlain ? [] : variant.fields.optionValues)));
  return ids.every((id) => id !== undefined) ? ids : null;
}
