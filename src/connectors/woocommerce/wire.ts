import Type from 'typebox';
import { Compile } from 'typebox/compile';

/**
 * What we read of WooCommerce's answers, checked at the border. Unknown fields pass; those named here are what the
 * mappers depend on. `parseExactJson` gives ids beyond 2^53 as text, and plugins turn numbers into text, hence the
 * unions.
 */
const Id = Type.Union([Type.Integer(), Type.String()]);
const NullableText = Type.Union([Type.String(), Type.Null()]);
/** Plugins hand out prices, weights, SKUs and barcodes as numbers. */
const DecimalText = Type.Union([Type.String(), Type.Number(), Type.Null()]);
/** And what is yes or no as text or a number. */
const YesOrNo = Type.Union([Type.Boolean(), Type.String(), Type.Number()]);

const Meta = Type.Object({ key: Type.String(), value: Type.Unknown() });

const Tag = Type.Object({ id: Id, name: Type.String() });

const Attribute = Type.Object({
  id: Id,
  name: Type.String(),
  position: Type.Optional(Type.Integer()),
  visible: Type.Optional(Type.Boolean()),
  variation: Type.Boolean(),
  options: Type.Array(Type.String()),
});

const Choice = Type.Object({ id: Id, name: Type.String(), option: Type.String() });

/** Plugins that keep pictures elsewhere leave the address out, or false. */
const Image = Type.Object({ src: Type.Optional(Type.Unknown()) });

/** What products and variations share; stock alone is read with these fields. */
const STOCK_FIELDS = {
  id: Id,
  manage_stock: Type.Union([Type.Boolean(), Type.String()]),
  stock_quantity: Type.Union([Type.Number(), Type.String(), Type.Null()]),
  stock_status: Type.Optional(NullableText),
  meta_data: Type.Array(Meta),
};

const SELLABLE_FIELDS = {
  ...STOCK_FIELDS,
  sku: DecimalText,
  global_unique_id: Type.Optional(DecimalText),
  regular_price: DecimalText,
  sale_price: DecimalText,
  date_on_sale_from_gmt: Type.Optional(NullableText),
  date_on_sale_to_gmt: Type.Optional(NullableText),
  on_sale: YesOrNo,
  backorders: Type.String(),
  weight: DecimalText,
  /** Of a variation: its product's. */
  tax_status: Type.Optional(Type.Unknown()),
  virtual: Type.Optional(Type.Unknown()),
  downloadable: Type.Optional(Type.Unknown()),
};

const Product = Type.Object({
  ...SELLABLE_FIELDS,
  type: Type.String(),
  status: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  description: NullableText,
  catalog_visibility: Type.String(),
  /** Since 8.1. */
  post_password: Type.Optional(Type.Unknown()),
  tags: Type.Array(Tag),
  attributes: Type.Array(Attribute),
  variations: Type.Array(Type.Unknown()),
  images: Type.Array(Image),
  date_modified_gmt: Type.Optional(NullableText),
  /** Of one that is to be published at a set time: when. */
  date_created_gmt: Type.Optional(NullableText),
});

const Variation = Type.Object({
  ...SELLABLE_FIELDS,
  status: Type.String(),
  attributes: Type.Array(Choice),
  menu_order: Type.Optional(Type.Integer()),
  parent_id: Type.Optional(Id),
});

const StockItem = Type.Object({
  ...STOCK_FIELDS,
  date_created_gmt: Type.Optional(NullableText),
  parent_id: Type.Optional(Type.Unknown()),
});

const Webhook = Type.Object({
  id: Id,
  name: Type.String(),
  status: Type.String(),
  topic: Type.String(),
  delivery_url: Type.String(),
});

const Setting = Type.Object({ id: Type.String(), value: Type.Unknown() });

const ItemError = Type.Object({
  code: Type.Union([Type.String(), Type.Number()]),
  message: Type.String(),
  /** Refunds and some plugins send a bare number here. */
  data: Type.Optional(Type.Unknown()),
});

export type WireProduct = Type.Static<typeof Product>;
export type WireVariation = Type.Static<typeof Variation>;
export type WireAttribute = Type.Static<typeof Attribute>;
export type WireStockItem = Type.Static<typeof StockItem>;
export type WireWebhook = Type.Static<typeof Webhook>;
export type WireError = Type.Static<typeof ItemError>;
export type WireMeta = Type.Static<typeof Meta>;

export const wire = {
  product: Compile(Product),
  variation: Compile(Variation),
  stockItem: Compile(StockItem),
  webhook: Compile(Webhook),
  setting: Compile(Setting),
  error: Compile(ItemError),
  tag: Compile(Tag),
} as const;

/** Fields asked of lists: the rest of a product (HTML of prices, related ids, links) would double its size. */
export const PRODUCT_FIELDS = Object.keys(Product.properties).join(',');
export const VARIATION_FIELDS = Object.keys(Variation.properties).join(',');
export const STOCK_ITEM_FIELDS = [...Object.keys(StockItem.properties), 'type', 'status'].join(',');

/** "sku: must be string" for the first thing that doesn't fit. */
export function firstFault(validator: { Errors(value: unknown): readonly unknown[] }, value: unknown): string {
  const [error] = validator.Errors(value) as readonly { instancePath?: string; message?: string }[];
  return `${error?.instancePath?.replace(/^\//, '') || 'record'} ${error?.message ?? 'has an unexpected form'}`;
}
