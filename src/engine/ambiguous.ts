import { recordKeys } from '../core/match.ts';
import type { Tx } from '../db/database.ts';
import { rawStatement } from '../db/raw-statement.ts';
import { closeProblemsBySubject, findProblemDetails, isProblemOpen } from '../db/writers/history.ts';
import type { ProductId } from '../model/ids.ts';
import type { Side } from '../model/platform.ts';
import type { ProductSnapshot } from '../model/snapshot.ts';
import type { EngineContext } from './context.ts';
import { enqueueProductSync } from './enqueue.ts';
import type { PairView } from './pair-view.ts';
import { raise, WORDS } from './problems.ts';

const CODE = 'AMBIGUOUS_MATCH';

interface Details {
  /** What it could be matched by when it was told. */
  readonly keys: readonly string[];
}

/** [M3] Nothing is done with a record until a person has made its keys unique. `by`: the kind of key that leads to more than one. */
export function tellAmbiguous(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  about: { readonly productId: ProductId | null; readonly side: Side; readonly snapshot: ProductSnapshot },
  by: string,
): void {
  const { productId, side, snapshot } = about;
  const keys = recordKeys(snapshot, view.pair.id).map(({ type, value }) => `${type} ${value}`);
  const details: Details = { keys };
  const subject = `${side}:${snapshot.externalId}`;
  raise(ctx, tx, view, { productId, side, subject }, WORDS.ambiguous(side, snapshot.fields.title, by), details);
}

/**
 * [M3] It is known whose this record is, or that it is nobody's: who could have been meant by the same keys is looked at again. A person corrects one
 * of them, and its shop tells of no other. `subject`: `side:id`.
 */
export function closeAmbiguous(tx: Tx, view: PairView, subject: string, at: number): void {
  if (!isProblemOpen(tx, view.pair.id, CODE, subject)) return;
  const settled = keysIn(findProblemDetails(tx, view.pair.id, CODE, subject));
  closeProblemsBySubject(tx, view.pair.id, CODE, subject, at);
  for (const row of openOnes(tx).all(view.pair.id)) {
    if (!keysIn(JSON.parse(row.details ?? 'null')).some((key) => settled.includes(key))) continue;
    const externalId = row.subject.slice(row.side.length + 1);
    enqueueProductSync(tx, view.pair.id, { ref: { side: row.side, externalId }, observe: [row.side] }, at);
  }
}

function keysIn(details: unknown): readonly string[] {
  return (details as Partial<Details> | null)?.keys ?? [];
}

const openOnes = rawStatement<[pair: string], { side: Side; subject: string; details: string | null }>(
  `SELECT side, subject, details FROM problem WHERE pair_id = ? AND state = 'open' AND code = '${CODE}' AND side IS NOT NULL`,
);
