import { type Db, type Tx, transact } from '../../db/database.ts';
import { findStore, listPairsOfStore } from '../../db/readers/pairs.ts';
import type { PairRow } from '../../db/schema/pair.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { closeProblemsBySubject, isProblemOpen, isProblemQuiet, raiseProblem } from '../../db/writers/history.ts';
import { enqueueJob, wakeGroup } from '../../db/writers/jobs.ts';
import { setStoreStatus } from '../../db/writers/stores.ts';
import { DAY_MS, MINUTE_MS } from '../../lib/time.ts';
import type { ConnectorError, ConnectorErrorKind } from '../../model/connector-error.ts';
import { ID_PREFIX, type ProblemId, type StoreId } from '../../model/ids.ts';
import { JOB_PRIORITY } from '../../model/job.ts';
import type { EngineContext } from '../context.ts';
import { enqueuePoll, TASKS } from '../enqueue.ts';
import { isPlaceAway } from '../outcome.ts';
import type { ProblemWords } from '../problems.ts';
import { STORE_WORDS } from '../store-words.ts';

/** Problems that are about a store and not about a record; they close when it works again. */
const STORE_CODES = ['STORE_NO_ACCESS', 'STORE_REFUSES', 'STORE_AWAY', 'STORE_LIMITED'] as const;

/** So often a store is asked in vain before a person is told: a quarter of an hour, or half of one where each try has to run out. */
const AWAY_ATTEMPTS = 15;
const AWAY_KINDS: ReadonlySet<ConnectorErrorKind> = new Set([
  ...(['unavailable', 'timeout', 'malformed', 'rate_limited', 'not_found'] as const),
]);
/** A store that has no room for us, and says itself for so long or longer, is away without being asked any more, ms. */
export const AWAY_MS = 15 * MINUTE_MS;

/**
 * Credentials that stopped working put the store into `error`: its pairs' work waits, a person is told once, and a probe asks from time to time
 * whether the store answers again. `asked`: the store as it was when the call was begun.
 */
export function noteStoreError(ctx: EngineContext, asked: StoreRow, error: ConnectorError): void {
  ctx.log.warn({ storeId: asked.id, kind: error.kind }, `store call failed: ${error.message}`);
  if (error.kind === 'unauthorized') noteShutOut(ctx, asked, error.message);
}

/** What was `asked` does not let us in, as it said itself. */
export function noteShutOut(ctx: EngineContext, asked: StoreRow, reason: string): void {
  transact(ctx.db, (tx) => {
    const store = findStore(tx, asked.id);
    if (store !== null && !hasNewKeys(ctx, asked)) setStoreError(ctx, tx, store, reason);
  });
}

/** Whether the keys were replaced since the store was read: that the old ones are refused then says nothing of it. */
export function hasNewKeys(ctx: EngineContext, asked: StoreRow): boolean {
  return findStore(ctx.db, asked.id)?.credentials !== asked.credentials;
}

/** A batch of writes whose items were answered one by one: one that was not let in says it of the store. */
export function noteDenied(ctx: EngineContext, store: StoreRow, errors: readonly (ConnectorError | null)[]): void {
  const denied = errors.find((error) => error?.kind === 'unauthorized');
  if (denied) noteStoreError(ctx, store, denied);
}

/** The same for a reading: a store that refuses to be read is told of too; the job that asked asks again. */
export function noteReadError(ctx: EngineContext, asked: StoreRow, error: ConnectorError): void {
  noteStoreError(ctx, asked, error);
  if (error.kind !== 'rejected') return;
  transact(ctx.db, (tx) => {
    const store = findStore(tx, asked.id);
    if (store === null) return;
    const words = isPlaceAway(error)
      ? STORE_WORDS.placeAway(store.platform, error.message)
      : STORE_WORDS.refuses(store.platform, error.message);
    raiseForStore(ctx, tx, store, words);
  });
}

/** [A1] What a recurring job asks in vain, time after time, is a store that is away: nobody else would tell a person of it. */
export function noteSilence(ctx: EngineContext, storeId: StoreId, error: ConnectorError, attempts: number): void {
  const isOurs = error.details.isOwnLimit === true;
  const isLeftAlone = error.kind === 'rate_limited' && !isOurs && (error.details.retryAfterMs ?? 0) >= AWAY_MS;
  if ((attempts < AWAY_ATTEMPTS && !isLeftAlone) || !AWAY_KINDS.has(error.kind)) return;
  transact(ctx.db, (tx) => {
    const store = findStore(tx, storeId);
    if (store === null) return;
    const words = isOurs ? STORE_WORDS.limited(store.platform) : STORE_WORDS.away(store.platform, error.message);
    raiseForStore(ctx, tx, store, words);
  });
}

/** The store does not let us in: nothing is asked of it but whether it does again. */
export function setStoreError(ctx: EngineContext, tx: Tx, store: StoreRow, reason: string): void {
  raiseForStore(ctx, tx, store, STORE_WORDS.noAccess(store.platform, reason));
  enqueueProbe(tx, store.id, ctx.clock.now());
  if (store.status === 'error') return;
  setStoreStatus(tx, store.id, 'error', reason);
  recordEvent(tx, {
    workspaceId: store.workspaceId,
    pairId: null,
    type: 'store_health_changed',
    payload: { storeId: store.id, status: 'error', reason },
    at: ctx.clock.now(),
  });
}

/** A store may refuse one kind of question for as long as it likes, and answer all others: it is over when it has refused none for so long, ms. */
const REFUSAL_MS = 5 * MINUTE_MS;

