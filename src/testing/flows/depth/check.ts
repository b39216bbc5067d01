import { mayFollow, mayLead } from '../../../core/direction.ts';
import {
  type FieldSpec,
  PRODUCT_FIELD_NAMES,
  PRODUCT_FIELDS,
  VARIANT_FIELD_NAMES,
  VARIANT_FIELDS,
  variantPath,
} from '../../../core/fields.ts';
import { pageProducts } from '../../../db/readers/products.ts';
import { listOpenConflicts } from '../../../db/writers/history.ts';
import { type HubState, loadHub } from '../../../engine/hub.ts';
import { loadPairView, type PairView } from '../../../engine/pair-view.ts';
import { DELETED_FIELD } from '../../../engine/products/handle-gone.ts';
import { hiddenIn, shownOn } from '../../../engine/products/shown.ts';
import type { ProductId } from '../../../model/ids.ts';
import { type PerSide, SIDES, type Side } from '../../../model/platform.ts';
import type { ProductSnapshot } from '../../../model/snapshot.ts';
import type { BadLuck } from './bad-luck.ts';
import { checkShelves } from './check-shelves.ts';
import { checkStock, type Origin } from './check-stock.ts';
import type { Ledger } from './ledger.ts';
import { type ShelfItem, shelfOf } from './shelf.ts';
import type { DepthWorld } from './world.ts';

export interface Violation {
  readonly invariant: string;
  readonly message: string;
}

/** Everything that can be told from the end of a seed, when nothing moves any more. */
export async function checkWorld(
  world: DepthWorld,
  ledger: Ledger,
  luck: BadLuck,
  origins: ReadonlyMap<string, Origin>,
): Promise<readonly Violation[]> {
  const ids = allProducts(world);
  const view = loadPairView(world.ctx, world.pairId);
  if (view === null) return [{ invariant: 'I1 convergence', message: 'the pair is gone' }];
  const read: PerSide<Map<string, ProductSnapshot>> = { woocommerce: new Map(), shopify: new Map() };
  for (const side of SIDES) read[side] = await world.clock.run(readAll(view, side));
  const items = new Map<string, ShelfItem>(
    SIDES.flatMap((side) => shelfOf(world.shops, side)).map((item) => [`${item.side} ${item.stockId}`, item]),
  );
  return [
    ...world.bugs.map((message) => ({ invariant: 'I0 no bug', message })),
    ...ledger.violations.map((message) => ({ invariant: message.slice(0, 2), message })),
    ...checkServers(ledger, luck),
    ...ids.flatMap((id) => checkProduct(world, view, id, read)),
    ...checkKnown(world, read),
    ...checkMarks(read),
    ...checkShelves(world, ledger, ids, items),
    ...checkStock(world, ledger, ids, origins, items),
    ...checkRows(world),
  ];
}

export function allProducts(world: DepthWorld): readonly ProductId[] {
  return pageProducts(world.db, world.pairId, '', 10_000).map((row) => row.id);
}

async function readAll(view: PairView, side: Side): Promise<Map<string, ProductSnapshot>> {
  const all = new Map<string, ProductSnapshot>();
  for await (const page of view.connectors[side].scan({ resume: null }))
    for (const snapshot of page.snapshots) all.set(snapshot.externalId, snapshot);
  return all;
}

function checkServers(ledger: Ledger, luck: BadLuck): readonly Violation[] {
  const own = ledger.serverErrors - luck.serverErrors;
  return own > 0
    ? [{ invariant: 'I0 no bug', message: `the stores failed ${own} times more often than they were made to` }]
    : [];
}

/** [I1] Each linked record agrees with the hub on every field that syncs, up to what the platform can represent. */
function checkProduct(
  world: DepthWorld,
  view: PairView,
  id: ProductId,
  read: PerSide<ReadonlyMap<string, ProductSnapshot>>,
): readonly Violation[] {
  const hub = loadHub(world.db, id);
  if (hub === null || hub.row.state !== 'live' || hasProblem(world, id)) return [];
  const isAsked = listOpenConflicts(world.db, id).some(({ field }) => field === DELETED_FIELD);
  return SIDES.flatMap((side) => {
    const binding = hub.bindings[side];
    if (binding === undefined || !mayFollow(side, view.settings)) return [];
    const truth = binding.externalId === null ? undefined : read[side].get(binding.externalId);
    // [G9] It went on that side while somebody worked on it on the other: a person is asked.
    if (truth === undefined && isAsked) return [];
    if (truth === undefined)
      return [
        {
          invariant: 'I1 convergence',
          message: `${side} has no live record for "${hub.row.title}" (${id}, ${binding.externalId}), and nobody was told`,
        },
      ];
    return differences(world, view, hub, side, truth).map((text) => ({
      invariant: 'I1 convergence',
      message: `${side} ${truth.externalId} ${text} (${id})`,
    }));
  });
}

