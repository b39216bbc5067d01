import { isAreaOn, mayFollow, mayLead } from '../../core/direction.ts';
import { parsePath } from '../../core/fields.ts';
import { titleKey } from '../../core/match.ts';
import { getField, resolveConflict as resolve } from '../../core/resolve.ts';
import { isOnSale } from '../../core/safety.ts';
import { refuseTyped } from '../../core/typed-value.ts';
import { transact } from '../../db/database.ts';
import type { ConflictRow } from '../../db/schema/history.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { findConflict, recordChange, updateConflict } from '../../db/writers/history.ts';
import { updateProduct, updateProductBinding } from '../../db/writers/products.ts';
import { stableJson } from '../../lib/stable-json.ts';
import { otherSide, PLATFORM_NAME, SIDES, type Side } from '../../model/platform.ts';
import type { CanonicalProduct, ProductStatus } from '../../model/product.ts';
import { Refusal } from '../../model/refusal.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import { baseOf, type HubState, loadHub } from '../hub.ts';
import { loadPairView, type PairView } from '../pair-view.ts';
import { DELETED_FIELD } from '../products/handle-gone.ts';
import { isLeftAway } from '../products/left-away.ts';

export interface ResolveCommand {
  readonly conflictId: string;
  /** The version that the person saw: a newer one is refused with the fresh card. */
  readonly expectedVersion: number;
  /** `hub`: what both last agreed on or the other side says · `remote`: this side's value · `value`: another one. */
  readonly choice: 'hub' | 'remote' | 'value';
  readonly value?: unknown;
}

/** [R13] A person's choice becomes an ordinary edit; both sides are observed again before anything is written. */
export function resolveConflict(ctx: EngineContext, command: ResolveCommand): ConflictRow {
  return transact(ctx.db, (tx) => {
    const conflict = findConflict(tx, command.conflictId);
    if (conflict === null) throw new Refusal('NOT_FOUND', 'There is no such conflict.');
    if (conflict.state !== 'open')
      throw new Refusal('CONFLICT_CLOSED', 'This conflict is settled already.', { resolution: conflict.resolution });
    if (conflict.version !== command.expectedVersion)
      throw new Refusal('CONFLICT_MOVED', 'A value changed while you were deciding. Look again.', {
        version: conflict.version,
      });
    const hub = loadHub(tx, conflict.productId);
    const view = loadPairView(ctx, conflict.pairId);
    if (hub === null || view === null)
      throw new Refusal('NOT_FOUND', 'The record of this conflict does not exist any more.');
    const at = ctx.clock.now();

    if (conflict.field === DELETED_FIELD) {
      // Kept or deleted: the next look at the missing record takes the decision (`handle-gone`).
      if (command.choice === 'value')
        throw invalid('choice', 'choice: a product is kept or deleted, "value" says neither');
      refuseUncarried(view, hub, conflict.side);
      if (command.choice === 'remote') refuseAtSource(view, hub, conflict.side);
    } else {
      refuseOneWay(view);
      const choice =
        command.choice === 'value'
          ? { take: 'value' as const, value: checkValue(conflict, command.value) }
          : { take: command.choice };
      const bases = SIDES.flatMap((side) =>
        typeof hub.bindings[side]?.externalId === 'string' ? [{ side, base: baseOf(hub, side, view) }] : [],
      );
      const own = bases.find((entry) => entry.side === conflict.side);
      if (own === undefined) throw new Refusal('NOT_FOUND', 'This record is not linked on that side any more.');
      const settled = resolve({
        path: conflict.field,
        hub: hub.row.data,
        base: own.base,
        remote: conflict.remote,
        choice,
      });
      if (conflict.field === 'status') refuseLeftAway(view, hub, settled.hub, conflict);
      // Whoever changes the hub first writes out every base that it implied.
      for (const { side, base } of bases)
        updateProductBinding(tx, hub.row.id, side, { base: side === conflict.side ? settled.base : base });
      const { title } = settled.hub.fields;
      updateProduct(tx, hub.row.id, { data: settled.hub, title, titleKey: titleKey(title), updatedAt: at });
      const path = parsePath(conflict.field);
      const chosen = getField(settled.hub, conflict.field) ?? null;
      // What the person decided against can be put back from the history, whether our write of the choice is ever answered or not.
      for (const from of losersOf(conflict, chosen))
        recordChange(tx, {
          pairId: conflict.pairId,
          runId: null,
          productId: hub.row.id,
          variantId: path?.variantId ?? null,
          field: path?.name ?? conflict.field,
          ...{ origin: null, target: null, from, to: chosen, cause: 'person', at },
        });
    }
    const set = { state: 'closed' as const, resolution: command.choice, closedAt: at };
    updateConflict(tx, conflict.id, set);
    enqueueProductSync(tx, conflict.pairId, { ref: { productId: conflict.productId }, observe: SIDES }, at);
    recordEvent(tx, {
      workspaceId: view.pair.workspaceId,
      pairId: conflict.pairId,
      type: 'conflict_resolved',
      payload: { productId: hub.row.id, title: hub.row.title, field: conflict.field, choice: command.choice },
      at,
    });
    return { ...conflict, ...set };
  });
}