/** [P1] What is told of once a day at most is over when it was not told again for so long, ms. */
const LARGE_DELIVERY_MS = 3 * DAY_MS;

export function closeLargeDeliveries(ctx: EngineContext, storeId: StoreId): void {
  closeForStore(ctx, storeId, 'WEBHOOK_TOO_LARGE', LARGE_DELIVERY_MS);
}

/** A reading that is answered ends what was told of refused ones. Who was shut out is let in by the probe alone, which asks whether we may write, too. */
export function noteStoreReads(ctx: EngineContext, storeId: StoreId): void {
  closeForStore(ctx, storeId, 'STORE_REFUSES', REFUSAL_MS);
}

/** A list of all its products came to its end. */
export function noteStoreListed(ctx: EngineContext, storeId: StoreId): void {
  noteStoreReads(ctx, storeId);
  closeForStore(ctx, storeId, 'LISTING_CUT_SHORT');
}

/** What recurs was answered: the store is back. One reading that gets through while others don't is not. */
export function noteStoreAnswers(ctx: EngineContext, storeId: StoreId): void {
  closeForStore(ctx, storeId, 'STORE_AWAY');
  closeForStore(ctx, storeId, 'STORE_LIMITED');
}

/** Whether a person is told that the store has not answered for some time. */
export function isStoreAway(db: Db, storeId: StoreId): boolean {
  return listPairsOfStore(db, storeId).some((pair) => isProblemOpen(db, pair.id, 'STORE_AWAY', storeId));
}

/** The store answers, but not where webhooks are looked after: those who wait for them are told that they come late. */
export function noteWebhooksShut(ctx: EngineContext, store: StoreRow, { message }: ConnectorError): void {
  const words = STORE_WORDS.webhooksShut(store.platform, message);
  transact(ctx.db, (tx) => {
    for (const pair of listPairsOfStore(tx, store.id))
      if (pair.settings.syncSchedule === 'realtime') raiseAboutStore(ctx, tx, store, pair, words);
      else closeProblemsBySubject(tx, pair.id, words.code, store.id, ctx.clock.now());
  });
}

export function noteWebhooksKept(ctx: EngineContext, storeId: StoreId): void {
  closeForStore(ctx, storeId, 'WEBHOOKS_SHUT');
}

function closeForStore(ctx: EngineContext, storeId: StoreId, code: string, quietMs = 0): void {
  const about = { code, subject: storeId };
  const told = listPairsOfStore(ctx.db, storeId).filter(({ id }) =>
    isProblemQuiet(ctx.db, { ...about, pairId: id }, quietMs, ctx.clock.now()),
  );
  if (told.length === 0) return;
  transact(ctx.db, (tx) => {
    for (const pair of told) closeProblemsBySubject(tx, pair.id, code, storeId, ctx.clock.now());
  });
}

/** The store lets us in again: what waited goes on, and what was missed is asked for. */
export function noteStoreWorks(ctx: EngineContext, storeId: StoreId): void {
  const store = findStore(ctx.db, storeId);
  if (store === null) return;
  const pairs = listPairsOfStore(ctx.db, storeId);
  const isTold = pairs.some((pair) => STORE_CODES.some((code) => isProblemOpen(ctx.db, pair.id, code, storeId)));
  if (store.status !== 'error' && !isTold) return;
  transact(ctx.db, (tx) => {
    const at = ctx.clock.now();
    for (const pair of pairs) {
      for (const code of STORE_CODES) closeProblemsBySubject(tx, pair.id, code, storeId, at);
      wakeGroup(tx, pair.id, at);
    }
    if (store.status !== 'error') return;
    setStoreStatus(tx, storeId, 'connected', null);
    enqueuePoll(tx, storeId, at);
    recordEvent(tx, {
      workspaceId: store.workspaceId,
      pairId: null,
      type: 'store_health_changed',
      payload: { storeId, status: 'connected', reason: null },
      at,
    });
  });
}

/** How often the probe of a store that is in `error` asks, at most and at least, ms. */
export const PROBE_MS = { min: 30_000, max: 15 * 60_000 } as const;

function enqueueProbe(tx: Tx, storeId: StoreId, now: number): void {
  enqueueJob(tx, {
    key: `probe:${storeId}`,
    task: TASKS.probeStore,
    groupKey: storeId,
    payload: { storeId },
    priority: JOB_PRIORITY.request,
    runAt: now + PROBE_MS.min,
  });
}

function raiseForStore(ctx: EngineContext, tx: Tx, store: StoreRow, words: ProblemWords): void {
  for (const pair of listPairsOfStore(tx, store.id)) raiseAboutStore(ctx, tx, store, pair, words);
}

/** A problem of a pair that is about one of its stores as a whole. */
export function raiseAboutStore(
  ctx: EngineContext,
  tx: Tx,
  store: StoreRow,
  pair: PairRow,
  words: ProblemWords,
  details: unknown = null,
): void {
  const at = ctx.clock.now();
  const about = { productId: null, side: store.platform, subject: store.id };
  const of = { workspaceId: store.workspaceId, pairId: pair.id };
  const row = { ...of, storeId: store.id, details, ...about, ...words };
  const isNew = raiseProblem(tx, ctx.random.id(ID_PREFIX.problem) as ProblemId, row, at);
  // Who is shut out is told of as a store.
  if (isNew && words.code !== 'STORE_NO_ACCESS')
    recordEvent(tx, { ...of, type: 'problem', payload: { ...words, ...about }, at });
}
