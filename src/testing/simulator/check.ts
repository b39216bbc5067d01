import type { LedgerEntry } from '../../connectors/memory/ledger.ts';
import { snapshotOf } from '../../connectors/memory/records.ts';
import { isAreaOn, mayFollow, mayLead } from '../../core/direction.ts';
import {
  type FieldSpec,
  PRODUCT_FIELD_NAMES,
  PRODUCT_FIELDS,
  VARIANT_FIELD_NAMES,
  VARIANT_FIELDS,
  variantPath,
} from '../../core/fields.ts';
import { pageProducts } from '../../db/readers/products.ts';
import { listOpenConflicts } from '../../db/writers/history.ts';
import { listUntrue } from '../../engine/close-problems.ts';
import { loadHub } from '../../engine/hub.ts';
import { loadPairView } from '../../engine/pair-view.ts';
import { hiddenIn, shownOn } from '../../engine/shown.ts';
import type { ProductId } from '../../model/ids.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import { checkCreates } from './check-creates.ts';
import { checkFresh } from './check-fresh.ts';
import { checkGuard } from './check-guard.ts';
import { checkHalves } from './check-halves.ts';
import { checkMerge } from './check-merge.ts';
import { checkPolicy } from './check-policy.ts';
import { checkRestores } from './check-restores.ts';
import { checkSettings } from './check-settings.ts';
import { checkStock, type StockOrigin } from './check-stock.ts';
import { driftOf, hasProblem } from './told.ts';
import { PAIR_ID, type World } from './world.ts';

export interface Violation {
  readonly invariant: string;
  readonly message: string;
}

