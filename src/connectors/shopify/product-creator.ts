import { skuKey } from '../../lib/record-keys.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { Clock } from '../../ports/clock.ts';
import type { NewVariant, ProductCreate, ProductWrite } from '../../ports/connector.ts';
import { refusalIn } from '../shared/refusal.ts';
import type { ShopifyClient } from './client.ts';
import { exportFields, exportHandle, exportNewVariant, exportProductOptions, refused } from './export-mapper.ts';
import { MARK_NAMESPACE, markKey, markMetafield, markValue } from './marks.ts';
import type { MarkWriter } from './marks-writer.ts';
import { OPERATIONS } from './operations.gen.ts';
import { isMissingDefinition, type ProductReader } from './product-reader.ts';
import { mapUpdate } from './product-updater.ts';
import type { StoreContext } from './store-context.ts';
import { firstUserError } from './user-errors.ts';
import { ProductSetAnswer } from './wire.ts';

export interface ProductCreatorOptions {
  readonly client: ShopifyClient;
  readonly clock: Clock;
  readonly marks: MarkWriter;
  readonly reader: Pick<ProductReader, 'findByHandle'>;
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
  write: ProductCreate,
  context: StoreContext,
  signal: AbortSignal | undefined,
  cut: AbortSignal | undefined,
): Promise<string> {
  let input = productInput(write, context);
  const { pairId } = write.mark;
  const identifier = { customId: { namespace: MARK_NAMESPACE, key: markKey(pairId), value: markValue(write.mark) } };
  for (let attempt = 0; ; attempt += 1) {
    try {
      const answer = await options.client.call(OPERATIONS.productSet, { identifier, input }, ProductSetAnswer, {
        ...{ signal, cut },
      });
      // A refused call may hand back a product all the same: the errors decide.
      const error = firstUserError(answer.productSet.userErrors);
      if (error !== null) throw error;
      const { product } = answer.productSet;
      if (product === null) throw new ConnectorError('unknown_outcome', 'Shopify named no product after creating one');
      return product.id;
    } catch (error) {
      // Refused as a whole, so it may be sent again. What is surely another product keeps its address, and Shopify makes one from this one's title.
      if (input.handle !== undefined && isHandleTaken(error)) {
        const holder = await options.reader.findByHandle(input.handle, signal);
        if (holder === null || !isAnother(holder, write)) throw takenBy(error, holder);
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

/** Linked with something else, or sold under other SKUs throughout. Whatever else has the same address may be this very product, typed in by hand a moment ago: no search shows it yet. */
function isAnother(holder: ProductSnapshot, { mark, variants }: ProductCreate): boolean {
  if (holder.marks.some(({ pairId, hubId }) => pairId === mark.pairId && hubId !== mark.hubId)) return true;
  const theirs = new Set(holder.variants.map(({ fields }) => skuKey(fields.sku)));
  const ours = variants.map(({ fields }) => skuKey(fields.sku));
  return !theirs.has('') && ours.every((key) => key !== '' && !theirs.has(key));
}

function takenBy(error: ConnectorError, holder: ProductSnapshot | null): ConnectorError {
  const details = holder === null ? error.details : { ...error.details, conflictingId: holder.externalId };
  return new ConnectorError(error.kind, error.message, details);
}

/** By its code; the words at the field are the same, and all that mutations without codes give. */
function isHandleTaken(error: unknown): error is ConnectorError {
  if (!(error instanceof ConnectorError) || error.kind !== 'rejected') return false;
  const { platformCode, platformMessage, field } = error.details;
  if (platformCode === 'HANDLE_NOT_UNIQUE') return true;
  return field === 'handle' && /already (in use|been taken|taken|exists)/i.test(platformMessage ?? '');
}

/** What `productInput` refuses, or `mapUpdate`. Neither currency nor place decide that. */
export function refusalOf(write: ProductWrite, currency: string): ConnectorError | null {
  const anyStore = { currency, weightUnit: 'KILOGRAMS', locationId: '', adminProducts: '' } as const;
  return refusalIn(() => (write.type === 'create' ? productInput(write, anyStore) : mapUpdate(write, anyStore)));
}

function productInput(write: ProductCreate, context: StoreContext) {
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
