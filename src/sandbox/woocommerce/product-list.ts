import { absInt, toText } from './decimal.ts';
import { isSet, type Json, type Params } from './json.ts';
import { versionAtLeast } from './options.ts';
import { activePrice, stockStatusOf } from './product-rules.ts';
import { priceOf, saleNow } from './product-view.ts';
import type { ProductRecord } from './records.ts';
import type { Site } from './site.ts';
import { parseRestDate } from './site-time.ts';
import { parseList } from './validate-args.ts';

type Test = (record: ProductRecord) => boolean;

/** Which posts a listing starts from. */
export interface ListScope {
  readonly kind: 'products' | 'variations';
  /** Only the variations of this product. */
  readonly parentId?: number;
}

/** All posts a query finds, in its order; paging is the caller's. */
export function listProducts(site: Site, given: Params, scope: ListScope): ProductRecord[] {
  const found: ProductRecord[] = [];
  const params = knownParams(site, given);
  const tests = buildTests(site, params, scope);
  for (const record of candidates(site, params, scope)) if (tests.every((test) => test(record))) found.push(record);
  return order(site, found, params);
}

/** Products are found by their GTIN since 9.4, on their own; before, the parameter is ignored like any other that is not known. */
function knownParams({ settings: { version } }: Site, { global_unique_id: gtin, ...params }: Params): Params {
  return gtin !== undefined && versionAtLeast(version, 9, 4) ? { ...params, global_unique_id: gtin } : params;
}

function* candidates(site: Site, params: Params, scope: ListScope): Iterable<ProductRecord> {
  const { products } = site;
  const byIds = function* (ids: Iterable<number>): Iterable<ProductRecord> {
    for (const id of ids) {
      const record = products.find(id);
      if (record) yield record;
    }
  };
  const include = ids(params['include']);
  if (scope.parentId !== undefined) {
    yield* byIds(products.find(scope.parentId)?.variationIds ?? []);
  } else if (scope.kind === 'variations') {
    yield* byIds(include.length > 0 ? include : products.variationIds);
  } else if (findsVariations(site, params)) {
    yield* exactHits(site, params) ?? products.posts.values();
  } else {
    yield* byIds(include.length > 0 ? include : products.parentIds);
  }
}

/** A look-up by SKU or GTIN finds variations too, which a plain listing of products never shows. */
function findsVariations({ settings }: Site, params: Params): boolean {
  const keys = ['sku', 'search_sku', ...(versionAtLeast(settings.version, 9, 6) ? ['global_unique_id'] : [])];
  return keys.some((key) => toText(params[key]) !== '');
}

/** SKU and GTIN look-ups come from the index instead of a walk over all posts. */
function exactHits(site: Site, params: Params): ProductRecord[] | null {
  if (toText(params['search_sku']) !== '') return null;
  const hits = new Set<ProductRecord>();
  for (const sku of skuList(params['sku'])) {
    for (const record of site.products.listBySku(sku)) hits.add(record);
  }
  for (const gtin of toText(params['global_unique_id']).split(',')) {
    for (const record of site.products.listByGtin(gtin.trim())) hits.add(record);
  }
  return [...hits];
}

/** The whole text counts as one SKU as well, since a SKU may hold a comma. */
function skuList(value: Json | undefined): string[] {
  const text = toText(value);
  if (text === '') return [];
  return text.includes(',') ? [...text.split(','), text] : [text];
}

function ids(value: Json | undefined): number[] {
  return value === undefined || value === null ? [] : parseList(value).map(absInt);
}

function buildTests(site: Site, params: Params, scope: ListScope): Test[] {
  const tests: Test[] = [statusTest(params), ...dateTests(site, params)];
  const add = (key: string, make: (value: string) => Test): void => {
    if (isSet(params[key]) && toText(params[key]) !== '') tests.push(make(toText(params[key])));
  };
  const addIds = (key: string, make: (list: Set<number>) => Test): void => {
    const list = ids(params[key]);
    if (list.length > 0) tests.push(make(new Set(list)));
  };
  if (scope.kind === 'variations') tests.push((record) => record.type === 'variation');
  else if (!findsVariations(site, params)) tests.push((record) => record.type !== 'variation');
  addIds('include', (list) => (record) => list.has(record.id));
  addIds('exclude', (list) => (record) => !list.has(record.id));
  addIds('parent', (list) => (record) => list.has(record.parentId));
  addIds('parent_exclude', (list) => (record) => !list.has(record.parentId));
  const skus = new Set(skuList(params['sku']).map((sku) => sku.toLowerCase()));
  if (skus.size > 0 && toText(params['search_sku']) === '') tests.push((record) => skus.has(record.sku.toLowerCase()));
  add('search_sku', (text) => (record) => record.sku.toLowerCase().includes(text.toLowerCase()));
  add('global_unique_id', (text) => {
    const wanted = new Set(text.split(',').map((part) => part.trim()));
    return (record) => wanted.has(record.gtin);
  });
  add('search', (text) => searchTest(text));
  add('slug', (slug) => (record) => record.slug === slug);
  add('type', (type) => (record) => record.type === type);
  addIds('category', (list) => (record) => record.categoryIds.some((id) => inTree(site, id, list)));
  addIds('tag', (list) => (record) => record.tagIds.some((id) => list.has(id)));
  addIds('brand', (list) => (record) => record.brandIds.some((id) => list.has(id)));
  add('stock_status', (status) => (record) => stockStatusOf(site, record) === status);
  add('min_price', (price) => (record) => Number(priceOf(site, record, site.nowS()) || 'NaN') >= Number(price));
  add('max_price', (price) => (record) => Number(priceOf(site, record, site.nowS()) || 'NaN') <= Number(price));
  const flag = (key: string, read: Test): void => {
    if (typeof params[key] === 'boolean') tests.push((record) => read(record) === params[key]);
  };
  flag('featured', (record) => record.rare.featured);
  flag('virtual', (record) => record.rare.virtual);
  flag('downloadable', (record) => record.rare.downloadable);
  flag('on_sale', (record) => saleNow(site, record, site.nowS()));
  flag('has_price', (record) => activePrice(record, site.nowS()) !== '');
  return tests;
}

