import { mayLead } from '../../core/direction.ts';
import { PRODUCT_FIELDS, parsePath, VARIANT_FIELDS } from '../../core/fields.ts';
import { getField, setField } from '../../core/resolve.ts';
import type { Tx } from '../../db/database.ts';
import { listTroubled } from '../../db/readers/troubled.ts';
import type { PairRow } from '../../db/schema/pair.ts';
import { findProblemDetails, listOpenProblems, recordChange } from '../../db/writers/history.ts';
import { updateProductBinding } from '../../db/writers/products.ts';
import type { PairSettings } from '../../model/pair.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { CanonicalProduct } from '../../model/product.ts';
import type { EngineContext } from '../context.ts';
import { baseOf, loadHub } from '../hub.ts';
import { loadPairView } from '../pair-view.ts';

/** What a field's drift holds: both values, and when the one on the target was first seen. */
export interface DriftDetails {
  readonly hub: unknown;
  readonly remote: unknown;
  readonly since: number;
}

/**
 * [R6] A target begins to lead. What it drifted to was seen when it was told, not when it is read next: where its source moved the same field after that,
 * the source's is the newer one. Called before the new settings hold.
 */
export function orderDrift(ctx: EngineContext, tx: Tx, pair: PairRow, next: PairSettings, at: number): void {
  const policy = next.conflictResolution;
  if (policy !== 'newest' && policy !== 'oldest') return;
  if (!SIDES.every((side) => mayLead(side, next)) || SIDES.every((side) => mayLead(side, pair.settings))) return;
  const view = loadPairView(ctx, pair.id);
  if (view === null) return;
  for (const productId of listTroubled(tx, pair.id)) {
    const drifts = listOpenProblems(tx, productId).filter(
      ({ code, subject }) => code === 'DRIFT' && subject.startsWith(`${productId}:`),
    );
    const hub = drifts.length === 0 ? null : loadHub(tx, productId);
    if (hub === null) continue;
    const bases = new Map<Side, CanonicalProduct>();
    for (const { side, subject } of drifts) {
      const path = subject.slice(productId.length + 1);
      const seen = hub.row.seen[path];
      const told = findProblemDetails(tx, pair.id, 'DRIFT', subject) as Partial<DriftDetails> | null;
      if (side === null || hub.bindings[side] === undefined || !isRegister(path)) continue;
      if (seen === undefined || seen.side === side || told?.since === undefined || told.since >= seen.at) continue;
      const shown = getField(view.connectors[side].represent(hub.row.data), path);
      // Acknowledged, the target is written what the hub holds [R2]; held against what the hub holds, it is the one that moved [R3].
      const base = bases.get(side) ?? baseOf(hub, side, view);
      bases.set(side, setField(base, path, policy === 'newest' ? told.remote : shown));
      if (policy === 'oldest') continue;
      const { variantId = null, name = path } = parsePath(path) ?? {};
      recordChange(tx, {
        ...{ pairId: pair.id, runId: null, productId, variantId, field: name },
        ...{ origin: side, target: null, from: told.remote, to: shown, cause: 'kept_hub', at },
      });
    }
    for (const [side, base] of bases) updateProductBinding(tx, productId, side, { base });
  }
}

/** Sets add up, and ask nobody who was first [R8]. */
function isRegister(path: string): boolean {
  const parsed = parsePath(path);
  if (parsed === null) return false;
  const { kind } = parsed.variantId === null ? PRODUCT_FIELDS[parsed.name] : VARIANT_FIELDS[parsed.name];
  return kind === 'register';
}
