import { type UserError, userError } from '../graphql/api-error.ts';
import { gidOf, idOfKind, parseGid } from '../store/ids.ts';
import {
  addOptionValue,
  addVariant,
  connectLevel,
  fingerprint,
  itemFingerprint,
  removeVariant,
  setQuantity,
  shiftQuantity,
  variantFingerprint,
} from '../store/product-writes.ts';
import type { OptionValueRecord, ProductRecord, VariantRecord } from '../store/records.ts';
import { hasOnlyDefaultVariant, levelAt } from '../store/store.ts';
import { applyMetafields, createMedia, type MediaInput, mediaErrors, metafieldErrors } from './product-input.ts';
import type { Mutation, MutationContext } from './run-mutation.ts';
import { applyVariantFields, type OptionValueInput, type VariantInput, variantFieldErrors } from './variant-input.ts';

const VARIANTS_MAX = 2_048;

interface BulkInput extends VariantInput {
  readonly inventoryQuantities?: readonly { readonly locationId: string; readonly availableQuantity: number }[] | null;
  readonly quantityAdjustments?: readonly { readonly locationId: string; readonly adjustment?: number | null }[] | null;
}

interface BulkArgs {
  readonly productId: string;
  readonly variants: readonly BulkInput[];
  readonly media?: readonly MediaInput[] | null;
  readonly strategy?: 'DEFAULT' | 'PRESERVE_STANDALONE_VARIANT' | 'REMOVE_STANDALONE_VARIANT' | null;
  readonly allowPartialUpdates?: boolean | null;
}

/** Names of the wanted values in option order, or null with errors pushed. New values are allowed; they are made when applied. */
function wantedValues(
  product: ProductRecord,
  inputs: readonly OptionValueInput[],
  at: readonly (string | number)[],
  missingCode: string,
  errors: UserError[],
): (string | null)[] | null {
  const wanted: (string | null)[] = product.options.map(() => null);
  for (const [index, input] of inputs.entries()) {
    const position = product.options.findIndex((option) =>
      input.optionId ? option.id === parseGid(input.optionId)?.id : option.name === input.optionName,
    );
    if (position === -1) {
      errors.push(userError([...at, 'optionValues', index], 'Option does not exist', missingCode));
      return null;
    }
    if (wanted[position] !== null) {
      errors.push(
        userError(
          [...at, 'optionValues'],
          `Duplicated option name '${product.options[position]?.name}'`,
          'INVALID_INPUT',
        ),
      );
      return null;
    }
    if (product.options[position]?.isLinked && typeof input.name === 'string') {
      errors.push(
        userError(
          [...at, 'optionValues', index, 'name'],
          'Cannot set name for an option value linked to a metafield.',
          'CANNOT_SET_NAME_FOR_LINKED_OPTION_VALUE',
        ),
      );
      return null;
    }
    wanted[position] =
      input.name ??
      product.options[position]?.values.find((value) => value.id === parseGid(input.id ?? '')?.id)?.name ??
      null;
  }
  return wanted;
}

function valueRecords(ctx: MutationContext, product: ProductRecord, names: readonly string[]): OptionValueRecord[] {
  return product.options.map(
    (option, index) =>
      option.values.find((value) => value.name === names[index]) ??
      addOptionValue(ctx.store, option, names[index] ?? ''),
  );
}

/** Values that no variant uses any more disappear with their last variant. */
export function dropUnusedValues(product: ProductRecord): void {
  for (const option of product.options)
    option.values = option.values.filter((value) => product.variants.some((variant) => variant.values.includes(value)));
}

