import type { VariantId } from '../model/ids.ts';
import type { PerSide, Side } from '../model/platform.ts';
import type { CanonicalProduct } from '../model/product.ts';
import { absorbField, agreeField, type FieldDraft, type FieldStep } from './absorb-field.ts';
import { absorbValues, relayBase, relayHub } from './absorb-options.ts';
import { mayLead } from './direction.ts';
import {
  type FieldPath,
  type FieldSpec,
  PRODUCT_FIELD_NAMES,
  PRODUCT_FIELDS,
  VARIANT_FIELD_NAMES,
  VARIANT_FIELDS,
  variantPath,
} from './fields.ts';
import { isOtherLayout } from './option-layout.ts';
import { planWrite, pruneSeen } from './plan-write.ts';
import type { FieldChange, OpenConflict, ReconcileInput, Reconciliation, SideResult } from './reconciliation.ts';
import { getField } from './resolve.ts';

/** A product being merged: plain mutable copies that never leave this room. */
interface Draft {
  fields: Record<string, unknown>;
  variants: Record<string, Record<string, unknown>>;
}

/**
 * The whole merge of one product: (base, hub, remote) per side in; the new hub, the new bases, conflicts and the writes that
 * would bring each side level out. Pure: the same call in the plan preview, the live path and the simulator.
 * Source: SPEC.md R1-R12.
 */
export function reconcile(input: ReconcileInput): Reconciliation {
  const { settings } = input;
  const hub = thaw(input.hub);
  const seen: Record<string, { side: Side; at: number }> = { ...input.seen };
  const changes: FieldChange[] = [];
  const drafts = input.sides.map((side) => ({
    input: side,
    base: thaw(side.base),
    /** The names that the values of its base stand under. */
    names: side.base.fields.optionNames,
    shown: { at: 0, product: side.represent(input.hub) },
    holds: { conflicts: [] as OpenConflict[], drift: [] as OpenConflict[] },
    /** What it shows, field by field, against the hub as `shown` has it. */
    fields: null as { readonly shown: CanonicalProduct; readonly list: readonly FieldDraft[] } | null,
  }));
  /** The hub as a side would show it by now: made anew only where the hub has moved since. */
  const shownBy = (draft: (typeof drafts)[number]): CanonicalProduct => {
    if (draft.shown.at !== changes.length)
      draft.shown = { at: changes.length, product: draft.input.represent(freeze(hub)) };
    return draft.shown.product;
  };
  const fieldsOfDraft = (draft: (typeof drafts)[number], remote: CanonicalProduct): readonly FieldDraft[] => {
    const shown = shownBy(draft);
    if (draft.fields === null || draft.fields.shown !== shown) {
      const others = drafts.filter((other) => other !== draft).map(({ base }) => base);
      draft.fields = { shown, list: fieldsOf(remote, draft.base, shown, hub, others) };
    }
    return draft.fields.list;
  };
  // [R1] goes before all else: a side that shows what the hub holds has agreed with that, wherever the hub moves in this very pass.
  for (const draft of drafts) {
    const { remote } = draft.input;
    if (remote === null) continue;
    for (const field of fieldsOfDraft(draft, remote)) agreeField(field, settings);
  }
  /** What the other sides show of the hub, and would show if it held what this one shows: of a thousand conflicts, too, each is made once. */
  const elsewhereOf = (own: (typeof drafts)[number], remote: CanonicalProduct) =>
    drafts
      .filter((other) => other !== own)
      .map((other) => ({ shown: shownBy(other), taken: other.input.represent(remote) }));
  // Who leads goes first, so that a target is held against what the hub will be.
  const leads = ({ input: { side } }: (typeof drafts)[number]) => Number(mayLead(side, settings));
  const absorb = (draft: (typeof drafts)[number], due: ReadonlySet<FieldPath> | null): void => {
    const { side, remote, readAt } = draft.input;
    if (remote === null) return;
    let elsewhere: ReturnType<typeof elsewhereOf> | null = null;
    const step: FieldStep = {
      ...{ side, readAt, settings, seen, changes, holds: draft.holds, past: input.past },
      isAlikeElsewhere({ spec, path, isAlone }) {
        if (isAlone) return false;
        elsewhere ??= elsewhereOf(draft, remote);
        return elsewhere.every(({ shown, taken }) => spec.same(getField(taken, path), getField(shown, path)));
      },
    };
    const isDue = ({ path }: FieldDraft) => due === null || due.has(path);
    const list = fieldsOfDraft(draft, remote);
    const before = namesOf(hub);
    for (const field of list) if (!isOfVariant(field) && isDue(field)) absorbField(field, step);
    // [R4] The names go first, and each variant's values are held against the hub by the names that it has then.
    const names = namesOf(hub);
    const shown = remote.fields.optionNames;
    if (isOtherLayout(before, names)) relayHub(hub.variants, remote, before, names, step);
    if (isOtherLayout(draft.names, shown) && PRODUCT_FIELDS.optionNames.same(namesOf(draft.base), shown)) {
      relayBase(draft.base.variants, remote, draft.names, hub.variants, names);
      draft.names = shown;
    }
    const isApart = isOtherLayout(shown, names) && mayLead(side, settings);
    const isMoved = isOtherLayout(before, names) || isApart;
    elsewhere = null;
    for (const field of isMoved ? fieldsOfDraft(draft, remote) : list) {
      if (!isOfVariant(field) || !isDue(field)) continue;
      if (isApart && field.name === 'optionValues') absorbValues(field, step, { names, shown, known: draft.names });
      else absorbField(field, step);
    }
  };
  for (const draft of [...drafts].sort((a, b) => leads(b) - leads(a))) absorb(draft, null);
  // Who was looked at first was held against what the hub held then: where the other side has moved that since, it is decided anew, whichever came first.
  for (const draft of drafts) {
    const { conflicts, drift } = draft.holds;
    const isMoved = (path: FieldPath) =>
      changes.some((change) => change.path === path && change.origin !== draft.input.side);
    const again = new Set([...conflicts, ...drift].map(({ path }) => path).filter(isMoved));
    if (again.size === 0) continue;
    draft.holds.conflicts = conflicts.filter(({ path }) => !again.has(path));
    draft.holds.drift = drift.filter(({ path }) => !again.has(path));
    absorb(draft, again);
  }

  for (const draft of drafts) renewConflicts(draft.input.remote, draft.base, draft.holds, shownBy(draft), hub);

  const merged = freeze(hub);
  const sides: Partial<PerSide<SideResult>> = {};
  const standings = drafts.map((draft) => {
    const base = freeze(draft.base);
    return {
      side: draft.input.side,
      base,
      writable: draft.input.represent(base),
      shown: shownBy(draft),
      remote: draft.input.remote,
      holds: draft.holds,
    };
  });
  const pathsOf = ({ holds }: (typeof standings)[number]) =>
    [...holds.conflicts, ...holds.drift].map(({ path }) => path);
  const areNamesHeld = standings.some((standing) => pathsOf(standing).includes('optionNames'));
  for (const standing of standings) {
    const { side, base, holds, remote } = standing;
    const held = new Set(pathsOf(standing));
    const isLaidOut = !isOtherLayout(base.fields.optionNames, merged.fields.optionNames);
    const isValueHeld = !isLaidOut && holds.conflicts.some(({ path }) => path.endsWith('.optionValues'));
    if (isValueHeld) held.add('optionNames');
    if (areNamesHeld || isValueHeld)
      for (const id of Object.keys(hub.variants)) held.add(variantPath(id as VariantId, 'optionValues'));
    sides[side] = { wasRead: remote !== null, base, write: planWrite(merged, standing, held, settings), ...holds };
  }
  return { hub: merged, seen: pruneSeen(seen, standings), changes, sides };
}

