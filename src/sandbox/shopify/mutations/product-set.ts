import { type UserError, userError } from '../graphql/api-error.ts';
import { createChangeSet } from '../store/changes.ts';
import { gidOf, idOfKind, parseGid } from '../store/ids.ts';
import { type CustomId, deleteMetafield, findByCustomId, resolveNamespace } from '../store/metafields.ts';
import {
  addDefaultVariant,
  addVariant,
  connectLevel,
  createProduct,
  fingerprint,
  itemFingerprint,
  removeVariant,
  renumberVariants,
  setQuantity,
  variantFingerprint,
} from '../store/product-writes.ts';
import type { ProductOperationRecord, ProductRecord, VariantRecord } from '../store/records.ts';
import {
  applyMetafields,
  applyProductFields,
  chooseHandle,
  collectionsOf,
  createMedia,
  handleTaken,
  type MetafieldInput,
  mediaErrors,
  metafieldErrors,
  metafieldWrite,
  productFieldProblems,
} from './product-input.ts';
import { type PlannedVariant, type ProductSetInput, planVariants, type SetPlan } from './product-set-plan.ts';
import type { Mutation, MutationContext } from './run-mutation.ts';
import { applyVariantFields } from './variant-input.ts';

interface ProductSetArgs {
  readonly input: ProductSetInput;
  readonly identifier?: { readonly id?: string; readonly handle?: string; readonly customId?: CustomId } | null;
  readonly synchronous?: boolean | null;
}

interface SetOutcome {
  readonly product: ProductRecord | null;
  readonly userErrors: readonly UserError[];
}

export const productSet: Mutation = {
  run(args: ProductSetArgs, ctx) {
    if (args.synchronous ?? true) {
      const { product, userErrors } = setProduct(args, ctx);
      return { product, productSetOperation: null, userErrors };
    }
    const target = findTarget(args, ctx);
    const operation: ProductOperationRecord = {
      type: 'ProductSetOperation',
      id: ctx.store.newId('ProductSetOperation'),
      status: 'CREATED',
      productId: target.product?.id ?? null,
      userErrors: [],
    };
    ctx.store.productOperations.set(operation.id, operation);
    ctx.state.schedule(() => {
      operation.status = 'ACTIVE';
      const later: MutationContext = { ...ctx, now: ctx.state.environment.now(), changes: createChangeSet() };
      const outcome = setProduct(args, later);
      ctx.state.commit(later.changes);
      operation.status = 'COMPLETE';
      operation.productId = outcome.product?.id ?? null;
      operation.userErrors = outcome.userErrors;
    }, ctx.state.config.asyncDelayMs);
    return { product: null, productSetOperation: operation, userErrors: [] };
  },
};

/** The product meant; `missing` when an id names none. */
function findTarget(
  args: ProductSetArgs,
  ctx: MutationContext,
): { product: ProductRecord | null; error: UserError | null } {
  const { identifier, input } = args;
  const byId = (gid: string, field: string[]) => {
    const product = ctx.store.products.get(idOfKind('Product', gid)) ?? null;
    return { product, error: product ? null : userError(field, 'Product does not exist', 'PRODUCT_DOES_NOT_EXIST') };
  };
  if (identifier && input.id)
    return {
      product: null,
      error: userError(['input'], 'The id field is not allowed if identifier is provided.', 'ID_NOT_ALLOWED'),
    };
  if (identifier?.id) return byId(identifier.id, ['identifier', 'id']);
  if (identifier?.handle !== undefined) {
    if (input.handle !== undefined && input.handle !== null && input.handle !== identifier.handle) {
      return {
        product: null,
        error: userError(
          ['input', 'handle'],
          'The identifier value does not match the value of the corresponding field in the input.',
          'INPUT_MISMATCH',
        ),
      };
    }
    return { product: ctx.store.productsByHandle.get(identifier.handle) ?? null, error: null };
  }
  if (identifier?.customId) {
    const id = findByCustomId(ctx.store, 'Product', identifier.customId);
    return { product: id === null ? null : (ctx.store.products.get(id) ?? null), error: null };
  }
  return input.id ? byId(input.id, ['input', 'id']) : { product: null, error: null };
}

