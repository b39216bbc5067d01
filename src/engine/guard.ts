import { parsePath } from '../core/fields.ts';
import {
  GUARD_WINDOW_MS,
  GUARDED_CAUSES,
  type GuardedCause,
  guardLimit,
  HALT_BY_CAUSE,
  isDrafting,
  isPriceCut,
  isZeroing,
} from '../core/safety.ts';
import type { Tx } from '../db/database.ts';
import { findPair } from '../db/readers/pairs.ts';
import { countGuarded } from '../db/writers/history.ts';
import type { ProductId } from '../model/ids.ts';
import { type Halt, type HaltReason, isStockAtWork } from '../model/pair.ts';
import type { Side } from '../model/platform.ts';
import type { Price, ProductStatus } from '../model/product.ts';
import type { EngineContext } from './context.ts';
import type { PairView } from './pair-view.ts';

/** Thrown inside a transaction: what it would have stored is rolled back, and the pair is halted instead. */
export class HaltSignal extends Error {
  override readonly name = 'HaltSignal';
  readonly halt: Halt;

  constructor(halt: Halt) {
    super(`halt: ${halt.reason}`);
    this.halt = halt;
  }
}

/** What kind of guarded change a field's move is, if any [G2][G4]. */
export function guardedFieldCause(path: string, from: unknown, to: unknown): GuardedCause | null {
  const name = parsePath(path)?.name;
  if (name === 'status' && isDrafting(from as ProductStatus, to as ProductStatus)) return 'draft';
  if (name === 'price' && isPriceCut(from as Price, to as Price)) return 'price_cut';
  return null;
}

/** [G3] */
export function guardedStockCause(from: number, to: number): GuardedCause | null {
  return isZeroing(from, to) ? 'zero' : null;
}

/**
 * [G1] Before a guarded change is recorded: one product more than the limit in 24 hours halts the pair. All kinds of harm draw on one budget, and
 * a product counts once; what a person has just let pass is not held against the rest. Nor is what has halted the pair held against its stock, which
 * goes on: that budget is spent, and the first item that sells out would stop it. Must be called in the transaction that records the change, so
 * that a batch is counted one by one.
 */
export function guard(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  productId: ProductId,
  side: Side,
  cause: GuardedCause,
): void {
  const now = ctx.clock.now();
  if (isGuardWaived(view, now, HALT_BY_CAUSE[cause])) return;
  const since = Math.max(view.pair.guardSince, now - GUARD_WINDOW_MS);
  const pair = findPair(tx, view.pair.id);
  // A pass that began before a halt which stops stock too may still end: that one has no budget of its own.
  const isStockAlone = cause === 'zero' && pair?.status === 'halted' && isStockAtWork(pair);
  const held: readonly GuardedCause[] = isStockAlone ? ['zero'] : GUARDED_CAUSES;
  const causes = held.filter((each) => !isGuardWaived(view, now, HALT_BY_CAUSE[each]));
  const limit = guardLimit(view.linkedCount());
  const count = countGuarded(tx, view.pair.id, causes, since, productId) + 1;
  if (count > limit) throw new HaltSignal({ reason: HALT_BY_CAUSE[cause], side, count, limit, at: now });
}

/** [G10] */
export function isGuardWaived(view: PairView, now: number, reason: HaltReason): boolean {
  const { guardWaivedUntil, guardWaivedReason } = view.pair;
  return guardWaivedUntil !== null && now < guardWaivedUntil && guardWaivedReason === reason;
}
