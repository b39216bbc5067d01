import { type UserError, userError } from '../graphql/api-error.ts';
import { idOfKind, parseGid } from '../store/ids.ts';
import { removeVariant } from '../store/product-writes.ts';
import type { Mutation } from './run-mutation.ts';
import { dropUnusedValues } from './variants-bulk.ts';

export const productVariantsBulkDelete: Mutation = {
  run(args: { readonly productId: string; readonly variantsIds: readonly string[] }, ctx) {
    const product = ctx.store.products.get(idOfKind('Product', args.productId));
    if (!product)
      return {
        product: null,
        userErrors: [userError(['productId'], 'Product does not exist', 'PRODUCT_DOES_NOT_EXIST')],
      };
    const userErrors: UserError[] = [];
    const chosen = args.variantsIds.flatMap((gid, index) => {
      const variant = product.variants.find((candidate) => candidate.id === parseGid(gid)?.id);
      if (!variant)
        userErrors.push(
          userError(
            ['variantsIds', index],
            'At least one variant does not belong to the product',
            'AT_LEAST_ONE_VARIANT_DOES_NOT_BELONG_TO_THE_PRODUCT',
          ),
        );
      return variant ? [variant] : [];
    });
    if (new Set(chosen).size === product.variants.length)
      userErrors.push(
        userError(['variantsIds'], 'Cannot delete the last variant of a product', 'CANNOT_DELETE_LAST_VARIANT'),
      );
    if (userErrors.length > 0) return { product, userErrors };
    for (const variant of new Set(chosen)) removeVariant(ctx.store, variant, ctx.changes);
    dropUnusedValues(product);
    ctx.changes.productsUpdated.add(product);
    return { product, userErrors: [] };
  },
};
