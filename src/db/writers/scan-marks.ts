import { and, eq, inArray, isNotNull, lte } from 'drizzle-orm';
import { chunks } from '../../lib/chunks.ts';
import type { PairId, ProductId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { Db, Tx } from '../database.ts';
import { product, productBinding } from '../schema/product.ts';

/** These records of a side were in complete listing number `scanNumber`. */
export function markSeen(tx: Tx, pairId: PairId, side: Side, externalIds: readonly string[], scanNumber: number): void {
  for (const chunk of chunks(externalIds, 200)) {
    tx.query
      .update(productBinding)
      .set({ seenInScan: scanNumber })
      .where(
        and(
          eq(productBinding.pairId, pairId),
          eq(productBinding.side, side),
          inArray(productBinding.externalId, [...chunk]),
        ),
      )
      .run();
  }
}

/** Live products whose record on a side was last listed in scan `scanNumber` or before. */
export function listMissing(db: Db, pairId: PairId, side: Side, scanNumber: number): readonly ProductId[] {
  return db.query
    .select({ id: productBinding.productId })
    .from(productBinding)
    .innerJoin(product, eq(product.id, productBinding.productId))
    .where(
      and(
        eq(productBinding.pairId, pairId),
        eq(productBinding.side, side),
        isNotNull(productBinding.externalId),
        lte(productBinding.seenInScan, scanNumber),
        eq(product.state, 'live'),
      ),
    )
    .all()
    .map((row) => row.id);
}
