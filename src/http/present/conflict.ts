import type { Conflict } from '../../contracts/conflicts.ts';
import type { ConflictListRow } from '../../db/readers/list-conflicts.ts';
import type { ProductRow } from '../../db/schema/product.ts';
import { isoTime } from '../../lib/time.ts';
import type { VariantId } from '../../model/ids.ts';
import type { VariantFields } from '../../model/product.ts';
import { isoTimeOrNull } from './store.ts';

export function presentConflict({ conflict, product, currency }: ConflictListRow): Conflict {
  const base = conflict.base ?? null;
  const hub = conflict.hub ?? null;
  const remote = conflict.remote ?? null;
  const isWooCommerce = conflict.side === 'woocommerce';
  const variant = variantOfField(product, conflict.field);
  return {
    _id: conflict.id,
    pairId: conflict.pairId,
    recordId: conflict.productId,
    recordTitle: product?.title ?? 'A record that was removed',
    sku: variant?.fields.sku ?? firstSku(product),
    imageUrl: product?.imageUrl ?? '',
    field: conflict.field,
    variantLabel: variant === null ? null : variantLabel(variant.fields),
    side: conflict.side,
    base,
    hub,
    remote,
    // The hub's value is what the other side brought.
    woocommerce: isWooCommerce ? remote : hub,
    agreed: base,
    shopify: isWooCommerce ? hub : remote,
    currency,
    version: conflict.version,
    state: conflict.state,
    resolution: conflict.resolution,
    openedAt: isoTime(conflict.openedAt),
    closedAt: isoTimeOrNull(conflict.closedAt),
  };
}

/** Field paths carry the id of the variant that they are about, in any of their parts. */
function variantOfField(product: ProductRow | null, field: string) {
  if (product === null) return null;
  const id = field.split('.').find((part) => Object.hasOwn(product.data.variants, part));
  const fields = id === undefined ? undefined : product.data.variants[id as VariantId];
  return fields === undefined ? null : { id, fields };
}

export function variantLabel(fields: VariantFields): string {
  return fields.optionValues.length > 0 ? fields.optionValues.join(' / ') : fields.sku;
}

export function firstSku(product: ProductRow | null): string {
  if (product === null) return '';
  return Object.values(product.data.variants).find((fields) => fields.sku !== '')?.sku ?? '';
}
