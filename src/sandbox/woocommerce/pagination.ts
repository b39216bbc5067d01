import { toInt } from './decimal.ts';
import { isSet, type Json } from './json.ts';
import { withQueryArg } from './query-string.ts';
import type { RestRequest, RestResponse } from './rest-types.ts';
import type { Site } from './site.ts';

/**
 * One page of `items` with WooCommerce's totals and links. Past the last page: empty, true totals. An offset replaces
 * the page, and past the end its total is 0.
 */
export function paginate<T>(
  site: Site,
  request: RestRequest,
  items: readonly T[],
  collection: string,
  present: (item: T) => Json,
): RestResponse {
  const perPage = toInt(request.params['per_page'] ?? 10);
  const page = Math.max(1, toInt(request.params['page'] ?? 1));
  const hasOffset = isSet(request.params['offset']);
  const start = hasOffset ? Math.max(0, toInt(request.params['offset'])) : (page - 1) * perPage;
  const total = hasOffset && start >= items.length ? 0 : items.length;
  const pages = Math.ceil(total / perPage);
  const base = site.restUrl(`/wc/v3${collection}`);
  const links: string[] = [];
  const link = (to: number, rel: string): number =>
    links.push(`<${withQueryArg(base, request.query, 'page', String(to))}>; rel="${rel}"`);
  if (page > 1) link(Math.min(page - 1, pages), 'prev');
  if (page < pages) link(page + 1, 'next');
  return {
    status: 200,
    body: items.slice(start, start + perPage).map(present),
    headers: { 'x-wp-total': String(total), 'x-wp-totalpages': String(pages) },
    links,
  };
}
