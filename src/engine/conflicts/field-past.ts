import { parsePath, variantPath } from '../../core/fields.ts';
import type { FieldPast } from '../../core/reconciliation.ts';
import type { Db } from '../../db/database.ts';
import { listPutRight, listRestless, type PutRight, type Restless } from '../../db/readers/put-right.ts';
import { listOpenConflicts } from '../../db/writers/history.ts';
import { stableJson } from '../../lib/stable-json.ts';
import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts';
import type { VariantId } from '../../model/ids.ts';
import { otherSide, type Side } from '../../model/platform.ts';
import type { VariantFieldName } from '../../model/product.ts';
import type { HubState } from '../hub.ts';
import { heldBack } from './back-and-forth.ts';

/** A target that shows the same value so often within an hour although it was put right each time makes it out of ours by itself. */
export const PUT_RIGHT_MAX = 3;

/** A field whose moves have changed sides so often within an hour is driven by programs, whatever they make of it: people don't take turns like that. */
const TURNS_MAX = 10;

/** So soon a program has answered the other side's last move, ms: by a webhook, or by a poll once a minute. */
const ANSWER_MS = 2 * MINUTE_MS;

/** What the history and the open conflicts of a record say about its fields. `at`: now, ms. */
export function fieldPast(db: Db, hub: HubState, at: number): FieldPast {
  const productId = hub.row.id;
  // Read once for all fields, and only where one moved by itself.
  let moves: ReadonlyMap<string, PutRight> | null = null;
  const readMoves = () => {
    const rows = listPutRight(db, productId, at - HOUR_MS, PUT_RIGHT_MAX);
    return new Map(rows.map((row) => [keyOf(row.side, row.variantId, row.field, row.from, row.to), row]));
  };
  const moveOf = (side: Side, path: string, from: unknown, to: unknown) => {
    const { name, variantId = null } = parsePath(path) ?? { name: path };
    moves ??= readMoves();
    return moves.get(keyOf(side, variantId, name, JSON.stringify(from), JSON.stringify(to)));
  };
  const isOften = (move: PutRight | undefined) => (move?.times ?? 0) >= PUT_RIGHT_MAX;
  const heldOf = (side: Side, path: string) =>
    listOpenConflicts(db, productId).find((row) => row.side === side && row.field === path);
  const held = new Map<string, ReturnType<typeof heldBack>>();
  const heldBackOf = (path: string) => {
    if (!held.has(path)) held.set(path, heldBack(db, hub, path));
    return held.get(path) ?? {};
  };
  const isHeldBack = (side: Side, path: string, remote: unknown) => {
    const own = heldBackOf(path);
    return side in own && stableJson(own[side]) === stableJson(remote);
  };
  let restless: ReadonlyMap<string, Restless> | null = null;
  const restlessAt = (path: string) => {
    restless ??= new Map(
      listRestless(db, productId, at - HOUR_MS, TURNS_MAX).map((row) => [
        row.variantId === null ? row.field : variantPath(row.variantId, row.field as VariantFieldName),
        row,
      ]),
    );
    return restless.get(path);
  };
  // A program answers what the other side has just moved; who comes later, or moves what was his own, is a person.
  const isAnswer = (side: Side, row: Restless | undefined) =>
    row !== undefined && row.last !== side && at - row.lastAt <= ANSWER_MS;
  return {
    // A plug-in that rounds prices would be written to for ever.
    isFutile: (side, path, from, to) => isOften(moveOf(side, path, from, to)),
    isBackAndForth(side, path, { from, to, remote }) {
      if ((moveOf(side, path, to, from)?.enforced ?? 0) > 0) return true;
      if (isOften(moveOf(side, path, from, to)) && isOften(moveOf(otherSide(side), path, to, from))) return true;
      // While it is held nothing is written to either: another value is a person's.
      if (isHeldBack(side, path, remote)) return restlessAt(path) !== undefined;
      return Object.keys(heldBackOf(path)).length === 0 && isAnswer(side, restlessAt(path));
    },
    isHeldBack,
    heldSince(side, path, remote) {
      const held = heldOf(side, path);
      return held !== undefined && stableJson(held.remote) === stableJson(remote) ? held.remoteSeenAt : null;
    },
    isHeldAsElse(side, path, remote) {
      const held = heldOf(side, path);
      return held !== undefined && stableJson(held.remote) !== stableJson(remote);
    },
  };
}

function keyOf(side: Side, variantId: VariantId | null, field: string, from: string, to: string): string {
  return JSON.stringify([side, variantId, field, from, to]);
}
