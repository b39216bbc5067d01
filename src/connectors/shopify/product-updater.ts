import { ConnectorError } from '../../model/connector-error.ts';
import type { NewVariant } from '../../ports/connector.ts';
import { partlyDone } from '../shared/partly-done.ts';
import type { ShopifyClient } from './client.ts';
import {
  exportFields,
  exportNewVariant,
  exportOptionNames,
  exportVariant,
  refused,
  type WireProduct,
  type WireVariant,
} from './export-mapper.ts';
import { isUnpublished } from './import-mapper.ts';
import { sendVariants } from './linked-values.ts';
import { OPERATIONS } from './operations.gen.ts';
import { isRenameRefused, type OptionPlan, planOptions, type Update, updateOptions } from './option-updater.ts';
import { isVisible, type Publisher } from './publisher.ts';
import type { StoreContext } from './store-context.ts';
import type { Progress, Until } from './update-progress.ts';
import { firstUserError, userErrorToConnectorError } from './user-errors.ts';
import { ProductUpdateAnswer, VariantsCreateAnswer, VariantsUpdateAnswer } from './wire.ts';

/** Input arrays of Shopify hold at most 250 values. */
const VARIANTS_PER_CALL = 250;

export interface ProductUpdaterOptions {
  readonly client: ShopifyClient;
  readonly publisher: Publisher;
}

/**
 * Only what changes, by the targeted mutations: `productSet` would delete what it isn't told of. Options come first because variants name them; the
 * product's own fields come last, so that a product goes live with its new prices and not before them. Returns the ids of the new variants.
 */
export async function updateProduct(
  options: ProductUpdaterOptions,
  write: Update,
  context: StoreContext,
  signal: AbortSignal | undefined,
  cut: AbortSignal | undefined,
): Promise<string[]> {
  const { client } = options;
  // Everything is mapped before anything is sent, so that a value that can't be held refuses the write whole.
  const { additions, product, ...mapped } = mapUpdate(write, context);
  const productId = write.externalId;
  const progress: Progress = { isPartlyDone: false };
  const until: Until = () => (progress.isPartlyDone ? { signal: cut } : { signal, cut });
  try {
    for (const step of await optionsFirst(client, write, context, mapped, progress, until))
      await updateVariants(client, productId, step, progress, until);
    const newIds = await createVariants(client, productId, additions, progress, until);
    if (Object.keys(product).length === 0) return newIds;
    // In the online store before it is for sale: an answer that is lost in between leaves a draft, and not what is for sale in nobody's sight.
    if (goesLive(write) && isUnpublished(write.seen)) await options.publisher.publish(productId, until());
    await updateFields(client, { id: productId, ...product }, until());
    return newIds;
  } catch (error) {
    throw progress.isPartlyDone && error instanceof ConnectorError ? partlyDone(error) : error;
  }
}

/** What is left to do to the variants. Where a value can't be renamed for all who bear it, they are given the new one each. */
async function optionsFirst(
  client: ShopifyClient,
  write: Update,
  context: StoreContext,
  { plan, steps }: Pick<ReturnType<typeof mapUpdate>, 'plan' | 'steps'>,
  progress: Progress,
  until: Until,
): Promise<WireVariant[][]> {
  if (plan === null) return steps;
  try {
    await updateOptions(client, write.externalId, plan, progress, until);
    return steps;
  } catch (error) {
    if (progress.isPartlyDone || !isRenameRefused(error)) throw error;
    const oneByOne = mapUpdate(write, context, false);
    if (oneByOne.plan !== null) await updateOptions(client, write.externalId, oneByOne.plan, progress, until);
    return oneByOne.steps;
  }
}

/** What is sent, or the refusal of what Shopify is known not to take. `inPlace`: whether values may be renamed. Pure. */
export function mapUpdate(write: Update, context: StoreContext, inPlace = true) {
  if (write.archiveVariants.length > 0) {
    throw refused('optionValues', 'a variant can’t be put away on Shopify without deleting it');
  }
  const plan = planOptions(write, inPlace);
  const names = plan?.names ?? exportOptionNames(write.seen.fields.optionNames);
  const changes = write.variants.map(({ externalId, fields }) => ({
    id: externalId,
    ...exportVariant(fields, context),
  }));
  const steps = variantSteps(changes, plan, names);
  const additions = write.newVariants.map((variant) => newVariantInput(variant, names, context));
  return { plan, steps, additions, product: exportFields(write.fields) };
}