/** [R9] Its source is what counts from the moment at which a pair goes one way; a conflict from before is open until the next look at the record. */
function refuseOneWay({ settings }: PairView): void {
  const source = SIDES.find((side) => !mayLead(otherSide(side), settings));
  if (source === undefined) return;
  const name = PLATFORM_NAME[source];
  throw new Refusal(
    'CONFLICT_CLOSED',
    `This pair goes one way by now: what ${name} shows counts, and the next sync settles this. To have another value, change it in ${name}.`,
    { resolution: null },
  );
}

/**
 * [R9] [R10] [G12] What the side of a delete, or of what was put on sale again against it, does with its product is not carried by now: nothing would come
 * of either choice.
 */
function refuseUncarried({ settings }: PairView, { row }: HubState, side: Side): void {
  const carried = row.state === 'deleted' ? otherSide(side) : side;
  const isTarget = !mayLead(carried, settings);
  if (!isTarget && isAreaOn('details', settings)) return;
  const why = isTarget
    ? `This pair goes one way by now: what ${PLATFORM_NAME[carried]} does with this product is not carried, and the next sync settles this.`
    : 'Details are switched off by now: a delete is neither carried nor undone. Switch them on first.';
  throw new Refusal('CONFLICT_CLOSED', why, { resolution: null });
}

/** [R9] [G12] What was put on sale again against a delete is in the source by now: nothing is written there, so the delete can't put it away. */
function refuseAtSource({ settings }: PairView, { row }: HubState, side: Side): void {
  const other = otherSide(side);
  if (row.state !== 'deleted' || mayFollow(other, settings)) return;
  const name = PLATFORM_NAME[other];
  throw invalid(
    'choice',
    `choice: this pair goes one way by now, and nothing is written to ${name}. To have the product deleted, take it off sale in ${name} by hand; to keep it, choose that.`,
  );
}

/** [G8] What is left as it is, since its other half was deleted, is not put on sale until that is back (`left-away`). */
function refuseLeftAway(view: PairView, hub: HubState, chosen: CanonicalProduct, { side, remote }: ConflictRow): void {
  const lone = SIDES.find((each) => isLeftAway({ ...hub.row, data: chosen }, each));
  if (lone === undefined) return;
  const status = lone === side ? (remote as ProductStatus) : baseOf(hub, lone, view).fields.status;
  if (isOnSale(status)) return;
  const name = PLATFORM_NAME[lone];
  throw invalid(
    'choice',
    `choice: in ${PLATFORM_NAME[otherSide(lone)]} this product was deleted, so it is not put on sale in ${name}. Put it on sale there by hand, or keep what ${name} shows.`,
  );
}

/** The values of both sides that were not chosen; the chosen one itself where there are none. */
function losersOf(conflict: ConflictRow, chosen: unknown): readonly unknown[] {
  const losers = [conflict.hub, conflict.remote].filter((value) => stableJson(value) !== stableJson(chosen));
  return losers.length === 0 ? [chosen] : losers;
}

/** A value that a person typed must be one that the field can hold: nobody looks at it again before it is written to both shops. */
function checkValue(conflict: ConflictRow, value: unknown): unknown {
  const name = parsePath(conflict.field)?.name ?? conflict.field;
  const why = refuseTyped(name, value, [conflict.hub, conflict.remote]);
  if (why !== null) throw invalid('value', `value: ${why}`);
  return value;
}

function invalid(field: string, message: string): Refusal {
  return new Refusal('VALIDATION', message, { fields: [{ field, message }] });
}
