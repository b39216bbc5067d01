import type { LedgerEntry } from '../../connectors/memory/ledger.ts';
import type { ProductId } from '../../model/ids.ts';
import { otherSide, type Side } from '../../model/platform.ts';
import type { Violation } from './check.ts';
import { boundAt } from './told.ts';
import type { World } from './world.ts';

/** Edits from before a delete may have been on their way for so long. */
const UNDER_WAY_MS = 3_600_000;

interface RestoreLine {
  readonly id: ProductId;
  readonly origin: Side;
  readonly to: string;
  readonly at: number;
  readonly deletedAt: number | null;
}

/** [G8] What comes out of the bin has a status that somebody gave it: the one that it went in with, or one that was typed since. */
export function checkRestores(world: World): readonly Violation[] {
  const lines = world.db.connection
    .prepare(
      `SELECT c.product_id AS id, c.origin, c."to", c.at,
         (SELECT max(d.at) FROM change d WHERE d.product_id = c.product_id AND d.cause = 'delete' AND d.seq < c.seq) AS deletedAt
       FROM change c WHERE c.cause = 'restore' AND c.field = 'deleted' AND c.variant_id IS NULL AND c."from" = '"archived"'`,
    )
    .all() as RestoreLine[];
  return lines.flatMap(({ id, origin, to, at, deletedAt }) => {
    const records = [origin, otherSide(origin)].map((side) => ({ side, externalId: boundAt(world, id, side, at) }));
    if (deletedAt === null || records.some(({ externalId }) => externalId === null)) return [];
    // [R10] While details are switched off the hub's status is not what the shops show.
    if (world.settingsHeld(at, deletedAt - UNDER_WAY_MS).some(({ syncProducts }) => !syncProducts)) return [];
    const shown = new Set(
      records.flatMap(({ side, externalId }) =>
        statusesBetween(world.shops[side].shelf.ledger.of(externalId ?? ''), deletedAt - UNDER_WAY_MS, at),
      ),
    );
    if (shown.has(JSON.parse(to))) return [];
    const message = `${id} came out of the bin of ${origin} as ${to}, and was ${[...shown].join(', ')} before and since`;
    return [{ invariant: 'G8 a restore restores', message }];
  });
}

/** Every status that a record had at some moment of a span, whoever gave it; what was put away by us with the delete is none that it had. */
function statusesBetween(story: readonly LedgerEntry[], from: number, to: number): readonly unknown[] {
  let current: unknown = null;
  const values: unknown[] = [];
  for (const entry of story) {
    const next = statusAfter(entry);
    if (next === undefined) continue;
    if (entry.at > to) break;
    if (entry.at >= from) values.push(current);
    current = next;
    if (entry.at >= from) values.push(current);
  }
  return [...values, current].filter((value) => value !== null);
}

function statusAfter(entry: LedgerEntry): unknown {
  if (entry.kind === 'add_product') return (entry.to as Readonly<Record<string, unknown>>)['status'];
  return entry.kind === 'set_field' && entry.field === 'status' ? entry.to : undefined;
}
