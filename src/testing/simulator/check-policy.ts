import type { LedgerEntry } from '../../connectors/memory/ledger.ts';
import { isSource } from '../../core/direction.ts';
import { tagKey } from '../../core/normalise.ts';
import { type HubState, loadHub } from '../../engine/hub.ts';
import type { ProductId, VariantId } from '../../model/ids.ts';
import type { PairSettings } from '../../model/pair.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import type { Violation } from './check.ts';
import { checkManual } from './check-manual.ts';
import { isDeleteOpen, isOwnAt, metLate } from './told.ts';
import type { World } from './world.ts';

interface ChangeLine {
  readonly productId: ProductId;
  readonly field: string;
  readonly variantId: string | null;
  readonly origin: Side | null;
  readonly target: Side | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly cause: string;
  readonly at: number;
}

/** Who won what, and whether the history tells it. */
export function checkPolicy(world: World, ids: readonly ProductId[]): readonly Violation[] {
  return [
    ...checkWinners(world),
    ...checkManual(world),
    ...checkConflicts(world),
    ...checkSets(world, ids),
    ...checkStockHistory(world, ids),
    ...checkDoubts(world),
  ];
}

/** [R5][R6][R7][R9] Each line of the history that settles a conflict settles it as the pair's policy says. */
function checkWinners(world: World): readonly Violation[] {
  // [R6] What was held until the policy was another one is settled by when each value was first seen, which its line does not tell.
  const rows = world.db.connection.prepare("SELECT side, closed_at AS at FROM conflict WHERE state = 'closed'").all();
  const released = new Set((rows as { side: Side; at: number }[]).map(({ side, at }) => `${side} ${at}`));
  const isOrdered = ({ origin, at }: ChangeLine) => released.has(`${origin} ${at}`);
  // What no source has had is the target's own.
  const isOwn = ({ productId, origin, at }: ChangeLine) => origin !== null && isOwnAt(world, productId, origin, at - 1);
  const wrong = (line: ChangeLine, settings: PairSettings): string | null => {
    const { conflictResolution: policy, preferredSide } = settings;
    const winner = line.cause === 'conflict_remote' ? line.origin : otherSide(line.origin ?? 'shopify');
    // A one-way pair has no policy: the source is taken, whoever moved when.
    const source = SIDES.find((side) => isSource(side, settings));
    if (source !== undefined) return winner === source || isOwn(line) ? null : 'R9 the source is taken';
    switch (policy) {
      case 'manual':
        return 'R7 a person decides';
      case 'woocommerce':
      case 'shopify':
        return winner === policy ? null : 'R5 the chosen side wins';
      case 'newest':
        // Only an unknown order makes the later reading lose, and then it loses to the preferred side.
        return line.cause === 'kept_hub' && winner !== preferredSide && !isOrdered(line) ? 'R6 newest wins' : null;
      case 'oldest':
        return line.cause === 'conflict_remote' && winner !== preferredSide && !isOrdered(line)
          ? 'R6 oldest wins'
          : null;
    }
  };
  // [W6] What was typed while our write was on its way stands beside it in the history: nothing was decided about it, and if it is still there it is read next.
  const placeOf = ({ productId, variantId, field, at }: ChangeLine, side: Side | null) =>
    [productId, variantId, field, side, at].join(' ');
  const written = new Set(linesOf(world, "cause = 'written'").map((line) => placeOf(line, line.target)));
  const isOnTheWay = (line: ChangeLine) => line.cause === 'kept_hub' && written.has(placeOf(line, line.origin));
  return linesOf(world, "cause IN ('conflict_remote', 'kept_hub')").flatMap((line) => {
    if (isOnTheWay(line)) return [];
    const held = world.settingsHeld(line.at);
    const verdicts = held.map((settings) => wrong(line, settings));
    const [invariant] = verdicts;
    if (invariant === null || invariant === undefined || verdicts.includes(null)) return [];
    const message = `under ${held.map(({ conflictResolution }) => conflictResolution).join(', ')}: ${line.field} ${line.cause} from ${line.origin}: ${line.from} -> ${line.to}`;
    return [{ invariant, message }];
  });
}

