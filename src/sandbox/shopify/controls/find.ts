import type { SandboxState } from '../state.ts';
import { parseGid } from '../store/ids.ts';
import type { LocationRecord, ProductRecord, VariantRecord } from '../store/records.ts';
import { primaryLocation } from '../store/store.ts';

/** Controls name things as people do; a name that fits nothing is a mistake of the test or the demo, so it throws. */

export function findProduct(state: SandboxState, gid: string): ProductRecord {
  const product = state.store.products.get(parseGid(gid)?.id ?? 0);
  if (!product) throw new Error(`no product ${gid}`);
  return product;
}

/** By gid or by SKU; with several holders of the SKU the first. */
export function findVariant(state: SandboxState, ref: string): VariantRecord {
  const parsed = parseGid(ref);
  const variant =
    parsed?.kind === 'ProductVariant'
      ? state.store.variants.get(parsed.id)
      : state.store.itemsBySku.get(ref)?.[0]?.variant;
  if (!variant) throw new Error(`no variant ${ref}`);
  return variant;
}

export function findLocation(state: SandboxState, gid: string | undefined): LocationRecord {
  if (gid === undefined) return primaryLocation(state.store);
  const location = state.store.locations.get(parseGid(gid)?.id ?? 0);
  if (!location) throw new Error(`no location ${gid}`);
  return location;
}
