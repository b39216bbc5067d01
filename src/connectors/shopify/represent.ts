import type { VariantId } from '../../model/ids.ts';
import type { BackorderRule, CanonicalProduct, VariantFields } from '../../model/product.ts';
import {
  isWithoutOptions,
  normaliseHandle,
  normaliseOptionText,
  normaliseOptionValue,
  normalisePrice,
  normaliseTags,
  normaliseTitle,
  normaliseWeight,
} from './normalise.ts';

/**
 * What Shopify makes of a product in a shop of this currency: a backorder notice becomes a plain backorder, tags lose their order and letter case, weight 0 is unknown, a handle is
 * spelled as in addresses, an empty one comes from the title. (A handle that is taken is refused at the write, and is not foreseen here.)
 */
export function represent(product: CanonicalProduct, currency: string): CanonicalProduct {
  const { fields } = product;
  const entries = Object.entries(product.variants) as [VariantId, VariantFields][];
  const title = normaliseTitle(fields.title);
  const optionNames = fields.optionNames.map(normaliseOptionText);
  const values = entries.map(([, variant]) => variant.optionValues.map(normaliseOptionValue));
  const isPlain = isWithoutOptions(optionNames, values);
  return {
    fields: {
      title,
      descriptionHtml: fields.descriptionHtml,
      status: fields.status,
      tags: normaliseTags(fields.tags),
      optionNames: isPlain ? [] : optionNames,
      handle: normaliseHandle(fields.handle) || normaliseHandle(title),
    },
    variants: Object.fromEntries(
      entries.map(([id, variant], index) => [
        id,
        representVariant(variant, isPlain ? [] : (values[index] ?? []), currency),
      ]),
    ) as Record<VariantId, VariantFields>,
  };
}

function representVariant(variant: VariantFields, optionValues: readonly string[], currency: string): VariantFields {
  return {
    sku: variant.sku,
    barcode: variant.barcode,
    price: normalisePrice(variant.price, currency),
    weightMg: normaliseWeight(variant.weightMg),
    optionValues,
    backorders: representBackorders(variant.backorders),
    taxable: variant.taxable,
    requiresShipping: variant.requiresShipping,
  };
}

function representBackorders(rule: BackorderRule): BackorderRule {
  return rule === 'notify' ? 'yes' : rule;
}
