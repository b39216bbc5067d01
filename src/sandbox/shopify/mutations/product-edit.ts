import { type UserError, userError } from '../graphql/api-error.ts';
import { createChangeSet } from '../store/changes.ts';
import { gidOf, idOfKind } from '../store/ids.ts';
import { type CustomId, findByCustomId } from '../store/metafields.ts';
import {
  addDefaultVariant,
  addOption,
  addVariant,
  createProduct,
  deleteProduct,
  fingerprint,
} from '../store/product-writes.ts';
import type { ProductRecord, ProductStatus } from '../store/records.ts';
import {
  applyMetafields,
  applyProductFields,
  chooseHandle,
  collectionsOf,
  createMedia,
  handleTaken,
  type MediaInput,
  mediaErrors,
  metafieldErrors,
  type ProductFieldsInput,
  productFieldProblems,
} from './product-input.ts';
import type { Mutation, MutationContext } from './run-mutation.ts';

interface OptionInput {
  readonly name?: string | null;
  readonly values?: readonly { readonly name?: string | null }[] | null;
}

interface EditInput extends ProductFieldsInput {
  readonly id?: string | null;
  readonly productOptions?: readonly OptionInput[] | null;
  readonly collectionsToJoin?: readonly string[] | null;
  readonly collectionsToLeave?: readonly string[] | null;
}

function fieldErrors(
  ctx: MutationContext,
  input: EditInput,
  product: ProductRecord | null,
  media: readonly MediaInput[] | null | undefined,
): { handle: string; errors: UserError[] } {
  const handle = chooseHandle(ctx.store, input, product);
  const ownerGid = gidOf('Product', product?.id ?? 0);
  const joinable = collectionsOf(ctx.store, [...(input.collectionsToJoin ?? []), ...(input.collectionsToLeave ?? [])]);
  const optionNames = (input.productOptions ?? []).map((option) => option.name ?? '');
  const errors = [
    ...productFieldProblems(input, product === null).map(({ attribute, label, text }) =>
      userError([attribute], `${label} ${text}`),
    ),
    ...(handle === null ? [handleTaken(input.handle ?? '')] : []),
    ...(joinable === null ? [userError(['collectionsToJoin'], 'Collection does not exist')] : []),
    ...(optionNames.length > 3 ? [userError(['options'], 'Can only specify a maximum of 3 options')] : []),
    ...(optionNames.some((name) => name.includes(' / '))
      ? [userError(['options'], 'Name cannot contain the character sequence " / "')]
      : []),
    ...metafieldErrors(ctx.store, ownerGid, input.metafields, ['metafields'], null),
    ...mediaErrors(media, 'media'),
  ];
  return { handle: handle ?? '', errors };
}

function applyEdit(
  ctx: MutationContext,
  product: ProductRecord,
  input: EditInput,
  handle: string,
  media: readonly MediaInput[] | null | undefined,
): boolean {
  applyProductFields(ctx.store, product, input, handle);
  for (const collection of collectionsOf(ctx.store, input.collectionsToJoin ?? []) ?? []) {
    if (!product.collections.includes(collection)) product.collections = [...product.collections, collection];
  }
  const leaving = new Set(collectionsOf(ctx.store, input.collectionsToLeave ?? []));
  product.collections = product.collections.filter((collection) => !leaving.has(collection));
  for (const item of media ?? []) product.media = [...product.media, createMedia(ctx.store, item, ctx.now)];
  return applyMetafields(ctx.store, gidOf('Product', product.id), input.metafields, ctx.now);
}

