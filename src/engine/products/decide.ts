import { mayLead } from '../../core/direction.ts';
import { type FieldSpec, PRODUCT_FIELDS, VARIANT_FIELDS } from '../../core/fields.ts';
import { keepOptions, learnBackorders } from '../../core/hide.ts';
import { landedOptions } from '../../core/landed-options.ts';
import { attachBase } from '../../core/link.ts';
import { readAsKnown } from '../../core/read-as-known.ts';
import { reconcile } from '../../core/reconcile.ts';
import type { FieldPast, Reconciliation, SideInput } from '../../core/reconciliation.ts';
import { matchVariants, readUnder, underCodesOf, type VariantMatch } from '../../core/variants.ts';
import type { ProductIntent } from '../../model/hub.ts';
import type { VariantId } from '../../model/ids.ts';
import { otherSide, type PerSide, SIDES, type Side } from '../../model/platform.ts';
import type {
  CanonicalProduct,
  ProductFieldName,
  ProductFields,
  VariantFieldName,
  VariantFields,
} from '../../model/product.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import { baseOf, type HubState, isBound } from '../hub.ts';
import { leads, settingsFor } from '../leads.ts';
import type { PairView } from '../pair-view.ts';
import { leaveAway } from './left-away.ts';
import { linkOptions } from './link-options.ts';
import type { Replaced } from './replaced-variants.ts';
import { fixedOptions, hiddenAmong, hiddenOn, shownOn } from './shown.ts';
import { fieldsShownAgain, yieldToAdded } from './shown-again.ts';
import { boundIds, takeApart } from './take-apart.ts';

/** Everything that follows from one hub product and what was read of it. Nothing of it is done yet. */
export interface Decision {
  readonly reconciliation: Reconciliation;
  readonly matches: Partial<PerSide<VariantMatch>>;
  /** Hub ids that new variants of a side were given. */
  readonly minted: Partial<PerSide<ReadonlyMap<string, VariantId>>>;
  /** Variants that had been removed on one side and were added there again. */
  readonly revived: ReadonlySet<VariantId>;
  /** Variants that were removed on a side and added there again since it was last read, or whose record there was given to another one. */
  readonly replaced: readonly Replaced[];
  /** Sides that are linked to this hub record by this very decision. */
  readonly attached: readonly Side[];
  /** The base that each side was merged from, with what was found to have landed taken into it. */
  readonly starts: Partial<PerSide<CanonicalProduct>>;
}

/** A hub record as a pass finds it. `madeAgainOn`: it was deleted until this very pass, and lives again by a new record of that side [G8]. */
export type FoundHub = HubState & { readonly madeAgainOn?: Side };

/**
 * The same decision in the plan preview and on the live path: variants recognised, a newly attached side given its base by the link
 * rule, settled intents taken into their bases, and the merge.
 */
