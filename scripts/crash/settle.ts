import { enter, until } from '../bench/lib/api.ts';
import { shopifyStock, wooStock } from '../bench/lib/shelf.ts';
import type { World } from '../bench/lib/world.ts';
import { FENCE_MS, faultOf, isBlind, readBooks, SIDES } from './books.ts';
import type { Entry, Ledger } from './ledger.ts';

/** What failed while a store was down is tried again within 64 s, and a slow machine has some time to write. */
const SETTLE_MS = 120_000;

export interface Verdict {
  /** Acknowledged, and neither come through nor held up by a write that could still land; with the reason. */
  readonly lost: readonly string[];
  /** The same of all SKUs, after a full sync: what was not acknowledged is found by it. */
  readonly notFound: readonly string[];
  /** SKUs that a store does not hold as it should: a write to it was cut off, and could still land. */
  readonly waiting: readonly string[];
  /** How many SKUs nothing can be asked of, since WooCommerce sells them and was written them, too. */
  readonly unasked: number;
  /** For people: of how many requests those writes were, and when the last of them may be judged. */
  readonly waitingFor: string;
}

/** `isPatient`: until no write can land any more. */
export async function settle(world: World, ledger: Ledger, isPatient: boolean): Promise<Verdict> {
  const isAcknowledged = (entry: Entry) => entry.isAcknowledged === true;
  let lost = await faultsLeft(world, ledger, isAcknowledged);
  // Whatever was acknowledged comes through by itself, without a full sync.
  if (isPatient) lost = [...lost, ...(await differingAfter(FENCE_MS + SETTLE_MS, world, ledger, isAcknowledged))];
  const api = await enter(world.server.url, 'login');
  await api.sync(world.pairId);
  const notFound = await faultsLeft(world, ledger, () => true);
  const waiting = await differingAfter(isPatient ? SETTLE_MS : 0, world, ledger, () => true);
  const books = readBooks(world.dataDir);
  const unasked = [...ledger.entries].filter(([sku, entry]) => {
    const book = books.get(sku);
    return book !== undefined && isBlind(entry, book);
  }).length;
  return { lost, notFound, waiting, unasked, waitingFor: tellOpen(books) };
}

/** Both stores and the database are read one after another: what is under way meanwhile is looked at again, and what stays wrong is so. */
async function faultsLeft(
  world: World,
  ledger: Ledger,
  isAsked: (entry: Entry) => boolean,
): Promise<readonly string[]> {
  let faults: readonly string[] = [];
  await until(SETTLE_MS, async () => {
    const [woocommerce, shopify] = [await wooStock(world.woo), await shopifyStock(world.shopify)];
    const books = readBooks(world.dataDir);
    const now = Date.now();
    faults = [...ledger.entries].flatMap(([sku, entry]) => {
      const stock = { woocommerce: woocommerce.get(sku) ?? Number.NaN, shopify: shopify.get(sku) ?? Number.NaN };
      const fault = isAsked(entry) ? faultOf(entry, books.get(sku), stock, now) : null;
      return fault === null ? [] : [`${sku} (${fault})`];
    });
    return faults.length === 0;
  });
  return faults;
}

/** Waits until no SKU differs in either store, at most for `withinMs`. Returns those that do then. */
async function differingAfter(
  withinMs: number,
  world: World,
  ledger: Ledger,
  isAsked: (entry: Entry) => boolean,
): Promise<readonly string[]> {
  let open: readonly string[] = [];
  await until(withinMs, async () => {
    open = ledger.differing(isAsked, await wooStock(world.woo), await shopifyStock(world.shopify));
    return open.length === 0;
  });
  return open;
}

function tellOpen(books: ReturnType<typeof readBooks>): string {
  const open = [...books.values()].flatMap(({ sides }) => SIDES.flatMap((side) => sides[side].open ?? []));
  if (open.length === 0) return '';
  const calls = new Set(open.map(({ call }) => call)).size;
  const seconds = (Math.max(...open.map(({ fencedUntil }) => fencedUntil)) - Date.now()) / 1000;
  return `, of ${calls} requests that were cut off; the last could land for ${seconds.toFixed(0)} s more`;
}
