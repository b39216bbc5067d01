import { mayLead } from '../core/direction.ts';
import { type Db, type Tx, transact } from '../db/database.ts';
import { listTroubled, listUnknownTroubled } from '../db/readers/troubled.ts';
import { closeProblem, listOpenProblems, type OpenProblem } from '../db/writers/history.ts';
import { chunks } from '../lib/chunks.ts';
import type { ProductId, VariantId } from '../model/ids.ts';
import { JOB_PRIORITY } from '../model/job.ts';
import { otherSide, SIDES, type Side } from '../model/platform.ts';
import type { EngineContext } from './context.ts';
import { enqueueProductSync } from './enqueue.ts';
import { type HubState, isBound, loadHub } from './hub.ts';
import { leads } from './leads.ts';
import { closeAmbiguous } from './matching/ambiguous.ts';
import { hasNamesake, wakeNamesakes } from './matching/namesakes.ts';
import type { PairView } from './pair-view.ts';
import { BACK_AND_FORTH, SAME_TITLE, STOCK_LINK_PROBLEMS } from './problems.ts';
import { lacksVariants, owesProduct } from './products/is-level.ts';
import { UNSYNCABLE_CODES } from './products/unsyncable-words.ts';
import { isAwayWithProduct, variantsToArchive } from './products/variants-to-archive.ts';
import { isCountedAnywhere, isInBinOnly } from './stock/absorb-stock.ts';
import { goesOnSelling, owesStock } from './stock/owes-stock.ts';
import { receivesStock } from './stock/stock-drift.ts';
import { closeLapsedLimits } from './stores/writes-limited.ts';
import { WRITE_UNANSWERED } from './unanswered-words.ts';

/** Products whose problems are gone through in one transaction. */
const CHUNK = 100;

/** Sides that a pass has just read, and whether it found the record there. */
export type Seen = Partial<Readonly<Record<Side, 'there' | 'gone'>>>;

/**
 * [P1] Closes a product's problems that are not true any more by what is stored now and what was just read; they are the last word of every pass.
 * Where a product has no open problems, this is one look-up.
 */
export function closeSettled(tx: Tx, view: PairView, productId: ProductId, seen: Seen, at: number): void {
  const open = listOpenProblems(tx, productId);
  if (open.length === 0) return;
  const hub = loadHub(tx, productId);
  for (const problem of open) {
    if (hub !== null && holds(tx, problem, view, hub, seen)) continue;
    if (problem.code === 'AMBIGUOUS_MATCH') closeAmbiguous(tx, view.pair.id, problem.subject, at);
    else closeProblem(tx, problem.id, at);
    // A hundred are woken at a time: each that waits no more wakes those that are left.
    if (problem.code === SAME_TITLE && hub !== null) wakeNamesakes(tx, view.pair.id, productId, hub.row.title, at);
  }
}

/** [P1] What a changed setting has made untrue shows in no record: a full look goes through everything that is open, by what is stored. */
export async function closeUntrue(ctx: EngineContext, view: PairView): Promise<void> {
  for (const side of SIDES) closeLapsedLimits(ctx, view.stores[side].id);
  for (const chunk of chunks(listTroubled(ctx.db, view.pair.id), CHUNK)) {
    transact(ctx.db, (tx) => {
      for (const id of chunk) closeSettled(tx, view, id, {}, ctx.clock.now());
    });
    await ctx.clock.sleep(0);
  }
}

/**
 * [P1] A record that the pair does not know is met by each listing, and told of anew. One that this full look (`since`) has not met may be gone, of which
 * its shop need not have told: it is read by its id.
 */
export async function lookForUnknown(ctx: EngineContext, view: PairView, since: number): Promise<void> {
  const { id } = view.pair;
  for (const chunk of chunks(listUnknownTroubled(ctx.db, id, since), 200)) {
    transact(ctx.db, (tx) => {
      for (const { side, subject } of chunk) {
        const ref = { side, externalId: subject.slice(side.length + 1) };
        enqueueProductSync(tx, id, { ref, observe: [side] }, ctx.clock.now(), JOB_PRIORITY.scan);
      }
    });
    await ctx.clock.sleep(0);
  }
}

/** Codes of a pair's open problems that are not true, with their subjects: none, whenever everything is at rest. */
export function listUntrue(db: Db, view: PairView, productId: ProductId): readonly OpenProblem[] {
  const hub = loadHub(db, productId);
  return listOpenProblems(db, productId).filter((problem) => hub === null || !holds(db, problem, view, hub, {}));
}

