import { mayFollow, mayLead } from '../../core/direction.ts';
import {
  type FieldSpec,
  PRODUCT_FIELD_NAMES,
  PRODUCT_FIELDS,
  VARIANT_FIELD_NAMES,
  VARIANT_FIELDS,
} from '../../core/fields.ts';
import type { FieldPast, SideWrite } from '../../core/reconciliation.ts';
import { stockTarget } from '../../core/stock.ts';
import { fingerprint } from '../../lib/hash.ts';
import type { ConnectorError } from '../../model/connector-error.ts';
import type { ProductId, VariantId } from '../../model/ids.ts';
import type { PlanAction, PlanItemData, PlannedField, PlannedStock } from '../../model/plan.ts';
import { otherSide, type PerSide, PLATFORM_NAME, SIDES, type Side } from '../../model/platform.ts';
import type { CanonicalProduct, VariantFields } from '../../model/product.ts';
import type { ProductSnapshot, VariantSnapshot } from '../../model/snapshot.ts';
import type { StockLimit } from '../../model/stock.ts';
import type { ProductCreate } from '../../ports/connector.ts';
import type { HubState } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import { otherPrices } from '../pairs/other-prices.ts';
import { type Decision, decide } from '../products/decide.ts';
import { isRepublished } from '../products/handle-republished.ts';
import { withoutReplaced } from '../products/replaced-variants.ts';
import { leftOutWords } from '../products/unsyncable-words.ts';
import { isQuietLine, plannedStock, quantityToMake, readingsOf, type StaysLook, variantName } from './plan-stock.ts';
import { withoutRefused } from './without-refused.ts';

export interface PlannedItem {
  readonly action: PlanAction;
  readonly productId: ProductId | null;
  readonly snapshots: Partial<PerSide<ProductSnapshot>>;
  readonly fingerprint: string;
  readonly data: PlanItemData;
  /** What would be made, where something would. */
  readonly create?: ProductCreate;
}

/** A hub record that doesn't exist yet: what linking or creating would begin with. */
function emptyHub(view: PairView, first: ProductSnapshot): HubState {
  return {
    row: {
      id: 'prd_planned' as ProductId,
      pairId: view.pair.id,
      data: { fields: first.fields, variants: {} },
      seen: {},
      state: 'live',
      deletedOn: null,
      priorStatus: null,
      title: first.fields.title,
      titleKey: '',
      imageUrl: first.imageUrl,
      createdAt: 0,
      updatedAt: 0,
    },
    bindings: {},
    variants: new Map(),
    variantBindings: { woocommerce: new Map(), shopify: new Map() },
  };
}

/** Of everything that a plan item was decided on, except stock: a busy shop's numbers move all the time, and the plan holds their rule. */
export function fingerprintOf(snapshots: Partial<PerSide<ProductSnapshot>>): string {
  return fingerprint(
    SIDES.map((side) => {
      const snapshot = snapshots[side];
      return snapshot === undefined
        ? null
        : [
            snapshot.externalId,
            snapshot.trashed,
            snapshot.unsyncable,
            snapshot.fields,
            snapshot.variants.map((variant) => [variant.externalId, variant.fields, isTracked(snapshot, variant)]),
          ];
    }),
  );
}

/** Null where nobody can tell. */
function isTracked({ stockUnread }: ProductSnapshot, { stock }: VariantSnapshot): boolean | null {
  return stockUnread === undefined ? stock.tracked : null;
}

/**
 * What a sync would do with one product, from the very decision that the live path makes; nothing is stored.
 * `hub` null: the records are not linked yet. `stays`: which stock numbers are left as they are; `past`: of a linked one.
 */
