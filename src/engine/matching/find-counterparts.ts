import { mayFollow } from '../../core/direction.ts';
import { transact } from '../../db/database.ts';
import { findProduct } from '../../db/readers/hub-rows.ts';
import { findProductByExternal } from '../../db/readers/products.ts';
import type { VariantRow } from '../../db/schema/product.ts';
import type { ProductId } from '../../model/ids.ts';
import type { MatchKey } from '../../model/match.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { type SearchKey, searchKeys } from '../../model/search-key.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import { type HubState, isBound, loadHub } from '../hub.ts';
import { LOOK_AGAIN_MS, productLock } from '../locks.ts';
import { outcomeOfReadItem } from '../outcome.ts';
import type { PairView } from '../pair-view.ts';
import { alsoCount, alsoLock, type ProductSubject, releaseSubject } from '../products/product-subject.ts';
import { noteSights } from '../sights.ts';
import { tellAmbiguous } from './ambiguous.ts';
import { askOtherSide, cannotTell } from './ask-other-side.ts';
import { findGoneRivals } from './gone-rivals.ts';
import { matchInHub, rivalsOf } from './match-in-hub.ts';
import { onlySideOf } from './only-side.ts';
import { otherHalf } from './other-half.ts';
import { bears, findBearers, keysBorneBy, noteStranger } from './strangers.ts';

/**
 * A record that this pair doesn't know is matched before anything is created from it: with a hub record that waits for its side, then
 * with a record of the other store that nobody told us of. What is ambiguous is put in front of a person.
 */
export async function findCounterparts(
  ctx: EngineContext,
  view: PairView,
  subjects: readonly ProductSubject[],
  signal: AbortSignal,
): Promise<void> {
  const strangers = subjects.flatMap((subject) => {
    if (subject.outcome !== null || subject.productId !== null || subject.unknown === null) return [];
    const { side } = subject.unknown;
    const snapshot = subject.snapshots[side];
    return snapshot === undefined || snapshot.trashed || snapshot.unsyncable !== null
      ? []
      : [{ subject, side, snapshot }];
  });
  for (const { side, snapshot } of strangers) noteStranger(ctx, view, side, snapshot);
  const halves = subjects.flatMap((subject) => asHalf(ctx, subject) ?? []);
  for (const { side, snapshot } of halves) noteStranger(ctx, view, side, snapshot);
  for (const half of halves) await joinHalves(ctx, view, half, signal);
  for (const { subject, side, snapshot } of strangers) {
    // What we made there a moment ago is told of before its create is answered, and answered while it is read.
    if (findProductByExternal(ctx.db, view.pair.id, side, snapshot.externalId) !== null) {
      releaseSubject(subject);
      subject.outcome = { type: 'snooze', ms: LOOK_AGAIN_MS };
      continue;
    }
    subject.matchedAt = ctx.clock.now();
    let match = matchInHub(ctx, view, side, snapshot);
    let gone: ReadonlySet<ProductId> = new Set();
    if (match.is === 'ambiguous') {
      gone = await findGoneRivals(ctx, view, subject, side, rivalsOf(ctx, view, side, snapshot), signal);
      if (subject.outcome !== null) continue;
      if (gone.size > 0) match = matchInHub(ctx, view, side, snapshot, gone);
    }
    const claim = match.is === 'matched' ? await claimOn(ctx, view, subject, side, snapshot, match, signal) : null;
    if (claim === 'unanswered') continue;
    if (match.is === 'ambiguous') leaveToPerson(ctx, view, subject, side, snapshot, match.by, match.candidates);
    else if (match.is === 'matched' && (claim === 'barcode' || claim === 'sku'))
      leaveToPerson(ctx, view, subject, side, snapshot, claim, [], titleOf(ctx, match.externalId));
    else if (match.is === 'matched' && claim === 'free') {
      joinHub(ctx, view, subject, side, match.externalId as ProductId, gone);
    } else if (view.settings.createOn[otherSide(side)] && mayFollow(otherSide(side), view.settings)) {
      if (await isBearerGone(ctx, view, subject, side, snapshot, signal)) continue;
      await findOnOtherSide(ctx, view, subject, side, snapshot, signal);
    }
  }
}

/** A product that is known of one side alone, as it was just read. */
interface Half {
  readonly subject: ProductSubject;
  readonly hub: HubState;
  readonly side: Side;
  readonly snapshot: ProductSnapshot;
}

function asHalf(ctx: EngineContext, subject: ProductSubject): Half | null {
  const hub = subject.outcome !== null || subject.productId === null ? null : loadHub(ctx.db, subject.productId);
  const side = hub === null ? null : onlySideOf(ctx.db, hub);
  const snapshot = side === null ? undefined : subject.snapshots[side];
  if (hub === null || side === null || snapshot === undefined) return null;
  return snapshot.trashed || snapshot.unsyncable !== null ? null : { subject, hub, side, snapshot };
}

