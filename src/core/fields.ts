import type { VariantId } from '../model/ids.ts';
import type { Area } from '../model/pair.ts';
import type {
  BackorderRule,
  Price,
  ProductFieldName,
  ProductFields,
  VariantFieldName,
  VariantFields,
} from '../model/product.ts';
import { normaliseHtml, normaliseText, tagKey } from './normalise.ts';

/**
 * Each field says what kind it is, and its kind decides how two changes merge:
 * - register: the changed side's value is taken; both changed differently is a conflict
 * - set: additions and removals of both sides both apply
 * - create_only: carried when a record is made, never afterwards
 * (Stock is a counter: `stock.ts`. Variants are a list with identity: `variants.ts`.)
 */
export interface FieldSpec<T> {
  readonly kind: 'register' | 'set' | 'create_only';
  readonly area: Area;
  /** For people, in plans and the conflict inbox. */
  readonly label: string;
  /** Whether two values mean the same, after every rewriting a platform does by itself. An equivalence relation. */
  same(a: T, b: T): boolean;
  /** [L2] Whether the value is empty: a blank never wins over a value. The same for all values that mean the same. */
  isBlank(value: T): boolean;
  /** A blank value, where the field can be without one. */
  readonly blank?: T;
  /** [B7] What the hub holds once a side has moved, where the value has parts: those that the side shows as before stay as exact as they are. */
  carry?(hub: T, shown: T, remote: T): T;
}

type Specs<F> = { readonly [K in keyof F]: FieldSpec<F[K]> };

/** A letter or digit that nothing hides: such markup is not blank, without looking at the rest. */
const BEGINS_WITH_TEXT = /^(?:<p>)?[a-zA-Z0-9]/;

const sameText = (a: string, b: string) => a === b || normaliseText(a) === normaliseText(b);

export const PRODUCT_FIELDS: Specs<ProductFields> = {
  title: {
    kind: 'register',
    area: 'details',
    label: 'Title',
    same: sameText,
    isBlank: (v) => normaliseText(v) === '',
    blank: '',
  },
  descriptionHtml: {
    kind: 'register',
    area: 'details',
    label: 'Description',
    same: (a, b) => a === b || normaliseHtml(a) === normaliseHtml(b),
    isBlank: (v) => !BEGINS_WITH_TEXT.test(v) && normaliseHtml(v) === '',
    blank: '',
  },
  status: { kind: 'register', area: 'details', label: 'Status', same: (a, b) => a === b, isBlank: () => false },
  tags: { kind: 'set', area: 'details', label: 'Tags', same: sameTags, isBlank: (v) => v.length === 0 },
  optionNames: { kind: 'register', area: 'details', label: 'Options', same: sameList, isBlank: () => false },
  handle: { kind: 'create_only', area: 'details', label: 'Handle', same: (a, b) => a === b, isBlank: (v) => v === '' },
};

export const VARIANT_FIELDS: Specs<VariantFields> = {
  sku: {
    kind: 'register',
    area: 'details',
    label: 'SKU',
    same: (a, b) => a.trim() === b.trim(),
    isBlank: (v) => v.trim() === '',
    blank: '',
  },
  barcode: {
    kind: 'register',
    area: 'details',
    label: 'Barcode',
    same: (a, b) => a.trim() === b.trim(),
    isBlank: (v) => v.trim() === '',
    blank: '',
  },
  price: {
    kind: 'register',
    area: 'prices',
    label: 'Price',
    same: samePrice,
    isBlank: (v) => v.regularMinor === null,
    blank: { regularMinor: null, saleMinor: null },
    carry: carryPrice,
  },
  weightMg: {
    kind: 'register',
    area: 'weights',
    label: 'Weight',
    same: sameWeight,
    isBlank: (v) => sameWeight(v, null),
    blank: null,
  },
  optionValues: { kind: 'register', area: 'details', label: 'Option values', same: sameList, isBlank: () => false },
  backorders: {
    kind: 'register',
    area: 'details',
    label: 'Backorders',
    same: (a: BackorderRule, b) => a === b,
    isBlank: () => false,
  },
  taxable: { kind: 'create_only', area: 'details', label: 'Charge tax', same: (a, b) => a === b, isBlank: () => false },
  requiresShipping: {
    kind: 'create_only',
    area: 'details',
    label: 'Needs shipping',
    same: (a, b) => a === b,
    isBlank: () => false,
  },
};

export const PRODUCT_FIELD_NAMES = Object.keys(PRODUCT_FIELDS) as ProductFieldName[];
export const VARIANT_FIELD_NAMES = Object.keys(VARIANT_FIELDS) as VariantFieldName[];

/** A field's address inside a product: `title`, or `variant.<id>.price`. */
export type FieldPath = string;

export function variantPath(id: VariantId, name: VariantFieldName): FieldPath {
  return `variant.${id}.${name}`;
}

/** The parts of a path; null for text that is no path of ours. */
export function parsePath(
  path: FieldPath,
):
  | { readonly variantId: null; readonly name: ProductFieldName }
  | { readonly variantId: VariantId; readonly name: VariantFieldName }
  | null {
  if (Object.hasOwn(PRODUCT_FIELDS, path)) return { variantId: null, name: path as ProductFieldName };
  const match = /^variant\.([^.]+)\.([a-zA-Z]+)$/.exec(path);
  if (!match?.[1] || !match[2] || !Object.hasOwn(VARIANT_FIELDS, match[2])) return null;
  return { variantId: match[1] as VariantId, name: match[2] as VariantFieldName };
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, i) => sameText(value, b[i] ?? ''));
}

function sameTags(a: readonly string[], b: readonly string[]): boolean {
  if (a.length === b.length && a.every((tag, i) => tag === b[i])) return true;
  const keys = new Set(a.map(tagKey));
  const others = new Set(b.map(tagKey));
  return keys.size === others.size && [...keys].every((key) => others.has(key));
}

function carryPrice(hub: Price, shown: Price, remote: Price): Price {
  return {
    regularMinor: remote.regularMinor === shown.regularMinor ? hub.regularMinor : remote.regularMinor,
    saleMinor: remote.saleMinor === shown.saleMinor ? hub.saleMinor : remote.saleMinor,
  };
}

function samePrice(a: Price, b: Price): boolean {
  return a.regularMinor === b.regularMinor && a.saleMinor === b.saleMinor;
}

/** Weights are compared in steps of 10 mg: finer differences are a unit's rounding, and a missing weight is none. */
function sameWeight(a: number | null, b: number | null): boolean {
  return Math.round((a ?? 0) / 10) === Math.round((b ?? 0) / 10);
}
