import type { PairSettings } from '../model/pair.ts';
import type { Side } from '../model/platform.ts';
import { isAreaOn, isSource, mayLead } from './direction.ts';
import type { FieldPath, FieldSpec } from './fields.ts';
import { type ConflictContext, type ConflictDecision, decideConflict, judgeRegister, mergeSet } from './merge-field.ts';
import type { FieldChange, FieldPast, OpenConflict } from './reconciliation.ts';

/** One field of one side. The records are drafts, which are changed in place. */
export interface FieldDraft {
  readonly spec: FieldSpec<unknown>;
  readonly path: FieldPath;
  readonly name: string;
  readonly base: Record<string, unknown>;
  /** The hub's value as this side would show it. */
  readonly shown: unknown;
  readonly hub: Record<string, unknown>;
  readonly remote: unknown;
  /** No other side has the record (or this variant of it). */
  readonly isAlone: boolean;
}

/** What all fields of one reading have in common on their way into the hub. */
export interface FieldStep {
  readonly side: Side;
  readonly readAt: number;
  readonly settings: PairSettings;
  readonly seen: Record<string, { side: Side; at: number }>;
  readonly changes: FieldChange[];
  readonly holds: { readonly conflicts: OpenConflict[]; readonly drift: OpenConflict[] };
  readonly past?: FieldPast | undefined;
  /** [R4] Whether no other side would show a difference if the hub took this one's value. */
  readonly isAlikeElsewhere: (field: FieldDraft) => boolean;
}

/** [R1] A side that shows what the hub holds: that is what they agree on from now on. */
export function agreeField({ spec, name, base, shown, remote }: FieldDraft, settings: PairSettings): void {
  // [R10] An area that is switched off is left as it was: its bases wait, so that switching it on again merges honestly.
  if (spec.kind === 'create_only' || (isAreaOn(spec.area, settings) && spec.same(remote, shown))) base[name] = remote;
}

/** [R1]-[R11] Takes one field of one reading into hub and base, or holds it back. */
export function absorbField(field: FieldDraft, step: FieldStep): void {
  const { spec, name, base, shown, hub, remote } = field;
  const { side, settings } = step;
  if (spec.kind === 'create_only') {
    // [R16] What it will be made with elsewhere is what it shows when that is done.
    const isNew = !spec.same(remote, shown) && !spec.same(remote, hub[name]);
    if (isNew && field.isAlone && mayLead(side, settings)) moveHub(field, step, remote, 'outside_change');
    return;
  }
  if (!isAreaOn(spec.area, settings)) return;
  const verdict = judgeRegister(spec, base[name], shown, remote);
  if (verdict.is === 'agreed') {
    base[name] = remote;
    return;
  }
  // [R9] Nothing can be written to a source, and nobody else has the record: it is what its source shows.
  if (field.isAlone && isSource(side, settings)) {
    const to = shownBySource(field);
    if (!spec.same(to, hub[name]))
      moveHub(field, step, to, verdict.is === 'moved' ? 'outside_change' : 'conflict_remote');
    base[name] = remote;
    return;
  }
  if (verdict.is === 'unchanged') {
    if (isOutdone(field, step)) moveHub(field, step, shownBySource(field), 'conflict_remote');
    return;
  }
  if (!mayLead(side, settings)) {
    recordDrift(field, step);
    return;
  }
  if (spec.kind === 'set') {
    const list = (value: unknown) => value as readonly string[];
    const to = mergeSet(list(base[name]), list(hub[name]), list(remote), list(shown));
    if (verdict.is === 'moved' && leavesApart(field, step, to)) return;
    if (!spec.same(to, hub[name])) moveHub(field, step, to, 'outside_change');
    base[name] = remote;
    return;
  }
  const taken = spec.carry?.(hub[name], shown, remote) ?? remote;
  if (!isSource(side, settings)) {
    if (verdict.is === 'moved' && leavesApart(field, step, taken)) return;
    if (step.past?.isHeldBack(side, field.path, remote) === true) {
      // What a program made of the old value is nobody's edit against a new one. Where there is none, its hour is over: it is tried once.
      const cause = verdict.is === 'moved' ? 'enforced' : 'kept_hub';
      step.changes.push({ path: field.path, from: remote, to: hub[name], origin: side, cause });
      base[name] = remote;
      return;
    }
  }
  // [R4] What nobody else can show (WooCommerce's draft is as good as archived) undoes nothing that they did.
  if (verdict.is === 'moved' || (!isSource(side, settings) && step.isAlikeElsewhere(field))) {
    moveHub(field, step, taken, 'outside_change');
    base[name] = remote;
    return;
  }
  const decision = isSource(side, settings) ? 'remote' : decideBetween(field, step);
  if (decision === 'person') {
    step.holds.conflicts.push({ path: field.path, base: base[name], hub: hub[name], remote });
    return;
  }
  if (decision === 'remote') moveHub(field, step, taken, 'conflict_remote');
  else step.changes.push({ path: field.path, from: remote, to: hub[name], origin: side, cause: 'kept_hub' });
  base[name] = remote;
}

