import { type Tx, transact } from '../../db/database.ts';
import { findStore, listPairsOfStore } from '../../db/readers/pairs.ts';
import type { PairRow } from '../../db/schema/pair.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import { closeProblemsBySubject } from '../../db/writers/history.ts';
import { enqueueJob } from '../../db/writers/jobs.ts';
import { updateStore } from '../../db/writers/stores.ts';
import { HOUR_MS } from '../../lib/time.ts';
import type { StoreId } from '../../model/ids.ts';
import { type ClaimedJob, JOB_PRIORITY, type JobOutcome } from '../../model/job.ts';
import { type Finding, isShutOut, type StoreInfo } from '../../model/store-info.ts';
import type { EngineContext } from '../context.ts';
import { TASKS } from '../enqueue.ts';
import { DONE } from '../outcome.ts';
import type { ProblemWords } from '../problems.ts';
import { STORE_WORDS } from '../store-words.ts';
import { mappedLocation } from './mapped-location.ts';
import { pinLocation } from './pin-location.ts';
import { closeLargeDeliveries, noteShutOut, raiseAboutStore } from './store-state.ts';
import { hasOtherUnits, noteUnits } from './store-units.ts';
import { webhookAddress } from './webhook-address.ts';
import { withoutRefuted } from './without-refuted.ts';

/** Of the doctor's warnings those that end in a standstill when nobody acts: a platform takes a way of calling it away. */
const ENDS_IN_A_STANDSTILL = /^API_/;

/** How soon the doctor comes back to a store that was told of. */
const LOOK_AGAIN_MS = HOUR_MS;

/**
 * The job: the doctor looks at a store without being asked, daily and when the store says that its settings changed. What a platform takes away
 * (an API version, a permission, the counting of stock) makes no noise of its own.
 */
export async function checkStore(ctx: EngineContext, job: ClaimedJob, signal: AbortSignal): Promise<JobOutcome> {
  const { storeId } = job.payload as { storeId: StoreId };
  const store = findStore(ctx.db, storeId);
  if (store === null || store.status === 'disconnected') return { type: 'cancel', reason: 'the store is gone' };
  closeLargeDeliveries(ctx, storeId);
  // It does not let us in, which is told, and its probe asks.
  if (store.status === 'error') return DONE;
  const looked = await ctx.connectors
    .forStore(store, mappedLocation(ctx.db, store))
    .inspect(signal, webhookAddress(ctx, storeId));
  const { info } = looked;
  if (info === null) {
    // A store that is away for a moment is no finding: whatever is to be done there notices it too.
    const shut = looked.findings.find(isShutOut);
    if (shut !== undefined) noteShutOut(ctx, store, shut.message);
    return DONE;
  }
  const findings = withoutRefuted(ctx, store, looked.findings);
  const isFit = transact(ctx.db, (tx) => noteFindings(ctx, tx, store, info, findings));
  if (hasOtherUnits(info, store.info)) ctx.connectors.forget(storeId);
  return isFit ? DONE : { type: 'snooze', ms: LOOK_AGAIN_MS };
}

export function enqueueStoreCheck(tx: Tx, storeId: StoreId, runAt: number): void {
  enqueueJob(tx, {
    key: `check:${storeId}`,
    task: TASKS.checkStore,
    groupKey: storeId,
    payload: { storeId },
    priority: JOB_PRIORITY.housekeeping,
    runAt,
  });
}

/** Keeps what the doctor said, and tells the store's pairs what needs a person; false when something does. */
export function noteFindings(
  ctx: EngineContext,
  tx: Tx,
  store: StoreRow,
  info: StoreInfo,
  findings: readonly Finding[],
): boolean {
  const at = ctx.clock.now();
  const linked = () => listPairsOfStore(tx, store.id).filter((pair) => pair.linkedAt !== null);
  // By what was known before, where it is known: this look may bring the news that another place is the first now.
  for (const pair of linked()) pinLocation(tx, pair);
  updateStore(tx, store.id, { findings, lastContactAt: at });
  // [A3] Against what is known now: while this look was under way another may have noticed it.
  const now = findStore(tx, store.id)?.info ?? null;
  const known = now === null || store.info === null ? store.info : { ...now, identity: store.info.identity };
  noteUnits(ctx, tx, { ...store, info: known }, info, info);
  for (const pair of linked()) pinLocation(tx, pair);
  const urgent = findings.filter(
    ({ code, level }) => level === 'error' || (level === 'warning' && ENDS_IN_A_STANDSTILL.test(code)),
  );
  for (const pair of listPairsOfStore(tx, store.id)) {
    const words = urgent.length === 0 ? null : STORE_WORDS.needsCare(store.platform, urgent);
    tell(ctx, tx, store, pair, 'STORE_NEEDS_CARE', words);
  }
  return urgent.length === 0;
}

function tell(
  ctx: EngineContext,
  tx: Tx,
  store: StoreRow,
  pair: PairRow,
  code: string,
  words: ProblemWords | null,
): void {
  if (words === null) closeProblemsBySubject(tx, pair.id, code, store.id, ctx.clock.now());
  else raiseAboutStore(ctx, tx, store, pair, words);
}
