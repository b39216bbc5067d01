import { BACKORDER_RULES, PRODUCT_LIMITS, PRODUCT_STATUSES } from '../model/product.ts';

/** Both sides of a conflict: what is typed in their place is of the same kind. */
type Sides = readonly [unknown, unknown];

/** Why a value that a person typed for a field can not be held, in words that say what can; null: it can. */
export function refuseTyped(field: string, value: unknown, sides: Sides): string | null {
  switch (field) {
    case 'title':
      return isText(value) && value.trim() !== ''
        ? null
        : `a title is a text of 1 to ${PRODUCT_LIMITS.textMax} characters`;
    case 'descriptionHtml':
      return typeof value === 'string' ? null : 'a description is a text';
    case 'sku':
    case 'barcode':
      return isText(value) ? null : `this is a text of at most ${PRODUCT_LIMITS.textMax} characters`;
    case 'status':
      return isOneOf(PRODUCT_STATUSES, value);
    case 'backorders':
      return isOneOf(BACKORDER_RULES, value);
    case 'tags':
      return isNames(value) && value.length <= PRODUCT_LIMITS.tagsMax
        ? null
        : `tags are a list of at most ${PRODUCT_LIMITS.tagsMax} texts, none of them empty`;
    case 'optionNames':
    case 'optionValues':
      return isNames(value) && sides.some((side) => Array.isArray(side) && side.length === value.length)
        ? null
        : 'this is a list of texts, as many as there are options, none of them empty';
    case 'price':
      return isPrice(value)
        ? null
        : 'a price is { "regularMinor", "saleMinor" }: whole numbers from 0 (cents), or null for none, and a sale is below the regular price';
    case 'weightMg':
      return value === null || isAmount(value)
        ? null
        : 'a weight is a whole number of milligrams from 0, or null for none';
    default:
      return 'no value can be typed for this field: choose one of the two';
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= PRODUCT_LIMITS.textMax;
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => isText(one) && one.trim() !== '');
}

function isAmount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isPrice(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  const { regularMinor, saleMinor, ...more } = value as Readonly<Record<string, unknown>>;
  if (Object.keys(more).length > 0) return false;
  if (regularMinor === null) return saleMinor === null;
  return isAmount(regularMinor) && (saleMinor === null || (isAmount(saleMinor) && saleMinor < regularMinor));
}

function isOneOf(choices: readonly string[], value: unknown): string | null {
  return choices.some((choice) => choice === value) ? null : `this is one of ${choices.join(', ')}`;
}
