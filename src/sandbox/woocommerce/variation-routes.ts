import { type RouteRules, rulesFor } from './arg-rules.ts';
import { runBatch } from './batch.ts';
import { crashIfTold } from './crash.ts';
import { absInt } from './decimal.ts';
import type { Params } from './json.ts';
import { versionAtLeast } from './options.ts';
import { paginate } from './pagination.ts';
import { cachedList } from './product-list-cache.ts';
import { applyOrNothing, contextOf, removeRecord } from './product-routes.ts';
import { saveProduct } from './product-rules.ts';
import { newProduct, type ProductRecord } from './records.ts';
import { cannotCreateExisting, invalidId, noRoute, RestError } from './rest-error.ts';
import { created, EDITABLE, ok, type RestRequest, type RestResponse, type Route } from './rest-types.ts';
import type { Site } from './site.ts';
import { variationView } from './variation-view.ts';
import { nameVariation, writeVariation } from './variation-write.ts';

export function variationRoutes(site: Site, rules: () => RouteRules): Route[] {
  const many = '/products/<product_id>/variations';
  const one = `${many}/<id>`;
  return [
    { path: '/variations', methods: ['GET'], access: 'list', handle: (request) => listAll(site, request) },
    { path: many, methods: ['GET'], access: 'list', handle: (request) => listOf(site, request) },
    { path: many, methods: ['POST'], access: 'create', handle: ({ params }) => create(site, params) },
    {
      path: `${many}/batch`,
      methods: EDITABLE,
      access: 'batch',
      handle: (request) =>
        runBatch(
          request,
          {
            create: (params) => create(site, params),
            update: (params) => updateInBatch(site, params),
            remove: (params) => remove(site, params),
          },
          rulesFor(rules(), many, 'POST'),
          { product_id: absInt(request.params['product_id']) },
        ),
    },
    { path: one, methods: ['GET'], access: 'read', handle: (request) => read(site, request) },
    { path: one, methods: EDITABLE, access: 'edit', handle: ({ params }) => update(site, params) },
    { path: one, methods: ['DELETE'], access: 'delete', handle: ({ params }) => remove(site, params) },
  ];
}

/** The flat listing came with 10.3; before that the route is not there. */
function listAll(site: Site, request: RestRequest): RestResponse {
  if (!versionAtLeast(site.settings.version, 10, 3)) throw noRoute();
  const found = cachedList(site, request, { kind: 'variations' });
  const context = contextOf(request.params);
  return paginate(site, request, found, '/variations', (record) => variationView(site, record, context, request.wants));
}

function listOf(site: Site, request: RestRequest): RestResponse {
  const parentId = absInt(request.params['product_id']);
  const found = cachedList(site, request, { kind: 'variations', parentId });
  const context = contextOf(request.params);
  return paginate(site, request, found, `/products/${parentId}/variations`, (record) =>
    variationView(site, record, context, request.wants),
  );
}

function find(site: Site, params: Params, missingStatus: number): ProductRecord {
  const record = site.products.find(absInt(params['id']));
  if (record?.type !== 'variation' || record.parentId !== absInt(params['product_id'])) {
    throw invalidId('product_variation', missingStatus);
  }
  return record;
}

function read(site: Site, request: RestRequest): RestResponse {
  const record = find(site, request.params, 404);
  return ok(variationView(site, record, contextOf(request.params), request.wants));
}

function create(site: Site, params: Params): RestResponse {
  if (absInt(params['id']) !== 0) throw cannotCreateExisting('product_variation');
  const parent = site.products.find(absInt(params['product_id']));
  if (!parent || parent.type === 'variation') {
    const message = 'Cannot set attributes due to invalid parent product.';
    throw new RestError('woocommerce_rest_product_variation_invalid_parent', message, 404);
  }
  const record = addVariation(site, parent, (draft) => {
    writeVariation(site, draft, parent, params);
    crashIfTold(site, draft, 'save');
  });
  const location = site.restUrl(`/wc/v3/products/${parent.id}/variations/${record.id}`);
  return created(variationView(site, record, 'edit'), location);
}

export function addVariation(site: Site, parent: ProductRecord, write: (draft: ProductRecord) => void): ProductRecord {
  const draft = newProduct(0, 'variation', site.nowS());
  draft.parentId = parent.id;
  write(draft);
  nameVariation(site, draft, parent);
  const record = { ...draft, id: site.products.nextPostId() };
  site.products.add(record);
  parent.variationIds = [...parent.variationIds, record.id];
  saveProduct(site, record, true);
  return record;
}

function update(site: Site, params: Params): RestResponse {
  const record = find(site, params, 400);
  const parent = site.products.find(record.parentId);
  if (!parent) throw invalidId('product_variation', 400);
  applyOrNothing(record, () => writeVariation(site, record, parent, params), site);
  return ok(variationView(site, record, 'edit'));
}

/** Who is whose is asked of single requests alone: in a batch, a variation of another product is moved here. */
function updateInBatch(site: Site, params: Params): RestResponse {
  const record = site.products.find(absInt(params['id']));
  const parent = site.products.find(absInt(params['product_id']));
  if (record?.type !== 'variation' || !parent) throw invalidId('product_variation', 400);
  const from = site.products.find(record.parentId);
  const write = () => {
    record.parentId = parent.id;
    writeVariation(site, record, parent, params);
  };
  applyOrNothing(record, write, site);
  if (from !== parent) {
    if (from) from.variationIds = from.variationIds.filter((id) => id !== record.id);
    parent.variationIds = [...parent.variationIds, record.id];
  }
  return ok(variationView(site, record, 'edit'));
}

function remove(site: Site, params: Params): RestResponse {
  const record = find(site, params, 404);
  return ok(removeRecord(site, record, params, variationView));
}
