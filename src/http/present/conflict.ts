import type { Conflict } from '../../contracts/conflicts.ts';
import type { ConflictListRow } from '../../db/readers/list-conflicts.ts';
import { isoTime } from '../../lib/time.ts';
import type { VariantFields } from '../../model/product.ts';
import { isoTimeOrNull } from './store.ts';

export function presentConflict({ conflict, owner, currency }: ConflictListRow): Conflict {
  const base = conflict.base ?? null;
  const hub = conflict.hub ?? null;
  const remote = conflict.remote ?? null;
  const isWooCommerce = conflict.side === 'woocommerce';
  const variant = owner?.variant ?? null;
  return {
    _id: conflict.id,
    pairId: conflict.pairId,
    recordId: conflict.productId,
    recordTitle: owner?.title ?? 'A record that was removed',
    sku: variant?.sku ?? owner?.sku ?? '',
    imageUrl: owner?.imageUrl ?? '',
    field: conflict.field,
    variantLabel: variant === null ? null : variantLabel(variant),
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

export function variantLabel(fields: VariantFields): string {
  return fields.optionValues.length > 0 ? fields.optionValues.join(' / ') : fields.sku;
}
