import { skuKey } from '../../lib/record-keys.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { PRODUCT_LIMITS } from '../../model/product.ts';
import type { BatchItem } from './batch.ts';
import type { StoreFacts } from './store-facts.ts';

/** A name of signs alone has no slug there, and each of its variations would be for any value. `known`: an attribute of the shop may have a slug all the same. */
export function refuseOptions(names: readonly string[], known: readonly string[] = []): void {
  if (names.length > PRODUCT_LIMITS.optionNamesMax) throw refuse('optionNames', 'a product has at most three options');
  const nameless = names.find((name) => !known.includes(name) && /^[^\w\u0080-\uffff]*$/.test(name));
  if (nameless !== undefined)
    throw refuse('optionNames', `give the option "${nameless}" a name with a letter or a digit`);
}

export function refuseWrongValues(values: readonly string[], names: readonly string[]): void {
  if (values.length === names.length && values.every((value) => value.trim() !== '')) return;
  throw refuse('optionValues', 'a variant needs one value for each option of its product');
}

export function refuse(field: string | undefined, message: string): ConnectorError {
  return new ConnectorError('rejected', message, field === undefined ? {} : { field });
}

/**
 * WooCommerce keeps a SKU or a barcode for one record of the shop alone, and tells so of two new variations only after the product around them was
 * made: the first would stand in the way of the second.
 */
export function refuseEqualCodes(
  variations: readonly BatchItem[],
  { hasBarcodes }: Pick<StoreFacts, 'hasBarcodes'>,
): void {
  refuseEqual(variations, { param: 'sku', field: 'sku', name: 'SKU' });
  if (hasBarcodes) refuseEqual(variations, { param: 'global_unique_id', field: 'barcode', name: 'barcode' });
}

interface UniqueCode {
  readonly param: string;
  readonly field: string;
  readonly name: string;
}

function refuseEqual(variations: readonly BatchItem[], { param, field, name }: UniqueCode): void {
  const known = new Set<string>();
  for (const { body } of variations) {
    const code = body[param];
    if (typeof code !== 'string' || code === '') continue;
    if (known.has(skuKey(code)))
      throw refuse(field, `several of its variants bear the ${name} "${code}", which WooCommerce keeps for one alone`);
    known.add(skuKey(code));
  }
}
