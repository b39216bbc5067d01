import { mayFollow } from '../core/direction.ts';
import { transact } from '../db/database.ts';
import { skuKey } from '../lib/record-keys.ts';
import { otherSide, SIDES, type Side } from '../model/platform.ts';
import type { ProductSnapshot } from '../model/snapshot.ts';
import type { EngineContext } from './context.ts';
import { decideSubject } from './decide-subject.ts';
import { enqueueProductSync } from './enqueue.ts';
import { askOtherSide, leaveToPerson } from './find-counterparts.ts';
import { loadHub } from './hub.ts';
import { createLock } from './locks.ts';
import { asConnectorError, outcomeOfRead } from './outcome.ts';
import type { PairView } from './pair-view.ts';
import { alsoLock, type ProductSubject } from './product-subject.ts';
import { noteReadError } from './store-state.ts';
import { findBearers, skusOf } from './strangers.ts';

/** SKUs that a connector takes in one search. */
export const SEARCH_MAX = 100;

interface Due {
  readonly subject: ProductSubject;
  readonly snapshot: ProductSnapshot;
  readonly skus: readonly string[];
}

/**
 * [M1][M3] A product that is known on one side only was matched when it was first seen, if at all: such products may not have been made there then,
 * or a create was refused, and meanwhile somebody else has typed it in. Before it is made, the side is asked for its SKUs.
 */
export async function lookBeforeCreate(
  ctx: EngineContext,
  view: PairView,
  subjects: readonly ProductSubject[],
  signal: AbortSignal,
): Promise<void> {
  // A first link has just listed both sides.
  if (view.pair.status !== 'active') return;
  for (const side of SIDES) {
    const { settings } = view;
    if (!settings.syncProducts || !settings.createOn[side] || !mayFollow(side, settings)) continue;
    const due = dueOn(ctx, view, subjects, side).filter(({ subject, skus }) => {
      // What another pair is making in this very store is waited for until it is there, and found then.
      const keys = skus.map((sku) => createLock(view.stores[side].id, sku));
      return alsoLock(ctx, subject, keys);
    });
    for (const chunk of searches(due)) await look(ctx, view, side, chunk, signal);
  }
}

/**
 * Those whose create on a side would be planned by this pass, with the SKUs that their source bears and those that they would be made with: where
 * the hub holds on to one (a conflict that a person decides, a record that joined one that was gone), these are not the same.
 */
function dueOn(ctx: EngineContext, view: PairView, subjects: readonly ProductSubject[], side: Side): readonly Due[] {
  return subjects.flatMap((subject) => {
    const snapshot = subject.snapshots[otherSide(side)];
    if (subject.outcome !== null || subject.productId === null || snapshot === undefined || snapshot.trashed) return [];
    const hub = loadHub(ctx.db, subject.productId);
    if (hub === null || hub.row.state !== 'live' || hub.bindings[side] !== undefined) return [];
    if (subject.snapshots[side] !== undefined) return [];
    const decision = decideSubject(ctx, view, hub, subject);
    const { reconciliation, matches } = decision;
    // A variant that its source does not show any more is made nowhere (V4): its SKU may be another product's by now.
    const ids = [
      ...(matches[otherSide(side)]?.known.keys() ?? []),
      ...(decision.minted[otherSide(side)]?.values() ?? []),
    ];
    const made = ids.map((id) => reconciliation.hub.variants[id]?.sku.trim() ?? '');
    const skus = [...new Set([...skusOf(snapshot), ...made])].filter((sku) => sku !== '').slice(0, SEARCH_MAX);
    return skus.length === 0 ? [] : [{ subject, snapshot, skus }];
  });
}

/** In pieces whose SKUs fit into one search. */
export function searches<T extends { readonly skus: readonly string[] }>(due: readonly T[]): readonly (readonly T[])[] {
  const result: T[][] = [];
  let count = SEARCH_MAX;
  for (const each of due) {
    if (count + each.skus.length > SEARCH_MAX) {
      result.push([]);
      count = 0;
    }
    result.at(-1)?.push(each);
    count += each.skus.length;
  }
  return result;
}

async function look(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  chunk: readonly Due[],
  signal: AbortSignal,
): Promise<void> {
  let found: readonly ProductSnapshot[];
  for (const { subject } of chunk) subject.searchedAt = ctx.clock.now();
  try {
    found = await findBearers(ctx, view, side, [...new Set(chunk.flatMap(({ skus }) => skus))], null, signal);
  } catch (error) {
    const failure = asConnectorError(error);
    noteReadError(ctx, view.stores[side], failure);
    for (const { subject } of chunk) subject.outcome ??= outcomeOfRead(failure);
    return;
  }
  const held = new Set(
    found
      .filter(({ trashed }) => !trashed)
      .flatMap(skusOf)
      .map(skuKey),
  );
  for (const { subject, snapshot, skus } of chunk) {
    if (!skus.some((sku) => held.has(skuKey(sku)))) continue;
    const only = await askOtherSide(ctx, view, subject, otherSide(side), snapshot, skus, signal);
    if (only === 'ambiguous') leaveToPerson(ctx, view, subject, otherSide(side), snapshot, 'sku');
    if (typeof only === 'string') continue;
    // It is looked at as what it is, and joins the product with fresh readings of both. What was read of the product itself counts meanwhile: its SKU
    // may be what the two are to be told by.
    const ref = { side, externalId: only.externalId };
    const now = ctx.clock.now();
    transact(ctx.db, (tx) => enqueueProductSync(tx, view.pair.id, { ref, observe: [side] }, now));
    subject.awaited = side;
  }
}
