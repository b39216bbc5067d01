import { titleKey } from '../../core/match.ts';
import type { Db, Tx } from '../../db/database.ts';
import { closeProblems, forgetDelete, listOpenConflicts } from '../../db/writers/history.ts';
import { insertProduct } from '../../db/writers/products.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import type { ProductId } from '../../model/ids.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import { closeSettled } from '../close-problems.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import { type HubState, isBound, loadHub } from '../hub.ts';
import { leads } from '../leads.ts';
import { LOOK_AGAIN_MS } from '../locks.ts';
import { matchInHub } from '../matching/match-in-hub.ts';
import { endHalf, wakeHalves } from '../matching/other-half.ts';
import type { PairView } from '../pair-view.ts';
import { raise } from '../problems.ts';
import { endUnanswered } from '../record-writes.ts';
import { tellShort } from '../stock/absorb-stock.ts';
import { noteLimits } from '../stock/limited-stock.ts';
import { acceptPresence, seenBy } from './accept-presence.ts';
import { closeByKey } from './close-by-key.ts';
import { givenNow } from './given-variants.ts';
import { isHalfDone } from './half-done.ts';
import { DELETED_FIELD } from './handle-gone.ts';
import { acceptRepublished } from './handle-republished.ts';
import { type Level, levelOf } from './is-level.ts';
import { lookAtTurns } from './look-at-turns.ts';
import { planProductPushes } from './plan-pushes.ts';
import type { ProductSubject } from './product-subject.ts';
import type { ProductPush } from './push-products.ts';
import { lookAtReused, noteMade } from './reused-id.ts';
import { settleOwn } from './settle-own.ts';
import { settleHeld, storeDecision } from './store-decision.ts';
import { closeFieldDrift } from './store-drift.ts';
import { absorbReadings, closeReturned } from './store-variants.ts';
import { unbindGone } from './unbind.ts';
import { leftOutWords, UNSYNCABLE_CODES, unsyncableWords } from './unsyncable-words.ts';
import { hasLeftOver, isCutOff } from './variants-to-archive.ts';

/** How long what waits for a person's decision is left alone, ms. */
const PERSON_WAIT_MS = 15 * MINUTE_MS;

/**
 * Everything that one subject's readings mean, in the caller's transaction; returns the writes whose intents it stored.
 * After this the readings are worth nothing any more.
 */
export function storeSubject(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  options: { readonly plansWrites: boolean } = { plansWrites: true },
): readonly ProductPush[] {
  if (isLeftOut(ctx, tx, view, subject)) {
    endOpenWrites(ctx, tx, view, subject);
    const left = subject.productId === null ? null : loadHub(tx, subject.productId);
    if (left !== null) noteMade(tx, view, left, subject.snapshots);
    // [L5] WooCommerce tells of a sale by the product alone. It is counted by a reading of the stock: what is left out may show a number that is not whole.
    absorbReadings(ctx, tx, view, { ...subject, counted: new Set() });
    return [];
  }
  if (subject.productId === null) {
    const first = firstSnapshot(subject);
    if (first === null) return [];
    if (isKnownByNow(ctx, view, subject)) {
      subject.outcome = { type: 'snooze', ms: LOOK_AGAIN_MS };
      return [];
    }
    subject.productId = createHub(ctx, tx, view, first.snapshot);
  }
  const before = loadHub(tx, subject.productId);
  if (before === null) return [];
  let hub = takeOver(ctx, tx, view, subject, before);
  // [G9] Who is there again was not deleted: what was asked or decided about that is not kept for the next time.
  for (const side of SIDES)
    if (subject.snapshots[side]?.trashed === false) forgetDelete(tx, hub.row.id, side, ctx.clock.now());
  for (const side of SIDES) {
    const snapshot = subject.snapshots[side];
    if (snapshot?.trashed === false) lookAtTurns(tx, view, hub.row.id, side, snapshot, ctx.clock.now());
  }
  hub = noteMade(tx, view, hub, subject.snapshots);
  const known = asKnown(tx, view, hub, subject);
  if (known !== 'apart') {
    if (known === 'stock') {
      absorbReadings(ctx, tx, view, subject);
      hub = loadHub(tx, hub.row.id) ?? hub;
    }
    noteLimits(ctx, tx, view, subject, hub);
    tellShort(ctx, tx, view, hub);
    const read = SIDES.filter((side) => subject.snapshots[side] !== undefined);
    closeFieldDrift(ctx, tx, view, hub, read, ctx.clock.now());
    for (const side of read) closeReturned(ctx, tx, hub, side, hub.variantBindings[side]);
    closeSettled(tx, view, hub.row.id, seenBy(subject), ctx.clock.now());
    return [];
  }

  if (waitsForDelete(ctx, tx, view, subject, hub) || waitsForStock(ctx, tx, view, subject, hub)) return [];
  const seen = seenBy(subject);
  const { bindings } = hub;
  const republished = acceptRepublished(ctx, tx, view, subject, hub);
  if (republished === 'held') {
    settleHeld(ctx, tx, view, subject, hub);
    return [];
  }
  if (republished !== 'none') hub = loadHub(tx, subject.productId) ?? hub;
  const current = acceptPresence(ctx, tx, view, subject, hub);
  if (current === null) return [];
  lookAtReused(ctx, tx, view, subject);
  const lost = SIDES.filter((side) => bindings[side] !== undefined && current.bindings[side] === undefined);
  endHalf(ctx, tx, view, subject);
  const stored = storeDecision(ctx, tx, view, subject, settleOwn(ctx, tx, view, subject, before, current));
  noteLimits(ctx, tx, view, subject, stored.hub);
  tellShort(ctx, tx, view, stored.hub);
  wakeHalves(ctx, tx, view, before, subject.snapshots);
  const pushes = options.plansWrites ? planProductPushes(ctx, tx, view, subject, stored, lost) : [];
  if (lost.length > 0 && stored.hub.row.state === 'live') lookAgain(ctx, tx, view, stored.hub, lost);
  closeSettled(tx, view, hub.row.id, seen, ctx.clock.now());
  return pushes;
}