export function decide(
  view: PairView,
  before: FoundHub,
  snapshots: Partial<PerSide<ProductSnapshot>>,
  mintVariantId: () => VariantId,
  readAt: number,
  past?: FieldPast,
): Decision {
  const { hub, replaced, revived } = takeApart(view, before, snapshots);
  const merged = settingsFor(view, hub, snapshots);
  const isRemoved = (id: VariantId) => hub.variants.get(id)?.stockState === 'removed' && !revived.has(id);
  let data = livingOf(hub, isRemoved);
  const matches: Partial<PerSide<VariantMatch>> = {};
  const minted: Partial<PerSide<ReadonlyMap<string, VariantId>>> = {};
  const remotes: Partial<PerSide<CanonicalProduct>> = {};
  const unread = { woocommerce: hiddenOn(view, hub, 'woocommerce'), shopify: hiddenOn(view, hub, 'shopify') };
  const rules = { woocommerce: unread.woocommerce.rules, shopify: unread.shopify.rules };
  // Leaders first: a new variant of the source is known to the hub before the target's own are held against it.
  const leadersFirst = [...SIDES].sort((a, b) => Number(mayLead(b, view.settings)) - Number(mayLead(a, view.settings)));
  for (const side of leadersFirst) {
    const snapshot = snapshots[side];
    if (snapshot === undefined) continue;
    const other = otherSide(side);
    const told = mayLead(other, view.settings) ? remotes[other] : undefined;
    const match = matchVariants(underCodesOf(data, told), boundIds(hub, side), snapshot);
    matches[side] = match;
    const known = new Map(match.known);
    const ids = new Map<string, VariantId>();
    const mayJoin = mayLead(side, view.settings) || isFirst(hub, side);
    const variants = { ...data.variants };
    for (const { item, fields } of mayJoin ? readUnder(data.fields.optionNames, snapshot, match.added) : []) {
      const id = mintVariantId();
      ids.set(item.externalId, id);
      known.set(id, item);
      variants[id] = fields;
    }
    if (ids.size > 0) data = { ...data, variants };
    minted[side] = ids;
    for (const id of [...known.keys()]) if (isRemoved(id)) known.delete(id);
    remotes[side] = readAsKnown(snapshot, known, [hub.bindings[side]?.base, data]);
    rules[side] = hiddenAmong(view, side, known);
  }
  for (const side of SIDES) {
    const unsaid = matches[side]?.recognised.filter((id) => rules[otherSide(side)].has(id) && !rules[side].has(id));
    if (unsaid !== undefined) data = learnBackorders(data, new Set(unsaid), remotes[side] ?? data);
  }
  // [V4] What a leading side has lost is removed with this very pass.
  const isLeaving = (id: VariantId) =>
    SIDES.some((side) => matches[side]?.missing.includes(id) && leads(view, hub, side, snapshots));
  const isLone = (Object.keys(data.variants) as VariantId[]).filter((id) => !isLeaving(id)).length === 1;
  const fixed = (side: Side) => {
    const remote = remotes[side];
    return remote === undefined ? (isLone ? unread[side].own : null) : fixedOptions(view, hub, side, remote, isLone);
  };
  const own = { woocommerce: fixed('woocommerce'), shopify: fixed('shopify') };
  data = linkOptions(view, hub, data, remotes, isLone);
  const areSettled = isLone && SIDES.some((side) => view.connectors[side].capabilities.loneOptions !== 'free');

  // [V5] What was only hidden goes on from what either side was last known to show of it.
  const withShownAgain = (base: CanonicalProduct, side: Side, remote: CanonicalProduct | undefined) => {
    const again = [...revived].flatMap((id) => {
      const own = fieldsShownAgain(hub, side, id, matches, base, remote);
      return own === null ? [] : [[id, own] as const];
    });
    return again.length === 0 ? base : { ...base, variants: { ...base.variants, ...Object.fromEntries(again) } };
  };
  const againstAdded = (base: CanonicalProduct, side: Side, remote: CanonicalProduct | undefined) => {
    if (revived.size === 0) return base;
    const other = otherSide(side);
    const known = shownOn(view, other, { rules: rules[other], own: null })(data);
    const variants = { ...base.variants };
    const { same } = PRODUCT_FIELDS.optionNames;
    const hasSameNames = [base, remotes[other], known].every(
      (shown) =>
        remote !== undefined && shown !== undefined && same(shown.fields.optionNames, remote.fields.optionNames),
    );
    for (const id of revived) {
      const [own, left, added] = [variants[id], remote?.variants[id], remotes[other]?.variants[id]];
      const isLeft = hub.variantBindings[side].has(id) && !hub.variantBindings[other].has(id);
      if (!isLeft || own === undefined || left === undefined || added === undefined) continue;
      if (fieldsShownAgain(hub, side, id, matches, base, remote) !== null) continue;
      variants[id] = yieldToAdded(own, { left, added, shown: known.variants[id] ?? added }, hasSameNames);
    }
    return { ...base, variants };
  };
  const attached: Side[] = [];
  const sides: SideInput[] = [];
  for (const side of SIDES) {
    const remote = remotes[side];
    const represent = shownOn(view, side, { rules: rules[side], own: own[side] });
    const attach = (to: CanonicalProduct, linkRule = view.settings.linkRule) => {
      const base = attachBase({ side, shown: represent(data), remote: to, settings: { ...merged, linkRule } });
      return areSettled ? keepOptions(base, to) : base;
    };
    if (isBound(hub, side)) {
      const stored = withShownAgain(baseOf(hub, side, view), side, remote);
      const known = completeBase(stored, hub, side, remote, attach, represent, isRemoved, revived);
      const base = againstAdded(known, side, remote);
      sides.push({ side, base, remote: remote ?? null, represent, readAt });
    } else if (remote !== undefined) {
      attached.push(side);
      // [G8] Who made it again has said what it is.
      const isMadeAgain = before.madeAgainOn === side || before.row.state === 'deleted';
      sides.push({ side, base: isMadeAgain ? attach(remote, side) : attach(remote), remote, represent, readAt });
    }
  }
  return {
    reconciliation: leaveAway(
      hub.row,
      reconcile({ hub: data, seen: hub.row.seen, sides, settings: merged, ...(past && { past }) }),
    ),
    matches,
    minted,
    revived,
    replaced,
    attached,
    starts: Object.fromEntries(sides.map((input) => [input.side, input.base])),
  };
}

/** The side that a hub record was made from: its variants are the record's, whoever leads. */
function isFirst(hub: HubState, side: Side): boolean {
  return SIDES.every((other) => other === side || hub.bindings[other] === undefined);
}