/**
 * [R9] What the hub holds against the source of a one-way pair is from before it was the source, and can't be written to it. A value that it lacks is
 * no word against one that it was linked with [L2].
 */
function isOutdone({ spec, hub, name, remote }: FieldDraft, { side, settings }: FieldStep): boolean {
  return isSource(side, settings) && !spec.isBlank(remote) && !spec.same(remote, hub[name]);
}

/** What a source shows, in the spelling that the hub has. */
function shownBySource({ spec, hub, name, shown, remote }: FieldDraft): unknown {
  const held = hub[name];
  if (spec.kind !== 'set') return spec.carry?.(held, shown, remote) ?? remote;
  return mergeSet(held as readonly string[], held as readonly string[], remote as readonly string[]);
}

function decideBetween(field: FieldDraft, step: FieldStep): ConflictDecision {
  const { path, remote } = field;
  const { seen, side, settings, readAt, past } = step;
  const hubSeen = seen[path];
  return decideConflict({
    policy: settings.conflictResolution,
    preferredSide: settings.preferredSide,
    side,
    hubSeen: hubSeen !== undefined && hubSeen.side !== side ? hubSeen : null,
    heldSince: past?.heldSince(side, path, remote) ?? null,
    now: readAt,
    met: howTheyMet(field, step),
  });
}

/**
 * [L1] Where only blanks are filled, the base of two values that were there before is blank: nothing was ever agreed on. A person who is asked about such
 * two is asked still where what meets later is linked by another rule.
 */
function howTheyMet(
  { spec, base, hub, name, remote, path }: FieldDraft,
  { side, settings, past }: FieldStep,
): ConflictContext['met'] {
  if (spec.blank === undefined || !spec.isBlank(base[name])) return null;
  if (spec.isBlank(hub[name]) || spec.isBlank(remote)) return null;
  if (past?.isHeldAsElse(side, path, remote)) return 'moved';
  const isHeld = (past?.heldSince(side, path, remote) ?? null) !== null;
  return isHeld || settings.linkRule === 'fill_blanks' ? 'as_they_are' : null;
}

/** [R11] The target of a one-way pair differs by itself: shown, and written over only where the pair says so and it stays. */
function recordDrift({ base, name, remote, hub, path }: FieldDraft, step: FieldStep): void {
  const { settings, side } = step;
  if (settings.enforce && step.past?.isFutile(side, path, remote, hub[name]) !== true) {
    step.changes.push({ path, from: remote, to: hub[name], origin: side, cause: 'enforced' });
    base[name] = remote;
    return;
  }
  step.holds.drift.push({ path, base: base[name], hub: hub[name], remote });
}

/** [R19] Each side undoes what the other makes of the field: it stays as both show it. */
function leavesApart(
  { base, name, remote, hub, path }: FieldDraft,
  { past, side, holds }: FieldStep,
  to: unknown,
): boolean {
  if (past?.isBackAndForth(side, path, { from: hub[name], to, remote }) !== true) return false;
  holds.drift.push({ path, base: base[name], hub: hub[name], remote });
  return true;
}

function moveHub(field: FieldDraft, step: FieldStep, to: unknown, cause: FieldChange['cause']): void {
  const { hub, name, path } = field;
  const { side } = step;
  step.changes.push({ path, from: hub[name], to, origin: side, cause });
  hub[name] = to;
  step.seen[path] = { side, at: step.readAt };
}
