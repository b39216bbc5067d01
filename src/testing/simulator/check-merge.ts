import type { LedgerEntry } from '../../connectors/memory/ledger.ts';
import type { ProductId, VariantId } from '../../model/ids.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { Violation } from './check.ts';
import { boundAt, isOwnAt, itemAt, metBlind, recordsMetLate } from './told.ts';
import type { World } from './world.ts';

/** Registers whose values are typed but once, so that a value tells where it comes from. */
const TOLD_BY_VALUE = ['title', 'descriptionHtml'] as const;

/** How edits of both sides met, told from the shops' own ledgers and held against the history. */
export function checkMerge(world: World): readonly Violation[] {
  return [
    ...checkOneMoved(world),
    ...checkLosers(world),
    ...checkWritten(world),
    ...checkTold(world),
    ...checkDrift(world),
    ...checkTarget(world),
    ...checkOwn(world),
    ...checkHidden(world),
  ];
}

/**
 * [R3][R4] "The side moved alone" is said only of a side that had shown what the hub held. A side that never did has been
 * edited at the same time as the other: that is a conflict, which the policy or a person decides.
 */
function checkOneMoved(world: World): readonly Violation[] {
  const late = metBlind(world);
  const shown = Object.fromEntries(SIDES.map((side) => [side, valuesShown(world, side)])) as Readonly<
    Record<Side, ReadonlySet<string>>
  >;
  return linesOf(world, `cause = 'outside_change' AND field IN ('title', 'descriptionHtml')`)
    .filter(({ productId }) => !late.has(productId))
    .filter(({ origin, field, from }) => origin !== null && !shown[origin].has(`${field} ${from}`))
    .map(({ origin, productId, field, from, to }) => ({
      invariant: 'I5 nothing lost in silence',
      message: `${productId}: ${field} ${from} gave way to ${to} of ${origin}, which had never shown it: both had moved`,
    }));
}

/** [I5][R5] What somebody typed and we wrote over, knowing it, stands in the history as what was decided against. */
function checkLosers(world: World): readonly Violation[] {
  const decided = new Set(
    linesOf(world, 'target IS NULL').flatMap(({ field, from, to }) => [`${field} ${from}`, `${field} ${to}`]),
  );
  return SIDES.flatMap((side) =>
    knownOverwrites(world, side)
      .filter(({ field, from }) => !decided.has(`${field} ${JSON.stringify(from)}`))
      .map((entry) => ({
        invariant: 'I5 nothing lost in silence',
        message: `${side} ${entry.productId}: ${entry.field} ${JSON.stringify(entry.from)} lost to ${JSON.stringify(entry.to)}, and the history does not say so`,
      })),
  );
}

/** [I5] What we wrote and what stayed as we wrote it stands in the history, whether the write was ever answered or not. */
function checkWritten(world: World): readonly Violation[] {
  const told = new Set(linesOf(world, 'target IS NOT NULL').map(({ target, field, to }) => `${target} ${field} ${to}`));
  return SIDES.flatMap((side) => {
    const { shelf } = world.shops[side];
    return shelf.ledger.entries
      .filter((entry) => isWriteOf(entry, world) && shelf.products.get(entry.productId)?.isTrashed === false)
      .filter((entry) => !isReplaced(shelf.ledger.of(entry.productId), entry))
      .filter(({ field, to }) => !told.has(`${side} ${field} ${JSON.stringify(to)}`))
      .map((entry) => ({
        invariant: 'I5 nothing lost in silence',
        message: `${side} ${entry.productId}: we wrote ${entry.field} ${JSON.stringify(entry.to)}, and the history has no line of it`,
      }));
  });
}