export function planItem(
  view: PairView,
  hub: HubState | null,
  snapshots: Partial<PerSide<ProductSnapshot>>,
  by: string,
  readAt: number,
  stays: StaysLook = () => false,
  past?: FieldPast,
): PlannedItem {
  const first = snapshots.woocommerce ?? snapshots.shopify;
  const base = { productId: hub?.row.id ?? null, snapshots, fingerprint: fingerprintOf(snapshots) };
  if (first === undefined) return { ...base, action: 'none', data: emptyData('nothing was read') };
  const unfit = SIDES.map((side) => snapshots[side]?.unsyncable).find((reason) => reason);
  if (unfit)
    return {
      ...base,
      action: 'skip',
      data: { ...emptyData(leftOutWords(unfit)), imageUrl: first.imageUrl },
    };

  let minted = 0;
  const mint = () => {
    minted += 1;
    return `var_planned_${minted}` as VariantId;
  };
  const start = hub ?? emptyHub(view, first);
  const decision = decide(view, start, snapshots, mint, readAt, past);
  const missing = SIDES.filter((side) => snapshots[side] === undefined && start.bindings[side] === undefined);
  const target = missing[0];
  if (target !== undefined) {
    const source = snapshots[otherSide(target)] ?? first;
    // [G8] [G12] What was put away with a delete stays so, until somebody puts it on sale again.
    if (start.row.state === 'deleted' && !isRepublished(view, start, otherSide(target), source))
      return {
        ...base,
        action: 'none',
        data: { ...emptyData(`It was deleted in ${PLATFORM_NAME[target]}.`), imageUrl: source.imageUrl },
      };
    return { ...base, ...planCreate(view, start, target, source, decision, by) };
  }

  const promised = SIDES.map((side) => {
    const owed = decision.reconciliation.sides[side]?.write ?? null;
    const snapshot = snapshots[side];
    const own =
      snapshot === undefined ? { write: owed, refusals: [] } : withoutRefused(view, decision, side, snapshot, owed);
    return { side, ...own };
  });
  const fields = promised.flatMap(({ side, write }) => plannedFields(view, side, write, decision));
  const refused = promised.flatMap(({ side, refusals }) => refusals.map(({ message }) => ({ side, message })));
  const stock = plannedStock(view, withoutReplaced(start, decision.replaced), decision, stays);
  const conflicts = SIDES.flatMap((side) => decision.reconciliation.sides[side]?.conflicts ?? []);
  const isQuiet = fields.length === 0 && refused.length === 0 && stock.every((line) => isQuietLine(line, hub !== null));
  const action: PlanAction = hub === null ? 'link' : isQuiet && conflicts.length === 0 ? 'none' : 'update';
  return {
    ...base,
    action,
    data: {
      side: null,
      reason: by,
      fields,
      stock: isQuiet ? [] : stock,
      imageUrl: first.imageUrl,
      conflicts: conflicts.length,
      ...(refused.length === 0 ? {} : { refused }),
    },
  };
}

/** A product that has nothing to buy in it is made as soon as it has. */
const LIMIT_RULES: Readonly<Record<StockLimit, string>> = {
  sold_out: 'sold out and not counted by itself',
  shared: 'counted together with other variants and not counted by itself',
  elsewhere: 'not stocked at the linked location',
};

export const NO_VARIANTS = 'It has no variants to sell yet.';

/** What its shop hides is not put on show in the other one; it is made as soon as it is shown. */
export function withheldWords(target: Side, why: string): string {
  return `Not made in ${PLATFORM_NAME[target]} for now. ${why}`;
}

export function emptyData(reason: string): PlanItemData {
  return { side: null, reason, fields: [], stock: [], imageUrl: '', conflicts: 0 };
}

export function refusedItem(
  side: Side,
  { message }: ConnectorError,
  imageUrl: string,
): Pick<PlannedItem, 'action' | 'data'> {
  const reason = `${PLATFORM_NAME[side]} would refuse it: ${message.replace(/\.$/, '')}.`;
  return { action: 'skip', data: { ...emptyData(reason), side, imageUrl, isRefused: true } };
}

