import { keptBackOf } from '../../core/stock.ts';
import type { Tx } from '../../db/database.ts';
import { listResting } from '../../db/readers/kept-back.ts';
import type { PairRow } from '../../db/schema/pair.ts';
import { updateVariant } from '../../db/writers/products.ts';
import type { PairSettings } from '../../model/pair.ts';

/**
 * [S7][S1] Another buffer or cap: stock that is not counted at present is not written by it, and its shops go on showing what the old one left of it. That is
 * what is kept back of it when it is linked anew; by the new one goods would be added that nobody has. Called before the new settings hold.
 */
export function holdKeptBack(tx: Tx, pair: PairRow, next: PairSettings): void {
  const { stockBuffer, stockCap } = pair.settings;
  if (stockBuffer === next.stockBuffer && stockCap === next.stockCap) return;
  // Of what may be backordered no less is kept back: that is about numbers below zero.
  for (const { id, quantity } of listResting(tx, pair.id))
    updateVariant(tx, id, { keptBack: keptBackOf(quantity, 'no', pair.settings) });
}