/** [R4][R7] A conflict, settled or open, is about something that somebody typed: our own write, read back, is none. */
function checkConflicts(world: World): readonly Violation[] {
  const rows = world.db.connection
    .prepare(
      `SELECT product_id, side, field, remote FROM conflict WHERE field IN ('title', 'descriptionHtml')
       UNION ALL
       SELECT product_id, origin, field, iif(cause = 'kept_hub', "from", "to") FROM change
       WHERE field IN ('title', 'descriptionHtml') AND cause IN ('kept_hub', 'conflict_remote')`,
    )
    .all() as { product_id: string; side: Side; field: string; remote: string }[];
  // By value and not by record: what was deleted and made again has another id.
  const typed = new Set<string>();
  for (const side of SIDES) {
    for (const entry of world.shops[side].shelf.ledger.entries) {
      if (entry.by !== 'outside') continue;
      if (entry.kind === 'set_field') typed.add(`${side} ${entry.field} ${JSON.stringify(entry.to)}`);
      if (entry.kind !== 'add_product') continue;
      const fields = entry.to as Readonly<Record<string, unknown>>;
      for (const field of ['title', 'descriptionHtml']) typed.add(`${side} ${field} ${JSON.stringify(fields[field])}`);
    }
  }
  return rows
    .filter((row) => !typed.has(`${row.side} ${row.field} ${row.remote}`))
    .map((row) => ({
      invariant: 'R7 a person decides',
      message: `a conflict over ${row.field} of ${row.product_id}: nobody typed ${row.remote} on ${row.side}`,
    }));
}

/** [R8] A tag that was only ever added is there at the end; one that was only ever removed is not. */
function checkSets(world: World, ids: readonly ProductId[]): readonly Violation[] {
  if (world.settings.syncDirection !== 'bidirectional' || !world.settings.syncProducts) return [];
  const violations: Violation[] = [];
  const late = metLate(world);
  for (const id of ids) {
    const hub = loadHub(world.db, id);
    // Linked in the midst of it: its tags are those of both sides.
    if (late.has(id)) continue;
    const edits = hub === null || hub.row.state !== 'live' || isDeleteOpen(world, id) ? null : tagEdits(world, hub);
    if (hub === null || edits === null) continue;
    const final = new Set(hub.row.data.fields.tags.map(tagKey));
    for (const [tag, { added, removed }] of edits) {
      if (added && !removed && !final.has(tag))
        violations.push({
          invariant: 'I5 nothing lost in silence',
          message: `tag "${tag}" was added to ${id}, never removed, and is gone`,
        });
      if (removed && !added && final.has(tag))
        violations.push({
          invariant: 'I5 nothing lost in silence',
          message: `tag "${tag}" was removed from ${id}, never added, and is there again`,
        });
    }
  }
  return violations;
}

/** What was typed on both sides since they were linked; null where that can't be told, or a write of ours met an edit in its window. */
function tagEdits(
  world: World,
  hub: HubState,
): ReadonlyMap<string, { readonly added: boolean; readonly removed: boolean }> | null {
  const edits = new Map<string, { added: boolean; removed: boolean }>();
  const note = (tag: string, what: 'added' | 'removed') => {
    const key = tagKey(tag);
    const known = edits.get(key) ?? { added: false, removed: false };
    known[what] = true;
    edits.set(key, known);
  };
  for (const side of SIDES) {
    const externalId = hub.bindings[side]?.externalId;
    if (externalId === null || externalId === undefined) return null;
    for (const entry of world.shops[side].shelf.ledger.of(externalId)) {
      // Records that were made in the midst of it begin with what the first link made of them.
      if (entry.kind === 'add_product' && entry.at > world.linkedAt) return null;
      if (entry.kind === 'trash' || entry.kind === 'restore') return null;
      if (entry.kind !== 'set_field' || entry.field !== 'tags' || entry.at <= world.linkedAt) continue;
      if (entry.by === 'us' && isInWindow(entry)) return null;
      if (entry.by === 'us') continue;
      const before = new Set((entry.from as readonly string[]).map(tagKey));
      const after = new Set((entry.to as readonly string[]).map(tagKey));
      for (const tag of after) if (!before.has(tag)) note(tag, 'added');
      for (const tag of before) if (!after.has(tag)) note(tag, 'removed');
    }
  }
  return edits;
}

function isInWindow(entry: LedgerEntry): boolean {
  const { overwroteSeq, knownSeq } = entry.write ?? { overwroteSeq: null, knownSeq: null };
  return overwroteSeq !== null && (knownSeq === null || overwroteSeq > knownSeq);
}

