import type { ListScope } from './product-list.ts';
import { listProducts } from './product-list.ts';
import type { ProductRecord } from './records.ts';
import type { RestRequest } from './rest-types.ts';
import type { Site } from './site.ts';

const PAGING = new Set(['page', 'per_page', 'offset', 'context', '_fields', 'consumer_key', 'consumer_secret']);

interface Entry {
  readonly key: string;
  readonly version: number;
  readonly found: ProductRecord[];
}

const entries = new WeakMap<Site, Entry>();

/** Walking a listing page by page filters and sorts once: the last result is kept until something is written. */
export function cachedList(site: Site, request: RestRequest, scope: ListScope): ProductRecord[] {
  const parts = Object.entries(request.params).filter(([name]) => !PAGING.has(name));
  const key = JSON.stringify([scope, parts]);
  const known = entries.get(site);
  // What is on sale, and a random order, depend on more than the data.
  const depends = /"(?:on_sale|min_price|max_price|has_price)"|"random"|"price"/.test(key);
  if (known && !depends && known.key === key && known.version === site.products.version) return known.found;
  const found = listProducts(site, request.params, scope);
  entries.set(site, { key, version: site.products.version, found });
  return found;
}
