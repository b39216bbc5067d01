import { ConnectorError } from '../../model/connector-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { NewVariant, ProductWrite } from '../../ports/connector.ts';
import type { ShopifyClient } from './client.ts';
import { exportFields, exportHandle, exportNewVariant, exportProductOptions, refused } from './export-mapper.ts';
import { MARK_NAMESPACE, markKey, markMetafield, markValue } from './marks.ts';
import type { MarkWriter } from './marks-writer.ts';
import { OPERATIONS } from './operations.gen.ts';
import { isMissingDefinition } from './product-reader.ts';
import type { StoreContext } from './store-context.ts';
import { firstUserError } from './user-errors.ts';
import { ProductSetAnswer } from './wire.ts';

export type Create = ProductWrite & { readonly type: 'create' };

export interface ProductCreatorOptions {
  readonly client: ShopifyClient;
  readonly clock: Clock;
  readonly marks: MarkWriter;
}

const VARIANTS_MAX = 2048;
/** A definition that was just made is not known everywhere at once. */
const DEFINITION_WAITS_MS = [0, 500, 1_000, 2_000];

/**
 * One `productSet` that carries everything, quantities included, so that nothing is ever sold from a wrong number. It is an upsert by our mark: sent
 * twice, it makes one product. Returns the product's id.
 */
export async function createProduct(
  options: ProductCreatorOptions,
  write: Create,
  context: StoreContext,
  signal: AbortSignal | undefined,
): Promise<string> {
  let input = productInput(write, context);
  const { pairId } = write.mark;
  const identifier = { customId: { namespace: MARK_NAMESPACE, key: markKey(pairId), value: markValue(write.mark) } };
  for (let attempt = 0; ; attempt += 1) {
    try {
      const answer = await options.client.call(OPERATIONS.productSet, { identifier, input }, ProductSetAnswer, {
        signal,
      });
      // A refused call may hand back a product all the same: the errors decide.
      const error = firstUserError(answer.productSet.userErrors);
      if (error !== null) throw error;
      const { product } = answer.productSet;
      if (product === null) throw new ConnectorError('unknown_outcome', 'Shopify named no product after creating one');
      return product.id;
    } catch (error) {
      // Another product has the address: this one gets the address that Shopify makes from its title. Refused as a whole, so it may be sent again.
      if (isHandleTaken(error) && input.handle !== undefined) {
        const { handle: _taken, ...rest } = input;
        input = rest;
        continue;
      }
      // A pair's first create finds its mark undefined: likewise.
      const waitMs = DEFINITION_WAITS_MS[attempt];
      if (!isMissingDefinition(error) || waitMs === undefined) throw error;
      await options.marks.ensureDefined(pairId, { again: true, signal });
      if (waitMs > 0) await options.clock.sleep(waitMs, signal);
    }
  }
}

function isHandleTaken(error: unknown): boolean {
  return (
    error instanceof ConnectorError && error.kind === 'rejected' && error.details.platformCode === 'HANDLE_NOT_UNIQUE'
  );
}

function productInput(write: Create, context: StoreContext) {
  const { fields, variants } = write;
  if (variants.length === 0) throw refused('optionValues', 'a product needs at least one variant');
  if (variants.length > VARIANTS_MAX)
    throw refused('optionValues', `Shopify holds ${VARIANTS_MAX} variants for a product`);
  const { names, productOptions } = exportProductOptions(fields.optionNames, variants);
  return {
    ...exportFields(fields),
    ...exportHandle(fields.handle),
    productOptions,
    metafields: [markMetafield(write.mark)],
    variants: variants.map((variant) => ({
      ...exportNewVariant(plain(variant, fields.optionNames), names, context),
      ...(variant.stock.tracked
        ? {
            inventoryQuantities: [
              { locationId: context.locationId, name: 'available', quantity: variant.stock.quantity },
            ],
          }
        : {}),
    })),
  };
}

/** A product without options has a variant without values, whatever it was given. */
function plain(variant: NewVariant, optionNames: readonly string[]): NewVariant {
  if (optionNames.length > 0) return variant;
  return { ...variant, fields: { ...variant.fields, optionValues: [] } };
}
