import type { PairId, ProductId } from '../../model/ids.ts';
import { otherSide, type Side } from '../../model/platform.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';

const unlinkedByTitle = rawStatement<
  [pair: string, title: string, itself: string, side: string, other: string],
  { id: ProductId }
>(
  `SELECT id FROM product p INDEXED BY product_title WHERE pair_id = ? AND title_key = ? AND id <> ? AND state = 'live'
     AND EXISTS (SELECT 1 FROM product_binding b WHERE b.product_id = p.id AND b.side = ? AND b.external_id IS NOT NULL)
     AND NOT EXISTS (SELECT 1 FROM product_binding b WHERE b.product_id = p.id AND b.side = ?)
     AND NOT EXISTS (SELECT 1 FROM problem r WHERE r.product_id = p.id AND r.state = 'open' AND substr(r.code, 1, 11) = 'UNSYNCABLE_') LIMIT 1`,
);

/** [M1] A living product with this title (`titleKey`) that is in one shop alone, the one of `side`, is not being made in the other and not left out [L5]; null: there is none. */
export function findUnlinkedByTitle(
  db: Db,
  pairId: PairId,
  title: string,
  side: Side,
  itself: ProductId,
): ProductId | null {
  return unlinkedByTitle(db).get(pairId, title, itself, side, otherSide(side))?.id ?? null;
}

const shownByTitle = rawStatement<
  [scan: string, title: string, side: string, pair: string, max: number],
  { externalId: string }
>(
  `SELECT k.external_id AS externalId FROM observation_key k INDEXED BY observation_key_value
   WHERE k.scan_id = ? AND k.type = 'title' AND k.value = ? AND k.side = ?
     AND NOT EXISTS (SELECT 1 FROM product_binding own INDEXED BY product_binding_external
       JOIN product_binding other ON other.product_id = own.product_id AND other.side <> own.side
       WHERE own.pair_id = ? AND own.side = k.side AND own.external_id = k.external_id)
   LIMIT ?`,
);

/** Records of one side that a listing shows with this title (`titleKey`), but for those that are linked by now; at most `max`. */
export function listShownByTitle(
  db: Db,
  pairId: PairId,
  scanId: string,
  side: Side,
  title: string,
  max: number,
): readonly string[] {
  return shownByTitle(db)
    .all(scanId, title, side, pairId, max)
    .map((row) => row.externalId);
}

const toldByTitle = rawStatement<[pair: string, title: string], { id: ProductId; side: Side }>(
  `SELECT p.id, r.side FROM product p INDEXED BY product_title CROSS JOIN problem r ON r.product_id = p.id
   WHERE p.pair_id = ? AND p.title_key = ? AND r.state = 'open' AND r.code = 'SAME_TITLE' AND r.side IS NOT NULL LIMIT 100`,
);

/** Products with this title of which a person was told that the other shop has a namesake, with the side that has them. */
export function listToldByTitle(
  db: Db,
  pairId: PairId,
  title: string,
): readonly { readonly id: ProductId; readonly side: Side }[] {
  return toldByTitle(db).all(pairId, title);
}
