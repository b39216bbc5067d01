import { mayFollow } from '../../core/direction.ts';
import { transact } from '../../db/database.ts';
import type { ConnectorError } from '../../model/connector-error.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { type SearchKey, searchKeys } from '../../model/search-key.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import { loadHub } from '../hub.ts';
import { createLock } from '../locks.ts';
import { asConnectorError, outcomeOfRead, outcomeOfReadItem } from '../outcome.ts';
import type { PairView } from '../pair-view.ts';
import { decideSubject } from '../products/decide-subject.ts';
import { alsoLock, type ProductSubject } from '../products/product-subject.ts';
import { noteReadError } from '../stores/store-state.ts';
import { closeAmbiguous, tellAmbiguous } from './ambiguous.ts';
import { askOtherSide } from './ask-other-side.ts';
import { bears, keysBorneBy } from './strangers.ts';
import { endUnsearched, findForAll, type Searched, tellUnsearched } from './unsearched.ts';

interface Due {
  readonly subject: ProductSubject;
  readonly snapshot: ProductSnapshot;
  readonly keys: readonly SearchKey[];
}

/**
 * [M1][M3] A product that is known on one side only was matched when it was first seen, if at all: such products may not have been made there then,
 * or a create was refused, and meanwhile somebody else has typed it in. Before it is made, the side is asked for its SKUs and GTINs.
 */
export async function lookBeforeCreate(
  ctx: EngineContext,
  view: PairView,
  subjects: readonly ProductSubject[],
  signal: AbortSignal,
): Promise<void> {
  // A first link has listed both sides, and searches right before it sends (`listTaken`).
  if (view.pair.status !== 'active') return;
  for (const side of SIDES) {
    const { settings } = view;
    if (!settings.syncProducts || !settings.createOn[side] || !mayFollow(side, settings)) continue;
    const due = dueOn(ctx, view, subjects, side).filter(({ subject, keys }) =>
      // What another pair is making in this very shop is waited for until it is there, and found then.
      alsoLock(
        ctx,
        subject,
        keys.map((key) => createLock(view.shops[side], key)),
      ),
    );
    // What has lost the key that it could not be searched for by.
    for (const { subject, keys } of due) if (keys.length === 0) endUnsearched(ctx, view, subject.productId, side);
    for (const chunk of searches(due.filter(({ keys }) => keys.length > 0))) await look(ctx, view, side, chunk, signal);
  }
}

/**
 * Those whose create on a side would be planned by this pass, with the keys that their source bears and those that they would be made with: where
 * the hub holds on to one (a conflict that a person decides, a record that joined one that was gone), these are not the same.
 */
function dueOn(ctx: EngineContext, view: PairView, subjects: readonly ProductSubject[], side: Side): readonly Due[] {
  return subjects.flatMap((subject) => {
    const snapshot = subject.snapshots[otherSide(side)];
    if (subject.outcome !== null || subject.productId === null || subject.awaited === side) return [];
    if (snapshot === undefined || snapshot.trashed) return [];
    const hub = loadHub(ctx.db, subject.productId);
    if (hub === null || hub.row.state !== 'live' || hub.bindings[side] !== undefined) return [];
    if (subject.snapshots[side] !== undefined) return [];
    const decision = decideSubject(ctx, view, hub, subject);
    const { reconciliation, matches } = decision;
    // A variant that its source does not show any more is made nowhere (V4): its keys may be another product's by now.
    const ids = [
      ...(matches[otherSide(side)]?.known.keys() ?? []),
      ...(decision.minted[otherSide(side)]?.values() ?? []),
    ];
    const made = ids.flatMap((id) => searchKeys(reconciliation.hub.variants[id] ?? { sku: '', barcode: '' }));
    return [{ subject, snapshot, keys: [...new Set([...keysBorneBy(snapshot), ...made])] }];
  });
}

/** Keys that are searched for together. A product that has more is searched for by itself. */
const TOGETHER_MAX = 100;

/** In pieces whose keys fit into one search. */
export function searches<T extends { readonly keys: readonly SearchKey[] }>(
  due: readonly T[],
): readonly (readonly T[])[] {
  const result: T[][] = [];
  let count = TOGETHER_MAX;
  for (const each of due) {
    if (count + each.keys.length > TOGETHER_MAX) {
      result.push([]);
      count = 0;
    }
    result.at(-1)?.push(each);
    count += each.keys.length;
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
  let found: Searched<Due>;
  let twins: Searched<Due>;
  for (const { subject } of chunk) subject.searchedAt = ctx.clock.now();
  let asked = side;
  try {
    found = await findForAll(ctx, view, side, chunk, signal);
    for (const [due, error] of found.unsearched) leaveUnsearched(ctx, view, due, side, asked, error);
    // [M3] Two of the side that it comes from may bear one key, whether the other has it or not.
    asked = otherSide(side);
    twins = await findForAll(ctx, view, asked, found.asked, signal);
    for (const [due, error] of twins.unsearched) leaveUnsearched(ctx, view, due, side, asked, error);
  } catch (error) {
    const failure = asConnectorError(error);
    noteReadError(ctx, view.stores[asked], failure);
    for (const { subject } of chunk) subject.outcome ??= outcomeOfRead(failure);
    return;
  }
  for (const { subject, snapshot, keys } of twins.asked) {
    endUnsearched(ctx, view, subject.productId, side);
    const own = new Set(keys);
    const others = [...found.found, ...twins.found.filter(({ externalId }) => externalId !== snapshot.externalId)];
    const answer = others.some((record) => !record.trashed && bears(record, own))
      ? await askOtherSide(ctx, view, subject, otherSide(side), snapshot, keys, signal)
      : ({ is: 'nobody' } as const);
    if (answer.is === 'unanswered') continue;
    if (answer.is === 'nobody') {
      const told = `${otherSide(side)}:${snapshot.externalId}`;
      transact(ctx.db, (tx) => closeAmbiguous(tx, view.pair.id, told, ctx.clock.now()));
      continue;
    }
    const { productId } = subject;
    // Nothing is made there. What was read of the product itself counts all the same: its SKU may be what the two are to be told by.
    subject.awaited = side;
    transact(ctx.db, (tx) => {
      if (answer.is === 'found') {
        // It is looked at as what it is, and joins the product with fresh readings of both.
        const ref = { side, externalId: answer.record.externalId };
        enqueueProductSync(tx, view.pair.id, { ref, observe: [side] }, ctx.clock.now());
        return;
      }
      subject.result = 'skipped';
      subject.detail ??= `ambiguous by ${answer.by}`;
      const partner = answer.is === 'ambiguous' ? answer.partner : undefined;
      const isNew = tellAmbiguous(ctx, tx, view, { productId, side: otherSide(side), snapshot, partner }, answer.by);
      if (answer.is !== 'known' || !isNew) return;
      // It may be the other half of this one, and its keys have moved without a word.
      const ref = { productId: answer.productId };
      enqueueProductSync(tx, view.pair.id, { ref, observe: [side] }, ctx.clock.now());
    });
  }
}

/** `side`: where it would be made. */
function leaveUnsearched(
  ctx: EngineContext,
  view: PairView,
  { subject, snapshot }: Due,
  side: Side,
  asked: Side,
  error: ConnectorError,
): void {
  const waiting = { productId: subject.productId, own: otherSide(side), title: snapshot.fields.title };
  tellUnsearched(ctx, view, waiting, asked, error);
  subject.detail = error.message;
  subject.outcome ??= outcomeOfReadItem(error);
}
