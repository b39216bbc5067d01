import { invalidId, notSupported, userError } from '../graphql/api-error.ts';
import { parseGid } from '../store/ids.ts';
import { requireOwnerScope } from './owner.ts';
import { normaliseTags } from './product-input.ts';
import type { Mutation, MutationContext } from './run-mutation.ts';

const TAGS_MAX = 250;
const TAG_LENGTH_MAX = 255;

interface TagArgs {
  readonly id: string;
  readonly tags: readonly string[];
}

function productOf(ctx: MutationContext, fieldName: string, gid: string) {
  const parsed = parseGid(gid);
  if (parsed?.kind !== 'Product')
    throw parsed && ['Order', 'Customer', 'DraftOrder', 'Article'].includes(parsed.kind)
      ? notSupported(`${fieldName} on ${parsed.kind}`)
      : invalidId(gid);
  requireOwnerScope(ctx, fieldName, gid);
  return ctx.store.products.get(parsed.id) ?? null;
}

function changeTags(
  ctx: MutationContext,
  fieldName: string,
  args: TagArgs,
  change: (tags: readonly string[]) => string[],
) {
  const product = productOf(ctx, fieldName, args.id);
  if (!product) return { node: null, userErrors: [userError(['id'], 'Product does not exist')] };
  if (args.tags.some((tag) => tag.length > TAG_LENGTH_MAX))
    return { node: null, userErrors: [userError(['tags'], 'Product tags is invalid')] };
  const tags = change(product.tags);
  if (tags.length > TAGS_MAX)
    return { node: null, userErrors: [userError(['tags'], `Products must have ${TAGS_MAX} tags or less.`)] };
  if (tags.join('\u0000') !== product.tags.join('\u0000')) {
    product.tags = tags;
    ctx.changes.productsUpdated.add(product);
  }
  return { node: product, userErrors: [] };
}

export const tagsAdd: Mutation = {
  run: (args: TagArgs, ctx) => changeTags(ctx, 'tagsAdd', args, (tags) => normaliseTags([...tags, ...args.tags])),
};

export const tagsRemove: Mutation = {
  run: (args: TagArgs, ctx) => {
    const gone = new Set(normaliseTags(args.tags).map((tag) => tag.toLowerCase()));
    return changeTags(ctx, 'tagsRemove', args, (tags) => tags.filter((tag) => !gone.has(tag.toLowerCase())));
  },
};
