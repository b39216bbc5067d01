import { isFieldOn } from '../../core/is-field-on.ts';
import type { Reconciliation } from '../../core/reconciliation.ts';
import type { Db, Tx } from '../../db/database.ts';
import { closeProblem, findProblemDetails, listOpenProblems } from '../../db/writers/history.ts';
import { stableJson } from '../../lib/stable-json.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import { type PerSide, SIDES, type Side } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import type { HubState } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import { BACK_AND_FORTH, raise, WORDS } from '../problems.ts';
import { labelOf } from './label-of.ts';

/** So long after a field was tried, or last moved since, nothing has made it something else: the programs are quiet, ms. */
const QUIET_MS = 10 * MINUTE_MS;

/** What is noted with a field that goes back and forth. `held`: what a side shows and is left with. `triedAt`: held no more, but tried, and moved last, ms. */
interface Details {
  readonly hub: unknown;
  readonly held: Partial<PerSide<unknown>>;
  readonly triedAt: number | null;
}

/** [R19] What each side shows of a field that is held back there; null: nobody is told of it. */
export function heldBack(db: Db, hub: HubState, path: string): Details['held'] | null {
  if (!listTold(db, hub).some(({ subject }) => subject === subjectOf(hub, path))) return null;
  return detailsOf(db, hub, path)?.held ?? null;
}

/**
 * [R19] What is left apart is one problem per field, whichever sides it is held on. It closes when the two are alike again, or somebody changed it; a try,
 * once an hour, ends it only when the programs have been quiet since. `sides`: those that were read; without a merge they show what was agreed on.
 */
export function storeBackAndForth(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  hub: HubState,
  sides: readonly Side[],
  merge: Pick<Reconciliation, 'hub' | 'changes' | 'sides'> | null,
  at: number,
): void {
  if (sides.length === 0) return;
  const title = merge?.hub.fields.title ?? hub.row.title;
  const open = new Map(listTold(tx, hub).map((row) => [row.subject.slice(hub.row.id.length + 1), row]));
  const drifting = sides.flatMap((side) => merge?.sides[side]?.drift.map((drift) => ({ ...drift, side })) ?? []);
  for (const path of new Set([...open.keys(), ...drifting.map((drift) => drift.path)])) {
    const row = open.get(path);
    // [R10] It was not compared what is switched off: what was told of it stays told.
    if (!isFieldOn(path, view.settings)) continue;
    const told = detailsOf(tx, hub, path);
    const own = drifting.filter((drift) => drift.path === path);
    const held = Object.fromEntries([
      ...Object.entries(told?.held ?? {}).filter(([side]) => !sides.includes(side as Side)),
      ...own.map(({ side, remote }) => [side, remote]),
    ]) as Details['held'];
    const isHeld = Object.keys(held).length > 0;
    const moves = merge?.changes.filter((change) => change.path === path) ?? [];
    const isTried = moves.some(({ cause }) => cause === 'enforced');
    const last = told?.triedAt ?? null;
    const triedAt = isHeld ? null : isTried || (last !== null && moves.length > 0) ? at : last;
    if (!isHeld && (triedAt === null || at - triedAt >= QUIET_MS)) {
      if (row !== undefined) closeProblem(tx, row.id, at);
      continue;
    }
    const details: Details = { hub: own[0]?.hub ?? told?.hub ?? null, held, triedAt };
    const side = own[0]?.side ?? row?.side ?? null;
    const about = { productId: hub.row.id, side, subject: subjectOf(hub, path) };
    if (own.length > 0 || stableJson(details) !== stableJson(told))
      raise(ctx, tx, view, about, WORDS.backAndForth(title, labelOf(path)), details);
    // Nobody tells of what does not happen. A pair with another schedule looks when its hour has come.
    if (triedAt !== null && view.settings.syncSchedule === 'realtime')
      enqueueProductSync(tx, view.pair.id, { ref: { productId: hub.row.id }, observe: [...SIDES] }, triedAt + QUIET_MS);
  }
}

export function isBackAndForthTold(db: Db, hub: HubState): boolean {
  return listTold(db, hub).length > 0;
}

function listTold(db: Db, hub: HubState) {
  return listOpenProblems(db, hub.row.id).filter(({ code }) => code === BACK_AND_FORTH);
}

function detailsOf(db: Db, hub: HubState, path: string): Details | null {
  return findProblemDetails(db, hub.row.pairId, BACK_AND_FORTH, subjectOf(hub, path)) as Details | null;
}

function subjectOf(hub: HubState, path: string): string {
  return `${hub.row.id}:${path}`;
}
