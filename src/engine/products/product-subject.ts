import { findProductByExternal } from '../../db/readers/products.ts';
import type { PairId, ProductId } from '../../model/ids.ts';
import type { ClaimedJob, JobOutcome } from '../../model/job.ts';
import { type PerSide, SIDES, type Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import type { ProductRef, SyncProductPayload } from '../enqueue.ts';
import { type HubState, loadHub } from '../hub.ts';
import { LOCK_WAIT_MS, LOOK_AGAIN_MS, productLock, stockLock } from '../locks.ts';
import type { PairView } from '../pair-view.ts';
import type { Decision } from './decide.ts';
import type { Level } from './is-level.ts';

/** One product on its way through a pass. */
export interface ProductSubject {
  readonly job: ClaimedJob | null;
  /** Null: a record of one side that is not known yet. */
  productId: ProductId | null;
  unknown: { readonly side: Side; readonly externalId: string } | null;
  /** What its record was known as, alone, before it turned out to belong to `productId` (M1); null: nothing. */
  endedHalf: ProductId | null;
  /** Sides that are to be read. */
  readonly observe: Set<Side>;
  readonly snapshots: Partial<PerSide<ProductSnapshot>>;
  /** When its pass began, ms: nothing that the pass itself asked for is older. */
  readonly openedAt: number;
  /** When a side's snapshot was asked for, ms: it is as old as that, however late the answer came. Absent: it may be older still (a search's index lags), or was read before it was locked. */
  readonly askedAt: Partial<Record<Side, number>>;
  /** When it was looked for among what is known, ms; null: it was not. */
  matchedAt: number | null;
  /** When the other side was asked who bears its keys, ms; null: it was not. */
  searchedAt: number | null;
  /** A side where a record with one of its keys was found: nothing is made there until it is known whose that is. */
  awaited: Side | null;
  /** Sides where it was looked for what bears its mark, and nothing does [M1]. */
  readonly unmarked: Set<Side>;
  /** Its record takes the place of the one that its hub record is bound to, which is gone (M1). */
  takesOver: boolean;
  /** Both shops were listed for it just before, and a person consented to what came of that: nothing has to wait until it can be found. */
  isListed: boolean;
  /** Sides whose stock reading counts: their stock is locked since before the reading was asked for. */
  readonly counted: Set<Side>;
  /** Sides that answered exactly "not there". */
  readonly gone: Set<Side>;
  /** Those of them where another record is shown under the id that it had (V6), and that id. */
  readonly reused: Map<Side, string>;
  release: (() => void) | null;
  releaseStock: (() => void) | null;
  /** What was decided of a hub as it stood and of these readings: good as long as both are the very same. */
  decided: {
    readonly hub: HubState;
    readonly snapshots: Partial<PerSide<ProductSnapshot>>;
    readonly at: number;
    readonly decision: Decision;
  } | null;
  /** How a side's reading stood to a hub as it was: good as long as both are the very same. */
  readonly levels: Partial<PerSide<{ readonly hub: HubState; readonly snapshot: ProductSnapshot; readonly is: Level }>>;
  outcome: JobOutcome | null;
  /** What the pass did, for the run that asked for it. */
  result: 'written' | 'unchanged' | 'skipped' | 'failed';
  detail: string | null;
  /** Why one side has refused its part of a write for good, where the other's is to be tried again. */
  refused: string | null;
  /** Stock that was read with it is not level: a job of its own writes it. */
  movesStock: boolean;
  /** [W8] Of a side whose write is settled by this pass: how many in a row had no answer. */
  readonly unanswered: Partial<Record<Side, number>>;
}

export function makeSubject(
  ctx: EngineContext,
  view: PairView,
  ref: ProductRef,
  observe: readonly Side[],
  job: ClaimedJob | null,
): ProductSubject {
  const known = productOf(ctx, view.pair.id, ref);
  return {
    job,
    productId: known,
    unknown: 'productId' in ref || known !== null ? null : { side: ref.side, externalId: ref.externalId },
    endedHalf: null,
    observe: new Set(observe),
    snapshots: {},
    openedAt: ctx.clock.now(),
    askedAt: {},
    matchedAt: null,
    searchedAt: null,
    awaited: null,
    unmarked: new Set(),
    takesOver: false,
    isListed: false,
    counted: new Set(),
    gone: new Set(),
    reused: new Map(),
    release: null,
    releaseStock: null,
    decided: null,
    levels: {},
    outcome: null,
    result: 'unchanged',
    detail: null,
    refused: null,
    movesStock: false,
    unanswered: {},
  };
}

/** The product that a job is about, where it is known by now. */
export function knownProduct(ctx: EngineContext, pairId: PairId, job: ClaimedJob): ProductId | null {
  return productOf(ctx, pairId, (job.payload as SyncProductPayload).ref);
}

function productOf(ctx: EngineContext, pairId: PairId, ref: ProductRef): ProductId | null {
  if ('productId' in ref) return ref.productId;
  return findProductByExternal(ctx.db, pairId, ref.side, ref.externalId);
}

export function subjectOfJob(ctx: EngineContext, view: PairView, job: ClaimedJob): ProductSubject {
  const payload = job.payload as SyncProductPayload;
  return makeSubject(ctx, view, payload.ref, payload.observe, job);
}

/** The platform's id of the subject's record on a side, where it has one. */
export function externalIdOf(subject: ProductSubject, hub: HubState | null, side: Side): string | null {
  if (hub !== null) return hub.bindings[side]?.externalId ?? null;
  return subject.unknown?.side === side ? subject.unknown.externalId : null;
}

/** Takes the record's locks on both sides, and its stock's locks where it is to be read. False when another job has one of them. */
export function lockSubject(ctx: EngineContext, view: PairView, subject: ProductSubject): boolean {
  const hub = subject.productId === null ? null : loadHub(ctx.db, subject.productId);
  const records = SIDES.flatMap((side) => {
    const externalId = externalIdOf(subject, hub, side);
    return externalId === null ? [] : [productLock(view.shops[side], externalId)];
  });
  if (subject.productId !== null) records.push(`hub:${subject.productId}`);
  subject.release = ctx.locks.tryAcquire(records, subject.job?.key);
  if (subject.release === null) return false;
  const stock = [...subject.observe].flatMap((side) =>
    [...(hub?.variantBindings[side].values() ?? [])].map((binding) => stockLock(view.shops[side], binding.stockId)),
  );
  subject.releaseStock = ctx.locks.tryAcquire(stock);
  // Without the stock's locks the product is read all the same; its stock is left to the stock's own job.
  if (subject.releaseStock !== null) for (const side of subject.observe) subject.counted.add(side);
  return true;
}

/** [W3] Locks of what a pass has found since it began. False when another job has one of them: the subject lets go of all of its own, and waits. */
export function alsoLock(ctx: EngineContext, subject: ProductSubject, keys: readonly string[]): boolean {
  return takeMore(ctx, subject, 'release', keys);
}

function takeMore(
  ctx: EngineContext,
  subject: ProductSubject,
  held: 'release' | 'releaseStock',
  keys: readonly string[],
): boolean {
  const release = ctx.locks.tryAcquire(keys, subject.job?.key);
  if (release === null) {
    // Its own locks go at once: two new records that look for each other would else wait for each other for ever.
    releaseSubject(subject);
    subject.outcome ??= { type: 'snooze', ms: subject.job === null ? LOOK_AGAIN_MS : LOCK_WAIT_MS };
    return false;
  }
  const before = subject[held];
  subject[held] = () => {
    release();
    before?.();
  };
  return true;
}

/**
 * [S7] The stock of a side that joins is linked with the hub's number: what the known side has sold meanwhile is counted before that, from a reading
 * under its lock, or it would be counted after it once more. False as `alsoLock`.
 */
export function alsoCount(
  ctx: EngineContext,
  view: PairView,
  subject: ProductSubject,
  hub: HubState,
  side: Side,
): boolean {
  const keys = [...hub.variantBindings[side].values()].map(({ stockId }) => stockLock(view.shops[side], stockId));
  if (!takeMore(ctx, subject, 'releaseStock', keys)) return false;
  subject.counted.add(side);
  return true;
}

export function releaseSubject(subject: ProductSubject): void {
  subject.releaseStock?.();
  subject.release?.();
  subject.releaseStock = null;
  subject.release = null;
}

/** How long the pass is put off that one side has asked to be patient, while the other has refused its part for good, ms: that is sent along each time. */
const REFUSED_TOO_MS = 60_000;

type EndedWrite = Pick<ProductSubject, 'outcome' | 'refused'>;

/**
 * How a write of one side ended. What is to be tried again counts for more than what the other side has refused for good: else it would wait for the next
 * full look. Of two that are to be tried again the sooner counts: one shop may ask for patience for hours, where the other was away for a moment.
 */
export function endWrite(subject: EndedWrite, outcome: JobOutcome): void {
  const first = subject.outcome;
  if (first === null) subject.outcome = outcome;
  else if (first.type === 'cancel' && outcome.type !== 'cancel') goOn(subject, outcome, first.reason);
  else if (outcome.type === 'cancel' && first.type !== 'cancel') goOn(subject, first, outcome.reason);
  else if (waitMs(outcome) < waitMs(first)) subject.outcome = outcome;
}

function waitMs(outcome: JobOutcome): number {
  if (outcome.type === 'snooze') return outcome.ms;
  // The pauses between tries begin with a second, and come to a minute.
  return outcome.type === 'retry' ? (outcome.afterMs ?? 0) : Number.POSITIVE_INFINITY;
}

function goOn(subject: EndedWrite, outcome: JobOutcome, refused: string): void {
  subject.outcome = outcome.type === 'snooze' ? { ...outcome, ms: Math.max(outcome.ms, REFUSED_TOO_MS) } : outcome;
  subject.refused = refused;
}
