import type { Direction, PairSettings } from '../../model/pair.ts';
import { CONFLICT_POLICIES, DEFAULT_PAIR_SETTINGS, LINK_RULES } from '../../model/pair.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import {
  BACKORDER_RULES,
  PRODUCT_STATUSES,
  type Price,
  type ProductFields,
  type VariantFields,
} from '../../model/product.ts';

/** A case is bytes, read as choices: quick to make by the hundred thousand, and shrunk to few and small ones when it fails. */
export class Draws {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** 0 .. n - 1; 0 when the bytes are used up, so that a shorter case is a simpler one. */
  int(n: number): number {
    const byte = this.#bytes[this.#at] ?? 0;
    this.#at += 1;
    return byte % n;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)] as T;
  }
}

/** Values next to each other that mean the same, that one platform can't hold, or that differ in earnest. */
const TITLES = ['Mug', 'Mug &amp; Co', 'Mug & Co', 'Bowl "large"', 'Bowl “large”', 'Café ☕', '<b>Pot</b>'];
const HTML = [
  '',
  '<p>One</p>',
  '<p>One</p>\n',
  '<P id=b class="a">Two</P>',
  '<p class="a" id="b">Two</p>',
  '<ul></ul>',
];
const TAGS = ['', 'a', 'a|b', 'A|b', 'b|sale', 'sale'];
const OPTION_NAMES = [['Size'], ['size '], ['Colour']];
const SKUS = ['', 'A', 'B', 'C', ' A'];
const BARCODES = ['', '4006381333931', '96385074', 'no gtin'];
const WEIGHTS = [null, 0, 250_000, 250_004, 1_234_567];
const PRICES: readonly Price[] = [
  { regularMinor: 1000, saleMinor: null },
  { regularMinor: 1000, saleMinor: 805 },
  { regularMinor: 1205, saleMinor: null },
  { regularMinor: 99, saleMinor: null },
  { regularMinor: null, saleMinor: null },
];

export const PRODUCT_VALUES: { readonly [K in Exclude<keyof ProductFields, 'handle'>]: readonly ProductFields[K][] } = {
  title: TITLES,
  descriptionHtml: HTML,
  status: PRODUCT_STATUSES,
  tags: TAGS.map((text) => text.split('|').filter((tag) => tag !== '')),
  optionNames: OPTION_NAMES,
};

type EditedLater = Exclude<keyof VariantFields, 'taxable' | 'requiresShipping'>;

export const VARIANT_VALUES: { readonly [K in EditedLater]: readonly VariantFields[K][] } = {
  sku: SKUS,
  barcode: BARCODES,
  price: PRICES,
  weightMg: WEIGHTS,
  optionValues: [['S'], ['M'], ['L'], ['XL'], ['s']],
  backorders: BACKORDER_RULES,
};

export const PRODUCT_EDITS = Object.keys(PRODUCT_VALUES) as (keyof typeof PRODUCT_VALUES)[];
export const VARIANT_EDITS = Object.keys(VARIANT_VALUES) as EditedLater[];

const DIRECTIONS: readonly Direction[] = [
  'bidirectional',
  'bidirectional',
  'bidirectional',
  'woocommerce_to_shopify',
  'shopify_to_woocommerce',
];

export function drawSettings(draws: Draws): PairSettings {
  return {
    ...DEFAULT_PAIR_SETTINGS,
    syncDirection: draws.pick(DIRECTIONS),
    conflictResolution: draws.pick(CONFLICT_POLICIES),
    preferredSide: draws.pick(SIDES),
    linkRule: draws.pick(LINK_RULES),
    enforce: draws.int(3) === 2,
    syncProducts: draws.int(12) !== 11,
    syncPrices: draws.int(8) !== 7,
  };
}

export function drawFields(draws: Draws): ProductFields {
  return {
    title: draws.pick(TITLES),
    descriptionHtml: draws.pick(HTML),
    status: draws.pick(PRODUCT_STATUSES),
    tags: draws.pick(PRODUCT_VALUES.tags),
    optionNames: ['Size'],
    handle: 'mug',
  };
}

export function drawVariant(draws: Draws, size: string): VariantFields {
  return {
    sku: draws.pick(SKUS),
    barcode: draws.pick(BARCODES),
    price: draws.pick(PRICES),
    weightMg: draws.pick(WEIGHTS),
    optionValues: [size],
    backorders: draws.pick(BACKORDER_RULES),
    taxable: true,
    requiresShipping: true,
  };
}

/** Something that a person does in one of the shops. */
export type Edit =
  | { readonly side: Side; readonly do: 'field'; readonly name: keyof typeof PRODUCT_VALUES; readonly value: unknown }
  | {
      readonly side: Side;
      readonly do: 'variant';
      readonly at: number;
      readonly name: keyof VariantFields;
      readonly value: unknown;
    }
  | { readonly side: Side; readonly do: 'add'; readonly fields: VariantFields }
  | { readonly side: Side; readonly do: 'remove'; readonly at: number };

export function drawEdit(draws: Draws, number: number): Edit {
  const side = draws.pick(SIDES);
  const kind = draws.int(16);
  if (kind < 7) {
    const name = draws.pick(PRODUCT_EDITS);
    return { side, do: 'field', name, value: draws.pick<unknown>(PRODUCT_VALUES[name]) };
  }
  if (kind < 14) {
    const name = draws.pick(VARIANT_EDITS);
    return { side, do: 'variant', at: draws.int(4), name, value: draws.pick<unknown>(VARIANT_VALUES[name]) };
  }
  if (kind === 14) return { side, do: 'add', fields: drawVariant(draws, `New ${number}`) };
  return { side, do: 'remove', at: draws.int(4) };
}
