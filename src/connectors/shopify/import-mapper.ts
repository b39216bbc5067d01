import { parseMinor } from '../../model/money.ts';
import {
  PRODUCT_LIMITS,
  type Price,
  type ProductFields,
  type ProductStatus,
  type VariantFields,
} from '../../model/product.ts';
import type { ProductSnapshot, UnsyncableReason, VariantSnapshot } from '../../model/snapshot.ts';
import type { StockSnapshot } from '../../model/stock.ts';
import { gidNumber } from './gid.ts';
import { readMarks } from './marks.ts';
import {
  isWithoutOptions,
  normaliseOptionText,
  normaliseOptionValue,
  normaliseTags,
  normaliseTitle,
} from './normalise.ts';
import { parkedPassthrough } from './parked-values.ts';
import type { StoreContext } from './store-context.ts';
import { weightToMg } from './weight.ts';
import type { MarkNode, MediaNode, ProductLine, VariantRow } from './wire.ts';

/** One product with all its children, however they were read: by id, by mark or out of a bulk file. */
export interface ProductParts {
  readonly product: ProductLine;
  /** All of them, in Shopify's order. */
  readonly variants: readonly VariantRow[];
  readonly media: readonly MediaNode[];
  readonly marks: readonly MarkNode[];
}

/** What was published this very moment may be ahead of what we know of the shop's clock, ms. */
const CLOCK_DOUBT_MS = 5_000;

const STATUS: Readonly<Record<string, ProductStatus>> = {
  ACTIVE: 'active',
  DRAFT: 'draft',
  ARCHIVED: 'archived',
  UNLISTED: 'unlisted',
};

/** `now`: by the shop's clock. */
export function importProduct(parts: ProductParts, context: StoreContext, now: number): ProductSnapshot {
  const { product } = parts;
  const options = [...product.options].sort((a, b) => a.position - b.position).map((option) => option.name);
  const shownValues = parts.variants.map((variant) => valuesInOrder(variant, options));
  const wireValues = shownValues.map((values) => values.map(normaliseOptionValue));
  const isPlain = isWithoutOptions(options, wireValues);
  const problems: Problem[] = [];
  const variants = parts.variants.map((variant, index) =>
    importVariant(variant, isPlain ? [] : (wireValues[index] ?? []), context, problems),
  );
  const modifiedAt = Date.parse(product.updatedAt);
  return {
    externalId: product.id,
    fields: importFields(product, isPlain ? [] : options.map(normaliseOptionText)),
    variants,
    marks: readMarks(parts.marks),
    trashed: false, // Shopify has no bin
    unsyncable: unsyncable(parts, options, problems),
    ...hidden(product, now),
    modifiedAt: Number.isNaN(modifiedAt) ? null : modifiedAt,
    adminUrl: `${context.adminProducts}/${gidNumber(product.id)}`,
    imageUrl: parts.media[0]?.preview?.image?.url ?? '',
    passthrough: {
      ...parkedPassthrough(parts.variants.map(({ id }, index) => [id, shownValues[index] ?? []])),
      ...(product.publishedAt === null ? { isUnpublished: true } : {}),
    },
  };
}

/** Whether it was in no sight of the online store's visitors when it was read, whatever its status. */
export function isUnpublished(seen: ProductSnapshot): boolean {
  return (seen.passthrough as { isUnpublished?: true } | null)?.isUnpublished === true;
}

/**
 * What is for sale and yet in nobody's sight: sold in other channels only, or made ready for a day to come. A draft hides by its status, which the other
 * shop has too.
 */
function hidden({ status, publishedAt }: ProductLine, now: number): Pick<ProductSnapshot, 'withheld' | 'turnsAt'> {
  if (status !== 'ACTIVE' && status !== 'UNLISTED') return {};
  if (publishedAt === null) return { withheld: 'It is not published to the Online Store.' };
  const shownFrom = Date.parse(publishedAt);
  if (Number.isNaN(shownFrom) || shownFrom <= now + CLOCK_DOUBT_MS) return {};
  return { withheld: 'It is not published to the Online Store yet.', turnsAt: [shownFrom] };
}

function importFields(product: ProductLine, optionNames: readonly string[]): ProductFields {
  return {
    title: normaliseTitle(product.title),
    descriptionHtml: product.descriptionHtml,
    status: STATUS[product.status] ?? 'draft',
    tags: normaliseTags(product.tags),
    optionNames,
    handle: product.handle,
  };
}

