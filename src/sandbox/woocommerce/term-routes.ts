import { type RouteRules, rulesFor } from './arg-rules.ts';
import { runBatch } from './batch.ts';
import { absInt, toText } from './decimal.ts';
import { isSet, type JsonObject, type Params } from './json.ts';
import { versionAtLeast } from './options.ts';
import { paginate } from './pagination.ts';
import { links } from './product-view.ts';
import type { ProductRecord, Taxonomy, TermRecord } from './records.ts';
import { noRoute, RestError } from './rest-error.ts';
import { created, EDITABLE, ok, type RestRequest, type RestResponse, type Route } from './rest-types.ts';
import type { Site } from './site.ts';
import { DEFAULT_CATEGORY_ID, type TermFields } from './term-store.ts';
import { parseList } from './validate-args.ts';

/** A family of term routes. The collection's path and taxonomy may depend on the request (attribute terms do). */
interface Family {
  readonly path: string;
  readonly hasMenuOrder: boolean;
  readonly hasTree: boolean;
  readonly taxonomy: (params: Params) => Taxonomy;
  readonly collection: (params: Params) => string;
}

export function termRoutes(site: Site, rules: () => RouteRules): Route[] {
  const fixed = (path: string, taxonomy: Taxonomy, hasTree: boolean): Family => ({
    path,
    hasMenuOrder: hasTree,
    hasTree,
    taxonomy: () => taxonomy,
    collection: () => path,
  });
  const brands = fixed('/products/brands', 'product_brand', true);
  const families: Family[] = [
    fixed('/products/tags', 'product_tag', false),
    fixed('/products/categories', 'product_cat', true),
    {
      ...brands,
      taxonomy: () => {
        if (!versionAtLeast(site.settings.version, 9, 6)) throw noRoute();
        return 'product_brand';
      },
    },
    {
      path: '/products/attributes/<attribute_id>/terms',
      hasMenuOrder: true,
      hasTree: false,
      taxonomy: (params) => attributeTaxonomy(site, params),
      collection: (params) => `/products/attributes/${absInt(params['attribute_id'])}/terms`,
    },
  ];
  return families.flatMap((family) => familyRoutes(site, family, rules));
}

function attributeTaxonomy(site: Site, params: Params): Taxonomy {
  const attribute = site.terms.attributes.get(absInt(params['attribute_id']));
  if (!attribute) throw new RestError('woocommerce_rest_taxonomy_invalid', 'Resource does not exist.', 404);
  return attribute.slug as Taxonomy;
}

function familyRoutes(site: Site, family: Family, rules: () => RouteRules): Route[] {
  const { path } = family;
  const verbs = {
    create: (params: Params) => create(site, family, params),
    update: (params: Params) => update(site, family, params),
    remove: (params: Params) => remove(site, family, params),
  };
  return [
    { path, methods: ['GET'], access: 'list', handle: (request) => list(site, family, request) },
    { path, methods: ['POST'], access: 'create', handle: ({ params }) => verbs.create(params) },
    {
      path: `${path}/batch`,
      methods: EDITABLE,
      access: 'batch',
      handle: (request) => runBatch(request, verbs, rulesFor(rules(), path, 'POST'), attributeParam(request.params)),
    },
    {
      path: `${path}/<id>`,
      methods: ['GET'],
      access: 'read',
      handle: ({ params }) => ok(view(site, family, find(site, family, params), params)),
    },
    { path: `${path}/<id>`, methods: EDITABLE, access: 'edit', handle: ({ params }) => verbs.update(params) },
    { path: `${path}/<id>`, methods: ['DELETE'], access: 'delete', handle: ({ params }) => verbs.remove(params) },
  ];
}

function attributeParam(params: Params): Params {
  return params['attribute_id'] === undefined ? {} : { attribute_id: params['attribute_id'] };
}

function find(site: Site, family: Family, params: Params): TermRecord {
  const term = site.terms.find(family.taxonomy(params), absInt(params['id']));
  if (!term) throw new RestError('woocommerce_rest_term_invalid', 'Resource does not exist.', 404);
  return term;
}

function list(site: Site, family: Family, request: RestRequest): RestResponse {
  const { params } = request;
  const ids = (key: string): Set<number> => new Set(isSet(params[key]) ? parseList(params[key]).map(absInt) : []);
  const include = ids('include');
  const exclude = ids('exclude');
  const search = toText(params['search']).toLowerCase();
  const slug = toText(params['slug']);
  const counts = countTerms(site);
  const product = isSet(params['product']) ? site.products.find(absInt(params['product'])) : undefined;
  const sign = toText(params['order']) === 'desc' ? -1 : 1;
  const by = toText(params['orderby']) || 'name';
  const found = site.terms
    .list(family.taxonomy(params))
    .filter((term) => include.size === 0 || include.has(term.id))
    .filter((term) => !exclude.has(term.id))
    .filter((term) => search === '' || term.name.toLowerCase().includes(search) || term.slug.includes(search))
    .filter((term) => slug === '' || term.slug === slug)
    .filter((term) => !isSet(params['parent']) || !family.hasTree || term.parent === absInt(params['parent']))
    .filter((term) => params['hide_empty'] !== true || (counts.get(term.id) ?? 0) > 0)
    .filter((term) => !product || termIdsOf(product).includes(term.id))
    .sort((a, b) => sign * compare(a, b, by, counts) || a.id - b.id);
  return paginate(site, request, found, family.collection(params), (term) => view(site, family, term, params, counts));
}