export const productVariantsBulkCreate: Mutation = {
  run(args: BulkArgs, ctx) {
    const { store, now, changes } = ctx;
    const product = store.products.get(idOfKind('Product', args.productId));
    const refuse = (userErrors: UserError[]) => ({ product: product ?? null, productVariants: null, userErrors });
    if (!product) return refuse([userError(['productId'], 'Product does not exist', 'PRODUCT_DOES_NOT_EXIST')]);
    const strategy = args.strategy ?? 'DEFAULT';
    const isLone = product.variants.length === 1;
    const dropsLone =
      isLone &&
      (strategy === 'REMOVE_STANDALONE_VARIANT' || (strategy === 'DEFAULT' && hasOnlyDefaultVariant(product)));
    const errors: UserError[] = [...mediaErrors(args.media, 'media')];
    const taken = new Set(
      dropsLone ? [] : product.variants.map((variant) => variant.values.map((value) => value.name).join(' / ')),
    );
    const plans: { input: BulkInput; names: string[] }[] = [];
    for (const [index, input] of args.variants.entries()) {
      const at = ['variants', index];
      if (input.id) errors.push(userError([...at, 'id'], 'id cannot be specified during creation', 'NO_KEY_ON_CREATE'));
      const wanted = wantedValues(product, input.optionValues ?? [], at, 'INVALID_INPUT', errors);
      errors.push(
        ...variantFieldErrors(input, at, null),
        ...metafieldErrors(store, gidOf('ProductVariant', 0), input.metafields, [...at, 'metafields'], 'INVALID'),
      );
      if (!wanted) continue;
      const missing = product.options.filter((_, position) => wanted[position] === null).map((option) => option.name);
      if (missing.length > 0) {
        errors.push(
          userError(at, `You need to add option values for ${missing.join(', ')}`, 'NEED_TO_ADD_OPTION_VALUES'),
        );
        continue;
      }
      const names = wanted.map((name) => name ?? '');
      const title = names.join(' / ');
      if (taken.has(title))
        errors.push(
          userError(
            at,
            `The variant '${title}' already exists. Please change at least one option value.`,
            'VARIANT_ALREADY_EXISTS_CHANGE_OPTION_VALUE',
          ),
        );
      taken.add(title);
      for (const quantity of input.inventoryQuantities ?? []) {
        if (!store.locations.get(parseGid(quantity.locationId)?.id ?? 0)?.isActive) {
          errors.push(
            userError(
              [...at, 'inventoryQuantities'],
              `Quantity for ${title} couldn't be set because the location was deleted.`,
              'TRACKED_VARIANT_LOCATION_NOT_FOUND',
            ),
          );
        }
      }
      plans.push({ input, names });
    }
    if (product.variants.length + args.variants.length > VARIANTS_MAX)
      errors.push(
        userError(
          ['variants'],
          `The number of created variants would exceed the ${VARIANTS_MAX} variants per product limit`,
          'INVALID_INPUT',
        ),
      );
    if (errors.length > 0) return refuse(errors);

    const lone = dropsLone ? product.variants[0] : undefined;
    for (const media of args.media ?? []) product.media = [...product.media, createMedia(store, media, now)];
    const created = plans.map(({ input, names }) => {
      const quantities = (input.inventoryQuantities ?? []).flatMap((quantity) => {
        const location = store.locations.get(parseGid(quantity.locationId)?.id ?? 0);
        return location ? [{ location, available: quantity.availableQuantity }] : [];
      });
      const stockedAt = quantities.length > 0 ? quantities.map((quantity) => quantity.location) : undefined;
      const variant = addVariant(store, product, valueRecords(ctx, product, names), now, changes, stockedAt);
      applyVariantFields(store, variant, input);
      variant.mediaId = input.mediaId ? (parseGid(input.mediaId)?.id ?? null) : null;
      for (const { location, available } of quantities)
        setQuantity(connectLevel(store, variant.item, location, now, changes), 'available', available, changes);
      applyMetafields(store, gidOf('ProductVariant', variant.id), input.metafields, now);
      return variant;
    });
    if (lone) {
      removeVariant(store, lone, changes);
      dropUnusedValues(product);
    }
    changes.productsUpdated.add(product);
    return { product, productVariants: created, userErrors: [] };
  },
};

