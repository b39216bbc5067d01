import type { FieldSeen } from '../model/hub.ts';
import type { VariantId } from '../model/ids.ts';
import type { Area, PairSettings } from '../model/pair.ts';
import type { PerSide, Side } from '../model/platform.ts';
import type { CanonicalProduct, ProductFields, VariantFields } from '../model/product.ts';
import {
  type FieldPath,
  type FieldSpec,
  PRODUCT_FIELD_NAMES,
  PRODUCT_FIELDS,
  parsePath,
  VARIANT_FIELD_NAMES,
  VARIANT_FIELDS,
  variantPath,
} from './fields.ts';
import { decideConflict, judgeRegister, mergeSet } from './merge-field.ts';

/** One side of a product, as the merge sees it. */
export interface SideInput {
  readonly side: Side;
  /** What hub and side last agreed on, as the side shows it; its variants are those that are bound there. */
  readonly base: CanonicalProduct;
  /** The side now, variants by hub id; null when it was not read in this pass. */
  readonly remote: CanonicalProduct | null;
  represent(product: CanonicalProduct): CanonicalProduct;
  /** When the reading was taken, ms. */
  readonly readAt: number;
}

export interface ReconcileInput {
  readonly hub: CanonicalProduct;
  readonly seen: FieldSeen;
  /** In the order in which the readings are absorbed. */
  readonly sides: readonly SideInput[];
  readonly settings: PairSettings;
}

/** The hub's value of one field moved, or was kept against a side's. */
export interface FieldChange {
  readonly path: FieldPath;
  readonly from: unknown;
  readonly to: unknown;
  /** The side whose reading caused it. */
  readonly origin: Side;
  /** `kept_hub`: `from` is the losing value of `origin`, `to` is what the hub keeps. */
  readonly cause: 'outside_change' | 'conflict_remote' | 'kept_hub' | 'enforced';
}

export interface OpenConflict {
  readonly path: FieldPath;
  readonly base: unknown;
  readonly hub: unknown;
  readonly remote: unknown;
}

export interface SideWrite {
  readonly fields: Partial<ProductFields>;
  readonly variants: Readonly<Record<VariantId, Partial<VariantFields>>>;
  readonly newVariants: readonly VariantId[];
}

export interface SideResult {
  /** Whether the side was read in this pass: what was not read proves nothing about its conflicts. */
  readonly wasRead: boolean;
  readonly base: CanonicalProduct;
  /** What this side must be given; null when nothing. Only meaningful after the side was read. */
  readonly write: SideWrite | null;
  readonly conflicts: readonly OpenConflict[];
  /** Values on the target of a one-way pair that differ and are left alone. */
  readonly drift: readonly OpenConflict[];
}

export interface Reconciliation {
  readonly hub: CanonicalProduct;
  readonly seen: FieldSeen;
  readonly changes: readonly FieldChange[];
  readonly sides: Partial<PerSide<SideResult>>;
}

/** [R9] Whether what happens on this side may change the hub. */
export function mayLead(side: Side, settings: PairSettings): boolean {
  if (settings.syncDirection === 'bidirectional') return true;
  return (settings.syncDirection === 'woocommerce_to_shopify') === (side === 'woocommerce');
}

/** [R9] Whether this side may be written. */
export function mayFollow(side: Side, settings: PairSettings): boolean {
  if (settings.syncDirection === 'bidirectional') return true;
  return (settings.syncDirection === 'shopify_to_woocommerce') === (side === 'woocommerce');
}

export function isAreaOn(area: Area, settings: PairSettings): boolean {
  if (area === 'prices') return settings.syncPrices;
  return area === 'inventory' ? settings.syncInventory : settings.syncProducts;
}

