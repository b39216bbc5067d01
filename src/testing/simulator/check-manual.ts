import type { LedgerEntry } from '../../connectors/memory/ledger.ts';
import { mayLead } from '../../core/direction.ts';
import { SIDES } from '../../model/platform.ts';
import type { Violation } from './check.ts';
import { recordsMetLate, recordsReAdded } from './told.ts';
import type { World } from './world.ts';

/** [R7][I5] Under `manual` a value that somebody typed is written over only after it had been the agreed one. */
export function checkManual(world: World): readonly Violation[] {
  const lines = world.db.connection
    .prepare('SELECT "from", "to", cause FROM change WHERE target IS NULL ORDER BY seq')
    .all() as { from: string | null; to: string | null; cause: string }[];
  // What another policy decided, before or in between, was agreed by it.
  const agreed = new Set(
    lines.flatMap(({ cause, from, to }) => (cause === 'conflict_remote' || cause === 'kept_hub' ? [from, to] : [to])),
  );
  const decided = world.db.connection
    .prepare("SELECT remote FROM conflict WHERE state = 'closed' AND resolution <> 'met'")
    .all() as { remote: string }[];
  for (const { remote } of decided) agreed.add(remote);
  const violations: Violation[] = [];
  const late = recordsMetLate(world);
  const readded = recordsReAdded(world);
  for (const side of SIDES) {
    // [R11] What a person has asked to be written over is no conflict.
    if (world.settings.enforce && !mayLead(side, world.settings)) continue;
    const { entries } = world.shops[side].shelf.ledger;
    for (const entry of entries) {
      if (entry.by !== 'us' || entry.kind !== 'set_field' || entry.write === null || entry.at <= world.linkedAt)
        continue;
      if (entry.field === 'tags' || entry.field === 'status') continue;
      const { sentAt } = entry.write;
      if (world.settingsHeld(sentAt).some((held) => held.conflictResolution !== 'manual')) continue;
      // Records that were linked in the midst of it met by the link rule, not by the conflict policy.
      const story = world.shops[side].shelf.ledger.of(entry.productId);
      if ((story[0]?.at ?? 0) > world.linkedAt) continue;
      // A variant that was added later was made on the other side with what it had then: that was agreed, and is no change of any field.
      const birth = story.find(({ kind, variantId }) => kind === 'add_variant' && variantId === entry.variantId);
      if (entry.variantId !== null && birth !== undefined && birth.at > world.linkedAt) continue;
      const record = `${side} ${entry.productId}`;
      if (late.has(record) || (entry.variantId !== null && readded.has(record))) continue;
      const { overwroteSeq, knownSeq } = entry.write;
      const typed = overwroteSeq === null ? undefined : entries[overwroteSeq - 1];
      if (overwroteSeq === null || knownSeq === null || overwroteSeq > knownSeq) continue;
      if (typed?.kind !== 'set_field' || typed.at <= world.linkedAt || agreed.has(JSON.stringify(entry.from))) continue;
      if (isPutBack(story, entry)) continue;
      violations.push({
        invariant: 'I5 nothing lost in silence',
        message: `${side} ${entry.productId}: under manual, ${entry.field} ${JSON.stringify(entry.from)} was written over by ${JSON.stringify(entry.to)} before it was agreed`,
      });
    }
  }
  return violations;
}

/** Typed over and put back again: what stood there when the two were linked, or since our last write, had been agreed on. */
function isPutBack(story: readonly LedgerEntry[], { seq, field, variantId, from }: LedgerEntry): boolean {
  const before = story.filter(
    (each) => each.kind === 'set_field' && each.field === field && each.variantId === variantId && each.seq < seq,
  );
  const agreed = before.findLast(({ by }) => by === 'us')?.to ?? before[0]?.from;
  return JSON.stringify(agreed) === JSON.stringify(from);
}