/** Every invariant that can be told from the end of a seed, when nothing moves any more. */
export function checkWorld(world: World, origins: ReadonlyMap<string, StockOrigin>): readonly Violation[] {
  const ids = allProducts(world);
  return [
    ...world.bugs.map((error) => ({
      invariant: 'I0 no bug',
      message: error instanceof Error ? `${error.message}\n${error.stack}` : String(error),
    })),
    ...world.breaches,
    ...checkFields(world, ids),
    ...checkStock(world, ids, origins),
    ...checkCounterparts(world, ids),
    ...checkCreates(world, ids),
    ...checkHalves(world, ids),
    ...checkOverwrites(world),
    ...checkFresh(SIDES.map((side) => world.shops[side])),
    ...checkGuard(world, ids),
    ...checkPolicy(world, ids),
    ...checkMerge(world),
    ...checkRestores(world),
    ...checkSettings(world),
    ...checkDirection(world),
    ...checkEchoes(world),
    ...checkIntents(world),
    ...checkDeliveries(world),
    ...checkProblems(world, ids),
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

/** [I1] Each linked record agrees with the hub on every field that syncs, up to what the platform can represent. */
function checkFields(world: World, ids: readonly ProductId[]): readonly Violation[] {
  const violations: Violation[] = [];
  const view = loadPairView(world.life().ctx, PAIR_ID);
  if (view === null) return [{ invariant: 'I1 convergence', message: 'the pair is gone' }];
  for (const id of ids) {
    const hub = loadHub(world.db, id);
    if (hub === null || hub.row.state !== 'live') continue;
    if (SIDES.every((side) => hub.bindings[side] === undefined) && !hasProblem(world, id))
      violations.push({
        invariant: 'I6 deletes are guarded',
        message: `${hub.row.title} (${id}) is in neither shop, and was not taken for deleted`,
      });
    // Left alone, and told: fields that wait for a person, and drift that nobody asked to be written over.
    const conflicts = new Set([...listOpenConflicts(world.db, id).map((row) => row.field), ...driftOf(world, id)]);
    for (const side of SIDES) {
      const binding = hub.bindings[side];
      if (binding === undefined || !mayFollow(side, view.settings)) continue;
      const record = binding.externalId === null ? undefined : world.shops[side].shelf.products.get(binding.externalId);
      if (record === undefined || record.isTrashed) {
        if (!hasProblem(world, id) && !conflicts.has('deleted'))
          violations.push({
            invariant: 'I1 convergence',
            message: `${side} has no live record for ${hub.row.title} (${id}), and nobody was told`,
          });
        continue;
      }
      if (hasProblem(world, id)) continue;
      const truth = snapshotOf(record);
      const shown = shownOn(view, side, hiddenIn(view, hub, side, truth))(hub.row.data);
      for (const name of PRODUCT_FIELD_NAMES) {
        const spec = PRODUCT_FIELDS[name] as FieldSpec<unknown>;
        if (spec.kind === 'create_only' || !isAreaOn(spec.area, view.settings)) continue;
        if (conflicts.has(name) || spec.same(shown.fields[name], truth.fields[name])) continue;
        violations.push({
          invariant: 'I1 convergence',
          message: `${side} ${record.id} ${name} is ${JSON.stringify(truth.fields[name])}, the hub (${id}) says ${JSON.stringify(shown.fields[name])}`,
        });
      }
      for (const variant of truth.variants) {
        const own = [...hub.variantBindings[side].values()].find((row) => row.externalId === variant.externalId);
        if (own === undefined && !mayLead(side, view.settings)) continue;
        if (own === undefined) {
          violations.push({
            invariant: 'I1 convergence',
            message: `${side} variant ${variant.externalId} of ${id} is not bound`,
          });
          continue;
        }
        if (hub.variants.get(own.variantId)?.stockState === 'removed') continue;
        for (const name of VARIANT_FIELD_NAMES) {
          const spec = VARIANT_FIELDS[name] as FieldSpec<unknown>;
          const value = shown.variants[own.variantId]?.[name];
          if (spec.kind === 'create_only' || !isAreaOn(spec.area, view.settings)) continue;
          if (conflicts.has(variantPath(own.variantId, name)) || spec.same(value, variant.fields[name])) continue;
          violations.push({
            invariant: 'I1 convergence',
            message: `${side} ${variant.externalId} ${name} is ${JSON.stringify(variant.fields[name])}, the hub (${id}) says ${JSON.stringify(value)}`,
          });
        }
      }
    }
  }
  return [...violations, ...checkCovered(world)];
}

/** [I1] Every live record of either shop is known to the pair, or a person was told why not. */
function checkCovered(world: World): readonly Violation[] {
  const bound = new Set(
    (
      world.db.connection
        .prepare('SELECT side, external_id FROM product_binding WHERE external_id IS NOT NULL')
        .all() as { side: string; external_id: string }[]
    ).map((row) => `${row.side}:${row.external_id}`),
  );
  const told = new Set(
    (
      world.db.connection.prepare("SELECT subject FROM problem WHERE state = 'open'").all() as { subject: string }[]
    ).map((row) => row.subject),
  );
  const violations: Violation[] = [];
  for (const side of SIDES) {
    for (const record of world.shops[side].shelf.products.values()) {
      const key = `${side}:${record.id}`;
      if (record.isTrashed || bound.has(key) || told.has(key)) continue;
      violations.push({
        invariant: 'I1 convergence',
        message: `${side} ${record.id} "${record.fields.title}" is not known to the pair, and nobody was told`,
      });
    }
  }
  return violations;
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

/** [I4] One outside change causes at most one stock write per side; three where requests go wrong. */
function checkEchoes(world: World): readonly Violation[] {
  let outside = 0;
  let ours = 0;
  for (const side of SIDES) {
    for (const entry of world.shops[side].shelf.ledger.entries) {
      if (entry.at <= world.linkedAt) continue;
      if (entry.by === 'outside') outside += 1;
      else if (
        entry.kind === 'set_stock' ||
        (entry.kind === 'write_landed' && entry.write?.operation !== 'write_stock')
      )
        ours += 1;
    }
  }
  return ours > 2 * outside + 20
    ? [{ invariant: 'I4 no echo', message: `${outside} outside changes caused ${ours} writes` }]
    : [];
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