/** [M1] What is known of one side alone may turn out to be what is known of the other side alone: then its record joins that. */
async function joinHalves(
  ctx: EngineContext,
  view: PairView,
  { subject, hub, side, snapshot }: Half,
  signal: AbortSignal,
): Promise<void> {
  // Another of this pass may have joined it.
  if (subject.outcome !== null) return;
  const match = otherHalf(ctx, view, hub, side, snapshot);
  if (match.is !== 'matched') return;
  // The hub may hold a key that its record does not bear (L2), and has not heard of every key that moved.
  const answer = await askOtherSide(ctx, view, subject, side, snapshot, keysBorneBy(snapshot), signal);
  if (answer.is !== 'known' || answer.productId !== match.externalId) return;
  if ((await claimOn(ctx, view, subject, side, snapshot, match, signal)) !== 'free') return;
  joinHub(ctx, view, subject, side, answer.productId, new Set());
  if (subject.outcome !== null) return;
  subject.unknown = { side, externalId: snapshot.externalId };
  subject.endedHalf = hub.row.id;
}

/**
 * [M3][M4][M5] Whether another record of either side bears a key of the two that are to be one, and of which kind: the hub need not know it yet. Where
 * a barcode decides, SKUs say nothing [M2]. `split`: nothing is contested but what is in no shop any more and was made into several, none of which it
 * is. `unanswered`: that could not be told, and the subject has its outcome.
 */
async function claimOn(
  ctx: EngineContext,
  view: PairView,
  subject: ProductSubject,
  side: Side,
  snapshot: ProductSnapshot,
  match: { readonly externalId: string; readonly by: MatchKey },
  signal: AbortSignal,
): Promise<'free' | 'barcode' | 'sku' | 'split' | 'unanswered'> {
  if (match.by === 'mark') return 'free';
  const isCounted = (key: SearchKey) => match.by !== 'barcode' || key.startsWith('gtin:');
  const own = keysBorneBy(snapshot).filter(isCounted);
  const hub = loadHub(ctx.db, match.externalId as ProductId);
  const known = [...new Set(variantsOf(hub).flatMap(searchKeys))].filter(isCounted);
  const counterpart = hub?.bindings[otherSide(side)]?.externalId;
  let asked = side;
  const kindOfOther = async (on: Side, keys: readonly SearchKey[], itself: string | null | undefined) => {
    asked = on;
    const found = await findBearers(ctx, view, on, keys, itself ?? null, signal);
    const others = found.filter((record) => !record.trashed && record.externalId !== itself);
    if (others.length === 0) return null;
    const gtins = new Set(keys.filter((key) => key.startsWith('gtin:')));
    return others.some((record) => bears(record, gtins)) ? 'barcode' : 'sku';
  };
  const isNowhere = hub?.row.state === 'deleted' && SIDES.every((each) => !isBound(hub, each));
  const all = [...new Set([...own, ...known])];
  const strange = own.filter((key) => !known.includes(key));
  const theirs = counterpart == null ? strange : all;
  try {
    const contested =
      (await kindOfOther(side, isNowhere ? own : all, snapshot.externalId)) ??
      (await kindOfOther(otherSide(side), theirs, counterpart));
    if (contested !== null) return contested;
    const lapsed = isNowhere ? known.filter((key) => !own.includes(key)) : [];
    return (await kindOfOther(side, lapsed, snapshot.externalId)) === null ? 'free' : 'split';
  } catch (error) {
    cannotTell(ctx, view, subject, { side, asked }, error);
    return 'unanswered';
  }
}

/** What a variant was known by that is in no shop any more is nobody's key. */
function variantsOf(hub: HubState | null): readonly VariantRow[] {
  return [...(hub?.variants.values() ?? [])].filter(
    ({ id, stockState }) => stockState !== 'removed' || SIDES.some((side) => hub?.variantBindings[side].has(id)),
  );
}

/**
 * [M1] A mark says nothing where another record bears it by right: one that is there. Where it is gone and nobody told, this may be the very same
 * product, imported anew with all that was noted on it. It waits until that is known. Sets an outcome then.
 */
