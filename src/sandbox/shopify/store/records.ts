/** What the sandbox remembers. Plain objects that point at each other; times in milliseconds, money as decimal text ("12.34"). */

export type ProductStatus = 'ACTIVE' | 'ARCHIVED' | 'DRAFT' | 'UNLISTED';
export type InventoryPolicy = 'DENY' | 'CONTINUE';
export type WeightUnit = 'GRAMS' | 'KILOGRAMS' | 'OUNCES' | 'POUNDS';

export interface OptionValueRecord {
  readonly type: 'ProductOptionValue';
  readonly id: number;
  name: string;
}

export interface OptionRecord {
  readonly type: 'ProductOption';
  readonly id: number;
  readonly product: ProductRecord;
  name: string;
  values: OptionValueRecord[];
  /** Its values come from a metafield: they can be chosen, and not be named. */
  isLinked?: true;
}

export interface MediaRecord {
  readonly type: 'MediaImage';
  readonly id: number;
  alt: string | null;
  readonly originalSource: string;
  readonly createdAt: number;
  /** Set when the source can never become an image. */
  readonly failure: string | null;
}

export interface ProductRecord {
  readonly type: 'Product';
  readonly id: number;
  title: string;
  handle: string;
  descriptionHtml: string;
  vendor: string;
  productType: string;
  tags: string[];
  status: ProductStatus;
  templateSuffix: string | null;
  isGiftCard: boolean;
  /** Sold by subscription only. */
  requiresSellingPlan: boolean;
  combinedListingRole: 'PARENT' | 'CHILD' | null;
  seoTitle: string | null;
  seoDescription: string | null;
  categoryId: string | null;
  readonly createdAt: number;
  updatedAt: number;
  publishedAt: number | null;
  options: OptionRecord[];
  variants: VariantRecord[];
  media: MediaRecord[];
  collections: CollectionRecord[];
  /** Publication id -> published at. */
  publications: Map<number, number>;
  isDeleted: boolean;
  /** While `now < staleTotal.until`, `totalInventory` still answers the old sum. */
  staleTotal: { total: number; until: number } | null;
  /** The sum of stock after the last committed change. */
  lastTotal: number;
}

export interface VariantRecord {
  readonly type: 'ProductVariant';
  readonly id: number;
  readonly product: ProductRecord;
  readonly item: ItemRecord;
  /** One value per option of the product, in option order. */
  values: OptionValueRecord[];
  position: number;
  barcode: string | null;
  price: string;
  compareAtPrice: string | null;
  taxable: boolean;
  inventoryPolicy: InventoryPolicy;
  mediaId: number | null;
  readonly createdAt: number;
  updatedAt: number;
}

export interface ItemRecord {
  readonly type: 'InventoryItem';
  readonly id: number;
  variant: VariantRecord;
  sku: string | null;
  tracked: boolean;
  requiresShipping: boolean;
  cost: string | null;
  weight: { unit: WeightUnit; value: number };
  countryCodeOfOrigin: string | null;
  provinceCodeOfOrigin: string | null;
  harmonizedSystemCode: string | null;
  levels: LevelRecord[];
  readonly createdAt: number;
  updatedAt: number;
}

/** The quantities that are stored; `on_hand` is the sum of all but `incoming`. */
const STORED_QUANTITY_NAMES = [
  'available',
  'committed',
  'incoming',
  'reserved',
  'damaged',
  'safety_stock',
  'quality_control',
] as const;
export type StoredQuantityName = (typeof STORED_QUANTITY_NAMES)[number];

export interface LevelRecord {
  readonly type: 'InventoryLevel';
  readonly id: number;
  readonly item: ItemRecord;
  readonly location: LocationRecord;
  isActive: boolean;
  quantities: Record<StoredQuantityName, number>;
  readonly createdAt: number;
  updatedAt: number;
}

export interface LocationRecord {
  readonly type: 'Location';
  readonly id: number;
  name: string;
  isActive: boolean;
  isFulfillmentService: boolean;
  readonly createdAt: number;
  updatedAt: number;
}

export interface CollectionRecord {
  readonly type: 'Collection';
  readonly id: number;
  title: string;
  handle: string;
  readonly createdAt: number;
  updatedAt: number;
}

export interface PublicationRecord {
  readonly type: 'Publication';
  readonly id: number;
  readonly title: string;
  readonly appHandle: string;
  readonly autoPublish: boolean;
}

export interface MetafieldRecord {
  readonly type: 'Metafield';
  readonly id: number;
  readonly ownerGid: string;
  readonly ownerType: string;
  readonly namespace: string;
  readonly key: string;
  valueType: string;
  value: string;
  readonly createdAt: number;
  updatedAt: number;
}

export interface MetafieldDefinitionRecord {
  readonly type: 'MetafieldDefinition';
  readonly id: number;
  readonly ownerType: string;
  readonly namespace: string;
  readonly key: string;
  readonly name: string;
  readonly description: string | null;
  readonly valueType: string;
  readonly hasUniqueValues: boolean;
}

export interface WebhookSubscriptionRecord {
  readonly type: 'WebhookSubscription';
  readonly id: number;
  /** As in the schema: `PRODUCTS_UPDATE`. */
  readonly topic: string;
  uri: string;
  format: 'JSON' | 'XML';
  filter: string | null;
  includeFields: string[];
  metafieldNamespaces: string[];
  name: string | null;
  apiVersion: string;
  readonly createdAt: number;
  updatedAt: number;
}

export interface OrderLineRecord {
  readonly type: 'LineItem';
  readonly id: number;
  readonly productId: number;
  readonly variantId: number;
  readonly title: string;
  readonly variantTitle: string | null;
  readonly sku: string | null;
  readonly vendor: string;
  readonly quantity: number;
  readonly unitPrice: string;
  readonly grams: number;
  readonly requiresShipping: boolean;
  readonly taxable: boolean;
}

export interface OrderRecord {
  readonly type: 'Order';
  readonly id: number;
  readonly number: number;
  readonly email: string | null;
  readonly lines: readonly OrderLineRecord[];
  readonly total: string;
  readonly createdAt: number;
  updatedAt: number;
}

export interface UserErrorRecord {
  readonly field: readonly string[] | null;
  readonly message: string;
  readonly code?: string | null;
}

export interface ProductOperationRecord {
  readonly type: 'ProductSetOperation';
  readonly id: number;
  status: 'CREATED' | 'ACTIVE' | 'COMPLETE';
  productId: number | null;
  userErrors: readonly UserErrorRecord[];
}

export interface BulkOperationRecord {
  readonly type: 'BulkOperation';
  readonly id: number;
  readonly kind: 'QUERY' | 'MUTATION';
  readonly query: string;
  status: 'CREATED' | 'RUNNING' | 'COMPLETED' | 'CANCELING' | 'CANCELED' | 'FAILED';
  errorCode: string | null;
  readonly createdAt: number;
  completedAt: number | null;
  objectCount: number;
  rootObjectCount: number;
  /** JSONL chunks; null when nothing came out, as at Shopify (no url then). */
  result: Buffer | null;
}
