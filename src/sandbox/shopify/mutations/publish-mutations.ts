import { invalidId, type UserError, userError } from '../graphql/api-error.ts';
import { parseGid } from '../store/ids.ts';
import type { PublicationRecord } from '../store/records.ts';
import type { Mutation, MutationContext } from './run-mutation.ts';

interface PublishArgs {
  readonly id: string;
  readonly input: readonly { readonly publicationId?: string | null; readonly publishDate?: string | null }[];
}

/** ACTIVE alone shows a product nowhere: it must be published to a channel (facts, section 7). */
function change(args: PublishArgs, ctx: MutationContext, publishes: boolean) {
  const parsed = parseGid(args.id);
  if (parsed?.kind !== 'Product') throw invalidId(args.id);
  const product = ctx.store.products.get(parsed.id);
  if (!product) return { publishable: null, userErrors: [userError(['id'], 'Resource does not exist')] };
  const userErrors: UserError[] = [];
  const publications: { publication: PublicationRecord; at: number }[] = [];
  for (const [index, input] of args.input.entries()) {
    const publication = ctx.store.publications.get(parseGid(input.publicationId ?? '')?.id ?? 0);
    if (publication)
      publications.push({ publication, at: input.publishDate ? Date.parse(input.publishDate) : ctx.now });
    else userErrors.push(userError(['input', index, 'publicationId'], 'Publication does not exist'));
  }
  if (userErrors.length > 0) return { publishable: product, userErrors };
  let changed = false;
  for (const { publication, at } of publications) {
    if (publishes === product.publications.has(publication.id)) continue;
    changed = true;
    if (publishes) product.publications.set(publication.id, at);
    else product.publications.delete(publication.id);
    if (publication.appHandle === 'online_store') product.publishedAt = publishes ? at : null;
  }
  if (changed) ctx.changes.productsUpdated.add(product);
  return { publishable: product, userErrors: [] };
}

export const publishablePublish: Mutation = { run: (args: PublishArgs, ctx) => change(args, ctx, true) };
export const publishableUnpublish: Mutation = { run: (args: PublishArgs, ctx) => change(args, ctx, false) };