/** A custom id is itself a metafield of the product: added when the input leaves it out, refused when the input differs. */
function withCustomId(
  args: ProductSetArgs,
  ctx: MutationContext,
): { metafields: readonly MetafieldInput[] | null; error: UserError | null } {
  const customId = args.identifier?.customId;
  const given = args.input.metafields ?? null;
  if (!customId) return { metafields: given, error: null };
  const namespace = resolveNamespace(ctx.store, customId.namespace);
  const same = given?.find(
    (metafield) => metafield.key === customId.key && resolveNamespace(ctx.store, metafield.namespace) === namespace,
  );
  if (same && same.value !== customId.value) {
    return {
      metafields: null,
      error: userError(
        ['input', 'metafields'],
        'The input argument `metafields` (if present) must contain the `customId` value.',
        'METAFIELD_MISMATCH',
      ),
    };
  }
  const own: MetafieldInput = { namespace, key: customId.key, value: customId.value, type: 'id' };
  return { metafields: same ? given : [...(given ?? []), own], error: null };
}

function setProduct(args: ProductSetArgs, ctx: MutationContext): SetOutcome {
  const { store, now, changes } = ctx;
  const target = findTarget(args, ctx);
  if (target.error) return { product: null, userErrors: [target.error] };
  const { product: existing } = target;
  const input: ProductSetInput =
    existing || args.identifier?.handle === undefined ? args.input : { ...args.input, handle: args.identifier.handle };
  const custom = withCustomId(args, ctx);
  const ownerGid = existing ? gidOf('Product', existing.id) : gidOf('Product', 0);
  const problems = productFieldProblems(input, existing === null).map(({ attribute, label, text }) =>
    attribute === 'title'
      ? userError(['input', 'title'], text, 'INVALID_INPUT')
      : userError(['input'], `${label} ${text}`, 'INVALID_PRODUCT'),
  );
  const plan = planVariants(store, existing, input);
  const handle = chooseHandle(store, input, existing);
  const collections = input.collections ? collectionsOf(store, input.collections) : [];
  const errors: UserError[] = [
    ...(custom.error ? [custom.error] : []),
    ...problems,
    ...(Array.isArray(plan) ? plan : []),
    ...(handle === null ? [handleTaken(input.handle ?? '', 'HANDLE_NOT_UNIQUE')] : []),
    ...(collections === null
      ? [userError(['input', 'collections'], 'Collection does not exist', 'INVALID_INPUT')]
      : []),
    ...metafieldErrors(store, ownerGid, custom.metafields, ['input', 'metafields'], 'INVALID_METAFIELD'),
    ...mediaErrors(
      input.files?.filter((file) => !file.id),
      'files',
    ),
    ...(existing && store.deleting.has(existing.id)
      ? [
          userError(
            ['input'],
            'Another operation already in progress. Please wait until current one is finished.',
            'GENERIC_ERROR',
          ),
        ]
      : []),
  ];
  // A refused call hands back the unchanged product (facts, section 7): look at userErrors, not at product.
  if (errors.length > 0 || handle === null || Array.isArray(plan)) return { product: existing, userErrors: errors };

  const before = existing ? fingerprint(existing) : null;
  const product = existing ?? createProduct(store, now, input.title ?? '', handle, changes);
  if (!existing) product.isGiftCard = input.giftCard ?? false;
  applyProductFields(store, product, input, handle);
  if (input.collections && collections) product.collections = collections;
  applyFiles(input, product, ctx);
  if (plan) applyPlan(plan, product, ctx);
  else if (!existing) addDefaultVariant(store, product, now, changes);
  const productGid = gidOf('Product', product.id);
  let metafieldsChanged = applyMetafields(store, productGid, custom.metafields, now);
  if (input.metafields)
    metafieldsChanged = dropOtherMetafields(productGid, custom.metafields ?? [], ctx) || metafieldsChanged;
  if (before !== null && (before !== fingerprint(product) || metafieldsChanged)) changes.productsUpdated.add(product);
  return { product, userErrors: [] };
}

