import { loadHub } from '../../engine/hub.ts';
import { CREATE_WAIT_MS } from '../../engine/plan-pushes.ts';
import type { ProductId } from '../../model/ids.ts';
import { otherSide, SIDES } from '../../model/platform.ts';
import type { Violation } from './check.ts';
import type { World } from './world.ts';

/** How late a search may know a SKU. */
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
      // A variant that was removed before the record was made is not in it: its SKU led nowhere any more.
      const borne = new Set(shelf.products.get(externalId)?.variants.map(({ fields }) => fields.sku));
      // Nor did the SKU of one that was added afterwards, perhaps again.
      const other = otherSide(side);
      const otherId = hub.bindings[other]?.externalId ?? null;
      const later = new Set(
        world.shops[other].shelf.ledger
          .of(otherId ?? '')
          .flatMap(({ kind, at, variantId }) => (kind === 'add_variant' && at > made.at ? [variantId] : [])),
      );
      const skus = [...hub.variants.values()]
        .filter(({ id: own }) => !later.has(hub.variantBindings[other].get(own)?.externalId ?? ''))
        // What was added to a record that is gone by now can't be told from what it had.
        .filter(
          ({ sku, stockState }) => sku !== '' && ((stockState !== 'removed' && otherId !== null) || borne.has(sku)),
        )
        .map(({ sku }) => sku);
      const twins = skus.flatMap((sku) => shelf.holdersOf(sku)).filter(({ product }) => product.id !== externalId);
      return twins.flatMap(({ product, variant }) => {
        const [birth, ...since] = shelf.ledger.of(product.id);
        if (birth?.by !== 'outside' || birth.at > hub.row.createdAt + CREATE_WAIT_MS - SEARCH_LAG_MS) return [];
        // It could be found under this SKU, as a live record, all the time.
        const hasMoved = since.some(
          ({ kind, field, at }) => kind === 'trash' || field === 'sku' || (kind === 'add_variant' && at > birth.at),
        );
        if (hasMoved || variant.isArchived) return [];
        const message = `${side} ${externalId} was made for ${id}, and ${product.id} could be found by its SKU ${variant.fields.sku}`;
        return [{ invariant: 'I3 at most one counterpart', message }];
      });
    });
  });
}
