import type { ProductRecord } from './records.ts';
import { PhpFatal } from './rest-error.ts';
import type { Site } from './site.ts';

/** Where a plugin ends PHP over a product: as its prices are read, or before it is saved. */
export type Crash = 'read' | 'save';

export function crashIfTold(site: Site, { id, sku }: Pick<ProductRecord, 'id' | 'sku'>, crash: Crash): void {
  if (site.crashes.get(id) === crash || site.crashes.get(sku) === crash) throw new PhpFatal();
}