async function isBearerGone(
  ctx: EngineContext,
  view: PairView,
  subject: ProductSubject,
  side: Side,
  snapshot: ProductSnapshot,
  signal: AbortSignal,
): Promise<boolean> {
  const hubs = snapshot.marks.flatMap(({ pairId, hubId }) =>
    pairId === view.pair.id ? (loadHub(ctx.db, hubId as ProductId) ?? []) : [],
  );
  for (const hub of hubs) {
    const externalId = hub.bindings[side]?.externalId;
    if (typeof externalId !== 'string' || externalId === snapshot.externalId) continue;
    try {
      const [answer] = await view.connectors[side].readProducts([externalId], signal);
      if (answer?.ok) {
        noteSights(ctx, view, side, [answer.value]);
        continue;
      }
      if (answer?.error.kind !== 'not_found') {
        // Whether it is there was not said: nothing is made of the other one until it is.
        subject.outcome ??= answer
          ? outcomeOfReadItem(answer.error)
          : { type: 'retry', reason: 'an answer is missing' };
        return true;
      }
    } catch (error) {
      cannotTell(ctx, view, subject, { side, asked: side }, error);
      return true;
    }
    subject.outcome ??= { type: 'retry', reason: 'it bears the mark of a record that is gone, which is settled first' };
    const ref = { productId: hub.row.id };
    transact(ctx.db, (tx) => enqueueProductSync(tx, view.pair.id, { ref, observe: [side] }, ctx.clock.now()));
    return true;
  }
  return false;
}

/** `own`: the side whose record joins. */
function joinHub(
  ctx: EngineContext,
  view: PairView,
  subject: ProductSubject,
  own: Side,
  productId: ProductId,
  gone: ReadonlySet<ProductId>,
): void {
  const hub = loadHub(ctx.db, productId);
  const open = Object.values(hub?.bindings ?? {}).filter((binding) => binding.intent !== null);
  if (open.length > 0) {
    // [W5] What bears the mark of a create that was not answered may be half of what was sent: the rest can land until the fence.
    const fence = Math.max(...open.map((binding) => binding.fencedUntil ?? 0));
    releaseSubject(subject);
    subject.outcome ??= { type: 'snooze', ms: Math.max(LOOK_AGAIN_MS, fence - ctx.clock.now() + 1) };
    return;
  }
  if (isBoundElsewhere(subject, hub, own) && !gone.has(productId)) {
    // [M1] While it was asked who else bears its keys, a create that had no answer was found to have become another record.
    releaseSubject(subject);
    subject.outcome ??= { type: 'snooze', ms: LOOK_AGAIN_MS };
    return;
  }
  const keys = [`hub:${productId}`];
  for (const binding of Object.values(hub?.bindings ?? {}))
    if (binding.externalId !== null) keys.push(productLock(view.shops[binding.side], binding.externalId));
  if (!alsoLock(ctx, subject, keys)) return;
  subject.takesOver = gone.has(productId);
  // Stock of two records that were never linked is settled from two fresh readings.
  for (const { side } of Object.values(hub?.bindings ?? {})) {
    if (subject.takesOver && side === own) continue;
    if (hub !== null && !alsoCount(ctx, view, subject, hub, side)) return;
    subject.observe.add(side);
  }
  subject.productId = productId;
  if (view.pair.status === 'active') subject.detail = 'linked';
}

function isBoundElsewhere({ snapshots }: ProductSubject, hub: HubState | null, side: Side): boolean {
  const bound = hub?.bindings[side]?.externalId ?? null;
  return bound !== null && bound !== snapshots[side]?.externalId;
}

async function findOnOtherSide(
  ctx: EngineContext,
  view: PairView,
  subject: ProductSubject,
  side: Side,
  snapshot: ProductSnapshot,
  signal: AbortSignal,
): Promise<void> {
  const other = otherSide(side);
  subject.searchedAt = ctx.clock.now();
  const answer = await askOtherSide(ctx, view, subject, side, snapshot, keysBorneBy(snapshot), signal);
  if (answer.is === 'ambiguous') leaveToPerson(ctx, view, subject, side, snapshot, answer.by, [], answer.partner);
  // Its keys have moved since the hub saw them, and its shop has not told yet.
  if (answer.is === 'known') joinHub(ctx, view, subject, side, answer.productId, new Set());
  if (answer.is !== 'found') return;
  if (alsoLock(ctx, subject, [productLock(view.shops[other], answer.record.externalId)]))
    subject.snapshots[other] = answer.record;
}

function titleOf(ctx: EngineContext, productId: string): string | undefined {
  return findProduct(ctx.db, productId as ProductId)?.title;
}

/** Nothing is done with it until a person has made its keys unique. `rivals`: hub records that it could be, `partner`: the one that it leads to. */
function leaveToPerson(
  ctx: EngineContext,
  view: PairView,
  subject: ProductSubject,
  side: Side,
  snapshot: ProductSnapshot,
  by: string,
  rivals: readonly string[] = [],
  partner?: string,
): void {
  subject.outcome = { type: 'cancel', reason: `ambiguous by ${by}` };
  subject.result = 'skipped';
  const about = { productId: subject.productId, side, snapshot, rivals: rivals as readonly ProductId[], partner };
  transact(ctx.db, (tx) => tellAmbiguous(ctx, tx, view, about, by));
}
