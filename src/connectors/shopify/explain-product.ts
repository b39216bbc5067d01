import type { ConnectorError } from '../../model/connector-error.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import { unreadableProduct } from '../shared/unreadable-product.ts';
import { gidNumber } from './gid.ts';
import type { StoreContext } from './store-context.ts';

/** A product of a listing that was not understood. `row`: what came of it, as far as anything did. */
export function explainProduct(
  id: string,
  row: unknown,
  error: ConnectorError,
  context: StoreContext,
): ProductSnapshot {
  const { title } = (row ?? {}) as { title?: unknown };
  const adminUrl = `${context.adminProducts}/${gidNumber(id)}`;
  return unreadableProduct({ externalId: id, title, trashed: false, adminUrl }, error);
}
