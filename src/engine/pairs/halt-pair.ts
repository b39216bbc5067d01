import { GUARD_WAIVER_MS, LISTING_WAIVER_MS } from '../../core/safety.ts';
import { transact } from '../../db/database.ts';
import { findPair } from '../../db/readers/pairs.ts';
import type { PairRow } from '../../db/schema/pair.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { wakeGroup } from '../../db/writers/jobs.ts';
import { updatePair } from '../../db/writers/stores.ts';
import type { PairId } from '../../model/ids.ts';
import { doesStockGoOn, type Halt, type HaltReason, isStockAtWork } from '../../model/pair.ts';
import { Refusal } from '../../model/refusal.ts';
import type { EngineContext } from '../context.ts';

/**
 * Halt rather than harm: a named state with its reason, left only by a person. [G1] A halt that leaves stock alone gives way to one that stops it, and to
 * no other.
 */
export function haltPair(ctx: EngineContext, pairId: PairId, halt: Halt): void {
  transact(ctx.db, (tx) => {
    const pair = findPair(tx, pairId);
    if (pair === null) return;
    if (pair.status === 'halted' && (doesStockGoOn(halt.reason) || !isStockAtWork(pair))) return;
    updatePair(tx, pairId, { status: 'halted', halt });
    recordEvent(tx, { workspaceId: pair.workspaceId, pairId, type: 'pair_halted', payload: halt, at: ctx.clock.now() });
  });
}

/** A person accepts what halted the pair (the guard counts anew from now, whatever the harm), or ends a pause. What waited goes on. */
export function resumePair(ctx: EngineContext, pairId: PairId): PairRow {
  return transact(ctx.db, (tx) => {
    const pair = findPair(tx, pairId);
    if (pair === null) throw new Refusal('NOT_FOUND', 'There is no such pair.');
    if (pair.status !== 'halted' && pair.status !== 'paused') return pair;
    const now = ctx.clock.now();
    const wasHalted = pair.status === 'halted';
    const set = {
      // A pair that was halted before its first link had ended has to be planned again.
      status: pair.linkedAt === null ? ('setup' as const) : ('active' as const),
      halt: null,
      guardSince: wasHalted ? now : pair.guardSince,
      guardWaivedUntil: wasHalted ? now + waiverMs(pair.halt?.reason) : pair.guardWaivedUntil,
      guardWaivedReason: wasHalted ? (pair.halt?.reason ?? null) : pair.guardWaivedReason,
    };
    updatePair(tx, pairId, set);
    wakeGroup(tx, pairId, now);
    recordEvent(tx, { workspaceId: pair.workspaceId, pairId, type: 'pair_resumed', payload: {}, at: now });
    return { ...pair, ...set };
  });
}

/** A listing is looked at again at night, and must be let through then; what else halts waits to go through at once. */
function waiverMs(reason: HaltReason | undefined): number {
  return reason === 'empty_listing' || reason === 'shrunken_listing' ? LISTING_WAIVER_MS : GUARD_WAIVER_MS;
}

export function pausePair(ctx: EngineContext, pairId: PairId): PairRow {
  return transact(ctx.db, (tx) => {
    const pair = findPair(tx, pairId);
    if (pair === null) throw new Refusal('NOT_FOUND', 'There is no such pair.');
    if (pair.status !== 'active') throw new Refusal('PAIR_NOT_ACTIVE', 'Only an active pair can be paused.');
    updatePair(tx, pairId, { status: 'paused' });
    recordEvent(tx, { workspaceId: pair.workspaceId, pairId, type: 'pair_paused', payload: {}, at: ctx.clock.now() });
    return { ...pair, status: 'paused' as const };
  });
}