/** A category finds the products of its children too. */
function inTree(site: Site, id: number, wanted: Set<number>): boolean {
  for (let term = site.terms.terms.get(id); term; term = site.terms.terms.get(term.parent)) {
    if (wanted.has(term.id)) return true;
  }
  return false;
}

/** "any" leaves the trash and auto-drafts out. */
function statusTest(params: Params): Test {
  const included = isSet(params['include_status']) ? parseList(params['include_status']).map(String) : [];
  const wanted = included.length > 0 ? included : [toText(params['status']) || 'any'];
  const excluded = new Set(isSet(params['exclude_status']) ? parseList(params['exclude_status']).map(String) : []);
  const isAny = wanted.includes('any');
  return ({ status }) => {
    if (excluded.has(status)) return false;
    return isAny ? status !== 'trash' && status !== 'auto-draft' : wanted.includes(status);
  };
}

function searchTest(text: string): Test {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return (record) => {
    const body = `${record.name}\n${record.description}\n${record.shortDescription}`.toLowerCase();
    return words.every((word) => body.includes(word));
  };
}

/**
 * Dates compare by the second and strictly. The value's face is what counts: a naive one is taken as it stands, one with
 * a zone is first turned into site-local time. With `dates_are_gmt` it is then held against the GMT column, so that a
 * "Z" together with the flag is wrong by the site's offset.
 */
function dateTests(site: Site, params: Params): Test[] {
  const tests: Test[] = [];
  const isGmt = params['dates_are_gmt'] === true;
  const add = (key: string, read: (record: ProductRecord) => number, isAfter: boolean): void => {
    const date = isSet(params[key]) ? parseRestDate(toText(params[key])) : null;
    if (!date) return;
    const boundary = date.utcS === null ? date.wallS : site.time.toLocal(date.utcS);
    tests.push((record) => {
      const at = isGmt ? read(record) : site.time.toLocal(read(record));
      return isAfter ? at > boundary : at < boundary;
    });
  };
  add('after', (record) => record.createdS, true);
  add('before', (record) => record.createdS, false);
  add('modified_after', (record) => record.modifiedS, true);
  add('modified_before', (record) => record.modifiedS, false);
  return tests;
}

function order(site: Site, found: ProductRecord[], params: Params): ProductRecord[] {
  const sign = toText(params['order']) === 'asc' ? 1 : -1;
  const by = toText(params['orderby']) || 'date';
  const text = (read: (record: ProductRecord) => string) => (a: ProductRecord, b: ProductRecord) =>
    sign * compareText(read(a), read(b)) || a.id - b.id;
  const number = (read: (record: ProductRecord) => number) => (a: ProductRecord, b: ProductRecord) =>
    sign * (read(a) - read(b) || a.id - b.id);
  if (by === 'include' || by === 'post__in') {
    const position = new Map(ids(params['include']).map((id, index) => [id, index]));
    return found.sort((a, b) => (position.get(a.id) ?? 0) - (position.get(b.id) ?? 0));
  }
  if (by === 'random') {
    const keys = new Map(found.map((record) => [record.id, site.environment.random()]));
    return found.sort((a, b) => (keys.get(a.id) ?? 0) - (keys.get(b.id) ?? 0));
  }
  if (by === 'title') return found.sort(text((record) => record.name.toLowerCase()));
  if (by === 'slug') return found.sort(text((record) => record.slug));
  if (by === 'id') return found.sort(number((record) => record.id));
  if (by === 'modified') return found.sort(number((record) => record.modifiedS));
  if (by === 'menu_order') return found.sort(number((record) => record.rare.menuOrder));
  if (by === 'popularity' || by === 'sales') return found.sort(number((record) => record.totalSales));
  if (by === 'price') return found.sort(number((record) => Number(priceOf(site, record, site.nowS()))));
  return found.sort(number((record) => record.createdS));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
