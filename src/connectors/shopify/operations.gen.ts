// Made by scripts/generate-operations.ts from operations/*.graphql: edit those, then run it.
export const OPERATIONS = {
  bulkOperation: {
    name: 'BulkOperationById',
    kind: 'query',
    text: "query BulkOperationById($id: ID!, $locationId: ID!) { location(id: $locationId) { isActive } bulkOperation(id: $id) { id status errorCode objectCount rootObjectCount fileSize url } }",
  },
  bulkProducts: {
    name: 'BulkProducts',
    kind: 'query',
    text: "query BulkProducts { products { edges { node { id title handle descriptionHtml status tags updatedAt publishedAt isGiftCard requiresSellingPlan combinedListingRole hasVariantsThatRequiresComponents options { name position } media(first: 1) { edges { node { id preview { image { url } } } } } metafields(namespace: \"twinshelf\") { edges { node { id key value } } } variants { edges { node { id sku barcode price compareAtPrice inventoryPolicy taxable selectedOptions { name value } inventoryItem { id tracked requiresShipping measurement { weight { unit value } } inventoryLevel(locationId: \"gid://shopify/Location/0\") { quantities(names: [\"available\"]) { name quantity } } } } } } } } } }",
  },
  bulkRunQuery: {
    name: 'BulkRunQuery',
    kind: 'mutation',
    text: "mutation BulkRunQuery($query: String!) { bulkOperationRunQuery(query: $query, groupObjects: true) { bulkOperation { id status } userErrors { code field message } } }",
  },
  inspectCatalogue: {
    name: 'InspectCatalogue',
    kind: 'query',
    text: "query InspectCatalogue($withLocations: Boolean!, $withProducts: Boolean!) { locations(first: 250, includeInactive: true, includeLegacy: true) @include(if: $withLocations) { nodes { id name isActive isPrimary } pageInfo { hasNextPage endCursor } } productsCount(limit: null) @include(if: $withProducts) { count } }",
  },
  inspect: {
    name: 'Inspect',
    kind: 'query',
    text: "query Inspect { shop { id name myshopifyDomain currencyCode taxesIncluded weightUnit ianaTimezone plan { publicDisplayName } } currentAppInstallation { id accessScopes { handle } } publicApiVersions { handle supported } }",
  },
  levelsChanged: {
    name: 'LevelsChanged',
    kind: 'query',
    text: "query LevelsChanged($locationId: ID!, $first: Int!, $after: String, $query: String!) { location(id: $locationId) { isActive inventoryLevels(first: $first, after: $after, query: $query) { nodes { id updatedAt item { id } } pageInfo { hasNextPage endCursor } } } }",
  },
  locations: {
    name: 'Locations',
    kind: 'query',
    text: "query Locations($after: String) { locations(first: 250, after: $after, includeInactive: true, includeLegacy: true) { nodes { id name isActive isPrimary } pageInfo { hasNextPage endCursor } } }",
  },
  markDefine: {
    name: 'MarkDefine',
    kind: 'mutation',
    text: "mutation MarkDefine($definition: MetafieldDefinitionInput!) { metafieldDefinitionCreate(definition: $definition) { createdDefinition { id } userErrors { code field message } } }",
  },
  marksSet: {
    name: 'MarksSet',
    kind: 'mutation',
    text: "mutation MarksSet($metafields: [MetafieldsSetInput!]!) { metafieldsSet(metafields: $metafields) { userErrors { code field message } } }",
  },
  productByIdentifier: {
    name: 'ProductByIdentifier',
    kind: 'query',
    text: "query ProductByIdentifier($identifier: ProductIdentifierInput!, $locationId: ID!, $variantsFirst: Int!) { location(id: $locationId) { isActive } productByIdentifier(identifier: $identifier) { ...ProductRow } } fragment ProductRow on Product { id title handle descriptionHtml status tags updatedAt publishedAt isGiftCard requiresSellingPlan combinedListingRole hasVariantsThatRequiresComponents options { name position } media(first: 1) { nodes { preview { image { url } } } } metafields(first: 25, namespace: \"twinshelf\") { nodes { key value } } variants(first: $variantsFirst) { nodes { ...VariantRow } pageInfo { hasNextPage endCursor } } } fragment VariantRow on ProductVariant { id sku barcode price compareAtPrice inventoryPolicy taxable selectedOptions { name value } inventoryItem { id tracked requiresShipping measurement { weight { unit value } } inventoryLevel(locationId: $locationId) { quantities(names: [\"available\"]) { name quantity } } } }",
  },
  productOptionUpdate: {
    name: 'ProductOptionUpdate',
    kind: 'mutation',
    text: "mutation ProductOptionUpdate($productId: ID!, $option: OptionUpdateInput!, $optionValuesToUpdate: [OptionValueUpdateInput!]) { productOptionUpdate(productId: $productId, option: $option, optionValuesToUpdate: $optionValuesToUpdate, variantStrategy: LEAVE_AS_IS) { userErrors { code field message } } }",
  },
  productOptionsCreate: {
    name: 'ProductOptionsCreate',
    kind: 'mutation',
    text: "mutation ProductOptionsCreate($productId: ID!, $options: [OptionCreateInput!]!) { productOptionsCreate(productId: $productId, options: $options, variantStrategy: LEAVE_AS_IS) { userErrors { code field message } } }",
  },
  productOptionsReorder: {
    name: 'ProductOptionsReorder',
    kind: 'mutation',
    text: "mutation ProductOptionsReorder($productId: ID!, $options: [OptionReorderInput!]!) { productOptionsReorder(productId: $productId, options: $options) { userErrors { code field message } } }",
  },
  productOptions: {
    name: 'ProductOptions',
    kind: 'query',
    text: "query ProductOptions($id: ID!) { product(id: $id) { id options { id name position optionValues { id name hasVariants } } } }",
  },
  productSet: {
    name: 'ProductSet',
    kind: 'mutation',
    text: "mutation ProductSet($identifier: ProductSetIdentifiers!, $input: ProductSetInput!) { productSet(identifier: $identifier, input: $input, synchronous: true) { product { id } userErrors { code field message } } }",
  },
  productUpdate: {
    name: 'ProductUpdate',
    kind: 'mutation',
    text: "mutation ProductUpdate($product: ProductUpdateInput!) { productUpdate(product: $product) { product { id publishedAt } userErrors { field message } } }",
  },
  productsById: {
    name: 'ProductsById',
    kind: 'query',
    text: "query ProductsById($ids: [ID!]!, $locationId: ID!, $variantsFirst: Int!) { location(id: $locationId) { isActive } nodes(ids: $ids) { __typename ... on Product { ...ProductRow } } } fragment ProductRow on Product { id title handle descriptionHtml status tags updatedAt publishedAt isGiftCard requiresSellingPlan combinedListingRole hasVariantsThatRequiresComponents options { name position } media(first: 1) { nodes { preview { image { url } } } } metafields(first: 25, namespace: \"twinshelf\") { nodes { key value } } variants(first: $variantsFirst) { nodes { ...VariantRow } pageInfo { hasNextPage endCursor } } } fragment VariantRow on ProductVariant { id sku barcode price compareAtPrice inventoryPolicy taxable selectedOptions { name value } inventoryItem { id tracked requiresShipping measurement { weight { unit value } } inventoryLevel(locationId: $locationId) { quantities(names: [\"available\"]) { name quantity } } } }",
  },
  productsChanged: {
    name: 'ProductsChanged',
    kind: 'query',
    text: "query ProductsChanged($locationId: ID!, $first: Int!, $after: String, $query: String!) { location(id: $locationId) { isActive } products(first: $first, after: $after, query: $query, sortKey: UPDATED_AT) { nodes { id updatedAt } pageInfo { hasNextPage endCursor } } }",
  },
  productsListed: {
    name: 'ProductsListed',
    kind: 'query',
    text: "query ProductsListed($first: Int!, $after: String, $query: String) { products(first: $first, after: $after, query: $query, sortKey: ID) { nodes { id } pageInfo { hasNextPage endCursor } } }",
  },
  publications: {
    name: 'Publications',
    kind: 'query',
    text: "query Publications($after: String) { publications(first: 25, after: $after, catalogType: APP) { nodes { id catalog { title ... on AppCatalog { apps(first: 1) { nodes { handle } } } } } pageInfo { hasNextPage endCursor } } }",
  },
  publish: {
    name: 'Publish',
    kind: 'mutation',
    text: "mutation Publish($id: ID!, $input: [PublicationInput!]!) { publishablePublish(id: $id, input: $input) { userErrors { field message } } }",
  },
  shopSetup: {
    name: 'ShopSetup',
    kind: 'query',
    text: "query ShopSetup { shop { id myshopifyDomain currencyCode weightUnit } locations(first: 250, includeLegacy: true) { nodes { id name isActive isPrimary } pageInfo { hasNextPage endCursor } } }",
  },
  shopUnits: {
    name: 'ShopUnits',
    kind: 'query',
    text: "query ShopUnits { shop { id currencyCode taxesIncluded weightUnit } }",
  },
  stockActivate: {
    name: 'StockActivate',
    kind: 'mutation',
    text: "mutation StockActivate($inventoryItemId: ID!, $locationId: ID!, $key: String!) { inventoryActivate(inventoryItemId: $inventoryItemId, locationId: $locationId) @idempotent(key: $key) { userErrors { field message } } }",
  },
  stockByItem: {
    name: 'StockByItem',
    kind: 'query',
    text: "query StockByItem($ids: [ID!]!, $locationId: ID!) { location(id: $locationId) { isActive } nodes(ids: $ids) { __typename ... on InventoryItem { id tracked inventoryLevel(locationId: $locationId) { updatedAt quantities(names: [\"available\"]) { name quantity } } } } }",
  },
  stockSet: {
    name: 'StockSet',
    kind: 'mutation',
    text: "mutation StockSet($input: InventorySetQuantitiesInput!, $key: String!) { inventorySetQuantities(input: $input) @idempotent(key: $key) { inventoryAdjustmentGroup { changes { name delta item { id tracked } } } userErrors { code field message } } }",
  },
  variantsByKey: {
    name: 'VariantsByKey',
    kind: 'query',
    text: "query VariantsByKey($query: String!, $after: String) { productVariants(first: 100, after: $after, query: $query) { nodes { id sku barcode product { id } } pageInfo { hasNextPage endCursor } } }",
  },
  variantsCreate: {
    name: 'VariantsCreate',
    kind: 'mutation',
    text: "mutation VariantsCreate($productId: ID!, $variants: [ProductVariantsBulkInput!]!) { productVariantsBulkCreate(productId: $productId, variants: $variants, strategy: PRESERVE_STANDALONE_VARIANT) { productVariants { id } userErrors { code field message } } }",
  },
  variantsPage: {
    name: 'VariantsPage',
    kind: 'query',
    text: "query VariantsPage($id: ID!, $locationId: ID!, $after: String) { product(id: $id) { id variants(first: 250, after: $after) { nodes { ...VariantRow } pageInfo { hasNextPage endCursor } } } } fragment VariantRow on ProductVariant { id sku barcode price compareAtPrice inventoryPolicy taxable selectedOptions { name value } inventoryItem { id tracked requiresShipping measurement { weight { unit value } } inventoryLevel(locationId: $locationId) { quantities(names: [\"available\"]) { name quantity } } } }",
  },
  variantsUpdate: {
    name: 'VariantsUpdate',
    kind: 'mutation',
    text: "mutation VariantsUpdate($productId: ID!, $variants: [ProductVariantsBulkInput!]!) { productVariantsBulkUpdate(productId: $productId, variants: $variants, allowPartialUpdates: true) { userErrors { code field message } } }",
  },
  webhookCreate: {
    name: 'WebhookCreate',
    kind: 'mutation',
    text: "mutation WebhookCreate($topic: WebhookSubscriptionTopic!, $webhookSubscription: WebhookSubscriptionInput!) { webhookSubscriptionCreate(topic: $topic, webhookSubscription: $webhookSubscription) { webhookSubscription { id } userErrors { field message } } }",
  },
  webhookDelete: {
    name: 'WebhookDelete',
    kind: 'mutation',
    text: "mutation WebhookDelete($id: ID!) { webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId userErrors { field message } } }",
  },
  webhookUpdate: {
    name: 'WebhookUpdate',
    kind: 'mutation',
    text: "mutation WebhookUpdate($id: ID!, $webhookSubscription: WebhookSubscriptionInput!) { webhookSubscriptionUpdate(id: $id, webhookSubscription: $webhookSubscription) { webhookSubscription { id } userErrors { field message } } }",
  },
  webhooks: {
    name: 'Webhooks',
    kind: 'query',
    text: "query Webhooks($after: String) { webhookSubscriptions(first: 100, after: $after) { nodes { id topic uri includeFields } pageInfo { hasNextPage endCursor } } }",
  },
} as const;
