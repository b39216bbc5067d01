import type { LedgerEntry } from '../../connectors/memory/ledger.ts';
import { mayLead } from '../../core/direction.ts';
import { pageProducts } from '../../db/readers/products.ts';
import { listUntrue } from '../../engine/close-problems.ts';
import { loadPairView } from '../../engine/pair-view.ts';
import type { ProductId } from '../../model/ids.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import { checkCreates } from './check-creates.ts';
import { checkEchoes } from './check-echoes.ts';
import { checkFields } from './check-fields.ts';
import { checkFresh } from './check-fresh.ts';
import { checkGuard } from './check-guard.ts';
import { checkHalves } from './check-halves.ts';
import { checkMerge } from './check-merge.ts';
import { checkPolicy } from './check-policy.ts';
import { checkRemoved } from './check-removed.ts';
import { checkRestores } from './check-restores.ts';
import { checkSettings } from './check-settings.ts';
import { checkStock, type StockOrigin } from './check-stock.ts';
import { CoverageTally } from './coverage.ts';
import { PAIR_ID, type World } from './world.ts';

export interface Violation {
  readonly invariant: string;
  readonly message: string;
}

/** Every invariant that can be told from the end of a seed, when nothing moves any more. */
export function checkWorld(
  world: World,
  origins: ReadonlyMap<string, StockOrigin>,
  coverage = new CoverageTally(),
): readonly Violation[] {
  const ids = allProducts(world);
  return [
    ...world.bugs.map((error) => ({
      invariant: 'I0 no bug',
      message: error instanceof Error ? `${error.message}\n${error.stack}` : String(error),
    })),
    ...world.breaches,
    ...checkFields(world, ids, coverage),
    ...checkStock(world, ids, origins, coverage),
    ...checkCounterparts(world, ids),
    ...checkCreates(world, ids),
    ...checkHalves(world, ids),
    ...checkOverwrites(world),
    ...checkFresh(SIDES.map((side) => world.shops[side])),
    ...checkGuard(world, ids),
    ...checkPolicy(world, ids),
    ...checkMerge(world),
    ...checkRemoved(world, ids),
    ...checkRestores(world),
    ...checkSettings(world),
    ...checkDirection(world),
    ...checkEchoes(world),
    ...checkIntents(world),
    ...checkDeliveries(world),
    ...checkProblems(world, ids),
    ...checkAsked(world),
  ];
}

export function allProducts(world: World): readonly ProductId[] {
  const ids: ProductId[] = [];
  for (let after = ''; ; ) {
    const page = pageProducts(world.db, PAIR_ID, after, 500);
    const last = page[page.length - 1];
    if (last === undefined) return ids;
    ids.push(...page.map((row) => row.id));
    after = last.id;
  }
}

/** [I3] A record never gets two counterparts, however often its create was tried. */
function checkCounterparts(world: World, ids: readonly ProductId[]): readonly Violation[] {
  const violations: Violation[] = [];
  for (const side of SIDES) {
    for (const id of ids) {
      const bearers = world.shops[side].shelf.bearers({ pairId: PAIR_ID, hubId: id });
      if (bearers.length > 1)
        violations.push({
          invariant: 'I3 at most one counterpart',
          message: `${side} has ${bearers.length} records made for ${id}: ${bearers.join(', ')}`,
        });
    }
  }
  return violations;
}

/**
 * Whether our process died with the answer of this write, and the next hand put back just what it had written over: nothing is lost, and no reading tells
 * that the write had landed in between.
 */
function isTypedAgain({ boots }: World, written: LedgerEntry, entries: readonly LedgerEntry[]): boolean {
  const place = ({ productId, variantId, field }: LedgerEntry) => `${productId} ${variantId} ${field}`;
  const next = entries.find(
    (entry) => entry.seq > written.seq && entry.kind === 'set_field' && place(entry) === place(written),
  );
  if (next === undefined || !boots.some((at) => at > (written.write?.sentAt ?? written.at) && at <= next.at))
    return false;
  return next.by === 'outside' && JSON.stringify(next.to) === JSON.stringify(written.from);
}