export const productCreate: Mutation = {
  run(
    args: {
      readonly product?: EditInput | null;
      readonly input?: EditInput | null;
      readonly media?: readonly MediaInput[] | null;
    },
    ctx,
  ) {
    const input = args.product ?? args.input ?? {};
    if (input.id)
      return { product: null, userErrors: [userError(['input'], 'id cannot be specified during creation')] };
    const { handle, errors } = fieldErrors(ctx, input, null, args.media);
    if (errors.length > 0) return { product: null, userErrors: errors };
    const product = createProduct(ctx.store, ctx.now, input.title ?? '', handle, ctx.changes);
    product.isGiftCard = input.giftCard ?? false;
    applyEdit(ctx, product, input, handle, args.media);
    // Options without variants: one variant of the first values; the other combinations are the caller's to make.
    for (const option of input.productOptions ?? [])
      addOption(
        ctx.store,
        product,
        option.name ?? '',
        (option.values ?? []).map((value) => value.name ?? ''),
      );
    if (product.options.length > 0)
      addVariant(
        ctx.store,
        product,
        product.options.flatMap((option) => option.values.slice(0, 1)),
        ctx.now,
        ctx.changes,
      );
    else addDefaultVariant(ctx.store, product, ctx.now, ctx.changes);
    return { product, userErrors: [] };
  },
};

interface UpdateArgs {
  readonly product?: EditInput | null;
  readonly input?: EditInput | null;
  readonly identifier?: { readonly id?: string; readonly handle?: string; readonly customId?: CustomId } | null;
  readonly media?: readonly MediaInput[] | null;
}

export const productUpdate: Mutation = {
  run(args: UpdateArgs, ctx) {
    const input = args.product ?? args.input ?? {};
    const product = findForUpdate(ctx, args, input);
    if (!product) return { product: null, userErrors: [userError(['id'], 'Product does not exist')] };
    if (ctx.store.deleting.has(product.id)) return { product, userErrors: [deletionUnderWay()] };
    const { handle, errors } = fieldErrors(ctx, input, product, args.media);
    // The unchanged product comes back with the errors (facts, section 7).
    if (errors.length > 0) return { product, userErrors: errors };
    const before = fingerprint(product);
    const metafieldsChanged = applyEdit(ctx, product, input, handle, args.media);
    if (metafieldsChanged || before !== fingerprint(product)) ctx.changes.productsUpdated.add(product);
    return { product, userErrors: [] };
  },
};

function findForUpdate(ctx: MutationContext, args: UpdateArgs, input: EditInput): ProductRecord | null {
  const { store } = ctx;
  const { identifier } = args;
  if (identifier?.handle !== undefined) return store.productsByHandle.get(identifier.handle) ?? null;
  if (identifier?.customId)
    return store.products.get(findByCustomId(store, 'Product', identifier.customId) ?? 0) ?? null;
  const gid = identifier?.id ?? input.id;
  return gid ? (store.products.get(idOfKind('Product', gid)) ?? null) : null;
}

export const productChangeStatus: Mutation = {
  run(args: { readonly productId: string; readonly status: ProductStatus }, ctx) {
    const product = ctx.store.products.get(idOfKind('Product', args.productId));
    if (!product)
      return { product: null, userErrors: [userError(['productId'], 'Product does not exist', 'PRODUCT_NOT_FOUND')] };
    if (product.status !== args.status) {
      product.status = args.status;
      ctx.changes.productsUpdated.add(product);
    }
    return { product, userErrors: [] };
  },
};

function deletionUnderWay(): UserError {
  return userError(null, 'Another operation already in progress. Please wait until current one is finished.');
}

export const productDelete: Mutation = {
  run(args: { readonly input: { readonly id: string }; readonly synchronous?: boolean | null }, ctx) {
    const { store, state } = ctx;
    const product = store.products.get(idOfKind('Product', args.input.id));
    if (!product) return { deletedProductId: null, userErrors: [userError(['id'], 'Product does not exist')] };
    if (store.deleting.has(product.id)) return { deletedProductId: null, userErrors: [deletionUnderWay()] };
    if (args.synchronous ?? true) {
      deleteProduct(store, product, ctx.changes);
      return { deletedProductId: args.input.id, userErrors: [] };
    }
    store.deleting.add(product.id);
    state.schedule(() => {
      store.deleting.delete(product.id);
      const changes = createChangeSet();
      deleteProduct(store, product, changes);
      state.commit(changes);
    }, state.config.asyncDelayMs);
    return { deletedProductId: null, userErrors: [] };
  },
};