/** A product being merged: plain mutable copies that never leave this file. */
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
  const bases = new Map<Side, Draft>();
  const held = new Map<Side, { conflicts: OpenConflict[]; drift: OpenConflict[] }>();

  for (const side of input.sides) {
    const base = thaw(side.base);
    const holds = { conflicts: [] as OpenConflict[], drift: [] as OpenConflict[] };
    bases.set(side.side, base);
    held.set(side.side, holds);
    if (side.remote === null) continue;
    const shown = thaw(side.represent(freeze(hub)));
    const remote = side.remote;
    const absorb = (
      spec: FieldSpec<never>,
      path: FieldPath,
      name: string,
      at: {
        base: Record<string, unknown>;
        shown: Record<string, unknown>;
        hub: Record<string, unknown>;
        remote: unknown;
      },
    ) => absorbField({ spec: spec as FieldSpec<unknown>, path, name, ...at, side, settings, seen, changes, holds });

    for (const name of PRODUCT_FIELD_NAMES) {
      absorb(PRODUCT_FIELDS[name] as FieldSpec<never>, name, name, {
        base: base.fields,
        shown: shown.fields,
        hub: hub.fields,
        remote: remote.fields[name],
      });
    }
    for (const [id, fields] of Object.entries(remote.variants) as [VariantId, VariantFields][]) {
      const baseVariant = base.variants[id];
      const hubVariant = hub.variants[id];
      const shownVariant = shown.variants[id];
      if (baseVariant === undefined || hubVariant === undefined || shownVariant === undefined) continue;
      for (const name of VARIANT_FIELD_NAMES) {
        absorb(VARIANT_FIELDS[name] as FieldSpec<never>, variantPath(id, name), name, {
          base: baseVariant,
          shown: shownVariant,
          hub: hubVariant,
          remote: fields[name],
        });
      }
    }
  }

  const merged = freeze(hub);
  const sides: Partial<PerSide<SideResult>> = {};
  for (const side of input.sides) {
    const base = freeze(bases.get(side.side) ?? thaw(side.base));
    const holds = held.get(side.side) ?? { conflicts: [], drift: [] };
    const heldPaths = new Set([...holds.conflicts, ...holds.drift].map((hold) => hold.path));
    sides[side.side] = {
      wasRead: side.remote !== null,
      base,
      write: planWrite(merged, side.represent(merged), base, side.side, heldPaths, settings),
      ...holds,
    };
  }
  return { hub: merged, seen: pruneSeen(seen, input.sides, sides, merged), changes, sides };
}

interface FieldStep {
  readonly spec: FieldSpec<unknown>;
  readonly path: FieldPath;
  readonly name: string;
  readonly base: Record<string, unknown>;
  /** The hub as this side would show it. */
  readonly shown: Record<string, unknown>;
  readonly hub: Record<string, unknown>;
  readonly remote: unknown;
  readonly side: SideInput;
  readonly settings: PairSettings;
  readonly seen: Record<string, { side: Side; at: number }>;
  readonly changes: FieldChange[];
  readonly holds: { conflicts: OpenConflict[]; drift: OpenConflict[] };
}

function absorbField(step: FieldStep): void {
  const { spec, name, base, shown, hub, remote, side, settings } = step;
  if (spec.kind === 'create_only') {
    base[name] = remote;
    return;
  }
  // [R10] An area that is switched off is left as it was: its bases wait, so that switching it on again merges honestly.
  if (!isAreaOn(spec.area, settings)) return;
  const verdict = judgeRegister(spec, base[name], shown[name], remote);
  if (verdict.is === 'agreed') {
    base[name] = remote;
    return;
  }
  if (verdict.is === 'unchanged') return;
  if (!mayLead(side.side, settings)) {
    recordDrift(step);
    return;
  }
  if (spec.kind === 'set') {
    const to = mergeSet(base[name] as readonly string[], hub[name] as readonly string[], remote as readonly string[]);
    if (!spec.same(to, hub[name])) moveHub(step, to, 'outside_change');
    base[name] = remote;
    return;
  }
  if (verdict.is === 'moved') {
    moveHub(step, remote, 'outside_change');
    base[name] = remote;
    return;
  }
  const hubSeen = step.seen[step.path];
  const decision = decideConflict({
    policy: settings.conflictResolution,
    preferredSide: settings.preferredSide,
    side: side.side,
    hubSeen: hubSeen !== undefined && hubSeen.side !== side.side ? hubSeen : null,
    now: side.readAt,
  });
  if (decision === 'person') {
    step.holds.conflicts.push({ path: step.path, base: base[name], hub: hub[name], remote });
    return;
  }
  if (decision === 'remote') moveHub(step, remote, 'conflict_remote');
  else step.changes.push({ path: step.path, from: remote, to: hub[name], origin: side.side, cause: 'kept_hub' });
  base[name] = remote;
}