/** [W6] The history says of our writes what became of them: "written" of what landed and of nothing else, "unanswered" of what nobody could tell. */
function checkTold(world: World): readonly Violation[] {
  const lines = linesOf(world, "cause IN ('written', 'unanswered') AND field IN ('title', 'descriptionHtml')");
  const landed = Object.fromEntries(SIDES.map((side) => [side, writesByValue(world, side)])) as Readonly<
    Record<Side, ReadonlyMap<string, readonly LedgerEntry[]>>
  >;
  return lines.flatMap(({ productId, target, field, to, cause, at }) => {
    if (target === null) return [];
    const { ledger } = world.shops[target].shelf;
    const sent = (landed[target].get(`${field} ${to}`) ?? []).filter((entry) => entry.at <= at);
    const record = boundAt(world, productId, target, at);
    // A line is stored before the same pass sends it once more.
    const stood = sent.some(
      (entry) =>
        entry.productId === record && (entry.write?.sentAt ?? at) < at && isShownUntil(ledger.of(record), entry, at),
    );
    if (cause === 'written' ? sent.length > 0 : !stood) return [];
    const truth = cause === 'written' ? 'it had not landed' : 'it had landed, and stood there when that was said';
    const message = `${target} ${productId}: ${field} ${to} is told as ${cause}: ${truth}`;
    return [{ invariant: 'W6 unanswered writes', message }];
  });
}

/** What was written stood there until `at`, also in the bin. */
function isShownUntil(story: readonly LedgerEntry[], written: LedgerEntry, at: number): boolean {
  return !story.some(
    ({ kind, field, seq, at: movedAt }) =>
      seq > written.seq && movedAt <= at && (kind === 'delete' || (kind === 'set_field' && field === written.field)),
  );
}

/** [R11] What a target shows by itself is left alone where nobody asked for more. */
function checkDrift(world: World): readonly Violation[] {
  const target = targetOf(world);
  if (target === null || world.settings.enforce) return [];
  const agreed = new Set(
    linesOf(world, "target IS NULL AND cause <> 'enforced'").flatMap(({ field, from, to }) => [
      `${field} ${from}`,
      `${field} ${to}`,
    ]),
  );
  return knownOverwrites(world, target)
    .filter(({ field, from }) => !agreed.has(`${field} ${JSON.stringify(from)}`))
    .map((entry) => ({
      invariant: 'I7 direction',
      message: `${target} ${entry.productId}: ${entry.field} ${JSON.stringify(entry.from)} drifted by itself and was written over by ${JSON.stringify(entry.to)}`,
    }));
}

/** [R9] The hub of a one-way pair follows its source alone, but for what its source never had before. */
function checkTarget(world: World): readonly Violation[] {
  const target = targetOf(world);
  if (target === null) return [];
  return linesOf(world, "cause IN ('outside_change', 'conflict_remote') AND field <> 'stock'")
    .filter(({ origin }) => origin === target)
    .filter(({ productId, at }) => !isOwnAt(world, productId as ProductId, target, at - 1))
    .map(({ productId, field, from, to }) => ({
      invariant: 'I7 direction',
      message: `${productId}: ${field} ${from} -> ${to} was taken from the target ${target}`,
    }));
}

/** [R9] What the source never had is the target's own: nobody is told that it drifts or that it is missing. */
function checkOwn(world: World): readonly Violation[] {
  const target = targetOf(world);
  if (target === null) return [];
  const told = world.db.connection
    .prepare(
      "SELECT product_id AS id, code, message FROM problem WHERE state = 'open' AND code IN ('DRIFT', 'DELETED_ON_TARGET') AND side = ?",
    )
    .all(target) as { id: ProductId; code: string; message: string }[];
  return told
    .filter(({ id }) => isOwnAt(world, id, target, world.clock.now()))
    .map(({ id, code, message }) => ({
      invariant: 'I7 direction',
      message: `${id}: ${code} of what the source never had: ${message}`,
    }));
}

/** [R17] A rule for backorders is taken only from where somebody typed it: an item that is not counted any more shows one that nobody typed. */
function checkHidden(world: World): readonly Violation[] {
  const late = metBlind(world);
  return linesOf(world, "cause IN ('outside_change', 'conflict_remote') AND field = 'backorders'").flatMap((line) => {
    const { origin, productId, variantId, from, to, at } = line;
    if (origin === null || late.has(productId)) return [];
    // The item that showed it: another one may have taken its place since.
    const stockId = itemAt(world, variantId as VariantId, origin, at);
    if (stockId === null) return [];
    const own = world.shops[origin].shelf.ledger.of(stockId).filter((entry) => entry.stockId === stockId);
    const isTyped = own.some(
      ({ by, field, to: typed }) => by === 'outside' && field === 'backorders' && JSON.stringify(typed) === to,
    );
    // Switched off and on again before anybody looked, it looks as if it had been typed.
    const isCountedAgain = own.some((entry) => entry.kind === 'set_tracked' && entry.to === true);
    // What was made in the midst of it begins with what it was made of, which may stand in the book of another item.
    const isMadeSince = (own[0]?.at ?? 0) > world.linkedAt;
    if (isTyped || isCountedAgain || isMadeSince) return [];
    return [
      {
        invariant: 'I5 nothing lost in silence',
        message: `${productId}: backorders ${from} gave way to ${to} of ${origin}, where nobody typed it`,
      },
    ];
  });
}