/** [I5][S9] The history of a stock number is a chain that ends in what the hub holds; below zero, somebody was told. */
function checkStockHistory(world: World, ids: readonly ProductId[]): readonly Violation[] {
  const violations: Violation[] = [];
  const late = metLate(world);
  const chains = new Map<string, ChangeLine[]>();
  for (const line of linesOf(world, "field = 'stock' AND target IS NULL")) {
    const chain = chains.get(line.variantId ?? '') ?? [];
    chain.push(line);
    chains.set(line.variantId ?? '', chain);
  }
  const told = new Set(
    (
      world.db.connection.prepare("SELECT subject FROM problem WHERE code = 'OVERSOLD'").all() as { subject: string }[]
    ).map((row) => row.subject),
  );
  for (const id of ids) {
    const hub = loadHub(world.db, id);
    for (const variant of hub?.variants.values() ?? []) {
      const chain = chains.get(variant.id) ?? [];
      const last = chain.at(-1);
      const broken = chain.find((line, i) => i > 0 && line.from !== chain[i - 1]?.to);
      if (broken !== undefined || (last !== undefined && Number(last.to) !== variant.quantity))
        violations.push({
          invariant: 'I5 nothing lost in silence',
          message: `the stock history of ${variant.sku} (${variant.id}) has a gap: ${broken === undefined ? `it ends in ${last?.to}, the hub holds ${variant.quantity}` : `before ${broken.from} -> ${broken.to}`}`,
        });
      // [S6] What is paused begins anew when a person links it: changes that nobody had seen before its tracking was turned are part of that.
      if (last === undefined && variant.stockState === 'live' && !late.has(id) && hasSold(world, id, variant.id))
        violations.push({
          invariant: 'I5 nothing lost in silence',
          message: `stock of ${variant.sku} (${variant.id}) moved, and the history has not a line of it`,
        });
      // [T2] Nobody is told of stock while inventory is switched off.
      const { syncInventory } = world.settings;
      const isShort = variant.quantity < 0 && variant.stockState === 'live' && syncInventory;
      if (isShort && isCountedOutOfBin(world, hub, variant.id) && last !== undefined && !told.has(variant.id))
        violations.push({
          invariant: 'S9 oversold',
          message: `${variant.sku} (${variant.id}) is at ${variant.quantity}, and nobody was told`,
        });
    }
  }
  return violations;
}

/**
 * [P1] Nobody has to be told of what no shop counts any more. Nor of what lies in the bin of the only shop that has it: nobody sells it, and no look meets it
 * before it is out again.
 */
function isCountedOutOfBin(world: World, hub: HubState | null, id: VariantId): boolean {
  return SIDES.some((side) => {
    const record = world.shops[side].shelf.products.get(hub?.bindings[side]?.externalId ?? '');
    return record?.isTrashed !== true && hub?.variantBindings[side].get(id)?.baseTracked === true;
  });
}

/** [S5] A doubt is for platforms that neither remember keys nor carry a stamp, and for those that have forgotten them: when our program comes back a day later. */
function checkDoubts(world: World): readonly Violation[] {
  const rows = world.db.connection
    .prepare("SELECT side, first_at AS at, message FROM problem WHERE code = 'STOCK_DOUBT'")
    .all() as {
    side: Side;
    at: number;
    message: string;
  }[];
  return rows
    .filter(({ side, at }) => {
      const { stockWrite } = world.shops[side].personality;
      const isForgotten = stockWrite === 'keyed' && world.backAt !== null && at >= world.backAt;
      return stockWrite !== 'compare_and_set' && !isForgotten;
    })
    .map(({ side, message }) => ({
      invariant: 'S5 open intents',
      message: `${side} could have told, and yet: ${message}`,
    }));
}

function hasSold(world: World, id: ProductId, variantId: string): boolean {
  const hub = loadHub(world.db, id);
  if (hub === null || hub.row.state !== 'live' || !world.settings.syncInventory) return false;
  return SIDES.every((side) => {
    const stockId = hub.variantBindings[side].get(variantId as never)?.stockId;
    const entries = stockId === undefined ? [] : world.shops[side].shelf.ledger.of(stockId);
    if ((entries[0]?.at ?? Number.POSITIVE_INFINITY) > world.linkedAt) return false;
    // What was sold just before its tracking was turned off was never read as a number.
    if (entries.some((entry) => entry.kind === 'set_tracked')) return false;
    // Sold and put back before anybody read it: there is nothing to tell.
    const own = entries.filter(
      (entry) => entry.stockId === stockId && (entry.kind === 'add_variant' || entry.field === 'quantity'),
    );
    if (endsWhereItBegan(own)) return false;
    return own.some((entry) => entry.kind === 'sell' && entry.at > world.linkedAt);
  });
}

/** Whatever happened outside came to nothing, before each write of ours and after the last. */
function endsWhereItBegan(entries: readonly LedgerEntry[]): boolean {
  let settled = entries[0]?.to;
  let now = settled;
  for (const { by, to, write } of entries) {
    if (by === 'us') {
      // What a blind write went over in its window was never seen: whether it could be is for I2 to say.
      if (now !== settled && (write?.expected ?? null) !== settled) return false;
      settled = to;
    }
    now = to;
  }
  return now === settled;
}

function linesOf(world: World, where: string): readonly ChangeLine[] {
  return world.db.connection
    .prepare(
      `SELECT product_id AS productId, field, variant_id AS variantId, origin, target, "from", "to", cause, at FROM change WHERE ${where} ORDER BY seq`,
    )
    .all() as ChangeLine[];
}