function compare(a: TermRecord, b: TermRecord, by: string, counts: Map<number, number>): number {
  if (by === 'id') return a.id - b.id;
  if (by === 'count') return (counts.get(a.id) ?? 0) - (counts.get(b.id) ?? 0);
  const read = (term: TermRecord): string => (by === 'slug' ? term.slug : term.name.toLowerCase());
  return read(a) < read(b) ? -1 : read(a) > read(b) ? 1 : 0;
}

function termIdsOf(product: ProductRecord): number[] {
  return [
    ...product.tagIds,
    ...product.categoryIds,
    ...product.brandIds,
    ...product.attributes.flatMap((a) => a.termIds),
  ];
}

/** Counts say how many published products carry a term. */
function countTerms(site: Site): Map<number, number> {
  const counts = new Map<number, number>();
  for (const id of site.products.parentIds) {
    const product = site.products.find(id);
    if (product?.status !== 'publish') continue;
    for (const termId of termIdsOf(product)) counts.set(termId, (counts.get(termId) ?? 0) + 1);
  }
  return counts;
}

function create(site: Site, family: Family, params: Params): RestResponse {
  const parent = family.hasTree ? absInt(params['parent']) : 0;
  const taxonomy = family.taxonomy(params);
  if (parent > 0 && !site.terms.find(taxonomy, parent)) {
    throw new RestError('woocommerce_rest_term_invalid', 'Parent resource does not exist.', 404);
  }
  const term = site.terms.insert(taxonomy, { name: toText(params['name']), ...fields(params), parent });
  return created(view(site, family, term, params), site.restUrl(`/wc/v3${family.collection(params)}/${term.id}`));
}

function fields(params: Params): Partial<TermFields> {
  return {
    ...(isSet(params['slug']) ? { slug: toText(params['slug']) } : {}),
    ...(isSet(params['description']) ? { description: toText(params['description']) } : {}),
    ...(isSet(params['display']) ? { display: toText(params['display']) } : {}),
    ...(isSet(params['menu_order']) ? { menuOrder: absInt(params['menu_order']) } : {}),
  };
}

/** Renaming a term tells no webhook, and moves no product's date. */
function update(site: Site, family: Family, params: Params): RestResponse {
  const term = find(site, family, params);
  site.terms.update(term, {
    ...fields(params),
    ...(isSet(params['name']) ? { name: toText(params['name']) } : {}),
    ...(family.hasTree && isSet(params['parent']) ? { parent: absInt(params['parent']) } : {}),
  });
  return ok(view(site, family, term, params));
}

function remove(site: Site, family: Family, params: Params): RestResponse {
  const term = find(site, family, params);
  if (params['force'] !== true) {
    throw new RestError('woocommerce_rest_trash_not_supported', 'Resource does not support trashing.', 501);
  }
  if (term.id === DEFAULT_CATEGORY_ID) {
    throw new RestError('woocommerce_rest_cannot_delete', 'The resource cannot be deleted.', 500);
  }
  const body = view(site, family, term, params);
  site.terms.remove(term);
  for (const id of site.products.parentIds) dropTerm(site.products.find(id), term.id);
  return ok(body);
}

function dropTerm(product: ProductRecord | undefined, termId: number): void {
  if (!product) return;
  if (product.tagIds.includes(termId)) product.tagIds = product.tagIds.filter((id) => id !== termId);
  if (product.brandIds.includes(termId)) product.brandIds = product.brandIds.filter((id) => id !== termId);
  if (!product.categoryIds.includes(termId)) return;
  product.categoryIds = product.categoryIds.filter((id) => id !== termId);
  if (product.categoryIds.length === 0) product.categoryIds = [DEFAULT_CATEGORY_ID];
}

function view(
  site: Site,
  family: Family,
  term: TermRecord,
  params: Params,
  counts: Map<number, number> = countTerms(site),
): JsonObject {
  const collection = `/wc/v3${family.collection(params)}`;
  const up = term.parent > 0 ? `${collection}/${term.parent}` : undefined;
  return {
    id: term.id,
    name: term.name,
    slug: term.slug,
    ...(family.hasTree ? { parent: term.parent } : {}),
    description: term.description,
    ...(family.hasTree ? { display: term.display, image: null } : {}),
    ...(family.hasMenuOrder ? { menu_order: term.menuOrder } : {}),
    count: counts.get(term.id) ?? 0,
    _links: links(site, `${collection}/${term.id}`, collection, up),
  };
}