/** Variants that were removed on one side stay known, so that they are not taken for new ones, but no longer merge. */
export function livingOf(hub: HubState, isRemoved = removedIn(hub)): CanonicalProduct {
  const variants: Record<VariantId, VariantFields> = {};
  for (const [id, fields] of Object.entries(hub.row.data.variants) as [VariantId, VariantFields][])
    if (!isRemoved(id)) variants[id] = fields;
  return { fields: hub.row.data.fields, variants };
}

function removedIn(hub: HubState): (id: VariantId) => boolean {
  return (id) => hub.variants.get(id)?.stockState === 'removed';
}

/**
 * The base that this reading is merged with: variants recognised just now get theirs by the link rule, and what an open update
 * intent wrote is taken into it, field by field, where it reads back as it was sent.
 */
function completeBase(
  base: CanonicalProduct,
  hub: HubState,
  side: Side,
  remote: CanonicalProduct | undefined,
  attach: (remote: CanonicalProduct, linkRule?: Side) => CanonicalProduct,
  represent: (product: CanonicalProduct) => CanonicalProduct,
  isRemoved: (id: VariantId) => boolean,
  revived: ReadonlySet<VariantId>,
): CanonicalProduct {
  const variants: Record<VariantId, VariantFields> = {};
  for (const [id, own] of Object.entries(base.variants) as [VariantId, VariantFields][]) {
    const isThere = remote === undefined || remote.variants[id] !== undefined || hub.variantBindings[side].has(id);
    if (isThere && !isRemoved(id)) variants[id] = own;
  }
  if (remote === undefined) return { fields: base.fields, variants };
  const added = (Object.keys(remote.variants) as VariantId[]).filter((id) => variants[id] === undefined);
  if (added.length > 0) {
    const linked = attach(remote);
    // [V5] Who added it again has said what it is.
    const again = added.some((id) => revived.has(id)) ? attach(remote, side) : linked;
    for (const id of added) {
      const own = (revived.has(id) ? again : linked).variants[id];
      if (own !== undefined) variants[id] = own;
    }
  }
  return landedBase({ fields: base.fields, variants }, hub, side, remote, represent);
}

/** [W4] The base with what an open update intent wrote taken into it, field by field, where it reads back as it was sent. */
export function landedBase(
  base: CanonicalProduct,
  hub: HubState,
  side: Side,
  remote: CanonicalProduct,
  represent: (product: CanonicalProduct) => CanonicalProduct,
): CanonicalProduct {
  const intent = hub.bindings[side]?.intent;
  if (intent?.type !== 'update') return base;
  const fields: Record<string, unknown> = { ...base.fields };
  const variants: Record<VariantId, VariantFields> = { ...base.variants };
  const sent = represent(withIntent(hub.row.data, intent));
  for (const name of Object.keys(intent.fields) as ProductFieldName[]) {
    const spec = PRODUCT_FIELDS[name] as FieldSpec<unknown>;
    if (spec.same(remote.fields[name], sent.fields[name])) fields[name] = remote.fields[name];
  }
  for (const [id, written] of Object.entries(intent.variants) as [VariantId, Partial<VariantFields>][]) {
    const read = remote.variants[id];
    const sentVariant = sent.variants[id];
    const own = variants[id];
    if (read === undefined || sentVariant === undefined || own === undefined) continue;
    const landed: Record<string, unknown> = {};
    for (const name of Object.keys(written) as VariantFieldName[]) {
      if ((VARIANT_FIELDS[name] as FieldSpec<unknown>).same(read[name], sentVariant[name])) landed[name] = read[name];
    }
    variants[id] = { ...own, ...landed };
  }
  const landed = { fields: fields as unknown as ProductFields, variants };
  return changesOptions(intent) ? landedOptions({ base, landed, sent, remote }) : landed;
}

function changesOptions({ fields, variants }: Extract<ProductIntent, { type: 'update' }>): boolean {
  return fields.optionNames !== undefined || Object.values(variants).some((own) => own.optionValues !== undefined);
}

/** The hub as it was when an update was sent, as far as the update says. */
export function withIntent(
  hub: CanonicalProduct,
  intent: {
    readonly fields: Partial<ProductFields>;
    readonly variants: Readonly<Record<VariantId, Partial<VariantFields>>>;
  },
): CanonicalProduct {
  const variants: Record<VariantId, VariantFields> = { ...hub.variants };
  for (const [id, written] of Object.entries(intent.variants) as [VariantId, Partial<VariantFields>][]) {
    const own = variants[id];
    if (own !== undefined) variants[id] = { ...own, ...written };
  }
  return { fields: { ...hub.fields, ...intent.fields }, variants };
}
