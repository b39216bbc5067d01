import { mayLead } from '../../core/direction.ts';
import {
  GUARD_WAIVER_MS,
  GUARD_WINDOW_MS,
  GUARDED_CAUSES,
  type GuardedCause,
  guardLimit,
  HALT_BY_CAUSE,
} from '../../core/safety.ts';
import { rawStatement } from '../../db/raw-statement.ts';
import { loadHub } from '../../engine/hub.ts';
import type { ProductId } from '../../model/ids.ts';
import { doesStockGoOn, type HaltReason } from '../../model/pair.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import type { Violation } from './check.ts';
import { isDeleteOpen } from './told.ts';
import { PAIR_ID, type World } from './world.ts';

/** A pass that was under way when the pair was halted may still end: so long can its last request wait. */
const UNDER_WAY_MS = 90_000;

/** [I6] What is put away or taken away stays within the guard, is undone by a restore, and stops when the pair is halted. */
export function checkGuard(world: World, ids: readonly ProductId[]): readonly Violation[] {
  return [
    ...checkDeletes(world),
    ...checkWindows(world, ids),
    ...checkHalted(world),
    ...checkListings(world),
    ...checkPutAway(world, ids),
  ];
}

/** [I6] We never delete; what we put away stays within the guard, day by day. */
function checkDeletes(world: World): readonly Violation[] {
  const violations: Violation[] = [];
  for (const side of SIDES) {
    for (const entry of world.shops[side].shelf.ledger.entries) {
      if (entry.by === 'us' && (entry.kind === 'delete' || entry.kind === 'trash' || entry.kind === 'delete_variant'))
        violations.push({
          invariant: 'I6 deletes are guarded',
          message: `we did ${entry.kind} on ${side} ${entry.productId}`,
        });
    }
  }
  // [R10] Added to the other shop, it came to life, and what lay in the bin stayed there: no second delete.
  const believed = world.db.connection
    .prepare(
      `SELECT count(*) AS n FROM change c WHERE cause = 'delete' AND field = 'deleted' AND variant_id IS NULL AND NOT EXISTS
         (SELECT 1 FROM change r WHERE r.product_id = c.product_id AND r.at = c.at AND r.seq < c.seq AND r.field = 'deleted' AND r.cause = 'restore')`,
    )
    .get() as { n: number };
  const deleted = SIDES.reduce(
    (sum, side) =>
      sum +
      world.shops[side].shelf.ledger.entries.filter(
        (entry) => entry.by === 'outside' && (entry.kind === 'delete' || entry.kind === 'trash'),
      ).length,
    0,
  );
  if (believed.n > deleted)
    violations.push({
      invariant: 'I6 deletes are guarded',
      message: `${believed.n} deletes were believed, and only ${deleted} were made`,
    });
  return violations;
}

/** [G1] Between two decisions of a person, no day holds more harmed products than the limit, whatever the harm. */
function checkWindows(world: World, ids: readonly ProductId[]): readonly Violation[] {
  // After the last outside change a person looks through everything; until then the guard counts from the last resume.
  const until = lastOutside(world) + 2 * 3_600_000;
  const limit = guardLimit(ids.length);
  const harms = world.db.connection
    .prepare(
      `SELECT product_id AS id, cause, at FROM change WHERE cause IN (SELECT value FROM json_each(?)) AND at <= ? ORDER BY at, seq`,
    )
    .all(JSON.stringify(GUARDED_CAUSES), until) as { id: string; cause: GuardedCause; at: number }[];
  const halts = haltsOf(world);
  const resumed = halts.map(({ to }) => to);
  const waivers = halts.flatMap(({ reason, to, isConsent }) =>
    isConsent ? [{ reason, from: to, to: to + GUARD_WAIVER_MS }] : [],
  );
  // What sells out while stock alone goes on is held against stock alone.
  const isApart = ({ cause, at }: { cause: GuardedCause; at: number }) =>
    cause === 'zero' && halts.some(({ reason, from, to }) => doesStockGoOn(reason) && at >= from && at <= to);
  // [G10] What a person has let pass is not held against the rest.
  const counted = harms.filter(
    ({ cause, at }) =>
      at > world.linkedAt &&
      !waivers.some(({ reason, from, to }) => HALT_BY_CAUSE[cause] === reason && at >= from && at < to),
  );
  const most = counted.reduce((worst, last, i) => {
    const { at } = last;
    const since = Math.max(at - GUARD_WINDOW_MS, ...[...resumed, ...world.lookedAt].filter((time) => time <= at));
    const within = counted
      .slice(0, i + 1)
      .filter((harm) => harm.at >= since && (harm.cause === 'zero' || !isApart(last)));
    return Math.max(worst, new Set(within.map(({ id }) => id)).size);
  }, 0);
  if (most <= limit) return [];
  return [
    {
      invariant: 'I6 deletes are guarded',
      message: `${most} products were harmed in 24 hours, the guard allows ${limit}`,
    },
  ];
}