/** [R11] The target of a one-way pair differs by itself: shown, and written over only where the pair says so. */
function recordDrift(step: FieldStep): void {
  const { base, name, remote, hub, settings } = step;
  if (settings.enforce) {
    step.changes.push({ path: step.path, from: remote, to: hub[name], origin: step.side.side, cause: 'enforced' });
    base[name] = remote;
    return;
  }
  step.holds.drift.push({ path: step.path, base: base[name], hub: hub[name], remote });
}

function moveHub(step: FieldStep, to: unknown, cause: FieldChange['cause']): void {
  const { hub, name, path, side } = step;
  step.changes.push({ path, from: hub[name], to, origin: side.side, cause });
  hub[name] = to;
  step.seen[path] = { side: side.side, at: side.readAt };
}

/** [R12] What one side lacks: fields whose base is not what the hub would show there, save those held back. */
function planWrite(
  hub: CanonicalProduct,
  shown: CanonicalProduct,
  base: CanonicalProduct,
  side: Side,
  held: ReadonlySet<FieldPath>,
  settings: PairSettings,
): SideWrite | null {
  if (!mayFollow(side, settings)) return null;
  const fields: Record<string, unknown> = {};
  for (const name of PRODUCT_FIELD_NAMES) {
    const spec = PRODUCT_FIELDS[name] as FieldSpec<unknown>;
    if (isWanted(spec, name, base.fields[name], shown.fields[name], held, settings)) fields[name] = hub.fields[name];
  }
  const variants: Record<string, Record<string, unknown>> = {};
  const newVariants: VariantId[] = [];
  for (const [id, value] of Object.entries(hub.variants) as [VariantId, VariantFields][]) {
    const baseVariant = base.variants[id];
    const shownVariant = shown.variants[id];
    if (baseVariant === undefined || shownVariant === undefined) {
      if (settings.syncProducts && shownVariant !== undefined) newVariants.push(id);
      continue;
    }
    for (const name of VARIANT_FIELD_NAMES) {
      const spec = VARIANT_FIELDS[name] as FieldSpec<unknown>;
      if (!isWanted(spec, variantPath(id, name), baseVariant[name], shownVariant[name], held, settings)) continue;
      variants[id] = { ...variants[id], [name]: value[name] };
    }
  }
  if (Object.keys(fields).length === 0 && Object.keys(variants).length === 0 && newVariants.length === 0) return null;
  return {
    fields: fields as Partial<ProductFields>,
    variants: variants as Record<VariantId, Partial<VariantFields>>,
    newVariants,
  };
}

function isWanted(
  spec: FieldSpec<unknown>,
  path: FieldPath,
  base: unknown,
  shown: unknown,
  held: ReadonlySet<FieldPath>,
  settings: PairSettings,
): boolean {
  return spec.kind !== 'create_only' && isAreaOn(spec.area, settings) && !held.has(path) && !spec.same(base, shown);
}

/** Who moved a field matters only while some side has still to follow: afterwards there is nothing left to win. */
function pruneSeen(
  seen: FieldSeen,
  inputs: readonly SideInput[],
  results: Partial<PerSide<SideResult>>,
  hub: CanonicalProduct,
): FieldSeen {
  const kept: Record<string, { side: Side; at: number }> = {};
  for (const [path, value] of Object.entries(seen)) {
    const parsed = parsePath(path);
    if (parsed === null) continue;
    const isPending = inputs.some((input) => {
      const base = results[input.side]?.base ?? input.base;
      const shown = input.represent(hub);
      if (parsed.variantId === null)
        return !(PRODUCT_FIELDS[parsed.name] as FieldSpec<unknown>).same(
          base.fields[parsed.name],
          shown.fields[parsed.name],
        );
      const baseVariant = base.variants[parsed.variantId];
      const shownVariant = shown.variants[parsed.variantId];
      if (baseVariant === undefined || shownVariant === undefined) return shownVariant !== undefined;
      return !(VARIANT_FIELDS[parsed.name] as FieldSpec<unknown>).same(
        baseVariant[parsed.name],
        shownVariant[parsed.name],
      );
    });
    if (isPending) kept[path] = value;
  }
  return kept;
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
