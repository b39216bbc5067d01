import { isAreaOn, mayLead } from '../../core/direction.ts';
import {
  type FieldSpec,
  PRODUCT_FIELD_NAMES,
  PRODUCT_FIELDS,
  VARIANT_FIELD_NAMES,
  VARIANT_FIELDS,
} from '../../core/fields.ts';
import type { VariantId } from '../../model/ids.ts';
import { otherSide, type Side } from '../../model/platform.ts';
import type { CanonicalProduct, VariantFields } from '../../model/product.ts';
import { baseOf, type HubState, isBound, knownPart } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import { landedBase } from './decide.ts';
import type { ProductSubject } from './product-subject.ts';
import { hiddenIn, hideIn, maybeHiddenOn, shownOn } from './shown.ts';

/** [G9] Who deleted had not seen an edit: the hub holds it still, or the other side was read with it just now. */
export function hasUnseenEdit(view: PairView, subject: ProductSubject, hub: HubState, side: Side): boolean {
  const other = otherSide(side);
  // [G8] Who deleted it there, too, had seen what was typed there; and where there is no other record, nobody holds an edit.
  if (!isBound(hub, other) || subject.gone.has(other) || subject.snapshots[other]?.trashed === true) return false;
  // [R9] What the hub holds against the source of a one-way pair is no edit of it, and is not to outlive it.
  if (!mayLead(other, view.settings)) return false;
  const shown = shownOn(view, side, maybeHiddenOn(view, hub, side));
  if (differs(shown(baseOf(hub, side, view)), shown(hub.row.data), view)) return true;
  const snapshot = subject.snapshots[other];
  if (snapshot === undefined) return false;
  const hidden = hiddenIn(view, hub, other, snapshot);
  const known = knownPart(hub, other, snapshot);
  // What a write of ours did there that had no answer is nobody's edit.
  const base = landedBase(baseOf(hub, other, view), hub, other, known, shownOn(view, other, hidden));
  return differs(hideIn(base, hidden), known, view);
}

/** Whether a product was edited. That it was put away is no edit which a delete would undo; a variant that only one has is none either. */
function differs(before: CanonicalProduct, after: CanonicalProduct, view: PairView): boolean {
  const isEdit = (spec: FieldSpec<unknown>, from: unknown, to: unknown) =>
    spec.kind !== 'create_only' && isAreaOn(spec.area, view.settings) && !spec.same(from, to);
  const isPutAway = after.fields.status === 'draft' || after.fields.status === 'archived';
  return (
    PRODUCT_FIELD_NAMES.some(
      (name) =>
        !(name === 'status' && isPutAway) &&
        isEdit(PRODUCT_FIELDS[name] as FieldSpec<unknown>, before.fields[name], after.fields[name]),
    ) ||
    (Object.entries(after.variants) as [VariantId, VariantFields][]).some(([id, own]) => {
      const known = before.variants[id];
      return (
        known !== undefined &&
        VARIANT_FIELD_NAMES.some((name) => isEdit(VARIANT_FIELDS[name] as FieldSpec<unknown>, known[name], own[name]))
      );
    })
  );
}
