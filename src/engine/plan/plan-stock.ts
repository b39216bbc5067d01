import { mayFollow } from '../../core/direction.ts';
import { countHidden, linkStock, observeStock, relinkStock, stockTarget } from '../../core/stock.ts';
import type { VariantRow } from '../../db/schema/product.ts';
import type { VariantId } from '../../model/ids.ts';
import { isStockWritten, type PlannedStock } from '../../model/plan.ts';
import { otherSide, type PerSide, SIDES, type Side } from '../../model/platform.ts';
import type { VariantFields } from '../../model/product.ts';
import type { VariantSnapshot } from '../../model/snapshot.ts';
import type { StockSnapshot } from '../../model/stock.ts';
import type { HubState } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import type { Decision } from '../products/decide.ts';
import { baseShownAgain } from '../stock/count-shown-again.ts';
import { receivesStock } from '../stock/stock-drift.ts';

/** Whether a side's number is left as it is though it ought to be `target` [S11]. */
export type StaysLook = (variantId: VariantId, side: Side, target: number) => boolean;

type Readings = Partial<PerSide<VariantSnapshot['stock']>>;

const UNCOUNTED = 'counted on one side only: left alone';
const COUNTED = "both sides' changes add up";
const DRIFTED = 'moved by itself where stock is only received: left alone';

/** Stock lines hold the rule and the numbers seen now; apply reads again. */
export function plannedStock(
  view: PairView,
  hub: HubState,
  decision: Decision,
  stays: StaysLook,
): readonly PlannedStock[] {
  if (!view.settings.syncInventory) return [];
  const read = { woocommerce: readingsOf(decision, 'woocommerce'), shopify: readingsOf(decision, 'shopify') };
  return Object.entries(decision.reconciliation.hub.variants).flatMap(([key, fields]): PlannedStock[] => {
    const id = key as VariantId;
    const woocommerce = read.woocommerce.get(id)?.stock;
    const shopify = read.shopify.get(id)?.stock;
    if (woocommerce === undefined || shopify === undefined) return [];
    if (!woocommerce.tracked && !shopify.tracked) return [];
    const line = {
      label: variantName(fields),
      woocommerce: woocommerce.tracked ? woocommerce.quantity : null,
      shopify: shopify.tracked ? shopify.quantity : null,
    };
    const known = countedStock(view, hub, id, fields, { woocommerce, shopify }, stays);
    if (known !== null) return [{ ...line, ...known }];
    const before = decision.revived.has(id) ? hub.variants.get(id) : undefined;
    const again = before === undefined ? null : shownAgain(view, hub, decision, before, { woocommerce, shopify });
    if (again !== null) {
      const result = stockTarget(again, fields.backorders, view.settings);
      return [{ ...line, result, rule: COUNTED }];
    }
    const stockLinkRule = before === undefined ? view.settings.stockLinkRule : 'smaller';
    const link =
      before === undefined
        ? linkStock(woocommerce, shopify, view.settings)
        : relinkStock(
            woocommerce,
            shopify,
            { quantity: before.quantity, keptBack: before.keptBack, backorders: fields.backorders },
            view.settings,
          );
    if (link.is === 'untracked') return [{ ...line, result: null, rule: UNCOUNTED }];
    if (link.is === 'needs_consent') return [{ ...line, result: null, rule: 'zero against stock: needs your consent' }];
    const result = stockTarget(link.quantity, fields.backorders, view.settings);
    const rule = `first link: ${stockLinkRule}`;
    return [{ ...line, ...onlySome(SIDES.filter((side) => mayBeWritten(view, side))), result, rule }];
  });
}

