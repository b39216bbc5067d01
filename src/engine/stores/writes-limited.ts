import { type Db, type Tx, transact } from '../../db/database.ts';
import { isPairHeld, listPairsOfStore } from '../../db/readers/pairs.ts';
import { closeProblemsBySubject, findProblemDetails, isProblemOpen } from '../../db/writers/history.ts';
import { wakeGroup } from '../../db/writers/jobs.ts';
import { HOUR_MS } from '../../lib/time.ts';
import type { ConnectorError } from '../../model/connector-error.ts';
import type { PairId, StoreId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { ProductWrite } from '../../ports/connector.ts';
import type { EngineContext } from '../context.ts';
import type { PairView } from '../pair-view.ts';
import { STORE_WORDS } from '../store-words.ts';
import { AWAY_MS, raiseAboutStore } from './store-state.ts';

export const WRITES_LIMITED = 'WRITES_LIMITED';

/** No shop is left alone for longer than that, whatever it says, ms. */
const HELD_MS = 24 * HOUR_MS;

/** `new`: what makes products or variants, of which some shops take so many a day. */
export type WriteKind = 'new' | 'any';

/** `until`: what waits is tried again by then, ms. */
interface Details {
  readonly kind: WriteKind;
  readonly until: number;
}

export function kindOf(write: ProductWrite): WriteKind {
  return write.type === 'create' || write.newVariants.length > 0 ? 'new' : 'any';
}

/** A store that says itself that it has no room for a write for so long that a person would wonder. */
export function isLimitedForLong({ kind, details }: ConnectorError): boolean {
  return kind === 'rate_limited' && details.isOwnLimit !== true && (details.retryAfterMs ?? 0) >= AWAY_MS;
}

/** [A1] A store that answers all else, and has no room for a write for so long that a person would wonder: told once for the pair, not for each record. */
export function noteWriteLimited(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  side: Side,
  kind: WriteKind,
  error: ConnectorError,
): void {
  if (!isLimitedForLong(error)) return;
  const { retryAfterMs = 0 } = error.details;
  const details: Details = { kind, until: ctx.clock.now() + retryAfterMs };
  const words = STORE_WORDS.writesLimited(side, error.message, kind === 'new', retryAfterMs);
  raiseAboutStore(ctx, tx, view.stores[side], view.pair, words, details);
}

/** [A1] When a side that has no room for what is new is asked again; null: there is room, as far as is known. */
export function newAgainAt(ctx: EngineContext, view: PairView, side: Side): number | null {
  const told = detailsOf(ctx.db, view.pair.id, view.stores[side].id);
  const now = ctx.clock.now();
  // A clock that was set back makes it no later.
  const isAhead = told?.kind === 'new' && told.until > now && told.until - now <= HELD_MS;
  return isAhead ? told.until : null;
}

/** A write went through: there is room for its kind again, and what waits for that is tried at once, for nobody is told of it any more. */
export function noteWriteTaken(ctx: EngineContext, tx: Tx, view: PairView, side: Side, kind: WriteKind): void {
  const { id } = view.stores[side];
  const told = detailsOf(tx, view.pair.id, id);
  if (told === null || (told.kind !== 'any' && kind !== 'new')) return;
  closeProblemsBySubject(tx, view.pair.id, WRITES_LIMITED, id, ctx.clock.now());
  wakeGroup(tx, view.pair.id, ctx.clock.now());
}

/** [P1] All that waited is past its next try, and none was refused again: nothing of it waits any more. Of a pair that is held nothing was tried. */
export function closeLapsedLimits(ctx: EngineContext, storeId: StoreId): void {
  const now = ctx.clock.now();
  const lapsed = listPairsOfStore(ctx.db, storeId).filter(({ id }) => {
    const told = detailsOf(ctx.db, id, storeId);
    return told !== null && told.until + AWAY_MS < now && !isPairHeld(ctx.db, id);
  });
  if (lapsed.length === 0) return;
  transact(ctx.db, (tx) => {
    for (const { id } of lapsed) closeProblemsBySubject(tx, id, WRITES_LIMITED, storeId, now);
  });
}

function detailsOf(db: Db, pairId: PairId, storeId: StoreId): Details | null {
  if (!isProblemOpen(db, pairId, WRITES_LIMITED, storeId)) return null;
  return findProblemDetails(db, pairId, WRITES_LIMITED, storeId) as Details | null;
}
