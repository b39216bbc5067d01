import { money } from './decimal.ts';
import { newProduct, type ProductAttribute, type ProductRecord, type VariationChoice } from './records.ts';
import type { Site } from './site.ts';
import { DEFAULT_CATEGORY_ID } from './term-store.ts';

export const DEFAULT_SKU_PREFIX = 'TS-';
const WEIGHT = '0.25';
/** A catalogue that was always like that did not change today. */
const AGE_S = 30 * 86_400;

/** Price of variant `j` of product `i` (both from 1) in cents: other sandboxes seed the same catalogue. */
function priceCents(i: number, j: number): number {
  return 1000 + (i % 5000) + 100 * (j - 1);
}

function stockOf(i: number, j: number): number {
  return 20 + ((i * 7 + j) % 50);
}

/** Fills the store without a sound: no webhook fires. The same numbers always make the same catalogue. */
export function seedProducts(site: Site, productCount: number, variantCount: number, prefix: string): void {
  const madeS = site.nowS() - AGE_S;
  const shared = {
    tagIds: [site.terms.ensure('product_tag', 'sample')?.id ?? 0],
    categoryIds: [DEFAULT_CATEGORY_ID],
    attributes: [sizeAttribute(variantCount)],
    choices: Array.from({ length: variantCount }, (_, index): VariationChoice[] => [
      { key: 'size', value: `Size ${index + 1}` },
    ]),
  };
  for (let i = 1; i <= productCount; i++) {
    const isVariable = variantCount > 1;
    const record = newProduct(site.products.nextPostId(), isVariable ? 'variable' : 'simple', madeS);
    record.name = `Sample product ${i}`;
    record.description = `<p>Sample description ${i}</p>`;
    record.tagIds = shared.tagIds;
    record.categoryIds = shared.categoryIds;
    site.products.setSlug(record, record.name);
    if (isVariable) record.attributes = shared.attributes;
    else stockUp(record, i, 1, `${prefix}${i}`);
    site.products.add(record);
    if (isVariable) addVariants(site, record, i, shared.choices, prefix, madeS);
  }
}

function sizeAttribute(count: number): ProductAttribute {
  const options = Array.from({ length: count }, (_, index) => `Size ${index + 1}`);
  return { id: 0, name: 'Size', key: 'Size', position: 0, visible: true, variation: true, options, termIds: [] };
}

function addVariants(
  site: Site,
  parent: ProductRecord,
  i: number,
  choices: readonly VariationChoice[][],
  prefix: string,
  madeS: number,
): void {
  parent.variationIds = choices.map((choice, index) => {
    const j = index + 1;
    const record = newProduct(site.products.nextPostId(), 'variation', madeS);
    record.parentId = parent.id;
    record.choices = choice;
    record.name = `${parent.name} - Size ${j}`;
    record.slug = `${parent.slug}-size-${j}`;
    stockUp(record, i, j, `${prefix}${i}-${j}`);
    site.products.add(record);
    return record.id;
  });
}

function stockUp(record: ProductRecord, i: number, j: number, sku: string): void {
  record.sku = sku;
  record.regularPrice = money(priceCents(i, j) / 100);
  record.manageStock = true;
  record.stock = stockOf(i, j);
  record.weight = WEIGHT;
}
