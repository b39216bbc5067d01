import type { VariantId } from '../model/ids.ts';
import type { PerSide, Side } from '../model/platform.ts';
import type { CanonicalProduct, VariantFields } from '../model/product.ts';
import { absorbField } from './absorb-field.ts';
import {
  type FieldSpec,
  PRODUCT_FIELD_NAMES,
  PRODUCT_FIELDS,
  VARIANT_FIELD_NAMES,
  VARIANT_FIELDS,
  variantPath,
} from './fields.ts';
import { planWrite, pruneSeen } from './plan-write.ts';
import type { FieldChange, OpenConflict, ReconcileInput, Reconciliation, SideResult } from './reconciliation.ts';

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
  const absorbed = input.sides.map((side) => {
    const base = thaw(side.base);
    const holds = { conflicts: [] as OpenConflict[], drift: [] as OpenConflict[] };
    const { remote } = side;
    if (remote === null) return { input: side, base, holds };
    const shown = thaw(side.represent(freeze(hub)));
    const common = { side: side.side, readAt: side.readAt, settings, seen, changes, holds };
    for (const name of PRODUCT_FIELD_NAMES) {
      absorbField({
        ...common,
        spec: PRODUCT_FIELDS[name] as FieldSpec<unknown>,
        path: name,
        name,
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
        absorbField({
          ...common,
          spec: VARIANT_FIELDS[name] as FieldSpec<unknown>,
          path: variantPath(id, name),
          name,
          base: baseVariant,
          shown: shownVariant,
          hub: hubVariant,
          remote: fields[name],
        });
      }
    }
    return { input: side, base, holds };
  });

  const merged = freeze(hub);
  const sides: Partial<PerSide<SideResult>> = {};
  const standings = absorbed.map((side) => ({
    side: side.input.side,
    base: freeze(side.base),
    shown: side.input.represent(merged),
    holds: side.holds,
    remote: side.input.remote,
  }));
  for (const standing of standings) {
    const { side, base, holds, remote } = standing;
    const held = new Set([...holds.conflicts, ...holds.drift].map((hold) => hold.path));
    sides[side] = { wasRead: remote !== null, base, write: planWrite(merged, standing, held, settings), ...holds };
  }
  return { hub: merged, seen: pruneSeen(seen, standings), changes, sides };
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
