import { mayLead } from '../../core/direction.ts';
import type { Tx } from '../../db/database.ts';
import { findVariant, listBindingsOfVariant } from '../../db/readers/hub-rows.ts';
import { listTroubled } from '../../db/readers/troubled.ts';
import type { PairRow } from '../../db/schema/pair.ts';
import { closeProblem, findProblemDetails, listOpenProblems, recordChange } from '../../db/writers/history.ts';
import { addToQuantity } from '../../db/writers/products.ts';
import type { VariantId } from '../../model/ids.ts';
import type { PairSettings } from '../../model/pair.ts';
import { SIDES, type Side } from '../../model/platform.ts';

/**
 * [S2][S11] Stock of a side that only received it begins to count: by what its numbers had drifted, units were sold or taken in there that are told and
 * not counted yet. Called before the new settings hold.
 */
export function countDrift(tx: Tx, pair: PairRow, next: PairSettings, at: number): void {
  const begins = SIDES.filter((side) => receives(pair.settings, side) && !receives(next, side));
  if (begins.length === 0) return;
  for (const productId of listTroubled(tx, pair.id)) {
    for (const { id, code, side, subject } of listOpenProblems(tx, productId)) {
      if (code !== 'DRIFT' || side === null || !begins.includes(side) || !subject.endsWith(':stock')) continue;
      const variant = findVariant(tx, subject.split(':')[0] as VariantId);
      const binding =
        variant === null ? undefined : listBindingsOfVariant(tx, variant.id).find((row) => row.side === side);
      const told = (findProblemDetails(tx, pair.id, 'DRIFT', subject) as { readonly hub?: unknown } | null)?.hub;
      if (variant === null || binding === undefined || typeof told !== 'number') continue;
      const to = variant.quantity + binding.baseQuantity - told;
      addToQuantity(tx, variant.id, to - variant.quantity);
      recordChange(tx, {
        ...{ pairId: pair.id, runId: null, productId, variantId: variant.id, field: 'stock' },
        ...{ origin: side, target: null, from: variant.quantity, to, cause: 'stock_delta', at },
      });
      closeProblem(tx, id, at);
    }
  }
}

function receives(settings: PairSettings, side: Side): boolean {
  return !settings.stockTwoWay && !mayLead(side, settings);
}
