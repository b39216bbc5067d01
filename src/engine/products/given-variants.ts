import { BY_CODE, pairUp } from '../../core/variants.ts';
import type { Tx } from '../../db/database.ts';
import type { VariantBindingRow } from '../../db/schema/product.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import type { VariantId } from '../../model/ids.ts';
import { otherSide, type PerSide, SIDES, type Side } from '../../model/platform.ts';
import type { VariantFields } from '../../model/product.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import type { HubState } from '../hub.ts';
import { LOOK_AGAIN_MS } from '../locks.ts';
import type { PairView } from '../pair-view.ts';
import { unansweredOf } from '../stock/stock-call.ts';
import { variantsToArchive } from './variants-to-archive.ts';

/** How seldom at most a write without an answer is looked after that others wait for, ms. */
const PAUSE_MAX_MS = 10 * MINUTE_MS;

type Snapshots = Partial<PerSide<ProductSnapshot>>;

/** What is left on a side of a removed variant, and whose it is from now on. */
export interface Given {
  readonly side: Side;
  readonly from: VariantId;
  readonly to: VariantId;
}

/**
 * [V5] What was left on a side of removed variants, and was given the SKU or GTIN of one that is missing there, or the other way round: it is that
 * one's from now on. A key that two bear is nobody's. What is to be put away is not asked, and while a variant's own create
 * has no answer nothing else is recognised as it (W5).
 */
function givenVariants(view: PairView, hub: HubState, snapshots: Snapshots): readonly Given[] {
  if (hub.row.state !== 'live') return [];
  return SIDES.flatMap((side) => {
    const snapshot = snapshots[side];
    if (snapshot === undefined || snapshot.trashed) return [];
    const away = new Set(variantsToArchive(view, hub, side));
    const left = new Map<string, VariantId>();
    for (const { variantId, externalId } of hub.variantBindings[side].values())
      if (hub.variants.get(variantId)?.stockState === 'removed' && !away.has(externalId))
        left.set(externalId, variantId);
    if (left.size === 0) return [];
    const missing = missingOn(hub, side);
    if (missing.size === 0) return [];
    const shown = snapshot.variants.map((variant) => ({ item: variant, fields: variant.fields }));
    return [...pairUp(shown, livingOf(hub), BY_CODE)].flatMap(([{ externalId, fields }, to]) => {
      const from = left.get(externalId);
      if (from === undefined || !missing.has(to)) return [];
      return isShownSo(hub, otherSide(side), to, snapshots, fields) ? [{ side, from, to }] : [];
    });
  });
}

/** [S4] Those of which no stock write is without an answer: what of it may land yet would be counted as somebody's change. */
export function givenNow(view: PairView, hub: HubState, snapshots: Snapshots): readonly Given[] {
  return givenVariants(view, hub, snapshots).filter(({ side, from }) => isAtRest(hub, side, from));
}

/**
 * [V5] New variants of a side that are not made there: what is left there is theirs from the next pass on, which is asked for. They, or their keys, were met
 * by this very pass, or a stock write to what is left has no answer yet. `written`: what the pass writes there, by their ids there: who gives up a
 * key with that is in nobody's way.
 */
export function awaitGiven(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  hub: HubState,
  snapshots: Snapshots,
  side: Side,
  written: ReadonlyMap<string, Partial<VariantFields>>,
): ReadonlySet<VariantId> {
  const own = snapshots[side];
  if (own === undefined) return new Set();
  const isOfSide = (given: Given) => given.side === side;
  const now = ctx.clock.now();
  for (const { from } of givenVariants(view, hub, snapshots).filter(isOfSide)) {
    const dueAt = isAtRest(hub, side, from) ? now : now + pauseFor(hub.variantBindings[side].get(from), now);
    enqueueProductSync(tx, view.pair.id, { ref: { productId: hub.row.id }, observe: SIDES }, dueAt);
  }
  const variants = own.variants.map((variant) => {
    const fields = { ...variant.fields, ...written.get(variant.externalId) };
    return { ...variant, fields };
  });
  const after = givenVariants(view, hub, { ...snapshots, [side]: { ...own, variants } });
  return new Set(after.filter(isOfSide).map(({ to }) => to));
}

/** [W8] Its own job settles the write, within a moment or, where the shop answers none, never: the longer that lasts, the more seldom it is asked for. */
function pauseFor(binding: VariantBindingRow | undefined, now: number): number {
  const { fencedUntil, intentSentAt, intentKey } = binding ?? {};
  const lasts = Math.max(Math.ceil((now - (intentSentAt ?? now)) / 4), (unansweredOf(intentKey ?? '') - 1) * MINUTE_MS);
  return Math.max(LOOK_AGAIN_MS, (fencedUntil ?? 0) + 1 - now, Math.min(lasts, PAUSE_MAX_MS));
}

function isAtRest(hub: HubState, side: Side, id: VariantId): boolean {
  return (hub.variantBindings[side].get(id)?.intentKey ?? null) === null;
}

/** Living variants that the other side alone has, and of which nothing is under way. */
function missingOn(hub: HubState, side: Side): ReadonlySet<VariantId> {
  const sent = hub.bindings[side]?.intent?.stock ?? {};
  const theirs = [...hub.variantBindings[otherSide(side)].keys()];
  return new Set(theirs.filter((id) => isLiving(hub, id) && !hub.variantBindings[side].has(id) && !sent[id]));
}

function livingOf(hub: HubState) {
  const all = Object.entries(hub.row.data.variants) as [VariantId, VariantFields][];
  return all.flatMap(([id, fields]) => (isLiving(hub, id) ? [{ item: id, fields }] : []));
}

/** Whether the missing one is there and bears that key still, where it was read: what has just been given another one is known by that from the next pass on. */
function isShownSo(hub: HubState, side: Side, id: VariantId, snapshots: Snapshots, left: VariantFields): boolean {
  const bound = hub.variantBindings[side].get(id)?.externalId;
  const shown = snapshots[side]?.variants.find(({ externalId }) => externalId === bound)?.fields;
  if (shown === undefined) return snapshots[side] === undefined;
  return BY_CODE.some((keyOf) => keyOf(left) !== null && keyOf(left) === keyOf(shown));
}

const isLiving = (hub: HubState, id: VariantId) => hub.variants.get(id)?.stockState !== 'removed';