interface Problem {
  readonly reason: UnsyncableReason;
  readonly detail: string;
}

function importVariant(
  row: VariantRow,
  optionValues: readonly string[],
  context: StoreContext,
  problems: Problem[],
): VariantSnapshot {
  const price = importPrice(row, context.currency);
  if (price === null) {
    problems.push({ reason: 'malformed', detail: `the price “${row.price}” of a variant could not be read` });
  }
  const fields: VariantFields = {
    sku: row.sku ?? '',
    barcode: row.barcode ?? '',
    price: price ?? { regularMinor: null, saleMinor: null },
    weightMg: weightToMg(row.inventoryItem.measurement?.weight),
    optionValues,
    backorders: row.inventoryPolicy === 'CONTINUE' ? 'yes' : 'no',
    taxable: row.taxable,
    requiresShipping: row.inventoryItem.requiresShipping,
  };
  return {
    externalId: row.id,
    stockId: row.inventoryItem.id,
    fields,
    stock: importStock(row.inventoryItem),
  };
}

/** Compare-at is the regular price only while it is above the price; else it says nothing, and the price is the regular one. */
export function importPrice(row: Pick<VariantRow, 'price' | 'compareAtPrice'>, currency: string): Price | null {
  const price = parseMinor(decimalText(row.price), currency);
  const compareAt = row.compareAtPrice === null ? null : parseMinor(decimalText(row.compareAtPrice), currency);
  if (price === null || (row.compareAtPrice !== null && compareAt === null)) return null;
  if (compareAt !== null && compareAt > price) return { regularMinor: compareAt, saleMinor: price };
  return { regularMinor: price, saleMinor: null };
}

/** A number's shortest text is the decimal that was sent: 19.99 is "19.99". */
function decimalText(decimal: string | number): string {
  return String(decimal);
}

/** [S12] What is kept at other places only is not sold out: at the mapped one nobody counts it. The number of an item that isn't counted means nothing. */
export function importStock(item: {
  readonly tracked: boolean;
  readonly inventoryLevel: { readonly quantities: readonly { name: string; quantity: number }[] } | null;
}): StockSnapshot {
  if (item.tracked && item.inventoryLevel === null)
    return { tracked: false, quantity: 0, stamp: null, limited: 'elsewhere' };
  const available = item.inventoryLevel?.quantities.find(({ name }) => name === 'available')?.quantity ?? 0;
  return { tracked: item.tracked, quantity: item.tracked ? available : 0, stamp: null };
}

function valuesInOrder(variant: VariantRow, options: readonly string[]): string[] {
  const byName = new Map(variant.selectedOptions.map(({ name, value }) => [name, normaliseOptionText(value)]));
  return options.map((name) => byName.get(name) ?? '');
}

function unsyncable(parts: ProductParts, options: readonly string[], problems: readonly Problem[]): Problem | null {
  const { product, variants } = parts;
  if (product.isGiftCard) return { reason: 'gift_card', detail: 'gift cards are money and exist on one side only' };
  if (product.requiresSellingPlan) {
    return { reason: 'unsupported_type', detail: 'it is sold by subscription only' };
  }
  if (product.combinedListingRole === 'PARENT') {
    return {
      reason: 'unsupported_type',
      detail: 'it shows other products together, as a combined listing, and is not sold itself',
    };
  }
  if (product.hasVariantsThatRequiresComponents) {
    return { reason: 'bundle', detail: 'a bundle’s stock is counted from its components by Shopify' };
  }
  if (options.length > PRODUCT_LIMITS.optionNamesMax) {
    return {
      reason: 'too_many_options',
      detail: `${options.length} options; at most ${PRODUCT_LIMITS.optionNamesMax} can be kept the same`,
    };
  }
  if (variants.length > PRODUCT_LIMITS.variantsMax) {
    return {
      reason: 'too_many_variants',
      detail: `${variants.length} variants; at most ${PRODUCT_LIMITS.variantsMax} can be kept the same`,
    };
  }
  if (variants.length === 0) return { reason: 'malformed', detail: 'a product without any variant' };
  if (STATUS[product.status] === undefined) {
    return { reason: 'malformed', detail: `the status ${product.status} is not known to this program` };
  }
  return problems[0] ?? null;
}
