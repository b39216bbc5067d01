import { accessDenied } from '../graphql/access.ts';
import { parseGid } from '../store/ids.ts';
import type { ProductRecord } from '../store/records.ts';
import type { MutationContext } from './run-mutation.ts';

/** Metafields and tags belong to another record: writing them needs that record's write scope and touches that record. */

const SCOPE_BY_KIND: Readonly<Record<string, string>> = {
  Product: 'write_products',
  ProductVariant: 'write_products',
  Collection: 'write_products',
  Location: 'write_locations',
};

export function ownerExists(ctx: MutationContext, gid: string): boolean {
  const parsed = parseGid(gid);
  if (!parsed) return false;
  switch (parsed.kind) {
    case 'Product':
      return ctx.store.products.has(parsed.id);
    case 'ProductVariant':
      return ctx.store.variants.has(parsed.id);
    case 'Collection':
      return ctx.store.collections.has(parsed.id);
    case 'Location':
      return ctx.store.locations.has(parsed.id);
    case 'Shop':
    case 'AppInstallation':
      return true;
    default:
      return false;
  }
}

export function requireOwnerScope(ctx: MutationContext, fieldName: string, gid: string): void {
  const scope = SCOPE_BY_KIND[parseGid(gid)?.kind ?? ''];
  if (scope && !ctx.state.grantedScopes.has(scope)) throw accessDenied(fieldName, `\`${scope}\` access scope.`);
}

export function touchOwner(ctx: MutationContext, gid: string): void {
  const parsed = parseGid(gid);
  let product: ProductRecord | undefined;
  if (parsed?.kind === 'Product') product = ctx.store.products.get(parsed.id);
  if (parsed?.kind === 'ProductVariant') {
    const variant = ctx.store.variants.get(parsed.id);
    if (variant) variant.updatedAt = ctx.now;
    product = variant?.product;
  }
  if (product) ctx.changes.productsUpdated.add(product);
}
