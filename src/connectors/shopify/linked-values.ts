import { ConnectorError } from '../../model/connector-error.ts';
import type { ShopifyClient } from './client.ts';
import type { WireOptionValue } from './export-mapper.ts';
import { normaliseOptionText } from './normalise.ts';
import { OPERATIONS } from './operations.gen.ts';
import type { Until } from './update-progress.ts';
import { isOfLinkedValue } from './user-errors.ts';
import { ProductOptionsAnswer, type UserError } from './wire.ts';

interface Variant {
  readonly optionValues?: readonly WireOptionValue[];
}

/**
 * Sends variants with the names of their values; where an option of the product is linked to a metafield, they are sent once more with the ids of those values that
 * the option has. (One that it has not is still named, and refused again.) Few products have such options: what they are is asked for once it matters.
 */
export async function sendVariants<V extends Variant, A extends { readonly userErrors: readonly UserError[] }>(
  client: ShopifyClient,
  productId: string,
  variants: readonly V[],
  until: Until,
  send: (variants: readonly object[]) => Promise<A>,
): Promise<A> {
  const answer = await send(variants);
  if (!answer.userErrors.some(isOfLinkedValue)) return answer;
  const { product } = await client.call(OPERATIONS.productOptions, { id: productId }, ProductOptionsAnswer, until());
  if (product === null) throw new ConnectorError('not_found', 'Shopify has no product with this id');
  const ids = new Map(
    product.options.flatMap((option) => option.optionValues.map(({ id, name }) => [key(option.name, name), id])),
  );
  const byId = ({ optionName, name }: WireOptionValue) => {
    const id = ids.get(key(optionName, name));
    return id === undefined ? { optionName, name } : { optionName, id };
  };
  return await send(
    variants.map((variant) =>
      variant.optionValues === undefined ? variant : { ...variant, optionValues: variant.optionValues.map(byId) },
    ),
  );
}

function key(option: string, value: string): string {
  return JSON.stringify([normaliseOptionText(option), normaliseOptionText(value)]);
}
