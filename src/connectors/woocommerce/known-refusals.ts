import { skuKey } from '../../lib/record-keys.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { PRODUCT_LIMITS, type VariantFields } from '../../model/product.ts';
import type { BatchItem } from './batch.ts';
import type { AttributeBody } from './export-mapper.ts';
import type { Passthrough } from './import-mapper.ts';
import { isTermName } from './represent.ts';
import type { StoreFacts } from './store-facts.ts';
import { cleanOption, decodeText } from './text.ts';
import type { WireAttribute } from './wire.ts';

/** A name of signs alone has no slug there, "0" counts as none, and each of its variations would be for any value. `known`: an attribute of the shop may have a slug all the same. */
export function refuseOptions(names: readonly string[], known: readonly string[] = []): void {
  if (names.length > PRODUCT_LIMITS.optionNamesMax) throw refuse('optionNames', 'a product has at most three options');
  const nameless = names.find((name) => !known.includes(name) && /^[^\w\u0080-\uffff]*$/.test(name));
  if (nameless !== undefined)
    throw refuse('optionNames', `give the option "${nameless}" a name with a letter or a digit`);
  if (names.some((name) => !known.includes(name) && name.trim() === '0'))
    throw refuse('optionNames', 'to WooCommerce an option called "0" has no name: give it another one');
}

export function refuseWrongValues(values: readonly string[], names: readonly string[]): void {
  if (values.length === names.length && values.every((value) => value.trim() !== '')) return;
  throw refuse('optionValues', 'a variant needs one value for each option of its product');
}

/**
 * A value that comes new to an attribute of the shop becomes a term of its list. A "<" ends it there, one that is too long is not taken: the variation
 * would be for another value, or for any. And where the database holds two values for the same, two variations can become one. `all`: their values.
 */
export function refuseTerms(
  attributes: readonly AttributeBody[],
  current: readonly WireAttribute[],
  all: readonly (readonly string[])[],
): void {
  const lists = attributes
    .filter(({ variation }) => variation)
    .map(({ id, name, options }) => {
      const listed = current.find((one) => id !== undefined && one.id === id);
      const words = `"${decodeText(name)}" is an attribute of the whole shop in WooCommerce`;
      return listed === undefined ? null : { words, options, known: new Set(listed.options.map(decodeText)) };
    });
  for (const list of lists) {
    const odd = list?.options.find((value) => !list.known.has(value) && (/<(?!\s)/.test(value) || !isTermName(value)));
    if (!list || odd === undefined) continue;
    const fault = isTermName(odd) ? 'can have no "<" without a space behind it' : 'are shorter';
    throw refuse('optionValues', `${list.words}, whose values ${fault}: "${odd}"`);
  }
  const keyOf = (values: readonly string[]) =>
    JSON.stringify(lists.map((list, place) => (list === null ? values[place] : termKey(values[place] ?? ''))));
  const held = new Map<string, readonly string[]>();
  for (const values of all) {
    const twin = held.get(keyOf(values));
    held.set(keyOf(values), values);
    const place = twin === undefined ? -1 : twin.findIndex((value, index) => value !== values[index]);
    const [one, other, list] = [twin?.[place] ?? '', values[place] ?? '', lists[place]];
    if (list && !(list.known.has(one) && list.known.has(other)))
      throw refuse('optionValues', `${list.words}, to which "${one}" and "${other}" are one: rename one of them`);
  }
}

/** As the database compares names of terms: without letter case and accents, of whatever script. */
function termKey(value: string): string {
  return cleanOption(value)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .toLowerCase()
    .replaceAll('\u00df', 'ss');
}

/** Without a weight of its own a variation reports its product's, which would go to the other shop as if somebody had given it to this one. */
export function refuseNoWeight(
  variants: readonly { readonly fields: Partial<VariantFields> }[],
  through: Pick<Passthrough, 'hasSharedWeight'> | null,
): void {
  const hasNone = ({ weightMg }: Partial<VariantFields>) => weightMg !== undefined && (weightMg ?? 0) <= 0;
  if (through?.hasSharedWeight !== true || !variants.some(({ fields }) => hasNone(fields))) return;
  const words =
    'a variation without a weight has that of its product there. Give it a weight, or take that of the product away in WooCommerce';
  throw refuse('weightMg', words);
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
