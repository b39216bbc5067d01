import { type TSchema, Type } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';

/** Answers of the operations in `operations/`, as far as they are selected there. */

/** A validator that is compiled on first use: most processes never need most of them. */
export interface Shape<T> {
  /** Null when `value` fits, else where it doesn't. */
  mismatch(value: unknown): string | null;
  readonly type?: T;
}

export function shape<S extends TSchema>(schema: S): Shape<Type.Static<S>> {
  let validator: Validator | null = null;
  return {
    mismatch(value) {
      validator ??= Compile(schema as TSchema);
      if (validator.Check(value)) return null;
      const [first] = validator.Errors(value);
      return first ? `${first.instancePath} ${first.message}` : 'unexpected answer';
    },
  };
}

const {
  Object: object,
  String: string,
  Boolean: boolean,
  Number: number,
  Array: array,
  Optional: optional,
  Union: union,
} = Type;
const nullable = <S extends TSchema>(schema: S) => union([schema, Type.Null()]);
/** 64-bit counts are sent as text. */
const count64 = union([string(), number()]);
/** Shopify sends money as text; a server that speaks its schema with plain scalars sends numbers. Read by `decimalText`. */
const decimal = union([string(), number()]);

const pageInfo = object({ hasNextPage: boolean(), endCursor: nullable(string()) });

const quantities = array(object({ name: string(), quantity: Type.Integer() }));
const level = object({ quantities });
const weight = object({ unit: string(), value: number() });

export const VariantRow = object({
  id: string(),
  sku: nullable(string()),
  barcode: nullable(string()),
  price: decimal,
  compareAtPrice: nullable(decimal),
  inventoryPolicy: string(),
  taxable: boolean(),
  selectedOptions: array(object({ name: string(), value: string() })),
  inventoryItem: object({
    id: string(),
    tracked: boolean(),
    requiresShipping: boolean(),
    measurement: nullable(object({ weight: nullable(weight) })),
    inventoryLevel: nullable(level),
  }),
});
export type VariantRow = Type.Static<typeof VariantRow>;

const productScalars = {
  id: string(),
  title: string(),
  handle: string(),
  descriptionHtml: string(),
  status: string(),
  tags: array(string()),
  updatedAt: string(),
  publishedAt: nullable(string()),
  isGiftCard: boolean(),
  requiresSellingPlan: boolean(),
  combinedListingRole: nullable(string()),
  hasVariantsThatRequiresComponents: boolean(),
  options: array(object({ name: string(), position: Type.Integer() })),
};
/** A product without its children, as a bulk file has it. */
export const ProductLine = object(productScalars);
export type ProductLine = Type.Static<typeof ProductLine>;

const mediaNode = object({ preview: optional(nullable(object({ image: nullable(object({ url: string() })) }))) });
export type MediaNode = Type.Static<typeof mediaNode>;
export const MarkNode = object({ key: string(), value: string() });
export type MarkNode = Type.Static<typeof MarkNode>;

export const ProductRow = object({
  ...productScalars,
  media: object({ nodes: array(mediaNode) }),
  metafields: object({ nodes: array(MarkNode) }),
  variants: object({ nodes: array(VariantRow), pageInfo }),
});
export type ProductRow = Type.Static<typeof ProductRow>;

/** The mapped location, beside what holds its stock. */
const place = nullable(object({ isActive: boolean() }));

/** Rows are checked one by one by the reader, so that one odd row does not spoil the batch. */
export const NodesAnswer = shape(object({ location: place, nodes: array(Type.Unknown()) }));
export const ProductRowShape = shape(ProductRow);
export const ProductLineShape = shape(ProductLine);
export const VariantRowShape = shape(VariantRow);
export const MediaLineShape = shape(mediaNode);
export const MarkNodeShape = shape(MarkNode);
const timedLevel = object({ quantities, updatedAt: string() });
const stockRow = object({ id: string(), tracked: boolean(), inventoryLevel: nullable(timedLevel) });
export type StockRow = Type.Static<typeof stockRow>;
export const StockRowShape = shape(stockRow);

export const ByIdentifierAnswer = shape(object({ location: place, productByIdentifier: nullable(ProductRow) }));
export const VariantsPageAnswer = shape(
  object({ product: nullable(object({ id: string(), variants: object({ nodes: array(VariantRow), pageInfo }) })) }),
);
const searched = { sku: nullable(string()), barcode: nullable(string()) };
const variantHit = object({ id: string(), ...searched, product: object({ id: string() }) });
const variantsByKey = object({ productVariants: object({ nodes: array(variantHit), pageInfo }) });
export type VariantsByKey = Type.Static<typeof variantsByKey>;
export const VariantsByKeyAnswer = shape(variantsByKey);

export const ProductsChangedAnswer = shape(
  object({
    location: place,
    products: object({ nodes: array(object({ id: string(), updatedAt: string() })), pageInfo }),
  }),
);
const productsListed = object({ products: object({ nodes: array(object({ id: string() })), pageInfo }) });
export type ProductsListed = Type.Static<typeof productsListed>;
export const ProductsListedAnswer = shape(productsListed);
export const LevelsChangedAnswer = shape(
  object({
    location: nullable(
      object({
        isActive: boolean(),
        inventoryLevels: object({
          nodes: array(object({ id: string(), updatedAt: string(), item: object({ id: string() }) })),
          pageInfo,
        }),
      }),
    ),
  }),
);