/** [G5] A look at everything that was shown nothing, the first of its kind, doesn't come to its end: it halts the pair. */
function checkListings(world: World): readonly Violation[] {
  const halts = eventRows<{ reason: string }>(world, 'pair_halted');
  const firstHalt = halts.find(({ payload }) => payload.reason === 'empty_listing')?.at ?? Number.POSITIVE_INFINITY;
  const runs = world.db.connection
    .prepare(
      "SELECT started_at AS start, finished_at AS end FROM run WHERE trigger = 'reconcile' AND status = 'completed'",
    )
    .all() as { start: number; end: number }[];
  return runs
    .filter(({ end }) => end < firstHalt)
    .filter(({ start, end }) => world.emptySpans.some(({ from, to }) => start >= from && end <= to))
    .map(({ start }) => ({
      invariant: 'I6 deletes are guarded',
      message: `the run of ${start} was shown an empty shop, and went on to its end`,
    }));
}

/** [G1] A halted pair writes nothing, or, by what halted it, nothing but stock. */
function checkHalted(world: World): readonly Violation[] {
  const halts = haltsOf(world);
  return SIDES.flatMap((side) => {
    const wrong = world.shops[side].shelf.ledger.entries.find(
      ({ write }) =>
        write !== null &&
        halts.some(
          ({ reason, from, to }) =>
            write.sentAt > from + UNDER_WAY_MS &&
            write.sentAt < to &&
            !(write.operation === 'write_stock' && doesStockGoOn(reason)),
        ),
    );
    return wrong === undefined
      ? []
      : [
          {
            invariant: 'I6 deletes are guarded',
            message: `${side} ${wrong.productId}: ${wrong.kind} was sent while the pair was halted`,
          },
        ];
  });
}

/** [G8] What was deleted on one side is put away on the other; nothing else is ever archived, since nobody here types that. */
function checkPutAway(world: World, ids: readonly ProductId[]): readonly Violation[] {
  const violations: Violation[] = [];
  for (const id of ids) {
    const hub = loadHub(world.db, id);
    if (hub === null) continue;
    const { row } = hub;
    const { status } = row.data.fields;
    if (
      row.state === 'live' &&
      status === 'archived' &&
      SIDES.every((side) => isLive(world, hub.bindings[side]?.externalId))
    )
      violations.push({
        invariant: 'I6 deletes are guarded',
        message: `${row.title} (${id}) is in both shops and archived, which nobody asked for`,
      });
    // [R10] Putting away is a change of details. What was left as it was when it was deleted stays so.
    const goneAt = deletedAt(world, id);
    const held = world.settingsHeld(goneAt);
    if (held.some(({ deletePolicy, syncProducts }) => deletePolicy === 'keep' || !syncProducts)) continue;
    // [T3] What was to be put away and was not yet when the policy became `keep` stays as well.
    const sinceThen = world.settingsHeld(world.clock.now(), goneAt);
    if (row.priorStatus === null && sinceThen.some(({ deletePolicy }) => deletePolicy === 'keep')) continue;
    if (row.state !== 'deleted' || row.deletedOn === null || !mayLead(row.deletedOn, world.settings)) continue;
    const other = otherSide(row.deletedOn);
    const externalId = hub.bindings[other]?.externalId;
    if (externalId === null || externalId === undefined || !isLive(world, externalId)) continue;
    // [G8] What joins in the pass that sees the delete, or later, was no counterpart: nothing of the delete is carried over.
    if (joinedSince(world.db).get(id, other, externalId, goneAt) !== undefined) continue;
    const record = world.shops[other].shelf.products.get(externalId);
    const isTyped = world.shops[other].shelf.ledger
      .of(externalId)
      .some((entry) => entry.by === 'outside' && entry.field === 'status' && entry.at > goneAt - UNDER_WAY_MS);
    // [G12] On sale again by a restore from its own bin: under `manual` a person is asked, and it stays so until they have answered.
    if (record?.fields.status === 'active' && !isTyped && !isTold(world, id) && !isDeleteOpen(world, id))
      violations.push({
        invariant: 'I6 deletes are guarded',
        message: `${row.title} (${id}) was deleted on ${row.deletedOn} and is still for sale on ${other}`,
      });
  }
  return violations;
}

