import type { Shelf } from '../../connectors/memory/shelf.ts';
import { rawStatement } from '../../db/raw-statement.ts';
import { loadHub } from '../../engine/hub.ts';
import { CREATE_WAIT_MS } from '../../engine/products/plan-pushes.ts';
import type { ProductId, VariantId } from '../../model/ids.ts';
import { otherSide, SIDES } from '../../model/platform.ts';
import { searchKeys } from '../../model/search-key.ts';
import type { Violation } from './check.ts';
import { idMadeAt } from './random.ts';
import type { World } from './world.ts';

/** How late a search may know a key. */
const SEARCH_LAG_MS = 9_000;

/** [M1] First look, then create: what somebody typed into the other shop before, or at the same time, is linked, or listed for a person, and never doubled. */
export function checkCreates(world: World, ids: readonly ProductId[]): readonly Violation[] {
  return ids.flatMap((id) => {
    const hub = loadHub(world.db, id);
    if (hub === null || hub.row.createdAt <= world.linkedAt) return [];
    return SIDES.flatMap((side) => {
      const { shelf } = world.shops[side];
      const externalId = hub.bindings[side]?.externalId ?? '';
      const [made] = shelf.ledger.of(externalId);
      if (made?.by !== 'us') return [];
      // A variant that was removed before the record was made is not in it: its keys led nowhere any more, whoever bears them by now.
      const later = addedAfter(shelf, externalId, made.at);
      const first = shelf.products.get(externalId)?.variants.filter(({ id: own }) => !later.has(own)) ?? [];
      const borne = new Set(first.flatMap(({ fields }) => searchKeys(fields)));
      // Nor did the key of one that was added or typed afterwards, perhaps again.
      const other = otherSide(side);
      const otherId = hub.bindings[other]?.externalId ?? null;
      const late = addedAfter(world.shops[other].shelf, otherId ?? '', made.at);
      // Nor that of one that was added once the record had been met, and was known only after the create had left.
      const added = addedAfter(world.shops[other].shelf, otherId ?? '', hub.row.createdAt);
      const isUnknown = (own: VariantId, ownId: string) =>
        added.has(ownId) && idMadeAt(own) > (made.write?.sentAt ?? made.at);
      const typed = new Set(
        keysMoved(world.db)
          .all(id, made.at)
          .map(({ variantId }) => variantId),
      );
      // [M1] What another record of the other shop brought along that took the place of a lost one was none of it when it was made.
      const hasJoined = joinedSince(world.db).get(id, made.at) !== undefined;
      const keys = [...hub.variants.values()]
        .filter(({ id: own }) => !typed.has(own))
        .filter(({ id: own }) => {
          const ownId = hub.variantBindings[other].get(own)?.externalId ?? '';
          return !late.has(ownId) && !isUnknown(own, ownId);
        })
        // What was added to a record that is gone by now can't be told from what it had.
        .flatMap((row) => searchKeys(row).map((key) => ({ key, stockState: row.stockState })))
        .filter(({ key, stockState }) => (stockState !== 'removed' && otherId !== null && !hasJoined) || borne.has(key))
        .map(({ key }) => key);
      const twins = [...new Set(keys.flatMap((key) => shelf.bearing(key)))].filter(
        ({ product }) => product.id !== externalId,
      );
      return twins.flatMap(({ product, variant }) => {
        const [birth, ...since] = shelf.ledger.of(product.id);
        if (birth?.by !== 'outside' || birth.at > hub.row.createdAt + CREATE_WAIT_MS - SEARCH_LAG_MS) return [];
        // It could be found under this key, as a live record, all the time.
        const hasMoved = since.some(
          ({ kind, field, at }) =>
            kind === 'trash' || field === 'sku' || field === 'barcode' || (kind === 'add_variant' && at > birth.at),
        );
        if (hasMoved || variant.isArchived) return [];
        const message = `${side} ${externalId} was made for ${id}, and ${product.id} could be found by ${searchKeys(variant.fields).join(' and ')}`;
        return [{ invariant: 'I3 at most one counterpart', message }];
      });
    });
  });
}

/** Ids of a record's variants that were added to it after `since`. */
function addedAfter(shelf: Shelf, externalId: string, since: number): ReadonlySet<string> {
  const added = shelf.ledger.of(externalId).filter(({ kind, at }) => kind === 'add_variant' && at > since);
  return new Set(added.flatMap(({ variantId }) => variantId ?? []));
}

const joinedSince = rawStatement<[product: string, since: number], { seq: number }>(
  `SELECT seq FROM change WHERE product_id = ? AND at > ? AND cause = 'first_link' AND field <> 'stock' LIMIT 1`,
);

/** By the history: the record that it was typed at may be gone. */
const keysMoved = rawStatement<[id: string, after: number], { variantId: string }>(
  "SELECT variant_id AS variantId FROM change WHERE product_id = ? AND field IN ('sku', 'barcode') AND target IS NULL AND at > ?",
);
