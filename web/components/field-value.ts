import { formatMoney, formatNumber } from '../hooks/format.ts';
import { textOfHtml } from '../hooks/text-of-html.ts';

const FIELD_NAME: Readonly<Record<string, string>> = {
  title: 'Title',
  descriptionHtml: 'Description',
  status: 'Status',
  tags: 'Tags',
  plannedSale: 'Planned sale',
  optionNames: 'Options',
  optionValues: 'Option values',
  handle: 'Web address',
  // As plans call it.
  Handle: 'Web address',
  sku: 'SKU',
  barcode: 'Barcode',
  price: 'Price',
  weightMg: 'Weight',
  taxable: 'Charge tax',
  requiresShipping: 'Needs shipping',
  backorders: 'Backorders',
  stock: 'Stock',
  deleted: 'Deleted',
  created: 'Created',
};

const WORDS: Readonly<Record<string, string>> = {
  active: 'Active',
  draft: 'Draft',
  unlisted: 'Unlisted',
  archived: 'Archived',
  no: 'Not allowed',
  notify: 'Allowed, customer is told',
  yes: 'Allowed',
};

/** `variant.Slate / 350 ml.price` is about `Slate / 350 ml`; `title` about nothing but the product. */
function splitField(path: string): { readonly name: string; readonly variant: string } {
  const match = /^variant\.(.+)\.([a-zA-Z]+)$/.exec(path);
  return match ? { name: match[2] ?? '', variant: match[1] ?? '' } : { name: path, variant: '' };
}

/** Plans name fields in words: "Slate / 350 ml: Price". */
const BY_LABEL: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(FIELD_NAME).map(([name, label]) => [label, name]),
);

/** A field's name as people say it. */
export function fieldName(path: string): string {
  const { name } = splitField(path);
  return FIELD_NAME[name] ?? name;
}

interface PriceValue {
  readonly regularMinor: number | null;
  readonly saleMinor: number | null;
}

export function isPrice(value: unknown): value is PriceValue {
  return typeof value === 'object' && value !== null && 'regularMinor' in value;
}

function priceText({ regularMinor, saleMinor }: PriceValue, currency: string | null): string {
  if (regularMinor === null && saleMinor === null) return 'No price';
  // Its minor units may be hundredths, thousandths or none: digits that are guessed would make it another price.
  if (currency === null) return 'A price in an unknown currency';
  const money = (minor: number): string => formatMoney(minor, currency);
  if (regularMinor === null) return money(saleMinor ?? 0);
  return saleMinor === null ? money(regularMinor) : `${money(saleMinor)}, was ${money(regularMinor)}`;
}

function pathName(path: string): string {
  const { name } = splitField(path);
  const label = name.slice(name.lastIndexOf(': ') + 1).trim();
  return BY_LABEL[label] ?? name;
}

/** A canonical value as people read it. */
export function fieldValue(path: string, value: unknown, currency: string | null): string {
  const name = pathName(path);
  if (value === null || value === undefined || value === '') return 'None';
  if (isPrice(value)) return priceText(value, currency);
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.join(', ');
  if (name === 'weightMg' && typeof value === 'number') return `${formatNumber(value / 1_000)} g`;
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'boolean' && name === 'deleted') return value ? 'Deleted' : 'There';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (name === 'descriptionHtml') return textOfHtml(String(value)) || 'None';
  if (typeof value === 'string')
    return name === 'status' || name === 'deleted' || name === 'backorders' ? (WORDS[value] ?? value) : value;
  return 'Something else';
}