function isLive(world: World, externalId: string | null | undefined): boolean {
  if (externalId === null || externalId === undefined) return false;
  return SIDES.some((side) => world.shops[side].shelf.products.get(externalId)?.isTrashed === false);
}

function deletedAt(world: World, id: ProductId): number {
  return lastDeleted(world.db).get(id)?.at ?? 0;
}

const lastDeleted = rawStatement<[productId: string], { at: number | null }>(
  "SELECT max(at) AS at FROM change WHERE product_id = ? AND field = 'deleted' AND variant_id IS NULL",
);

const joinedSince = rawStatement<[productId: string, side: Side, externalId: string, at: number], { one: 1 }>(
  'SELECT 1 AS one FROM was_bound WHERE product_id = ? AND side = ? AND external_id = ? AND at >= ?',
);

function isTold(world: World, id: ProductId): boolean {
  return (
    world.db.connection.prepare("SELECT 1 FROM problem WHERE product_id = ? AND state = 'open'").get(id) !== undefined
  );
}

interface HaltSpan {
  readonly reason: HaltReason;
  readonly from: number;
  /** When a person resumed the pair. */
  to: number;
  /** [G10] It stood when the person looked: no other had taken its place. */
  isConsent: boolean;
}

function haltsOf(world: World): readonly HaltSpan[] {
  const rows = world.db.connection
    .prepare(
      "SELECT type, at, payload FROM event WHERE type IN ('pair_halted', 'pair_resumed') AND pair_id = ? ORDER BY seq",
    )
    .all(PAIR_ID) as { type: string; at: number; payload: string }[];
  const halts: HaltSpan[] = [];
  let open: HaltSpan[] = [];
  for (const { type, at, payload } of rows) {
    if (type === 'pair_halted') {
      const { reason } = JSON.parse(payload) as { reason: HaltReason };
      open.push({ reason, from: at, to: Number.POSITIVE_INFINITY, isConsent: false });
      halts.push(...open.slice(-1));
      continue;
    }
    open.forEach((halt, i) => {
      halt.to = at;
      halt.isConsent = i === open.length - 1;
    });
    open = [];
  }
  return halts;
}

function eventRows<Payload>(world: World, type: string): readonly { readonly at: number; readonly payload: Payload }[] {
  const rows = world.db.connection
    .prepare('SELECT at, payload FROM event WHERE type = ? AND pair_id = ? ORDER BY seq')
    .all(type, PAIR_ID) as { at: number; payload: string }[];
  return rows.map(({ at, payload }) => ({ at, payload: JSON.parse(payload) as Payload }));
}

function lastOutside(world: World): number {
  return Math.max(
    0,
    ...SIDES.map((side) => world.shops[side].shelf.ledger.entries.findLast((entry) => entry.by === 'outside')?.at ?? 0),
  );
}
