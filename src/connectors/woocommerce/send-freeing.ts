import { ConnectorError } from '../../model/connector-error.ts';
import { idText } from '../shared/exact-json.ts';
import { type BatchItem, type BatchOptions, type BatchResult, optionsAfter, sendBatch } from './batch.ts';
import type { WooClient } from './client.ts';
import { readPutAwaySku } from './marks.ts';
import { asRecords } from './record-list.ts';
import { codeOf, PARAM_OF_FIELD, PARAMS } from './refused-codes.ts';
import type { WireMeta } from './wire.ts';

const HOLDER_FIELDS = 'id,type,status,parent_id,meta_data';

/**
 * [C29] `sendBatch`, but what is refused because a variation that we have put away bears its SKU or barcode is sent once more, after that one has let
 * go of it. Nobody buys that variation, and nobody would look for it where its SKU is needed; its SKU stays noted on it, by which it is found again.
 */
export async function sendFreeing(
  client: WooClient,
  path: string,
  items: readonly BatchItem[],
  options: BatchOptions,
): Promise<BatchResult[]> {
  const results = await sendBatch(client, path, items, options);
  const freed: number[] = [];
  for (const [index, result] of results.entries()) {
    const item = items[index];
    if (item === undefined || result.ok) continue;
    const end = await letGo(client, item, result.error, options);
    if (end === true) freed.push(index);
    else if (end !== false) results[index] = { ok: false, error: end };
  }
  if (freed.length === 0) return results;
  const again = freed.flatMap((index) => items[index] ?? []);
  const answers = await sendBatch(client, path, again, optionsAfter(results, options));
  return results.map((result, index) => answers[freed.indexOf(index)] ?? result);
}

/** Whether what stood in the way does not any more; an error: that could not be told, or done, and is to be tried again. */
async function letGo(
  client: WooClient,
  { body }: BatchItem,
  { kind, details }: ConnectorError,
  options: BatchOptions,
): Promise<boolean | ConnectorError> {
  const param = PARAM_OF_FIELD[details.field as keyof typeof PARAM_OF_FIELD];
  const code = param === undefined ? undefined : body[param];
  if (kind !== 'rejected' || details.conflictingId === undefined || typeof code !== 'string') return false;
  try {
    const query = { status: 'any', per_page: 100, _fields: `${HOLDER_FIELDS},${PARAMS.join(',')}` };
    const answers = await client.find([{ param, values: [code], query }], options.signal);
    const { raw } = answers.flatMap(({ data }) => asRecords(data)).find(({ id }) => id === details.conflictingId) ?? {};
    const holder = raw as Readonly<Record<string, unknown>> | undefined;
    const parentId = putAwayFrom(holder);
    if (holder === undefined || parentId === null) return false;
    const shared = PARAMS.filter(
      (each) => each === param || (codeOf(body, each) !== '' && codeOf(body, each) === codeOf(holder, each)),
    );
    const none = Object.fromEntries(shared.map((each) => [each, '']));
    await client.send('PUT', `/products/${parentId}/variations/${details.conflictingId}`, none, options);
    return true;
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    return error.kind !== 'rejected' && error.kind !== 'not_found' && error.kind !== 'unauthorized' && asNotSent(error);
  }
}

/** The write itself was refused, whatever became of the request that was to make room for it. */
function asNotSent(error: ConnectorError): ConnectorError {
  return error.kind === 'unknown_outcome' ? new ConnectorError('unavailable', error.message, error.details) : error;
}

/** The product that a variation was put away from, by us; null where it is anything else. */
function putAwayFrom(holder: Readonly<Record<string, unknown>> = {}): string | null {
  const { type, status, parent_id, meta_data } = holder;
  if (type !== 'variation' || status !== 'private' || !Array.isArray(meta_data)) return null;
  return readPutAwaySku(meta_data as readonly WireMeta[]) === null ? null : idText(parent_id);
}
