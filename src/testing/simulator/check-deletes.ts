import type { LedgerEntry } from '../../connectors/memory/ledger.ts';
import { isAreaOn, mayLead } from '../../core/direction.ts';
import { otherSide } from '../../model/platform.ts';
import type { Violation } from './check.ts';
import type { BelievedDelete } from './watch-deletes.ts';
import type { World } from './world.ts';

/** A record that comes and goes may have been away when it was read: so long before it was believed. */
const READ_BEFORE_MS = 300_000;

/** What was believed to be deleted, held against what really was, and against what was known of the counterpart. */
export function checkBelievedDeletes(world: World, notes: readonly BelievedDelete[]): readonly Violation[] {
  const lines = new Set(
    (
      world.db.connection
        .prepare("SELECT product_id AS id, at FROM change WHERE cause = 'delete' AND field = 'deleted'")
        .all() as { id: string; at: number }[]
    ).map(({ id, at }) => `${id} ${at}`),
  );
  // What was noted in a transaction that never came to its end was never believed.
  const kept = notes.filter(({ productId, at }) => lines.has(`${productId} ${at}`));
  return [...kept.flatMap((note) => judgeTruth(world, note)), ...kept.flatMap((note) => judgeEdits(world, note))];
}

/** [G7] Only what is gone is taken for deleted. */
function judgeTruth(world: World, { side, at, externalId, wasThere, productId }: BelievedDelete): readonly Violation[] {
  if (!wasThere) return [];
  const wasAway = world.shops[side].shelf.ledger
    .of(externalId)
    .some(({ kind, ...entry }) => kind === 'restore' && entry.at <= at && entry.at > at - READ_BEFORE_MS);
  if (wasAway) return [];
  const message = `${side} ${externalId} (${productId}) was taken for deleted, and it had never been away`;
  return [{ invariant: 'I6 deletes are guarded', message }];
}

/** [G9] A delete that was believed although the counterpart held an edit which we had read and which had never reached the deleted record. */
function judgeEdits(world: World, note: BelievedDelete): readonly Violation[] {
  const { productId, side, externalId, counterpartId, counterpartSince, counterpartSeq } = note;
  const other = otherSide(side);
  if (counterpartId === null || !mayLead(other, world.settings)) return [];
  const decided = world.db.connection
    .prepare("SELECT 1 FROM conflict WHERE product_id = ? AND field = 'deleted'")
    .get(productId);
  if (decided !== undefined) return [];
  const edits = world.shops[other].shelf.ledger.of(counterpartId).filter(({ seq }) => seq <= counterpartSeq);
  const own = world.shops[side].shelf.ledger.of(externalId);
  return (['title', 'descriptionHtml'] as const).flatMap((field) => {
    if (world.settingsHeld(note.at).some((held) => !isAreaOn('details', held))) return [];
    const last = edits.findLast((entry) => entry.kind === 'set_field' && entry.field === field);
    // What was typed before the two belonged together was settled by the rule that joined them.
    if (last === undefined || last.by !== 'outside' || last.at <= Math.max(world.linkedAt, counterpartSince)) return [];
    if (shownIn(own, field).has(last.to) || hasLost(world, productId, last.to)) return [];
    const message = `${productId} was deleted on ${side} at ${note.at} although ${field} ${JSON.stringify(last.to)} had been typed on ${other} at ${last.at} and never reached ${side}`;
    return [{ invariant: 'I5 nothing lost in silence', message }];
  });
}

/** Every value that a record has ever shown. */
function shownIn(entries: readonly LedgerEntry[], field: 'title' | 'descriptionHtml'): ReadonlySet<unknown> {
  const values = new Set<unknown>();
  for (const entry of entries) {
    if (entry.kind === 'set_field' && entry.field === field) values.add(entry.from).add(entry.to);
    if (entry.kind === 'add_product') values.add((entry.to as Readonly<Record<string, unknown>>)[field]);
  }
  return values;
}

/** An edit that lost against another one is none that a delete could overlook. */
function hasLost(world: World, productId: string, value: unknown): boolean {
  return (
    world.db.connection
      .prepare(
        `SELECT 1 FROM change WHERE product_id = ? AND cause IN ('kept_hub', 'conflict_remote', 'person') AND "from" = ?`,
      )
      .get(productId, JSON.stringify(value)) !== undefined
  );
}
