import type { FieldMap } from './field-map.ts';
import { INVENTORY_FIELDS } from './inventory-fields.ts';
import { METAFIELD_FIELDS } from './metafield-fields.ts';
import { ORDER_FIELDS } from './order-fields.ts';
import { PRODUCT_FIELDS } from './product-fields.ts';
import { QUERY_FIELDS } from './query-root.ts';
import { SHOP_FIELDS } from './shop-fields.ts';

/** Type -> field -> resolver, for every field that is more than a property of its record. */
export const FIELDS: FieldMap = {
  QueryRoot: QUERY_FIELDS,
  ...PRODUCT_FIELDS,
  ...INVENTORY_FIELDS,
  ...METAFIELD_FIELDS,
  ...SHOP_FIELDS,
  ...ORDER_FIELDS,
};