function planCreate(
  view: PairView,
  start: HubState,
  side: Side,
  source: ProductSnapshot,
  decision: Decision,
  by: string,
): Pick<PlannedItem, 'action' | 'data' | 'create'> {
  const { settings } = view;
  const { hub } = decision.reconciliation;
  const skip = (reason: string) =>
    ({ action: 'skip', data: { ...emptyData(reason), side, imageUrl: source.imageUrl } }) as const;
  if (!settings.syncProducts || !settings.createOn[side] || !mayFollow(side, settings))
    return skip('The pair settings say that such products are not created there.');
  if (Object.keys(hub.variants).length === 0) return skip(NO_VARIANTS);
  const prices = otherPrices(view);
  if (prices !== null) return skip(prices);
  if (source.withheld !== undefined) return skip(withheldWords(side, source.withheld));
  // [B12] Whether it would be refused is asked once the bin of that side is known (`bins.ts`).
  const create: ProductCreate = {
    type: 'create',
    mark: { pairId: view.pair.id, hubId: 'prd_planned' as ProductId },
    fields: hub.fields,
    variants: (Object.entries(hub.variants) as [VariantId, VariantFields][]).map(([variantId, fields]) => ({
      ...{ variantId, fields },
      stock: { tracked: false, quantity: 0 },
    })),
  };
  const fields: PlannedField[] = PRODUCT_FIELD_NAMES.filter(
    (name) => !(PRODUCT_FIELDS[name] as FieldSpec<unknown>).isBlank(hub.fields[name]),
  ).map((name) => ({ side, field: PRODUCT_FIELDS[name].label, from: null, to: hub.fields[name] }));
  const stock: PlannedStock[] = [];
  const readings = readingsOf(decision, otherSide(side));
  for (const [id, variant] of Object.entries(hub.variants) as [VariantId, VariantFields][]) {
    const read = readings.get(id);
    fields.push({ side, field: labelFor(variant, 'Price'), from: null, to: variant.price });
    if (read?.stock.tracked) {
      const quantity = quantityToMake(view, start, otherSide(side), id, read);
      const result = stockTarget(quantity, variant.backorders, settings);
      stock.push({
        label: variantName(variant),
        woocommerce: side === 'woocommerce' ? null : read.stock.quantity,
        shopify: side === 'shopify' ? null : read.stock.quantity,
        result,
        rule: 'as it is',
      });
    } else if (read?.stock.limited !== undefined) {
      const line = { label: variantName(variant), woocommerce: null, shopify: null };
      stock.push({ ...line, result: 0, rule: `${LIMIT_RULES[read.stock.limited]}: made with nothing to sell` });
    }
  }
  return {
    action: 'create',
    create,
    data: { side, reason: by, fields, stock, imageUrl: source.imageUrl, conflicts: 0 },
  };
}

function plannedFields(
  view: PairView,
  side: Side,
  write: SideWrite | null,
  decision: Decision,
): readonly PlannedField[] {
  if (write === null) return [];
  const { hub } = decision.reconciliation;
  const base = decision.reconciliation.sides[side]?.base;
  const list: PlannedField[] = [];
  for (const [name, to] of Object.entries(write.fields)) {
    list.push({
      side,
      field: PRODUCT_FIELDS[name as keyof CanonicalProduct['fields']].label,
      from: base?.fields[name as keyof CanonicalProduct['fields']] ?? null,
      to,
    });
  }
  for (const [id, fields] of Object.entries(write.variants) as [VariantId, Partial<VariantFields>][]) {
    const variant = hub.variants[id];
    // [V4] Gone on the other side: what was owed to its counterpart is not written any more.
    if (decision.matches[otherSide(side)]?.missing.includes(id) && mayLead(otherSide(side), view.settings)) continue;
    for (const name of VARIANT_FIELD_NAMES) {
      if (!(name in fields) || variant === undefined) continue;
      list.push({
        side,
        field: labelFor(variant, VARIANT_FIELDS[name].label),
        from: base?.variants[id]?.[name] ?? null,
        to: fields[name],
      });
    }
  }
  for (const id of write.newVariants) {
    const variant = hub.variants[id];
    if (variant !== undefined)
      list.push({ side, field: labelFor(variant, 'New variant'), from: null, to: variant.price });
  }
  return list;
}

function labelFor(variant: VariantFields, label: string): string {
  return variant.optionValues.length > 0 ? `${variant.optionValues.join(' / ')}: ${label}` : label;
}