/**
 * [R7] Who was looked at first conflicts with what the hub held then, and the other side may have moved that since: a person is asked about the two
 * values as they are, and where they have met nobody is asked.
 */
function renewConflicts(
  remote: CanonicalProduct | null,
  base: Draft,
  holds: { conflicts: OpenConflict[] },
  shown: CanonicalProduct,
  hub: Draft,
): void {
  if (remote === null || holds.conflicts.length === 0) return;
  const fields = new Map(fieldsOf(remote, base, shown, hub, []).map((field) => [field.path, field]));
  holds.conflicts = holds.conflicts.flatMap((conflict) => {
    const field = fields.get(conflict.path);
    if (field === undefined) return [conflict];
    if (!field.spec.same(field.remote, field.shown)) return [{ ...conflict, hub: field.hub[field.name] }];
    field.base[field.name] = field.remote;
    return [];
  });
}

const isOfVariant = ({ path }: FieldDraft): boolean => path.startsWith('variant.');

const namesOf = ({ fields }: Draft) => fields['optionNames'] as readonly string[];

/** Every field that a reading shows and the hub knows, with the drafts that it may change. `others`: the bases of the other sides that have the record. */
function fieldsOf(
  remote: CanonicalProduct,
  base: Draft,
  shown: CanonicalProduct,
  hub: Draft,
  others: readonly Draft[],
): readonly FieldDraft[] {
  const list: FieldDraft[] = [];
  for (const name of PRODUCT_FIELD_NAMES) {
    list.push({
      spec: PRODUCT_FIELDS[name] as FieldSpec<unknown>,
      path: name,
      name,
      base: base.fields,
      shown: shown.fields[name],
      hub: hub.fields,
      remote: remote.fields[name],
      isAlone: others.length === 0,
    });
  }
  for (const id of Object.keys(remote.variants) as VariantId[]) {
    const remoteVariant = remote.variants[id];
    const baseVariant = base.variants[id];
    const hubVariant = hub.variants[id];
    const shownVariant = shown.variants[id];
    if (remoteVariant === undefined || baseVariant === undefined) continue;
    if (hubVariant === undefined || shownVariant === undefined) continue;
    const isAlone = others.every((other) => other.variants[id] === undefined);
    for (const name of VARIANT_FIELD_NAMES) {
      list.push({
        spec: VARIANT_FIELDS[name] as FieldSpec<unknown>,
        path: variantPath(id, name),
        name,
        base: baseVariant,
        shown: shownVariant[name],
        hub: hubVariant,
        remote: remoteVariant[name],
        isAlone,
      });
    }
  }
  return list;
}

function thaw(product: CanonicalProduct): Draft {
  const variants: Record<string, Record<string, unknown>> = {};
  for (const [id, fields] of Object.entries(product.variants)) variants[id] = { ...fields };
  return { fields: { ...product.fields }, variants };
}

function freeze(draft: Draft): CanonicalProduct {
  const copy = thaw(draft as unknown as CanonicalProduct);
  return copy as unknown as CanonicalProduct;
}