/** [I5] An outside value that we wrote over is in the history, or was typed inside the window of that one request; under `manual` nothing is. */
function checkOverwrites(world: World): readonly Violation[] {
  const violations: Violation[] = [];
  const recorded = new Set(
    (
      world.db.connection.prepare('SELECT "from", "to" FROM change').all() as {
        from: string | null;
        to: string | null;
      }[]
    ).flatMap((row) => [row.from ?? 'null', row.to ?? 'null']),
  );
  for (const side of SIDES) {
    const { entries } = world.shops[side].shelf.ledger;
    for (const entry of entries) {
      if (entry.by !== 'us' || entry.kind !== 'set_field' || entry.write === null || entry.field === null) continue;
      const { overwroteSeq, knownSeq } = entry.write;
      if (overwroteSeq === null || knownSeq === null || overwroteSeq > knownSeq) continue;
      // The value was read before it was written over: then the merge has decided it, and the history knows it.
      const value = JSON.stringify(entry.from);
      if (entry.field === 'tags' || entry.field === 'status' || recorded.has(value)) continue;
      if (entry.at <= world.linkedAt || isTypedAgain(world, entry, entries)) continue;
      violations.push({
        invariant: 'I5 nothing lost in silence',
        message: `${side} ${entry.productId}: ${entry.field} ${value} was typed outside (${overwroteSeq}), known (${knownSeq}), and written over by ${JSON.stringify(entry.to)} without a trace`,
      });
    }
  }
  return violations;
}

/** [I7] A one-way pair never writes a field of its source. */
function checkDirection(world: World): readonly Violation[] {
  if (world.settings.syncDirection === 'bidirectional') return [];
  const source: Side = mayLead('woocommerce', world.settings) ? 'woocommerce' : 'shopify';
  const wrong = world.shops[source].shelf.ledger.entries.filter(
    (entry) => entry.by === 'us' && entry.kind !== 'set_stock',
  );
  return wrong.slice(0, 3).map((entry) => ({
    invariant: 'I7 direction',
    message: `we wrote ${entry.kind} ${entry.field ?? ''} to the source ${entry.productId}`,
  }));
}

/** Nothing is left half-done: every intent was settled. */
function checkIntents(world: World): readonly Violation[] {
  const open = world.db.connection
    .prepare(
      'SELECT (SELECT count(*) FROM variant_binding WHERE intent_key IS NOT NULL) + (SELECT count(*) FROM product_binding WHERE intent IS NOT NULL) AS n',
    )
    .get() as { n: number };
  return open.n === 0 ? [] : [{ invariant: 'I8 kill -9 anywhere', message: `${open.n} intents were never settled` }];
}

/** [P1] At rest every open problem is true. */
function checkProblems(world: World, ids: readonly ProductId[]): readonly Violation[] {
  const view = loadPairView(world.life().ctx, PAIR_ID);
  if (view === null) return [];
  return ids.flatMap((id) =>
    listUntrue(world.db, view, id).map(({ code, subject }) => ({
      invariant: 'P1 problems are true',
      message: `${code} about ${subject} of ${id} is open, and not true any more`,
    })),
  );
}

/** [P1][S6][S8] At rest whoever has to decide about an item's stock is asked. */
function checkAsked(world: World): readonly Violation[] {
  if (!world.settings.syncInventory) return [];
  const unasked = world.db.connection
    .prepare(
      `SELECT v.id, v.sku FROM variant v JOIN product p ON p.id = v.product_id
       WHERE v.stock_state = 'paused' AND p.state = 'live' AND EXISTS (SELECT 1 FROM variant_binding b WHERE b.variant_id = v.id)
       AND NOT EXISTS (
         SELECT 1 FROM problem q WHERE q.subject = v.id AND q.state = 'open'
         AND q.code IN ('STOCK_TRACKING_CHANGED', 'STOCK_TRACKING_DIFFERS', 'STOCK_ZERO_CONSENT'))`,
    )
    .all() as { id: string; sku: string }[];
  return unasked.map(({ id, sku }) => ({
    invariant: 'P1 problems are true',
    message: `stock of ${sku} (${id}) waits for a person, and nobody is asked`,
  }));
}

/** [I10] What was acknowledged is stored, each single delivery. */
function checkDeliveries(world: World): readonly Violation[] {
  const rows = world.db.connection.prepare('SELECT store_id, delivery_id FROM delivery').all() as {
    store_id: string;
    delivery_id: string;
  }[];
  const stored = new Set(rows.map((row) => `${row.store_id} ${row.delivery_id}`));
  const lost = [...world.acknowledged].filter((id) => !stored.has(id));
  return lost.length === 0
    ? []
    : [
        {
          invariant: 'I10 nothing acknowledged is lost',
          message: `${lost.length} of ${world.acknowledged.size} acknowledged deliveries were never stored, ${lost[0]} among them`,
        },
      ];
}