export const productVariantsBulkUpdate: Mutation = {
  run(args: BulkArgs, ctx) {
    const { store, changes } = ctx;
    const product = store.products.get(idOfKind('Product', args.productId));
    if (!product)
      return {
        product: null,
        productVariants: null,
        userErrors: [userError(['productId'], 'Product does not exist', 'PRODUCT_DOES_NOT_EXIST')],
      };
    const errors: UserError[] = [...mediaErrors(args.media, 'media')];
    const plans: { variant: VariantRecord; input: BulkInput; names: string[] | null }[] = [];
    for (const [index, input] of args.variants.entries()) {
      const before = errors.length;
      const plan = planUpdate(ctx, product, input, index, errors);
      if (plan && errors.length === before) plans.push(plan);
    }
    if (errors.length > 0 && !args.allowPartialUpdates) return { product, productVariants: null, userErrors: errors };
    const productBefore = fingerprint(product);
    for (const media of args.media ?? []) product.media = [...product.media, createMedia(store, media, ctx.now)];
    for (const plan of plans) applyUpdate(ctx, product, plan);
    dropUnusedValues(product);
    if (productBefore !== fingerprint(product)) changes.productsUpdated.add(product);
    return { product, productVariants: plans.map((plan) => plan.variant), userErrors: errors };
  },
};

function planUpdate(
  ctx: MutationContext,
  product: ProductRecord,
  input: BulkInput,
  index: number,
  errors: UserError[],
): { variant: VariantRecord; input: BulkInput; names: string[] | null } | null {
  const at = ['variants', index];
  if (!input.id) {
    errors.push(userError([...at, 'id'], 'Product variant is missing ID attribute', 'PRODUCT_VARIANT_ID_MISSING'));
    return null;
  }
  const variant = product.variants.find((candidate) => candidate.id === parseGid(input.id ?? '')?.id);
  if (!variant) {
    errors.push(userError([...at, 'id'], 'Product variant does not exist', 'PRODUCT_VARIANT_DOES_NOT_EXIST'));
    return null;
  }
  if (input.inventoryQuantities && input.inventoryQuantities.length > 0) {
    errors.push(
      userError(
        [...at, 'inventoryQuantities'],
        'Inventory quantities can only be provided during create. To update inventory for existing variants, use inventoryAdjustQuantities.',
        'NO_INVENTORY_QUANTITIES_ON_VARIANTS_UPDATE',
      ),
    );
  }
  errors.push(
    ...variantFieldErrors(input, at, null),
    ...metafieldErrors(
      ctx.store,
      gidOf('ProductVariant', variant.id),
      input.metafields,
      [...at, 'metafields'],
      'INVALID_VALUE',
    ),
  );
  if (!input.optionValues) return { variant, input, names: null };
  const wanted = wantedValues(product, input.optionValues, at, 'OPTION_DOES_NOT_EXIST', errors);
  if (!wanted) return null;
  const names = wanted.map((name, position) => name ?? variant.values[position]?.name ?? '');
  const clash = product.variants.find(
    (other) => other !== variant && other.values.every((value, position) => value.name === names[position]),
  );
  if (clash)
    errors.push(
      userError(
        at,
        `The variant '${names.join(' / ')}' already exists. Please change at least one option value.`,
        'VARIANT_ALREADY_EXISTS',
      ),
    );
  return { variant, input, names };
}

function applyUpdate(
  ctx: MutationContext,
  product: ProductRecord,
  plan: { variant: VariantRecord; input: BulkInput; names: string[] | null },
): void {
  const { store, now, changes } = ctx;
  const { variant, input, names } = plan;
  const before = variantFingerprint(variant);
  const itemBefore = itemFingerprint(variant.item);
  if (names) variant.values = valueRecords(ctx, product, names);
  applyVariantFields(store, variant, input);
  if (input.mediaId !== undefined)
    variant.mediaId = input.mediaId === null ? null : (parseGid(input.mediaId)?.id ?? null);
  for (const { locationId, adjustment } of input.quantityAdjustments ?? []) {
    const level = levelAt(variant.item, parseGid(locationId)?.id ?? 0);
    if (level) shiftQuantity(level, 'available', adjustment ?? 0, changes);
  }
  const metafieldsChanged = applyMetafields(store, gidOf('ProductVariant', variant.id), input.metafields, now);
  if (metafieldsChanged) changes.productsUpdated.add(product);
  if (metafieldsChanged || before !== variantFingerprint(variant)) variant.updatedAt = now;
  if (itemBefore !== itemFingerprint(variant.item)) changes.itemsUpdated.add(variant.item);
}