/** What becomes of stock that is linked already, as the live path counts and writes it; null where it is not. */
function countedStock(
  view: PairView,
  hub: HubState,
  id: VariantId,
  fields: VariantFields,
  readings: Required<Readings>,
  stays: StaysLook,
): Pick<PlannedStock, 'result' | 'rule' | 'only'> | null {
  const row = hub.variants.get(id);
  const bases = {
    woocommerce: hub.variantBindings.woocommerce.get(id),
    shopify: hub.variantBindings.shopify.get(id),
  };
  if (row === undefined || bases.woocommerce === undefined || bases.shopify === undefined) return null;
  let quantity = row.quantity;
  let isPaused = row.stockState !== 'live';
  const moved: Side[] = [];
  for (const side of SIDES) {
    const { baseQuantity, baseTracked } = bases[side] ?? bases.woocommerce;
    const seen = observeStock({ quantity: baseQuantity, tracked: baseTracked }, readings[side]);
    if (seen.is !== 'counted') isPaused = true;
    else if (seen.delta !== 0) {
      moved.push(side);
      // [S11] What moves by itself where stock is only received does not move the hub.
      if (!receivesStock(view, side)) quantity += seen.delta;
    }
  }
  if (isPaused) return { result: null, rule: 'paused: a person decides' };
  if (!readings.woocommerce.tracked || !readings.shopify.tracked) return { result: null, rule: UNCOUNTED };
  const result = stockTarget(quantity, fields.backorders, view.settings);
  // As it stands now the side is level, or was left alone: only another number of the source's has it written.
  const isDrift = (side: Side) =>
    receivesStock(view, side) && !view.settings.enforce && moved.includes(side) && bases[side]?.baseQuantity === result;
  const sides = SIDES.filter((side) => mayBeWritten(view, side) && !isDrift(side) && !stays(id, side, result));
  if (sides.length === 0) return { result: null, rule: DRIFTED };
  return { ...onlySome(sides), result, rule: COUNTED };
}

/** [V5] What the hub holds of a variant that was only hidden and is shown again; null: it is linked anew. */
function shownAgain(
  view: PairView,
  hub: HubState,
  decision: Decision,
  row: VariantRow,
  readings: PerSide<StockSnapshot>,
): number | null {
  const { removedBase } = row;
  if (removedBase === null || SIDES.some((side) => receivesStock(view, side))) return null;
  const { side } = removedBase;
  const variant = decision.matches[side]?.known.get(row.id);
  const known = variant === undefined ? null : baseShownAgain(row, side, variant);
  const other = hub.variantBindings[otherSide(side)].get(row.id);
  if (known === null || other === undefined) return null;
  const own = { quantity: known, tracked: true };
  const theirs = { quantity: other.baseQuantity, tracked: other.baseTracked };
  const bases = side === 'woocommerce' ? { woocommerce: own, shopify: theirs } : { woocommerce: theirs, shopify: own };
  const deltas = countHidden(bases, readings);
  return deltas === null ? null : row.quantity + deltas.woocommerce + deltas.shopify;
}

/** [S2] What a variant is made with on the other side: what the hub holds of it by then, of which its own side may show less (S1); of a new one what that shows. */
export function quantityToMake(
  view: PairView,
  hub: HubState,
  side: Side,
  id: VariantId,
  { stock }: VariantSnapshot,
): number {
  const row = hub.variants.get(id);
  const bound = hub.variantBindings[side].get(id);
  if (row?.stockState !== 'live' || bound?.baseTracked !== true) return stock.quantity;
  const delta = stock.quantity - bound.baseQuantity;
  // [T2] While inventory is switched off nothing is counted: where its number moved, it begins with that.
  return view.settings.syncInventory || delta === 0 ? row.quantity + delta : stock.quantity;
}

/** [R9] A person has made stock one-way: its source is never written. */
function mayBeWritten(view: PairView, side: Side): boolean {
  return view.settings.stockTwoWay || mayFollow(side, view.settings);
}

function onlySome(sides: readonly Side[]): Pick<PlannedStock, 'only'> {
  const [only, other] = sides;
  return only === undefined || other !== undefined ? {} : { only };
}

/** Whether nothing comes of a line. Of a product that is being linked, what is left alone is said, too. */
export function isQuietLine(line: PlannedStock, isLinked: boolean): boolean {
  if (line.result === null) return isLinked && (line.rule === UNCOUNTED || line.rule === DRIFTED);
  return !SIDES.some((side) => isStockWritten(line, side));
}

/** What a side shows of each variant: of those that we know, and of those that join. */
export function readingsOf(decision: Decision, side: Side): ReadonlyMap<VariantId, VariantSnapshot> {
  const readings = new Map(decision.matches[side]?.known);
  const minted = decision.minted[side];
  for (const variant of decision.matches[side]?.added ?? []) {
    const id = minted?.get(variant.externalId);
    if (id !== undefined && !readings.has(id)) readings.set(id, variant);
  }
  return readings;
}

export function variantName(fields: VariantFields): string {
  return fields.optionValues.length > 0 ? fields.optionValues.join(' / ') : fields.sku;
}
