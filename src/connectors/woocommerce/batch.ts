import { ConnectorError } from '../../model/connector-error.ts';
import type { CallOptions, WooClient } from './client.ts';
import { CODES } from './code-order.ts';
import { classifyError, isCrash } from './errors.ts';
import { hasTexts, isForWhatItSays, refusedForItsWords, turnedAway } from './firewall.ts';
import { chunked } from './in-parallel.ts';
import { perhapsMade } from './perhaps-made.ts';
import { wire } from './wire.ts';

export interface BatchItem {
  readonly verb: 'create' | 'update';
  readonly body: Readonly<Record<string, unknown>>;
}

export type BatchResult =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly error: ConnectorError };

export interface BatchOptions extends CallOptions {
  /** The items are parts of one write: once some may have been carried out, the others go on until it is cut [C27]. */
  readonly isOneWrite?: boolean;
}

/** After so many one after the other it is not this or that record which the store crashes over. */
const CRASHES_MAX = 2;

/** Into so many a batch is split that a firewall has turned away. By halves, one product of a hundred is turned away nine times, and some hosts shut an address out after five. */
const WORDS_PARTS = 10;

/** What is left of a call that has taken so long is not sent, ms: what it was decided on has grown old. */
const CALL_MS_MAX = 45_000;

/**
 * Creates and updates through a batch route, with an outcome for each, in order. A batch answers 200 although items
 * failed; a batch that is refused as a whole for what it says, or turned away by a firewall, is split, so that one bad item never fails the others
 * [C7]. A batch whose answer is lost is unknown for every item [C8]; of one that PHP died over, each goes alone the next time.
 */
export async function sendBatch(
  client: WooClient,
  path: string,
  items: readonly BatchItem[],
  options: BatchOptions,
): Promise<BatchResult[]> {
  const answers = new Map<BatchItem, BatchResult>();
  const elapsedMs = client.batches.begin();
  let crashes = 0;
  for (let rest = items; rest.length > 0; ) {
    const run = rest.slice(0, client.crashed.runLength(path, rest, client.batches.now));
    rest = rest.slice(run.length);
    let lost: ConnectorError | null = null;
    for (const call of inCalls(run)) {
      const results = await sendRun(client, path, call, optionsAfter([...answers.values()], options));
      for (const [index, result] of results.entries()) answers.set(call[index] as BatchItem, result);
      lost ??= lossOf(results);
    }
    crashes = isCrash(lost) ? crashes + 1 : 0;
    // Each of many small ones would be waited for as long, but for a crash, which is told at once. (The rest of a product is not left out for being late.)
    const isLate = options.isOneWrite !== true && elapsedMs() > CALL_MS_MAX;
    if (!isLate && (lost === null || (crashes > 0 && crashes < CRASHES_MAX))) continue;
    for (const item of rest) answers.set(item, { ok: false, error: notSentAfter(lost) });
    break;
  }
  return items.map((item) => answers.get(item) as BatchResult);
}

/** Why nothing is known of any of them; null: of some it is. */
function lossOf(results: readonly BatchResult[]): ConnectorError | null {
  const [first] = results;
  const isLost = results.every((result) => !result.ok && result.error.kind === 'unknown_outcome');
  return first?.ok === false && isLost ? first.error : null;
}

function notSentAfter(lost: ConnectorError | null): ConnectorError {
  const words = lost === null ? 'the WooCommerce store took long' : `there was no answer: ${lost.message}`;
  return new ConnectorError('unavailable', `not sent: with what went before it ${words}`, lost?.details);
}

/** WooCommerce makes all that is new in a batch before it changes anything: a code that something gives up in it would be refused to what comes for it. */
function inCalls(run: readonly BatchItem[]): readonly (readonly BatchItem[])[] {
  const has = ({ body }: BatchItem, isCode: (value: unknown) => boolean) =>
    CODES.some(({ param }) => isCode(body[param]));
  const changed = run.filter(({ verb }) => verb === 'update');
  const isGivenUp = changed.some((item) => has(item, (value) => value !== undefined));
  const made = run.filter(({ verb }) => verb === 'create');
  return isGivenUp && made.some((item) => has(item, (value) => value !== undefined && value !== ''))
    ? [changed, made]
    : [run];
}

/** What was given up while it waited for its turn, or refused, has done nothing: the rest of the write can be given up too. */
export function optionsAfter(results: readonly BatchResult[], options: BatchOptions): BatchOptions {
  const isBegun = results.some((result) => result.ok || result.error.kind === 'unknown_outcome');
  return isBegun && options.isOneWrite === true ? { ...options, signal: options.cut } : options;
}

async function sendRun(
  client: WooClient,
  path: string,
  items: readonly BatchItem[],
  options: BatchOptions,
  isSecondTry = false,
): Promise<BatchResult[]> {
  const bodies = (verb: BatchItem['verb']) => items.filter((item) => item.verb === verb).map((item) => item.body);
  const create = bodies('create');
  const update = bodies('update');
  let data: unknown;
  try {
    const body = { ...(create.length > 0 ? { create } : {}), ...(update.length > 0 ? { update } : {}) };
    const send = () => client.send('POST', path, body, options);
    ({ data } = await client.batches.ask(items.length, send, () => items.length));
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    if (isCrash(error)) client.crashed.noteCrash(path, items);
    const isForItself = await isForWhatItSays(client, error, options);
    const isForWords = isForItself && hasTexts(items);
    const doubtful = isForWords ? await perhapsMade(client, path, items, options) : new Set();
    if (doubtful.size > 0) {
      const others = items.filter((item) => !doubtful.has(item));
      const results = others.length === 0 ? [] : await sendRun(client, path, others, options);
      return items.map((item) =>
        doubtful.has(item) ? { ok: false, error: turnedAway(error) } : (results[others.indexOf(item)] as BatchResult),
      );
    }
    const [only] = items;
    if (isForWords && only !== undefined && items.length === 1)
      return isSecondTry
        ? [{ ok: false, error: refusedForItsWords(only, error) }]
        : sendRun(client, path, items, options, true);
    if ((error.kind !== 'rejected' && !isForWords) || items.length === 1)
      return items.map(() => ({ ok: false, error: isForItself ? turnedAway(error) : error }));
    const parts = chunked(items, Math.ceil(items.length / (isForWords ? WORDS_PARTS : 2)));
    const results: BatchResult[] = [];
    for (const part of parts) results.push(...(await sendRun(client, path, part, optionsAfter(results, options))));
    return results;
  }
  client.crashed.noteAnswer(path, items);
  const answers = { create: listOf(data, 'create'), update: listOf(data, 'update') };
  if (answers.create.length !== create.length || answers.update.length !== update.length) {
    const error = new ConnectorError(
      'unknown_outcome',
      'the WooCommerce store answered a batch with fewer results than it was given',
    );
    return items.map(() => ({ ok: false, error }));
  }
  return items.map((item) => readResult(answers[item.verb].shift(), client));
}

function readResult(answer: unknown, client: WooClient): BatchResult {
  const error = (answer as { error?: unknown } | null)?.error;
  if (error === undefined || error === null) return { ok: true, data: answer };
  if (!wire.error.Check(error)) {
    return { ok: false, error: new ConnectorError('unknown_outcome', "a result of a batch can't be understood") };
  }
  return { ok: false, error: classifyError(error, 400, 'write', client.clean) };
}

function listOf(data: unknown, verb: BatchItem['verb']): unknown[] {
  const list = (data as Record<string, unknown> | null)?.[verb];
  return Array.isArray(list) ? [...list] : [];
}
