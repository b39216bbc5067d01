import type { VariantId } from '../model/ids.ts';
import type { LinkRule, PairSettings } from '../model/pair.ts';
import type { Side } from '../model/platform.ts';
import type { CanonicalProduct, ProductFields, VariantFields } from '../model/product.ts';
import { mayLead } from './direction.ts';
import { type FieldSpec, PRODUCT_FIELD_NAMES, PRODUCT_FIELDS, VARIANT_FIELD_NAMES, VARIANT_FIELDS } from './fields.ts';

export interface AttachInput {
  /** The side that is attached to a hub record which came from the other side. */
  readonly side: Side;
  /** The hub as that side would show it. */
  readonly shown: CanonicalProduct;
  /** The side's reading, variants under the hub ids they were recognised as. */
  readonly remote: CanonicalProduct;
  readonly settings: PairSettings;
}

/**
 * [L1]-[L4] The base of a side that is attached to a hub record for the first time. It is chosen such that the ordinary merge
 * then does what the pair's link rule says: where this side wins, the base is what the hub would show, so that the reading
 * counts as a change; where the hub wins, the base is the reading, so that the hub is written; where only blanks are to be
 * filled and both have a value, the base is blank, so that both count as changed and the conflict policy decides.
 */
export function attachBase(input: AttachInput): CanonicalProduct {
  const { side, shown, remote, settings } = input;
  const isLeading = mayLead(side, settings);
  const rule = linkRuleOf(settings);
  const pick = (spec: FieldSpec<unknown>, hub: unknown, read: unknown): unknown => {
    // [R1] They agree, whoever wins: also in an area that is switched off, which nothing will look at before it is on again.
    if (spec.same(hub, read)) return read;
    if (spec.kind === 'set' && settings.syncDirection === 'bidirectional')
      return intersection(hub as readonly string[], read as readonly string[], spec);
    if (spec.isBlank(read)) return read;
    // On a target this makes the value drift: it is left there and shown, unless the pair enforces.
    if (spec.isBlank(hub)) return hub;
    if (!isLeading) return read;
    if (rule !== 'fill_blanks') return rule === side ? hub : read;
    if (spec.blank !== undefined) return spec.blank;
    return settings.preferredSide === side ? hub : read;
  };
  const fields: Record<string, unknown> = {};
  for (const name of PRODUCT_FIELD_NAMES)
    fields[name] = pick(PRODUCT_FIELDS[name] as FieldSpec<unknown>, shown.fields[name], remote.fields[name]);
  const variants: Record<VariantId, VariantFields> = {};
  for (const [id, read] of Object.entries(remote.variants) as [VariantId, VariantFields][]) {
    const hub = shown.variants[id];
    if (hub === undefined) {
      variants[id] = read;
      continue;
    }
    const own: Record<string, unknown> = {};
    for (const name of VARIANT_FIELD_NAMES)
      own[name] = pick(VARIANT_FIELDS[name] as FieldSpec<unknown>, hub[name], read[name]);
    variants[id] = own as unknown as VariantFields;
  }
  return { fields: fields as unknown as ProductFields, variants };
}

/** [L4] In a one-way pair the source wins a first link, whatever the rule says. */
export function linkRuleOf(settings: PairSettings): LinkRule {
  if (settings.syncDirection === 'bidirectional') return settings.linkRule;
  return settings.syncDirection === 'woocommerce_to_shopify' ? 'woocommerce' : 'shopify';
}

/** What both have: everything else counts as added, by whoever has it. */
function intersection(hub: readonly string[], read: readonly string[], spec: FieldSpec<unknown>): readonly string[] {
  return read.filter((tag) => hub.some((other) => spec.same([tag], [other])));
}
