import type { Json, JsonObject } from './json.ts';

export type ProductType = 'simple' | 'variable' | 'grouped' | 'external' | 'variation';

export interface ProductAttribute {
  /** 0 is an attribute of this product alone; others name a global attribute. */
  readonly id: number;
  readonly name: string;
  /** What WordPress keys it by: "pa_color", or the name itself when the attribute is the product's own. */
  readonly key: string;
  readonly position: number;
  readonly visible: boolean;
  readonly variation: boolean;
  /** Own attribute: the texts. Global attribute: none, the terms are in `termIds`. */
  readonly options: readonly string[];
  readonly termIds: readonly number[];
}

/** A variation's choice: sanitized attribute key and option text (own) or term slug (global). "" means any. */
export interface VariationChoice {
  readonly key: string;
  readonly value: string;
}

export interface MetaEntry {
  readonly id: number;
  readonly key: string;
  readonly value: Json;
}

/** Fields that hardly any product sets, shared by all that do not. */
export interface RareFields {
  readonly featured: boolean;
  readonly catalogVisibility: string;
  readonly virtual: boolean;
  readonly downloadable: boolean;
  readonly downloads: readonly JsonObject[];
  readonly downloadLimit: number;
  readonly downloadExpiry: number;
  readonly externalUrl: string;
  readonly buttonText: string;
  readonly taxStatus: string;
  readonly lowStockAmount: number | null;
  readonly soldIndividually: boolean;
  readonly length: string;
  readonly width: string;
  readonly height: string;
  readonly shippingClass: string;
  readonly reviewsAllowed: boolean;
  readonly postPassword: string;
  readonly upsellIds: readonly number[];
  readonly crossSellIds: readonly number[];
  readonly purchaseNote: string;
  readonly menuOrder: number;
  readonly groupedIds: readonly number[];
  readonly defaultChoices: readonly VariationChoice[];
}

const COMMON_RARE: RareFields = Object.freeze({
  featured: false,
  catalogVisibility: 'visible',
  virtual: false,
  downloadable: false,
  downloads: [],
  downloadLimit: -1,
  downloadExpiry: -1,
  externalUrl: '',
  buttonText: '',
  taxStatus: 'taxable',
  lowStockAmount: null,
  soldIndividually: false,
  length: '',
  width: '',
  height: '',
  shippingClass: '',
  reviewsAllowed: true,
  postPassword: '',
  upsellIds: [],
  crossSellIds: [],
  purchaseNote: '',
  menuOrder: 0,
  groupedIds: [],
  defaultChoices: [],
});

/** A product or a variation: one post in WordPress. Seconds are UTC. Lists are replaced, never changed in place. */
export interface ProductRecord {
  readonly id: number;
  type: ProductType;
  parentId: number;
  createdS: number;
  modifiedS: number;
  status: string;
  /** Set while in the trash: the status to go back to. */
  statusBeforeTrash: string;
  name: string;
  slug: string;
  description: string;
  shortDescription: string;
  sku: string;
  gtin: string;
  regularPrice: string;
  salePrice: string;
  saleFromS: number | null;
  saleToS: number | null;
  manageStock: boolean;
  stock: number | null;
  stockStatus: string;
  backorders: string;
  weight: string;
  taxClass: string;
  totalSales: number;
  categoryIds: readonly number[];
  tagIds: readonly number[];
  brandIds: readonly number[];
  imageIds: readonly number[];
  attributes: readonly ProductAttribute[];
  choices: readonly VariationChoice[];
  variationIds: readonly number[];
  meta: readonly MetaEntry[];
  rare: RareFields;
}

export interface ImageRecord {
  readonly id: number;
  readonly createdS: number;
  modifiedS: number;
  readonly src: string;
  name: string;
  alt: string;
}

export type Taxonomy = 'product_tag' | 'product_cat' | 'product_brand' | `pa_${string}`;

export interface TermRecord {
  readonly id: number;
  readonly taxonomy: Taxonomy;
  name: string;
  slug: string;
  description: string;
  parent: number;
  display: string;
  menuOrder: number;
  imageId: number;
}

export interface AttributeRecord {
  readonly id: number;
  name: string;
  slug: string;
  type: string;
  orderBy: string;
  hasArchives: boolean;
}

const NO_IDS: readonly number[] = Object.freeze([]);

export function newProduct(id: number, type: ProductType, nowS: number): ProductRecord {
  return {
    id,
    type,
    parentId: 0,
    createdS: nowS,
    modifiedS: nowS,
    status: 'publish',
    statusBeforeTrash: '',
    name: '',
    slug: '',
    description: '',
    shortDescription: '',
    sku: '',
    gtin: '',
    regularPrice: '',
    salePrice: '',
    saleFromS: null,
    saleToS: null,
    manageStock: false,
    stock: null,
    stockStatus: 'instock',
    backorders: 'no',
    weight: '',
    taxClass: type === 'variation' ? 'parent' : '',
    totalSales: 0,
    categoryIds: NO_IDS,
    tagIds: NO_IDS,
    brandIds: NO_IDS,
    imageIds: NO_IDS,
    attributes: [],
    choices: [],
    variationIds: NO_IDS,
    meta: [],
    rare: COMMON_RARE,
  };
}
