import { isAreaOn } from '../core/direction.ts';
import {
  type FieldSpec,
  PRODUCT_FIELD_NAMES,
  PRODUCT_FIELDS,
  VARIANT_FIELD_NAMES,
  VARIANT_FIELDS,
} from '../core/fields.ts';
import { setField } from '../core/resolve.ts';
import type { Db } from '../db/database.ts';
import { findProblemDetails, listOpenProblems } from '../db/writers/history.ts';
import type { ProductId } from '../model/ids.ts';
import type { PerSide, Side } from '../model/platform.ts';
import type { CanonicalProduct } from '../model/product.ts';
import type { DriftDetails } from './conflicts/order-drift.ts';
import type { EngineContext } from './context.ts';
import { baseOf, type HubState, loadHub } from './hub.ts';
import { loadPairView, type PairView } from './pair-view.ts';
import { maybeHiddenOn, shownOn } from './products/shown.ts';
import { owesStock } from './stock/owes-stock.ts';

/** One side of a record as it was last known. */
export interface HeldRecord {
  /** With the variants that are bound there. */
  readonly product: CanonicalProduct;
  /**
   * Paths of the fields that it holds otherwise than it would show what the hub holds (`title`, `variant.<id>.price`, `variant.<id>.stock`), of those that
   * the pair keeps the same. What a platform can't show otherwise (a draft for an archived product, a rounded price) is none.
   */
  readonly apart: readonly string[];
}

/** What both sides of a record were last known to hold, each as its platform shows it; null where it has no record, nor one under way. */
export function heldBy(ctx: EngineContext, productId: ProductId): PerSide<HeldRecord | null> {
  const hub = loadHub(ctx.db, productId);
  const view = hub === null ? null : loadPairView(ctx, hub.row.pairId);
  const side = (name: Side) =>
    hub === null || view === null || hub.bindings[name] === undefined ? null : heldOn(ctx.db, view, hub, name);
  return { woocommerce: side('woocommerce'), shopify: side('shopify') };
}

function heldOn(db: Db, view: PairView, hub: HubState, side: Side): HeldRecord {
  const product = withDrift(db, hub, side, baseOf(hub, side, view));
  // One that is deleted is kept the same as nothing.
  return { product, apart: hub.row.state === 'live' ? apartOn(view, hub, side, product) : [] };
}

/** [R11] A drifted field's base is what was last agreed on; what the side shows is kept with the problem. */
function withDrift(db: Db, hub: HubState, side: Side, base: CanonicalProduct): CanonicalProduct {
  const own = `${hub.row.id}:`;
  const drifts = listOpenProblems(db, hub.row.id).filter(
    (one) => one.code === 'DRIFT' && one.side === side && one.subject.startsWith(own),
  );
  return drifts.reduce((product, { subject }) => {
    const told = findProblemDetails(db, hub.row.pairId, 'DRIFT', subject) as Partial<DriftDetails> | null;
    return told?.remote === undefined ? product : setField(product, subject.slice(own.length), told.remote);
  }, base);
}

function apartOn(view: PairView, hub: HubState, side: Side, held: CanonicalProduct): string[] {
  const shown = shownOn(view, side, maybeHiddenOn(view, hub, side))(hub.row.data);
  const isApart = (spec: FieldSpec<unknown>, a: unknown, b: unknown): boolean =>
    spec.kind !== 'create_only' && isAreaOn(spec.area, view.settings) && !spec.same(a, b);
  const fields = PRODUCT_FIELD_NAMES.filter((name) =>
    isApart(PRODUCT_FIELDS[name] as FieldSpec<unknown>, held.fields[name], shown.fields[name]),
  );
  const variants = [...hub.variantBindings[side].values()].flatMap((row) => {
    const [a, b] = [held.variants[row.variantId], shown.variants[row.variantId]];
    if (a === undefined || b === undefined) return [];
    const names: string[] = VARIANT_FIELD_NAMES.filter((name) =>
      isApart(VARIANT_FIELDS[name] as FieldSpec<unknown>, a[name], b[name]),
    );
    if (owesStock(view, hub, side, row)) names.push('stock');
    return names.map((name) => `variant.${row.variantId}.${name}`);
  });
  return [...fields, ...variants];
}