/**
 * Whether a problem still holds, by its code:
 * - READ_REFUSED, UNSYNCABLE_*: until the record is read (and fits), or is gone.
 * - WRITE_REJECTED: until what was refused is written, or is not owed any more (somebody took it back, or changed it). That it can be searched for
 *   again before it is made (M1) is noticed where it is.
 * - WRITE_UNANSWERED: until a write of it is answered, or is not owed any more.
 * - AMBIGUOUS_MATCH, of a product that is known on one side: until it is made or joined on the other, or need not be.
 * - SAME_TITLE: until it is made or joined on the other side, or need not be, or no unlinked product there has its title.
 * - OVERSOLD: until the quantity is 0 or more again, or the variant is not counted any more, or in no shop, or lies in the bin of the only one that has it.
 * - STOCK_DOUBT: until a person says that it was counted, more of it is put in stock, or it is linked anew; here only: until it is gone,
 *   what is left of a removed variant as well: that is on sale by that number, and goes on from it where it was only hidden [V5].
 * - STOCK_TRACKING_*, STOCK_ZERO_CONSENT: until its stock is linked, or it is gone.
 * - STOCK_LIMITED: until it is counted there, or is not limited any more (which is noticed where it is read), or is gone.
 * - VARIANT_REMOVED: until the one that was left is gone too, or put away with its product, or it was added again.
 * - DELETED_ON_TARGET: until it is there again, it is deleted at the source too, or that side leads.
 * - BACK_AND_FORTH: until only one side leads, or the product is deleted or gone; that the two show the same, or the programs are quiet, is noticed where it is compared.
 * - DRIFT: until that side leads or has lost it, or shows the hub's number; that it shows the hub's value of a field is noticed where it is compared.
 */
function holds(db: Db, problem: OpenProblem, view: PairView, hub: HubState, seen: Seen): boolean {
  const { code, side, subject } = problem;
  const [first = ''] = subject.split(':');
  const variant = hub.variants.get(first as VariantId);
  const isCounted = variant !== undefined && variant.stockState !== 'removed';
  const isThere = SIDES.some((each) => hub.variantBindings[each].has(first as VariantId));
  if (side !== null && (code === 'READ_REFUSED' || UNSYNCABLE_CODES.includes(code)))
    return code === 'READ_REFUSED' ? seen[side] === undefined : seen[side] !== 'gone' && isBound(hub, side);
  if ((STOCK_LINK_PROBLEMS as readonly string[]).includes(code))
    return isCounted && isThere && variant.stockState !== 'live';
  switch (code) {
    case 'WRITE_REJECTED':
    case WRITE_UNANSWERED: {
      if (side === null) return true;
      if (!subject.endsWith(':stock'))
        return owesProduct(view, hub, side) || lacksVariants(view, hub, side) || keepsRemoved(view, hub, side);
      const row = hub.variantBindings[side].get(first as VariantId);
      const isKept = hub.row.state === 'live' || goesOnSelling(view, hub, side);
      return row !== undefined && (row.intentKey !== null || (isKept && owesStock(view, hub, side, row)));
    }
    case 'AMBIGUOUS_MATCH':
      return (
        hub.row.state === 'live' &&
        SIDES.some((each) => hub.bindings[each] === undefined && owesProduct(view, hub, each))
      );
    case SAME_TITLE: {
      if (side === null) return false;
      const target = otherSide(side);
      const isWanted = hub.bindings[target] === undefined && owesProduct(view, hub, target);
      return isWanted && isBound(hub, side) && hasNamesake(db, hub.row, target);
    }
    case 'OVERSOLD':
      return isCounted && isThere && variant.quantity < 0 && isCountedAnywhere(hub, variant.id) && !isInBinOnly(hub);
    case 'STOCK_DOUBT':
      return isCounted ? isThere : isLeftOnSale(view, hub, first as VariantId);
    case 'STOCK_LIMITED':
      return isCounted && side !== null && hub.variantBindings[side].get(variant.id)?.baseTracked === false;
    case 'VARIANT_REMOVED':
      if (variant?.stockState !== 'removed' || side === null || !hub.variantBindings[side].has(variant.id))
        return false;
      return !isAwayWithProduct(view, hub, side);
    case 'DELETED_ON_TARGET': {
      if (side === null || leads(view, hub, side, {}) || hub.row.state === 'deleted') return false;
      if (variant !== undefined) return isCounted && hub.variantBindings[side].has(variant.id);
      return seen[side] !== 'there';
    }
    case BACK_AND_FORTH:
      if (side === null || seen[side] === 'gone' || hub.row.state !== 'live') return false;
      return SIDES.every((each) => isBound(hub, each) && mayLead(each, view.settings));
    case 'DRIFT': {
      // What is not there (any more) differs in nothing.
      if (side === null || leads(view, hub, side, {}) || seen[side] === 'gone' || !isBound(hub, side)) return false;
      const row = variant === undefined ? undefined : hub.variantBindings[side].get(variant.id);
      if (!subject.endsWith(':stock')) return true;
      // [S11] It is left alone afterwards as well: that inventory is switched off for a while makes the two no more alike.
      return row !== undefined && receivesStock(view, side) && owesStock(withInventory(view), hub, side, row);
    }
    default:
      return true;
  }
}

/** [V4] Whether a side has something of a removed variant that is not to be put away. */
function isLeftOnSale(view: PairView, hub: HubState, id: VariantId): boolean {
  return SIDES.some((side) => {
    const externalId = hub.variantBindings[side].get(id)?.externalId;
    if (externalId === undefined || isAwayWithProduct(view, hub, side)) return false;
    return !variantsToArchive(view, hub, side).includes(externalId);
  });
}

/** [V4] Whether a record of a side has still to put variants away. */
function keepsRemoved(view: PairView, hub: HubState, side: Side): boolean {
  return isBound(hub, side) && variantsToArchive(view, hub, side).length > 0;
}

function withInventory(view: PairView): PairView {
  return { ...view, settings: { ...view.settings, syncInventory: true } };
}