const UserError = object({
  field: optional(nullable(array(string()))),
  message: string(),
  code: optional(nullable(string())),
});
export type UserError = Type.Static<typeof UserError>;
const userErrors = array(UserError);

export const StockSetAnswer = shape(
  object({
    inventorySetQuantities: object({
      inventoryAdjustmentGroup: nullable(
        object({
          changes: array(
            object({
              name: string(),
              delta: Type.Integer(),
              item: nullable(object({ id: string(), tracked: boolean() })),
            }),
          ),
        }),
      ),
      userErrors,
    }),
  }),
);
export const StockActivateAnswer = shape(object({ inventoryActivate: object({ userErrors }) }));
export const ProductSetAnswer = shape(
  object({ productSet: object({ product: nullable(object({ id: string() })), userErrors }) }),
);
export const ProductUpdateAnswer = shape(
  object({
    productUpdate: object({ product: nullable(object({ id: string(), publishedAt: nullable(string()) })), userErrors }),
  }),
);
export const ProductOptionsAnswer = shape(
  object({
    product: nullable(
      object({
        id: string(),
        options: array(
          object({
            id: string(),
            name: string(),
            position: Type.Integer(),
            optionValues: array(object({ id: string(), name: string(), hasVariants: boolean() })),
          }),
        ),
      }),
    ),
  }),
);
export const ProductOptionUpdateAnswer = shape(object({ productOptionUpdate: object({ userErrors }) }));
export const ProductOptionsReorderAnswer = shape(object({ productOptionsReorder: object({ userErrors }) }));
export const ProductOptionsCreateAnswer = shape(object({ productOptionsCreate: object({ userErrors }) }));
export const VariantsUpdateAnswer = shape(object({ productVariantsBulkUpdate: object({ userErrors }) }));
export const VariantsCreateAnswer = shape(
  object({
    productVariantsBulkCreate: object({ productVariants: nullable(array(object({ id: string() }))), userErrors }),
  }),
);
export const MarkDefineAnswer = shape(
  object({ metafieldDefinitionCreate: object({ createdDefinition: nullable(object({ id: string() })), userErrors }) }),
);
export const MarksSetAnswer = shape(object({ metafieldsSet: object({ userErrors }) }));
export const PublicationsAnswer = shape(
  object({
    publications: object({
      nodes: array(
        object({
          id: string(),
          catalog: nullable(
            object({
              title: string(),
              apps: optional(object({ nodes: array(object({ handle: nullable(string()) })) })),
            }),
          ),
        }),
      ),
      pageInfo,
    }),
  }),
);
export const PublishAnswer = shape(object({ publishablePublish: object({ userErrors }) }));

export const BulkRunAnswer = shape(
  object({
    bulkOperationRunQuery: object({ bulkOperation: nullable(object({ id: string(), status: string() })), userErrors }),
  }),
);
export const BulkOperation = object({
  id: string(),
  status: string(),
  errorCode: nullable(string()),
  objectCount: count64,
  rootObjectCount: count64,
  fileSize: nullable(count64),
  url: nullable(string()),
});
export type BulkOperation = Type.Static<typeof BulkOperation>;
export const BulkOperationAnswer = shape(object({ location: place, bulkOperation: nullable(BulkOperation) }));

const location = object({ id: string(), name: string(), isActive: boolean(), isPrimary: boolean() });
export type LocationRow = Type.Static<typeof location>;
const locations = object({ nodes: array(location), pageInfo });
export const LocationsAnswer = shape(object({ locations }));
export const ShopSetupAnswer = shape(
  object({
    shop: object({ id: string(), myshopifyDomain: string(), currencyCode: string(), weightUnit: string() }),
    locations,
  }),
);
export const ShopUnitsAnswer = shape(
  object({
    shop: object({ id: string(), currencyCode: string(), taxesIncluded: boolean(), weightUnit: string() }),
  }),
);

export const InspectAnswer = shape(
  object({
    shop: object({
      id: string(),
      name: string(),
      myshopifyDomain: string(),
      currencyCode: string(),
      taxesIncluded: boolean(),
      weightUnit: string(),
      ianaTimezone: string(),
      plan: object({ publicDisplayName: string() }),
    }),
    currentAppInstallation: object({ id: string(), accessScopes: array(object({ handle: string() })) }),
    publicApiVersions: array(object({ handle: string(), supported: boolean() })),
  }),
);

export const InspectCatalogueAnswer = shape(
  object({
    locations: optional(nullable(locations)),
    productsCount: optional(nullable(object({ count: Type.Integer() }))),
  }),
);

export const WebhooksAnswer = shape(
  object({
    webhookSubscriptions: object({
      nodes: array(object({ id: string(), topic: string(), uri: string(), includeFields: array(string()) })),
      pageInfo,
    }),
  }),
);
export const WebhookCreateAnswer = shape(object({ webhookSubscriptionCreate: object({ userErrors }) }));
export const WebhookUpdateAnswer = shape(object({ webhookSubscriptionUpdate: object({ userErrors }) }));
export const WebhookDeleteAnswer = shape(object({ webhookSubscriptionDelete: object({ userErrors }) }));