/** [M1] What was added to both shops at once is met in one pass: the first of the two is known by the time that the second is stored, and is joined by it. */
function isKnownByNow(ctx: EngineContext, view: PairView, subject: ProductSubject): boolean {
  const { unknown, matchedAt, snapshots } = subject;
  const snapshot = unknown === null ? undefined : snapshots[unknown.side];
  if (unknown === null || matchedAt === null || snapshot === undefined) return false;
  if (snapshots[otherSide(unknown.side)] !== undefined) return false;
  const match = matchInHub(ctx, view, unknown.side, snapshot);
  const hub = match.is === 'matched' ? loadHub(ctx.db, match.externalId as ProductId) : null;
  return hub !== null && hub.row.createdAt >= matchedAt;
}

/** [M1] In the transaction that binds the new record: until then the old one is a delete like any. */
function takeOver(ctx: EngineContext, tx: Tx, view: PairView, subject: ProductSubject, hub: HubState): HubState {
  const { unknown, takesOver } = subject;
  if (unknown === null || !takesOver || !isBound(hub, unknown.side)) return hub;
  if (hub.bindings[unknown.side]?.externalId === unknown.externalId) return hub;
  unbindGone(tx, view, hub, unknown.side, ctx.clock.now());
  return loadHub(tx, hub.row.id) ?? hub;
}

/**
 * [G8] A record was to join one that turns out to be gone. The two never were the same, so that nothing of the delete is carried over: it is
 * settled by itself, and then the record that is there is looked at again as what it is.
 */
function waitsForDelete(ctx: EngineContext, tx: Tx, view: PairView, subject: ProductSubject, hub: HubState): boolean {
  const { unknown } = subject;
  if (unknown === null || hub.row.state === 'deleted' || isBound(hub, unknown.side)) return false;
  const other = otherSide(unknown.side);
  if (!isBound(hub, other) || seenBy(subject)[other] !== 'gone' || !leads(view, hub, other, {})) return false;
  const ref = { productId: hub.row.id };
  enqueueProductSync(tx, view.pair.id, { ref, observe: [other] }, ctx.clock.now());
  const isAsked = listOpenConflicts(tx, hub.row.id).some(({ field }) => field === DELETED_FIELD);
  subject.outcome = { type: 'snooze', ms: isAsked ? PERSON_WAIT_MS : LOOK_AGAIN_MS };
  return true;
}

/**
 * [V5][S4] What was left of a variant becomes another one's by a reading of its stock under its lock alone: a write of ours that is answered between the
 * reading and now would be counted as somebody's change.
 */
function waitsForStock(ctx: EngineContext, tx: Tx, view: PairView, subject: ProductSubject, hub: HubState): boolean {
  if (givenNow(view, hub, subject.snapshots).every(({ side }) => subject.counted.has(side))) return false;
  enqueueProductSync(tx, view.pair.id, { ref: { productId: hub.row.id }, observe: SIDES }, ctx.clock.now());
  subject.outcome = { type: 'snooze', ms: LOOK_AGAIN_MS };
  return true;
}

/** [M1][M3] What went in this pass is made anew by the next, which asks that side first who bears its keys now. */
function lookAgain(ctx: EngineContext, tx: Tx, view: PairView, hub: HubState, lost: readonly Side[]): void {
  const ref = { productId: hub.row.id };
  enqueueProductSync(tx, view.pair.id, { ref, observe: lost.map(otherSide) }, ctx.clock.now());
}

/**
 * How all that was read stands to what was known. 'level': an echo of our own write, or a signal for nothing; most are. 'stock': a sale, of which
 * WooCommerce tells by the product. Of neither is anything to be merged, and no other side is to be read for it.
 */
