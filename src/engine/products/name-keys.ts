import { ConnectorError } from '../../model/connector-error.ts';
import type { VariantFields } from '../../model/product.ts';
import type { ProductWrite } from '../../ports/connector.ts';

const KEY_FIELDS = ['sku', 'barcode'] as const;

/** [B1] A refusal of SKUs or barcodes with those that the write gave: a platform seldom says which it means, and a product may have hundreds. */
export function nameKeys(write: ProductWrite, error: ConnectorError): ConnectorError {
  const field = KEY_FIELDS.find((name) => name === error.details.field);
  if (error.kind !== 'rejected' || field === undefined) return error;
  const given: readonly { readonly fields: Partial<VariantFields> }[] =
    write.type === 'create' ? write.variants : [...write.variants, ...write.newVariants];
  const keys = [...new Set(given.flatMap(({ fields }) => fields[field] || []))];
  return keys.length === 0 ? error : new ConnectorError(error.kind, error.message, { ...error.details, keys });
}
