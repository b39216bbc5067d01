import { gtinKey, skuKey } from '../lib/record-keys.ts';

/** What records of a shop are looked for by: a SKU or a valid GTIN, each as it is compared (`sku:mug-1`, `gtin:04006381333931`). */
export type SearchKey = `sku:${string}` | `gtin:${string}`;

/** By what a variant can be found, the stronger key first: nothing where it has neither a SKU nor a valid GTIN. */
export function searchKeys(fields: { readonly sku: string; readonly barcode: string }): readonly SearchKey[] {
  const sku = skuKey(fields.sku);
  const gtin = gtinKey(fields.barcode);
  return [...(gtin === null ? [] : [`gtin:${gtin}` as const]), ...(sku === '' ? [] : [`sku:${sku}` as const])];
}

/** The SKUs and the GTINs (of fourteen digits) among them, each once. */
export function splitSearchKeys(keys: readonly SearchKey[]): {
  readonly skus: readonly string[];
  readonly gtins: readonly string[];
} {
  const skus: string[] = [];
  const gtins: string[] = [];
  for (const key of new Set(keys)) {
    if (key.startsWith('sku:')) skus.push(key.slice('sku:'.length));
    else gtins.push(key.slice('gtin:'.length));
  }
  return { skus, gtins };
}