/** Said here in words of its own: the program's function would agree with itself, right or wrong. */
function targetOf({ settings }: World): Side | null {
  if (settings.syncDirection === 'bidirectional') return null;
  return settings.syncDirection === 'woocommerce_to_shopify' ? 'shopify' : 'woocommerce';
}

/** Writes of ours over a value that somebody typed after the first link, and that we had read before we sent. */
function knownOverwrites(world: World, side: Side): readonly LedgerEntry[] {
  const { ledger } = world.shops[side].shelf;
  const late = recordsMetLate(world);
  return ledger.entries.filter((entry) => {
    if (!isWriteOf(entry, world) || late.has(`${side} ${entry.productId}`)) return false;
    const { overwroteSeq, knownSeq } = entry.write ?? { overwroteSeq: null, knownSeq: null };
    if (overwroteSeq === null || knownSeq === null || overwroteSeq > knownSeq) return false;
    const typed = ledger.entries[overwroteSeq - 1];
    return typed?.kind === 'set_field' && typed.at > world.linkedAt && wasShelved(world, side, entry.productId);
  });
}

/** Our writes, by what they wrote: `field value`, the value as the history tells it. */
function writesByValue(world: World, side: Side): ReadonlyMap<string, readonly LedgerEntry[]> {
  const writes = world.shops[side].shelf.ledger.entries.filter((entry) => isWriteOf(entry, world));
  return Map.groupBy(writes, ({ field, to }) => `${field} ${JSON.stringify(to)}`);
}

function isWriteOf(entry: LedgerEntry, world: World): boolean {
  return (
    entry.by === 'us' &&
    entry.kind === 'set_field' &&
    entry.write !== null &&
    entry.at > world.linkedAt &&
    TOLD_BY_VALUE.some((name) => name === entry.field)
  );
}

/** Whatever came into the register next: nobody could read any more what we had written. The same goes for what lies in the bin. */
function isReplaced(entries: readonly LedgerEntry[], written: LedgerEntry): boolean {
  const before = entries.findLast(({ kind, seq }) => seq < written.seq && (kind === 'trash' || kind === 'restore'));
  return (
    before?.kind === 'trash' ||
    entries.some(
      ({ kind, seq, field }) =>
        seq > written.seq && ((kind === 'set_field' && field === written.field) || kind === 'trash'),
    )
  );
}

/** What was made in the midst of it begins with what it was made of. */
function wasShelved(world: World, side: Side, productId: string): boolean {
  return (world.shops[side].shelf.ledger.of(productId)[0]?.at ?? 0) <= world.linkedAt;
}

/** By value and not by record: what was deleted and made again has another id. */
function valuesShown(world: World, side: Side): ReadonlySet<string> {
  const values = new Set<string>();
  for (const entry of world.shops[side].shelf.ledger.entries) {
    if (entry.kind === 'set_field' && TOLD_BY_VALUE.some((name) => name === entry.field))
      for (const value of [entry.from, entry.to]) values.add(`${entry.field} ${JSON.stringify(value)}`);
    if (entry.kind !== 'add_product') continue;
    const fields = entry.to as Readonly<Record<string, unknown>>;
    for (const field of TOLD_BY_VALUE) values.add(`${field} ${JSON.stringify(fields[field])}`);
  }
  return values;
}

interface Line {
  readonly productId: ProductId;
  readonly variantId: string | null;
  readonly field: string;
  readonly origin: Side | null;
  readonly target: Side | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly cause: string;
  readonly at: number;
}

function linesOf(world: World, where: string): readonly Line[] {
  return world.db.connection
    .prepare(
      `SELECT product_id AS productId, variant_id AS variantId, field, origin, target, "from", "to", cause, at FROM change WHERE at > ? AND ${where} ORDER BY seq`,
    )
    .all(world.linkedAt) as Line[];
}
