import { mayLead } from '../../core/direction.ts';
import type { Tx } from '../../db/database.ts';
import { closeProblems } from '../../db/writers/history.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { Seen } from '../close-problems.ts';
import type { EngineContext } from '../context.ts';
import { type HubState, isBound, loadHub } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import type { FoundHub } from './decide.ts';
import { acceptGone, acceptRestore, acceptReturn } from './handle-gone.ts';
import { acceptOutOfBin, bringBack, isOnItsWayBack, mayComeBack } from './handle-republished.ts';
import type { ProductSubject } from './product-subject.ts';
import { UNSYNCABLE_CODES } from './unsyncable-words.ts';

/** Which records of a subject this pass has seen, and which it has seen to be gone or in the bin. */
export function seenBy(subject: ProductSubject): Seen {
  const seen: { -readonly [side in Side]?: 'there' | 'gone' } = {};
  for (const side of SIDES) {
    const snapshot = subject.snapshots[side];
    if (subject.gone.has(side) || snapshot?.trashed === true) seen[side] = 'gone';
    else if (snapshot !== undefined) seen[side] = 'there';
  }
  return seen;
}

/**
 * [G8][G9] Whether the product lives, by which of its records are there. What is there has its say first: only when it is known to live does it count
 * that the other half is missing. Returns the hub as it is then; null where a record is gone that was not known.
 */
export function acceptPresence(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  hub: HubState,
): FoundHub | null {
  const seen = seenBy(subject);
  const missing = SIDES.filter((side) => seen[side] === 'gone');
  if (missing.some((side) => !isBound(hub, side))) return null;
  let isMoved = false;
  let isBack = false;
  let madeAgainOn: Side | undefined;
  for (const side of SIDES) {
    const snapshot = subject.snapshots[side];
    if (snapshot === undefined || seen[side] !== 'there') continue;
    if (hub.row.state === 'live') {
      if (isBound(hub, side)) isMoved = acceptOutOfBin(tx, view, hub, side, snapshot) || isMoved;
      continue;
    }
    if (!isBound(hub, side)) {
      acceptReturn(ctx, tx, view, hub, side, snapshot);
      madeAgainOn = side;
    } else if (hub.row.deletedOn === side) acceptRestore(ctx, tx, view, hub, side);
    else continue;
    isMoved = true;
    isBack = mayLead(side, view.settings);
  }
  for (const side of missing) {
    const known = isMoved ? (loadHub(tx, hub.row.id) ?? hub) : hub;
    closeProblems(tx, hub.row.id, UNSYNCABLE_CODES, side, ctx.clock.now());
    if (isBack ? mayComeBack(view, subject, side) : isOnItsWayBack(view, known, subject, side))
      bringBack(ctx, tx, view, subject, known, side);
    // It may have gone on the other side too: it is deleted once, and a restore there brings it back.
    else acceptGone(ctx, tx, view, subject, known, side);
    isMoved = true;
  }
  if (!isMoved) return hub;
  const moved = loadHub(tx, hub.row.id);
  return moved === null || madeAgainOn === undefined ? moved : { ...moved, madeAgainOn };
}
