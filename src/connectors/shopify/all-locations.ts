import type { ShopifyClient } from './client.ts';
import { OPERATIONS } from './operations.gen.ts';
import { type LocationRow, LocationsAnswer, type Shape } from './wire.ts';

type Locations = typeof LocationsAnswer extends Shape<infer T> ? T : never;

const PAGES_MAX = 40;

/** All locations of the shop: those of a first page where that has all of them. Shops of hundreds of branches have more, the closed ones included. */
export async function allLocations(
  client: ShopifyClient,
  first: Locations['locations'],
  signal?: AbortSignal,
): Promise<readonly LocationRow[]> {
  if (!first.pageInfo.hasNextPage) return first.nodes;
  const all: LocationRow[] = [];
  for (let pages = 1, after: string | null = null; pages <= PAGES_MAX; pages += 1) {
    const { locations }: Locations = await client.call(OPERATIONS.locations, { after }, LocationsAnswer, { signal });
    all.push(...locations.nodes);
    if (!locations.pageInfo.hasNextPage) break;
    after = locations.pageInfo.endCursor;
  }
  return all;
}