/** Lists replace: a metafield that is not named goes. */
function dropOtherMetafields(ownerGid: string, inputs: readonly MetafieldInput[], ctx: MutationContext): boolean {
  const kept = new Set(
    inputs.map((input) => metafieldWrite(ctx.store, ownerGid, input)).map((write) => `${write.namespace}.${write.key}`),
  );
  const gone = (ctx.store.metafields.get(ownerGid) ?? []).filter(
    (metafield) => !kept.has(`${metafield.namespace}.${metafield.key}`),
  );
  for (const metafield of gone) deleteMetafield(ctx.store, metafield);
  return gone.length > 0;
}

function applyFiles(input: ProductSetInput, product: ProductRecord, ctx: MutationContext): void {
  if (!input.files) return;
  product.media = input.files.flatMap((file) => {
    if (!file.id) {
      // The alt text of a source that is already there stays as it was (facts, section 7).
      const known = product.media.find((media) => media.originalSource === file.originalSource);
      return [known ?? createMedia(ctx.store, file, ctx.now)];
    }
    const known = ctx.store.media.get(parseGid(file.id)?.id ?? 0);
    if (known && file.alt !== undefined) known.alt = file.alt;
    return known ? [known] : [];
  });
}

function applyPlan(plan: SetPlan, product: ProductRecord, ctx: MutationContext): void {
  const { store } = ctx;
  const valueRecords = new Map<unknown, VariantRecord['values'][number]>();
  product.options = plan.options.map((planned) => {
    const option = planned.existing ?? {
      type: 'ProductOption' as const,
      id: store.newId('ProductOption'),
      product,
      name: planned.name,
      values: [],
    };
    option.name = planned.name;
    option.values = planned.values.map((value) => {
      const record = value.existing ?? {
        type: 'ProductOptionValue' as const,
        id: store.newId('ProductOptionValue'),
        name: value.name,
      };
      record.name = value.name;
      valueRecords.set(value, record);
      return record;
    });
    return option;
  });
  const kept = new Set(plan.variants.flatMap((planned) => planned.existing ?? []));
  for (const variant of [...product.variants]) if (!kept.has(variant)) removeVariant(store, variant, ctx.changes);
  product.variants = product.variants.filter((variant) => kept.has(variant));
  const variants = plan.variants.map((planned) =>
    applyVariant(
      planned,
      product,
      planned.values.flatMap((value) => valueRecords.get(value) ?? []),
      ctx,
    ),
  );
  product.variants = variants;
  renumberVariants(product);
}

function applyVariant(
  planned: PlannedVariant,
  product: ProductRecord,
  values: VariantRecord['values'],
  ctx: MutationContext,
): VariantRecord {
  const { store, now, changes } = ctx;
  const { input } = planned;
  const quantities = (input.inventoryQuantities ?? []).flatMap((quantity) => {
    const location = store.locations.get(parseGid(quantity.locationId)?.id ?? 0);
    return location
      ? [
          {
            location,
            name: quantity.name === 'on_hand' ? ('on_hand' as const) : ('available' as const),
            quantity: quantity.quantity,
          },
        ]
      : [];
  });
  const stockedAt = quantities.length > 0 ? quantities.map((quantity) => quantity.location) : undefined;
  const variant = planned.existing ?? addVariant(store, product, values, now, changes, stockedAt);
  const before = variantFingerprint(variant);
  const itemBefore = itemFingerprint(variant.item);
  variant.values = values;
  applyVariantFields(store, variant, input);
  if (input.file) {
    const media = input.file.id
      ? store.media.get(parseGid(input.file.id)?.id ?? 0)
      : product.media.find((known) => known.originalSource === input.file?.originalSource);
    variant.mediaId = media?.id ?? null;
  }
  for (const { location, name, quantity } of quantities)
    setQuantity(connectLevel(store, variant.item, location, now, changes), name, quantity, changes);
  if (applyMetafields(store, gidOf('ProductVariant', variant.id), input.metafields, now)) variant.updatedAt = now;
  if (planned.existing && before !== variantFingerprint(variant)) variant.updatedAt = now;
  if (planned.existing && itemBefore !== itemFingerprint(variant.item)) changes.itemsUpdated.add(variant.item);
  return variant;
}
