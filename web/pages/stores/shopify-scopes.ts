/** The access scopes that the doctor asks a Shopify app for. */
export const SHOPIFY_SCOPES: readonly string[] = [
  'read_products',
  'write_products',
  'read_inventory',
  'write_inventory',
  'read_locations',
];

/** Without them new products are published by hand. */
export const PUBLISHING_SCOPES: readonly string[] = ['read_publications', 'write_publications'];
