import { ConnectorError, type ConnectorErrorDetails, type ConnectorErrorKind } from '../../model/connector-error.ts';
import type { UserError } from './wire.ts';

/** Last telling word of a Shopify field path -> the canonical field's name. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  title: 'title',
  descriptionHtml: 'descriptionHtml',
  status: 'status',
  tags: 'tags',
  handle: 'handle',
  productOptions: 'optionNames',
  options: 'optionNames',
  option: 'optionNames',
  optionName: 'optionNames',
  optionValues: 'optionValues',
  optionValuesToUpdate: 'optionValues',
  selectedOptions: 'optionValues',
  price: 'price',
  compareAtPrice: 'price',
  sku: 'sku',
  barcode: 'barcode',
  weight: 'weightMg',
  measurement: 'weightMg',
  inventoryPolicy: 'backorders',
  inventoryQuantities: 'stock',
  quantities: 'stock',
  quantity: 'stock',
  changeFromQuantity: 'stock',
  inventoryItemId: 'stock',
  tracked: 'stock',
  metafields: 'mark',
};

/** ["input","variants","0","price"] -> "price"; null when no part of the path is a field that we know. */
export function canonicalField(path: readonly string[] | null | undefined): string | null {
  for (const part of [...(path ?? [])].reverse()) {
    const name = FIELD_NAMES[part];
    if (name !== undefined) return name;
  }
  return null;
}

/** The number after `list` in a path: which row of the input is meant; null when none is. */
export function rowIndex(path: readonly string[] | null | undefined, list: string): number | null {
  const at = path?.indexOf(list) ?? -1;
  const text = at < 0 ? undefined : path?.[at + 1];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}

const NOT_FOUND_CODES = new Set([
  'PRODUCT_DOES_NOT_EXIST',
  'PRODUCT_VARIANT_DOES_NOT_EXIST',
  'INVALID_INVENTORY_ITEM',
  'PRODUCT_NOT_FOUND',
]);
/** Shopify's own "something went wrong": parts of the work may be done. */
const UNCERTAIN_CODES = new Set(['GENERIC_ERROR', 'JOB_ERROR']);

/** A refusal inside an answer. It is an exact answer: nothing of what it names was done, unless the code itself says that nobody knows. */
export function userErrorToConnectorError(error: UserError): ConnectorError {
  const code = error.code ?? '';
  const isPlace = isPlaceRefused(code, error.message);
  const field = isPlace ? 'locationId' : canonicalField(error.field);
  const details: ConnectorErrorDetails = {
    platformMessage: error.message.slice(0, 500),
    ...(code === '' ? {} : { platformCode: code }),
    ...(field === null ? {} : { field }),
    ...(isOfLinkedValue(error) ? { field: 'optionValues', remedy: LINKED_REMEDY } : {}),
  };
  if (/daily variant creation limit/i.test(error.message)) return noMoreVariants(details);
  const said = isPlace ? PLACE_REFUSED : `Shopify refused: ${error.message}`;
  return new ConnectorError(kindOf(code, error.message), said, details);
}

/** Shopify does not say when the day is over. By then thousands of products may wait for it, and each is read anew before it is tried, ms. */
const NEW_VARIANTS_AGAIN_MS = 2 * 3_600_000;

/** Shops with very many variants (but for Plus) are given so many new ones a day. What is refused by that was not done, nor any part of it. */
export function noMoreVariants(details: ConnectorErrorDetails): ConnectorError {
  return new ConnectorError('rate_limited', 'Shopify takes no more new variants in this shop today', {
    ...details,
    retryAfterMs: NEW_VARIANTS_AGAIN_MS,
  });
}

const LINKED_REMEDY =
  'In Shopify this option takes its values from a list (a category metafield). Add the value to it there, or disconnect the option from it; it is tried again by itself.';

/** An option that is linked to a metafield, as Shopify does by itself for many categories, has values that can be chosen by id and not be named. */
export function isOfLinkedValue({ code, message }: UserError): boolean {
  return (
    code === 'CANNOT_SET_NAME_FOR_LINKED_OPTION_VALUE' ||
    /set name for an option value linked to a metafield/i.test(message)
  );
}

const PLACE_REFUSED = 'the Shopify stock location that this pair is linked with is switched off or gone';

/** [S12] It is the place, and not the number, that is refused. An item that is not stocked there is told by the same code, and of new variants the words are all that is told. */
function isPlaceRefused(code: string, message: string): boolean {
  if (code === 'INVALID_LOCATION') return !/not (currently )?(stocked|active|activated|connected)/i.test(message);
  return /because the location was deleted/i.test(message);
}

function kindOf(code: string, message: string): ConnectorErrorKind {
  if (NOT_FOUND_CODES.has(code)) return 'not_found';
  // productUpdate and metafieldsSet have no codes for these; the words are the answer.
  if (/^(product|owner|product variant) (does not exist|doesn't exist|could not be found)\.?$/i.test(message))
    return 'not_found';
  // Resource limits (of development stores) are told here and not as THROTTLED.
  if (/too many attempts|throttled/i.test(message)) return 'rate_limited';
  if (code === 'IDEMPOTENCY_CONCURRENT_REQUEST') return 'unknown_outcome';
  if (UNCERTAIN_CODES.has(code)) return 'unknown_outcome';
  if (code === 'OPERATION_IN_PROGRESS' || /another operation already in progress/i.test(message)) return 'rate_limited';
  return 'rejected';
}

/** The first of `errors` as a ConnectorError, the others counted in its message; null when there is none. */
export function firstUserError(errors: readonly UserError[]): ConnectorError | null {
  const [first, ...others] = errors;
  if (!first) return null;
  const error = userErrorToConnectorError(first);
  if (others.length === 0) return error;
  return new ConnectorError(error.kind, `${error.message} (and ${others.length} more)`, error.details);
}