function goesLive({ fields, seen }: Update): boolean {
  return fields.status !== undefined && isVisible(fields.status) && !isVisible(seen.fields.status);
}

/** The product's own fields. A refused update hands back the unchanged product: the errors decide. */
export async function updateFields(
  client: ShopifyClient,
  product: WireProduct & { readonly id: string },
  until: ReturnType<Until>,
): Promise<void> {
  const { productUpdate } = await client.call(OPERATIONS.productUpdate, { product }, ProductUpdateAnswer, until);
  const error = firstUserError(productUpdate.userErrors);
  if (error !== null) throw error;
}

/**
 * Where variants change places, those in the way are parked first, and all go to theirs in calls of their own: a price that Shopify refuses leaves none of
 * them parked.
 */
function variantSteps(changes: readonly WireVariant[], plan: OptionPlan | null, names: readonly string[]) {
  const valuesOnly = (valuesById: ReadonlyMap<string, readonly string[]>) =>
    [...valuesById].map(([id, values]): WireVariant => {
      return { id, optionValues: names.map((optionName, index) => ({ optionName, name: values[index] ?? '' })) };
    });
  const moves = valuesOnly(plan?.variantValues ?? new Map());
  const isMore = (change: WireVariant) => Object.keys(change).length > 1;
  if (plan !== null && plan.parked.size > 0) return [valuesOnly(plan.parked), moves, changes.filter(isMore)];
  const joined = new Map(changes.map((change) => [change.id, change]));
  for (const move of moves) joined.set(move.id, { ...joined.get(move.id), ...move });
  return [[...joined.values()].filter(isMore)];
}

function newVariantInput(variant: NewVariant, names: readonly string[], context: StoreContext) {
  if (variant.fields.price.regularMinor === null && variant.fields.price.saleMinor === null) {
    throw refused('price', 'a variant without a price can’t exist on Shopify');
  }
  const { tracked, quantity } = variant.stock;
  return {
    ...exportNewVariant(variant, names, context),
    ...(tracked ? { inventoryQuantities: [{ locationId: context.locationId, availableQuantity: quantity }] } : {}),
  };
}

/** With `allowPartialUpdates`, so that one odd barcode doesn't hold back the prices of the others; the write as a whole is refused all the same. */
async function updateVariants(
  client: ShopifyClient,
  productId: string,
  changes: readonly WireVariant[],
  progress: Progress,
  until: Until,
): Promise<void> {
  for (let at = 0; at < changes.length; at += VARIANTS_PER_CALL) {
    const some = changes.slice(at, at + VARIANTS_PER_CALL);
    const { userErrors } = await sendVariants(client, productId, some, until, async (variants) => {
      const answer = await client.call(
        OPERATIONS.variantsUpdate,
        { productId, variants },
        VariantsUpdateAnswer,
        until(),
      );
      progress.isPartlyDone = true;
      return answer.productVariantsBulkUpdate;
    });
    const error = firstUserError(userErrors);
    if (error !== null) throw error;
  }
}

async function createVariants(
  client: ShopifyClient,
  productId: string,
  additions: readonly WireVariant[],
  progress: Progress,
  until: Until,
): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < additions.length; at += VARIANTS_PER_CALL) {
    const some = additions.slice(at, at + VARIANTS_PER_CALL);
    const { userErrors, productVariants } = await sendVariants(client, productId, some, until, async (variants) => {
      const answer = await client.call(
        OPERATIONS.variantsCreate,
        { productId, variants },
        VariantsCreateAnswer,
        until(),
      );
      return answer.productVariantsBulkCreate;
    });
    const [first] = userErrors;
    if (first !== undefined) throw userErrorToConnectorError(first);
    progress.isPartlyDone = true;
    ids.push(...(productVariants ?? []).map(({ id }) => id));
  }
  return ids;
}
