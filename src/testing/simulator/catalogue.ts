import type { MemoryPlatform } from '../../connectors/memory/platform.ts';
import type { NewProductRecord } from '../../connectors/memory/records.ts';
import type { PerSide } from '../../model/platform.ts';
import type { VariantFields } from '../../model/product.ts';
import type { SeededRandom } from './random.ts';

const TITLES = [
  'Enamel mug',
  'Linen apron',
  'Beeswax candle',
  'Terracotta pot',
  'Stoneware bowl',
  'Wool throw',
  'Oak board',
  'Café tray ☕',
  'Glas & Co. "Nr. 5"',
];
const TAGS = ['kitchen', 'Camp', 'gift', 'sale', 'new in', 'home'];

/** A product as a merchant would type it: one to three variants. */
export function makeProduct(random: SeededRandom, number: number): NewProductRecord {
  const variantCount = random.chance(0.5) ? 1 : 2 + random.int(2);
  const optionNames = variantCount === 1 ? [] : ['Size'];
  return {
    fields: {
      title: `${random.pick(TITLES)} ${number}`,
      descriptionHtml: `<p>Made by hand, no. ${number}.</p>`,
      status: random.chance(0.9) ? 'active' : 'draft',
      tags: TAGS.filter(() => random.chance(0.3)),
      optionNames,
      handle: `product-${number}`,
    },
    variants: Array.from({ length: variantCount }, (_, i) => ({
      fields: makeVariant(random, `SKU-${number}-${i + 1}`, variantCount === 1 ? [] : [`Size ${i + 1}`]),
      stock: { tracked: true, quantity: 5 + random.int(40) },
    })),
  };
}

/** The same product with other numbers on its shelf. */
export function restocked(record: NewProductRecord, random: SeededRandom): NewProductRecord {
  const variants = record.variants.map((variant) => ({
    ...variant,
    stock: { tracked: true, quantity: random.int(40) },
  }));
  return { ...record, variants };
}

/** The same product with a valid GTIN on each variant: thirteen digits, or the fourteen that some feeds write. */
export function barcoded(record: NewProductRecord, number: number, zeros: '' | '0' = ''): NewProductRecord {
  const variants = record.variants.map(({ fields, ...rest }, i) => ({
    fields: { ...fields, barcode: `${zeros}${gtinOf(number * 10 + i)}` },
    ...rest,
  }));
  return { ...record, variants };
}

export function gtinOf(number: number): string {
  const digits = String(590_000_000_000 + number);
  const sum = [...digits].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** The same goods as somebody else has named them: nothing but the barcodes tells that they are the same. */
export function underOtherSkus(record: NewProductRecord): NewProductRecord {
  const fields = {
    ...record.fields,
    title: `${record.fields.title} (of old)`,
    handle: `${record.fields.handle}-of-old`,
  };
  const variants = record.variants.map((variant) => ({
    ...variant,
    fields: { ...variant.fields, sku: variant.fields.sku === '' ? '' : `OLD-${variant.fields.sku}` },
  }));
  return { ...record, fields, variants };
}

export function makeVariant(random: SeededRandom, sku: string, optionValues: readonly string[]): VariantFields {
  const regularMinor = 500 + random.int(20_000);
  return {
    sku,
    barcode: '',
    price: { regularMinor, saleMinor: random.chance(0.2) ? Math.ceil(regularMinor * 0.8) : null },
    weightMg: random.int(20) * 100_000,
    optionValues,
    backorders: random.chance(0.1) ? 'yes' : 'no',
    taxable: true,
    requiresShipping: true,
  };
}

/** What a first link must not guess, in some seeds: gives the SKUs that lead to more than one record. */
export function muddleSomeSkus(random: SeededRandom, shops: PerSide<MemoryPlatform>): readonly string[] {
  return [...doubleSkus(random, shops), ...(random.chance(0.4) ? splitProduct(random, shops) : [])];
}

/** [M3] Records of Shopify, which lets everybody type what they like, that carry the SKU of another one. */
function doubleSkus(random: SeededRandom, { shopify }: PerSide<MemoryPlatform>): readonly string[] {
  const holders = random.shuffle([...shopify.shelf.items.values()]).slice(0, random.int(3));
  return holders.map(({ variant }, i) => {
    const record = makeProduct(random, 9_000 + i);
    const [first, ...rest] = record.variants;
    const twin = first === undefined ? [] : [{ ...first, fields: { ...first.fields, sku: variant.fields.sku } }];
    shopify.outside.addProduct({ ...record, variants: [...twin, ...rest] });
    return variant.fields.sku;
  });
}

/** [M4] One product with two variants in one shop, two products in the other. */
function splitProduct(random: SeededRandom, shops: PerSide<MemoryPlatform>): readonly string[] {
  const whole = makeProduct(random, 9_100);
  const skus = ['SKU-9100-A', 'SKU-9100-B'];
  const stock = { tracked: true, quantity: 10 };
  const variants = skus.map((sku) => ({ fields: makeVariant(random, sku, [sku]), stock }));
  shops.woocommerce.outside.addProduct({ fields: { ...whole.fields, optionNames: ['Size'] }, variants });
  for (const sku of skus) {
    const { fields } = makeProduct(random, 9_100);
    shops.shopify.outside.addProduct({
      fields: { ...fields, optionNames: [], handle: sku.toLowerCase() },
      variants: [{ fields: makeVariant(random, sku, []), stock }],
    });
  }
  return skus;
}
