import { isBound, loadHub } from '../../engine/hub.ts';
import type { ProductId } from '../../model/ids.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { type SearchKey, searchKeys } from '../../model/search-key.ts';
import type { Violation } from './check.ts';
import { boundAt } from './told.ts';
import type { World } from './world.ts';

interface Half {
  readonly id: ProductId;
  readonly side: Side;
  readonly externalId: string;
  readonly keys: ReadonlySet<SearchKey>;
}

/** [M1] No two products, each known of its own shop alone all along, that bear one key which nobody else bears. [R10] While details are off the hub does not hear of keys. */
export function checkHalves(world: World, ids: readonly ProductId[]): readonly Violation[] {
  if (!world.settings.syncProducts) return [];
  const halves = ids.flatMap((id) => halfOf(world, id));
  const others = halves.filter(({ side }) => side === 'shopify');
  return halves.flatMap((half) =>
    half.side === 'shopify'
      ? []
      : others
          .filter((other) => [...half.keys].some((key) => other.keys.has(key)) && isNobodyElse(world, half, other))
          .map((other) => ({
            invariant: 'I3 at most one counterpart',
            message: `${half.id} and ${other.id} are known apart, and share ${[...half.keys].filter((key) => other.keys.has(key)).join(' and ')}`,
          })),
  );
}

function halfOf(world: World, id: ProductId): readonly Half[] {
  const hub = loadHub(world.db, id);
  if (hub === null || hub.row.state !== 'live') return [];
  const side = SIDES.find(
    (each) => isBound(hub, each) && boundAt(world, id, otherSide(each), world.clock.now()) === null,
  );
  const externalId = side === undefined ? undefined : hub.bindings[side]?.externalId;
  if (side === undefined || typeof externalId !== 'string') return [];
  const record = world.shops[side].shelf.products.get(externalId);
  if (record === undefined || record.isTrashed) return [];
  return [{ id, side, externalId, keys: new Set(record.variants.flatMap(({ fields }) => searchKeys(fields))) }];
}

/** Whether all that can be found by their keys is these two. */
function isNobodyElse(world: World, one: Half, other: Half): boolean {
  const own = new Set([one, other].map(({ side, externalId }) => `${side} ${externalId}`));
  return [...one.keys, ...other.keys].every((key) =>
    SIDES.every((side) =>
      world.shops[side].shelf.bearing(key).every(({ product }) => own.has(`${side} ${product.id}`)),
    ),
  );
}
