import { mayLead } from '../../core/direction.ts';
import { isFieldOn } from '../../core/is-field-on.ts';
import type { Db, Tx } from '../../db/database.ts';
import { closeProblem, findProblemDetails, listOpenProblems } from '../../db/writers/history.ts';
import { stableJson } from '../../lib/stable-json.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import { isBackAndForthTold, storeBackAndForth } from '../conflicts/back-and-forth.ts';
import { labelOf } from '../conflicts/label-of.ts';
import type { DriftDetails } from '../conflicts/order-drift.ts';
import type { EngineContext } from '../context.ts';
import type { HubState } from '../hub.ts';
import { settingsFor } from '../leads.ts';
import type { PairView } from '../pair-view.ts';
import { raise, WORDS } from '../problems.ts';
import { sellsAlone } from '../stock/owes-stock.ts';
import type { Decision } from './decide.ts';

/** [R11][R19] What is left apart is one problem per field; it closes when the side shows the hub's value again. */
export function storeDrift(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  hub: HubState,
  decision: Decision,
  at: number,
): void {
  const { reconciliation, matches } = decision;
  const { title } = reconciliation.hub.fields;
  const read = SIDES.filter((side) => reconciliation.sides[side] !== undefined && matches[side] !== undefined);
  if (areBothLeading(view)) {
    storeBackAndForth(ctx, tx, view, hub, read, reconciliation, at);
    return;
  }
  for (const side of read) {
    // [G8] What was left as it is when its source was deleted goes its own way.
    const drifts = sellsAlone(hub.row, side) ? [] : (reconciliation.sides[side]?.drift ?? []);
    const drifting = new Set(drifts.map(({ path }) => `${hub.row.id}:${path}`));
    for (const { path, hub: own, remote } of drifts) {
      const about = { productId: hub.row.id, side, subject: `${hub.row.id}:${path}` };
      const told = findProblemDetails(tx, view.pair.id, 'DRIFT', about.subject) as Partial<DriftDetails> | null;
      const isKnown = told !== null && stableJson(told.remote) === stableJson(remote);
      const details: DriftDetails = { hub: own, remote, since: (isKnown ? told.since : undefined) ?? at };
      const words = WORDS[settingsFor(view, hub, {}).enforce ? 'driftBack' : 'drift'](side, title, labelOf(path));
      raise(ctx, tx, view, about, words, details);
    }
    // [R10] Nor was it compared what is switched off: what was told of it stays told.
    for (const { subject } of listOpenProblems(tx, hub.row.id))
      if (!isFieldOn(subject.slice(hub.row.id.length + 1), view.settings)) drifting.add(subject);
    closeDrift(tx, hub, side, drifting, at);
  }
}

/** [P1] Sides that show what they were last given are apart in no field any more. */
export function closeFieldDrift(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  hub: HubState,
  sides: readonly Side[],
  at: number,
): void {
  if (areBothLeading(view)) storeBackAndForth(ctx, tx, view, hub, sides, null, at);
  else for (const side of sides) closeDrift(tx, hub, side, new Set(), at);
}

export function hasFieldDrift(db: Db, view: PairView, hub: HubState, side: Side): boolean {
  if (areBothLeading(view)) return isBackAndForthTold(db, hub);
  return listDrift(db, hub, side).length > 0;
}

/** What two that lead differ in goes back and forth; elsewhere it is the target's. */
function areBothLeading({ settings }: PairView): boolean {
  return SIDES.every((side) => mayLead(side, settings));
}

function closeDrift(tx: Tx, hub: HubState, side: Side, kept: ReadonlySet<string>, at: number): void {
  for (const { id, subject } of listDrift(tx, hub, side)) if (!kept.has(subject)) closeProblem(tx, id, at);
}

/** Stock that drifts is told of by another hand. */
function listDrift(db: Db, hub: HubState, side: Side) {
  return listOpenProblems(db, hub.row.id).filter(
    (row) => row.code === 'DRIFT' && row.side === side && !row.subject.endsWith(':stock'),
  );
}
