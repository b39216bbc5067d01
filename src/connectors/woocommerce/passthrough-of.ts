import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { Passthrough } from './import-mapper.ts';

/** Ours by form; a snapshot of another maker (a test, an older version) counts as unknown. */
export function passthroughOf(seen: ProductSnapshot): Passthrough | null {
  const value = seen.passthrough as Partial<Passthrough> | null | undefined;
  const isOurs =
    typeof value?.type === 'string' && typeof value.status === 'string' && typeof value.prices === 'object';
  return isOurs ? (value as Passthrough) : null;
}