function differences(
  world: DepthWorld,
  view: PairView,
  hub: HubState,
  side: Side,
  truth: ProductSnapshot,
): readonly string[] {
  const conflicts = new Set(listOpenConflicts(world.db, hub.row.id).map((row) => row.field));
  const shown = shownOn(view, side, hiddenIn(view, hub, side, truth))(hub.row.data);
  const found: string[] = [];
  const compare = (path: string, spec: FieldSpec<unknown>, ours: unknown, theirs: unknown) => {
    if (spec.kind === 'create_only' || conflicts.has(path) || spec.same(ours, theirs)) return;
    found.push(`${path} is ${JSON.stringify(theirs)}, the hub says ${JSON.stringify(ours)}`);
  };
  for (const name of PRODUCT_FIELD_NAMES)
    compare(name, PRODUCT_FIELDS[name] as FieldSpec<unknown>, shown.fields[name], truth.fields[name]);
  for (const variant of truth.variants) {
    const own = [...hub.variantBindings[side].values()].find((row) => row.externalId === variant.externalId);
    if (own === undefined) {
      if (mayLead(side, view.settings)) found.push(`variant ${variant.externalId} is not bound`);
      continue;
    }
    if (hub.variants.get(own.variantId)?.stockState === 'removed') continue;
    for (const name of VARIANT_FIELD_NAMES)
      compare(
        variantPath(own.variantId, name),
        VARIANT_FIELDS[name] as FieldSpec<unknown>,
        shown.variants[own.variantId]?.[name],
        variant.fields[name],
      );
  }
  return found;
}

/** Problems that say that a record, or a part of it, is left alone; what is told to a person is not a silent difference. */
function hasProblem(world: DepthWorld, id: ProductId): boolean {
  return (
    world.db.connection
      .prepare(
        "SELECT 1 FROM problem WHERE product_id = ? AND state = 'open' AND code NOT IN ('OVERSOLD', 'STOCK_DOUBT', 'STOCK_TRACKING_CHANGED', 'STOCK_TRACKING_DIFFERS', 'STOCK_ZERO_CONSENT', 'VARIANT_REMOVED')",
      )
      .get(id) !== undefined
  );
}

/** [I1] Every live record of either store is known to the pair, or a person was told why not. */
function checkKnown(world: DepthWorld, read: PerSide<ReadonlyMap<string, ProductSnapshot>>): readonly Violation[] {
  const { connection } = world.db;
  const bound = new Set(
    (connection.prepare("SELECT side || ':' || external_id AS k FROM product_binding").all() as { k: string }[]).map(
      (row) => row.k,
    ),
  );
  const told = new Set(
    (connection.prepare("SELECT subject AS k FROM problem WHERE state = 'open'").all() as { k: string }[]).map(
      (row) => row.k,
    ),
  );
  return SIDES.flatMap((side) =>
    [...read[side].values()]
      .filter(({ externalId }) => !bound.has(`${side}:${externalId}`) && !told.has(`${side}:${externalId}`))
      .map(({ externalId, fields }) => ({
        invariant: 'I1 convergence',
        message: `${side} ${externalId} "${fields.title}" is not known to the pair, and nobody was told`,
      })),
  );
}

/** [I3] A record never gets two counterparts, however often its create was tried. */
function checkMarks(read: PerSide<ReadonlyMap<string, ProductSnapshot>>): readonly Violation[] {
  return SIDES.flatMap((side) => {
    const bearers = new Map<string, string[]>();
    for (const { externalId, marks } of read[side].values())
      for (const { hubId } of marks) bearers.set(hubId, [...(bearers.get(hubId) ?? []), externalId]);
    return [...bearers]
      .filter(([, ids]) => ids.length > 1)
      .map(([hubId, ids]) => ({
        invariant: 'I3 at most one counterpart',
        message: `${side} has ${ids.length} records for ${hubId}: ${ids.join(', ')}`,
      }));
  });
}

/** [I8] Nothing is left half-done. */
function checkRows(world: DepthWorld): readonly Violation[] {
  const { n } = world.db.connection
    .prepare(
      'SELECT (SELECT count(*) FROM variant_binding WHERE intent_key IS NOT NULL) + (SELECT count(*) FROM product_binding WHERE intent IS NOT NULL) AS n',
    )
    .get() as { n: number };
  const { status, halt } = world.pair();
  return [
    ...(n === 0 ? [] : [{ invariant: 'I8 kill -9 anywhere', message: `${n} intents were never settled` }]),
    ...(status === 'active'
      ? []
      : [{ invariant: 'I1 convergence', message: `the pair is ${status}: ${halt?.reason}` }]),
  ];
}
