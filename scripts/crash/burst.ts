import { until } from '../bench/lib/api.ts';
import type { DeliveryMaker } from '../bench/lib/deliveries.ts';
import { type Item, wooStock } from '../bench/lib/shelf.ts';
import { recovery, storm } from '../bench/lib/storm.ts';
import type { World } from '../bench/lib/world.ts';
import type { Check } from './check.ts';
import { withDatabase } from './database.ts';

const SECONDS = 5;
/** A slow machine takes longer to send as many, instead of having thousands of connections open. */
const AT_ONCE_MAX = 256;
/** So often each SKU's write has been tried in vain before Shopify is back. */
const TRIES = 3;
const TRIED_WITHIN_MS = 120_000;
/** The longest back-off is 64 s, and a slow machine has some time to write. */
const SETTLED_WITHIN_MS = 180_000;
const CALLS_MAX = 8;

/**
 * Thousands of events while Shopify is down: whatever was acknowledged is stored, and comes through in a handful of calls. No figure is one of
 * time. The long form, 60,000 events within a limit of memory, is the benchmark of this name. Nothing is killed: what was on its way to be written
 * then, even if nothing answered, would be fenced for minutes.
 */
export async function burst(world: World, makers: DeliveryMaker, items: readonly Item[]): Promise<readonly Check[]> {
  const storedBefore = world.storedCount();
  const { sent, acknowledged, refusals } = await storm(world, makers, items, {
    seconds: SECONDS,
    atOnceMax: AT_ONCE_MAX,
  });
  const stored = world.storedCount() - storedBefore;
  const areTried = await until(TRIED_WITHIN_MS, () => triedInVain(world.dataDir) === items.length);
  const { left, calls, list } = await recovery(world, await wooStock(world.woo), SETTLED_WITHIN_MS);
  return [
    [
      'burst with Shopify down: sent / acknowledged',
      `${sent} / ${acknowledged}${refusals}`,
      sent === acknowledged && sent > 0,
    ],
    ['burst: acknowledged and not stored', String(Math.max(0, acknowledged - stored)), stored >= acknowledged],
    ['burst: acknowledged and lost (SKUs that are wrong)', String(left), left === 0],
    [
      'burst: Shopify calls until settled',
      areTried ? `${calls} (${list})` : 'not all of them were tried while it was down',
      areTried && calls <= CALLS_MAX,
    ],
  ];
}

/** How many SKUs wait for another try, if there is no other work. Until then each that is taken up later makes a call of its own. */
function triedInVain(dataDir: string): number {
  return withDatabase(dataDir, (database) => {
    const row = database
      .prepare<[number], { readonly tried: number; readonly others: number }>(
        `SELECT sum(isTried) AS tried, sum(NOT isTried) AS others FROM (
           SELECT task = 'sync_stock' AND state = 'ready' AND attempts >= ? AS isTried FROM job
           WHERE task IN ('sync_stock', 'sync_products', 'look_at_stock'))`,
      )
      .get(TRIES);
    return row?.others === 0 ? row.tried : 0;
  });
}
