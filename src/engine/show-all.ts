import { isSource } from '../core/direction.ts';
import type { Tx } from '../db/database.ts';
import { listKeptBack } from '../db/readers/kept-back.ts';
import type { PairRow } from '../db/schema/pair.ts';
import { recordChange } from '../db/writers/history.ts';
import { updateVariant } from '../db/writers/products.ts';
import type { PairSettings } from '../model/pair.ts';
import { SIDES, type Side } from '../model/platform.ts';

/**
 * [L4][S11] A side becomes the source of one-way stock, and shows all that there is from then on: what a buffer or a cap kept back of it is nowhere to be
 * seen any more, and its target would go on selling that when the source has sold out. So is what it was still to be given (of what was kept back, too, where
 * one was sold or the buffer was lowered): a source is written no stock. What was sold and is not written there yet stays sold. Called before the new
 * settings hold.
 */
export function showAll(tx: Tx, pair: PairRow, next: PairSettings, at: number): void {
  for (const side of SIDES) {
    if (!isStockSource(side, next) || isStockSource(side, pair.settings)) continue;
    for (const { id, productId, quantity, shown } of listKeptBack(tx, pair.id, side)) {
      updateVariant(tx, id, { quantity: shown });
      recordChange(tx, {
        ...{ pairId: pair.id, runId: null, productId, variantId: id, field: 'stock' },
        ...{ origin: null, target: null, from: quantity, to: shown, cause: 'first_link', at },
      });
    }
  }
}

function isStockSource(side: Side, settings: PairSettings): boolean {
  return !settings.stockTwoWay && isSource(side, settings);
}