export function asKnown(db: Db, view: PairView, hub: HubState, subject: ProductSubject): Level {
  const read = SIDES.filter((side) => subject.snapshots[side] !== undefined || subject.gone.has(side));
  if (read.length === 0 || SIDES.some((side) => isCutOff(db, view, hub, side))) return 'apart';
  // [R7] Both shops may be back at what they had agreed on: then nobody is to be asked any more.
  if (listOpenConflicts(db, hub.row.id).some(({ side, field }) => read.includes(side) && field !== DELETED_FIELD))
    return 'apart';
  let known: Level = 'level';
  for (const side of read) {
    const snapshot = subject.snapshots[side];
    if (snapshot === undefined || snapshot.trashed || !isBound(hub, side)) return 'apart';
    const level = stillLevel(view, hub, side, snapshot, subject);
    if (level === 'apart' || hasLeftOver(db, view, hub, side)) return 'apart';
    if (level === 'stock') known = 'stock';
  }
  return known;
}

/** `levelOf`, which a pass asks before each of its steps. Its view is one and the same from beginning to end. */
function stillLevel(
  view: PairView,
  hub: HubState,
  side: Side,
  snapshot: ProductSnapshot,
  { levels }: ProductSubject,
): Level {
  const known = levels[side];
  if (known !== undefined && known.hub === hub && known.snapshot === snapshot) return known.is;
  const is = levelOf(view, hub, side, snapshot);
  levels[side] = { hub, snapshot, is };
  return is;
}

/** [W4] What is left out may be so for good, and no job comes back for it: what was sent to it is settled by what this pass, which has waited for its fence, was shown. */
function endOpenWrites(ctx: EngineContext, tx: Tx, view: PairView, subject: ProductSubject): void {
  let hub = subject.productId === null ? null : loadHub(tx, subject.productId);
  for (const side of SIDES) {
    const snapshot = subject.snapshots[side];
    if (hub === null || (snapshot === undefined && !subject.gone.has(side))) continue;
    hub = endUnanswered(view, tx, hub, side, snapshot ?? null, ctx.clock.now());
  }
}

function isToFinish(tx: Tx, view: PairView, { productId }: ProductSubject, side: Side, snapshot: ProductSnapshot) {
  const hub = productId === null ? null : loadHub(tx, productId);
  return hub !== null && isHalfDone(view, hub, side, snapshot);
}

/** [L5] What a platform cannot hold is refused whole, with the reason. */
function isLeftOut(ctx: EngineContext, tx: Tx, view: PairView, subject: ProductSubject): boolean {
  for (const side of SIDES) {
    const snapshot = subject.snapshots[side];
    if (subject.unknown?.side === side && (subject.gone.has(side) || snapshot?.trashed === true))
      closeByKey(ctx, tx, view, `${side}:${subject.unknown.externalId}`, null);
    if (snapshot === undefined) continue;
    const key = `${side}:${snapshot.externalId}`;
    if (snapshot.unsyncable !== null && !snapshot.trashed && !isToFinish(tx, view, subject, side, snapshot)) {
      const words = unsyncableWords(side, snapshot.fields.title, snapshot.unsyncable);
      // What it was left out for before may be mended, and another reason have taken its place.
      closeByKey(ctx, tx, view, key, words.code);
      raise(ctx, tx, view, { productId: subject.productId, side, subject: key }, words);
      subject.result = 'skipped';
      subject.detail = leftOutWords(snapshot.unsyncable);
      return true;
    }
    // It fits now, and it is known which record it belongs to.
    const at = ctx.clock.now();
    if (subject.productId !== null) closeProblems(tx, subject.productId, UNSYNCABLE_CODES, side, at);
    if (subject.unknown !== null) closeByKey(ctx, tx, view, key, null);
  }
  return false;
}

/** In a one-way pair a new hub record is made from the source, else from whichever side was read. */
function firstSnapshot(subject: ProductSubject): { readonly side: Side; readonly snapshot: ProductSnapshot } | null {
  const own = subject.unknown === null ? undefined : subject.snapshots[subject.unknown.side];
  if (subject.unknown !== null && own !== undefined && !own.trashed)
    return { side: subject.unknown.side, snapshot: own };
  for (const side of SIDES) {
    const snapshot = subject.snapshots[side];
    if (snapshot !== undefined && !snapshot.trashed) return { side, snapshot };
  }
  return null;
}

/** A hub record begins with the fields of one reading and without variants: they join it by the ordinary decision. */
function createHub(ctx: EngineContext, tx: Tx, view: PairView, snapshot: ProductSnapshot): ProductId {
  const id = ctx.random.id('prd_') as ProductId;
  const at = ctx.clock.now();
  insertProduct(tx, {
    id,
    pairId: view.pair.id,
    data: { fields: snapshot.fields, variants: {} },
    seen: {},
    state: 'live',
    deletedOn: null,
    priorStatus: null,
    title: snapshot.fields.title,
    titleKey: titleKey(snapshot.fields.title),
    imageUrl: snapshot.imageUrl,
    createdAt: at,
    updatedAt: at,
  });
  return id;
}
