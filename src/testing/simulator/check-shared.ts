import type { LedgerEntry } from '../../connectors/memory/ledger.ts';
import type { MemoryPlatform } from '../../connectors/memory/platform.ts';
import type { Violation } from './check.ts';
import { checkFresh } from './check-fresh.ts';
import { checkRate } from './check-rate.ts';
import type { CoverageTally } from './coverage.ts';
import type { SharedWorld } from './shared-store.ts';

/** [I1][I2] Three shelves, two pairs, one number: what there was, less what was sold anywhere, plus what was put in anywhere. */
export function checkShared(shared: SharedWorld, coverage: CoverageTally): readonly Violation[] {
  const violations: Violation[] = shared.world.bugs.map((error) => ({
    invariant: 'I0 no bug',
    message: error instanceof Error ? `${error.message}\n${error.stack}` : String(error),
  }));
  violations.push(...shared.world.breaches, ...checkFresh(shared.shops), ...checkRate(shared.shops));
  const [hubShop] = shared.shops;
  const doubt = unitsInDoubt(shared);
  for (const { variant } of hubShop?.shelf.items.values() ?? []) {
    const { sku } = variant.fields;
    const shown = shared.shops.map((shop) => quantityOf(shop, sku));
    coverage.compared('stock_shown', shown.length);
    const first = shown[0] ?? 0;
    if (shown.some((quantity) => quantity !== first))
      violations.push({ invariant: 'I1 convergence', message: `${sku} is shown as ${shown.join(', ')}` });
    let expected = initialOf(hubShop, sku);
    for (const shop of shared.shops) {
      const entries = entriesOf(shop, sku);
      for (const entry of entries) if (entry.by === 'outside') expected += moveOf(entry);
      expected -= lostInWindow(shop, entries, violations);
    }
    // A side shows nothing below zero; the hubs know better, and the next restock tells.
    if (expected < 0) {
      coverage.leftOut('stock_counted', 'below zero');
      continue;
    }
    coverage.compared('stock_counted');
    if (first > expected || first < expected - (doubt.get(sku) ?? 0))
      violations.push({
        invariant: 'I2 no lost stock change',
        message: `${sku} is ${first} everywhere, outside changes make it ${expected}`,
      });
  }
  return violations;
}

/** What blind writes overwrote: people in the window of one request. Never a write of the other pair, which has to wait its turn. */
function lostInWindow(shop: MemoryPlatform, entries: readonly LedgerEntry[], violations: Violation[]): number {
  let lost = 0;
  for (const entry of entries) {
    const { write } = entry;
    if (entry.by !== 'us' || entry.kind !== 'set_stock' || write === null || write.expected === null) continue;
    if (entry.from === write.expected) continue;
    // What the shop showed since our last write on it, of whichever pair: a write that expects something older was decided before that landed.
    const rival = entries.findLast((other) => other.by === 'us' && other.kind === 'set_stock' && other.seq < entry.seq);
    const since = entries.filter(({ seq }) => rival !== undefined && seq >= rival.seq && seq < entry.seq);
    if (rival !== undefined && !since.some(({ to }) => to === write.expected))
      violations.push({
        invariant: 'I2 no lost stock change',
        message: `${shop.name} ${entry.stockId}: a write that expected ${write.expected} met another write of ours (${rival.write?.key}) on its way`,
      });
    lost += Number(entry.from) - write.expected;
  }
  return lost;
}

function entriesOf(shop: MemoryPlatform, sku: string): readonly LedgerEntry[] {
  const stockId = shop.shelf.holdersOf(sku)[0]?.variant.stockId;
  return stockId === undefined ? [] : shop.shelf.ledger.of(stockId).filter((entry) => entry.stockId === stockId);
}

function moveOf({ kind, from, to }: LedgerEntry): number {
  return kind === 'sell' || kind === 'restock' ? Number(to) - Number(from) : 0;
}

function quantityOf(shop: MemoryPlatform, sku: string): number {
  return shop.shelf.holdersOf(sku)[0]?.variant.quantity ?? 0;
}

function initialOf(shop: MemoryPlatform | undefined, sku: string): number {
  const entry = shop === undefined ? undefined : entriesOf(shop, sku)[0];
  return Number(entry?.to ?? 0);
}

function unitsInDoubt({ world }: SharedWorld): ReadonlyMap<string, number> {
  const rows = world.db.connection
    .prepare(
      "SELECT v.sku, p.details FROM problem p JOIN variant v ON v.id = substr(p.subject, 1, instr(p.subject, ':') - 1) WHERE p.code = 'STOCK_DOUBT'",
    )
    .all() as { sku: string; details: string }[];
  const units = new Map<string, number>();
  for (const { sku, details } of rows)
    units.set(sku, (units.get(sku) ?? 0) + Number((JSON.parse(details) as { units: number }).units));
  return units;
}
