import type { VariantId } from '../model/ids.ts';
import type { CanonicalProduct, VariantFields } from '../model/product.ts';

/**
 * [R17] A product as a side shows it that has no rule for backorders of these variants, since it does not count them: "no", whatever the
 * hub holds. Shown like this, the side agrees with any hub, and its base says what it will begin with when the item is counted again.
 */
export function hideBackorders(product: CanonicalProduct, hidden: ReadonlySet<VariantId>): CanonicalProduct {
  return withBackorders(product, hidden, () => 'no');
}

/**
 * [R17] What a side shows of variants that were recognised on it just now is the hub's rule, where nobody could show one before:
 * what the hub holds there was made up with the record.
 */
export function learnBackorders(
  hub: CanonicalProduct,
  hidden: ReadonlySet<VariantId>,
  shown: CanonicalProduct,
): CanonicalProduct {
  return withBackorders(hub, hidden, (id) => shown.variants[id]?.backorders);
}

function withBackorders(
  product: CanonicalProduct,
  ids: ReadonlySet<VariantId>,
  ruleOf: (id: VariantId) => VariantFields['backorders'] | undefined,
): CanonicalProduct {
  if (ids.size === 0) return product;
  const variants: Record<VariantId, VariantFields> = { ...product.variants };
  for (const id of ids) {
    const own = variants[id];
    const backorders = ruleOf(id);
    if (own !== undefined && backorders !== undefined) variants[id] = { ...own, backorders };
  }
  return { ...product, variants };
}

/**
 * [R17] A product as a side shows it that can't be given the options of its only variant, or can't be rid of them: as it shows them itself (`own`),
 * whatever the hub holds. Where both have some, they are like any.
 */
export function keepOptions(product: CanonicalProduct, own: CanonicalProduct): CanonicalProduct {
  return hasOptions(product) && hasOptions(own) ? product : withOptions(product, own);
}

/** [R17] What a side shows of options that it can't be rid of is the hub's, where the record that it is linked with has none. */
export function learnOptions(hub: CanonicalProduct, shown: CanonicalProduct): CanonicalProduct {
  return hasOptions(hub) || !hasOptions(shown) ? hub : withOptions(hub, shown);
}

function hasOptions({ fields }: CanonicalProduct): boolean {
  return fields.optionNames.length > 0;
}

function withOptions(product: CanonicalProduct, own: CanonicalProduct): CanonicalProduct {
  const variants: Record<VariantId, VariantFields> = { ...product.variants };
  for (const [id, { optionValues }] of Object.entries(own.variants) as [VariantId, VariantFields][]) {
    const known = variants[id];
    if (known !== undefined) variants[id] = { ...known, optionValues };
  }
  return { fields: { ...product.fields, optionNames: own.fields.optionNames }, variants };
}
