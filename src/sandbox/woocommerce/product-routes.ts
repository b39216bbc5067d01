import { type RouteRules, rulesFor } from './arg-rules.ts';
import { runBatch } from './batch.ts';
import { crashIfTold } from './crash.ts';
import { absInt, toText } from './decimal.ts';
import { isSet, type Params } from './json.ts';
import { paginate } from './pagination.ts';
import { cachedList } from './product-list-cache.ts';
import { deleteProduct, deleteVariations, saveProduct, trashProduct } from './product-rules.ts';
import { productView, type ViewContext } from './product-view.ts';
import { refuseVariation, writeProduct } from './product-write.ts';
import { newProduct, type ProductRecord } from './records.ts';
import { cannotCreateExisting, invalidId, PhpFatal, RestError } from './rest-error.ts';
import { created, EDITABLE, ok, type RestRequest, type RestResponse, type Route } from './rest-types.ts';
import type { Site } from './site.ts';
import { renameVariations } from './variation-write.ts';

export function productRoutes(site: Site, rules: () => RouteRules): Route[] {
  const createRules = () => rulesFor(rules(), '/products', 'POST');
  return [
    { path: '/products', methods: ['GET'], access: 'list', handle: (request) => list(site, request) },
    { path: '/products', methods: ['POST'], access: 'create', handle: ({ params }) => create(site, params) },
    {
      path: '/products/batch',
      methods: EDITABLE,
      access: 'batch',
      handle: (request) =>
        runBatch(
          request,
          {
            create: (params) => create(site, params),
            update: (params) => update(site, params),
            remove: (params) => remove(site, params),
          },
          createRules(),
        ),
    },
    { path: '/products/<id>', methods: ['GET'], access: 'read', handle: (request) => read(site, request) },
    { path: '/products/<id>', methods: EDITABLE, access: 'edit', handle: ({ params }) => update(site, params) },
    { path: '/products/<id>', methods: ['DELETE'], access: 'delete', handle: ({ params }) => remove(site, params) },
  ];
}

export function contextOf(params: Params): ViewContext {
  return params['context'] === 'edit' ? 'edit' : 'view';
}

function list(site: Site, request: RestRequest): RestResponse {
  const found = cachedList(site, request, { kind: 'products' });
  const context = contextOf(request.params);
  return paginate(site, request, found, '/products', (record) => productView(site, record, context, request.wants));
}

function read(site: Site, request: RestRequest): RestResponse {
  const record = site.products.find(absInt(request.params['id']));
  if (!record) throw invalidId('product', 404);
  return ok(productView(site, record, contextOf(request.params), request.wants));
}

function create(site: Site, params: Params): RestResponse {
  if (absInt(params['id']) !== 0) throw cannotCreateExisting('product');
  refuseBlankPost(params);
  // Checks throw before the draft has an id or is known to the store: a refused product leaves nothing behind.
  const draft = newProduct(0, 'simple', site.nowS());
  writeProduct(site, draft, params, true);
  crashIfTold(site, draft, 'save');
  const record = { ...draft, id: site.products.nextPostId() };
  site.products.add(record);
  saveProduct(site, record, true);
  return created(productView(site, record, 'edit'), site.restUrl(`/wc/v3/products/${record.id}`));
}

/** A title of blanks makes WordPress refuse the post and WooCommerce trip over the missing product: a fatal error. */
function refuseBlankPost(params: Params): void {
  const name = toText(params['name']);
  if (name === '' || name.trim() !== '') return;
  if (toText(params['description']) === '' && toText(params['short_description']) === '') throw new PhpFatal();
}

function update(site: Site, params: Params): RestResponse {
  const record = site.products.find(absInt(params['id']));
  if (!record) throw invalidId('product', 400);
  refuseVariation(record);
  const { type } = record;
  applyOrNothing(record, () => writeProduct(site, record, params, false), site);
  if (type === 'variable' && record.type !== 'variable') deleteVariations(site, record);
  renameVariations(site, record);
  return ok(productView(site, record, 'edit'));
}

/** WooCommerce saves only after every field was accepted: a refusal in the middle must leave the record as it was. */
export function applyOrNothing(record: ProductRecord, write: () => void, site: Site): void {
  crashIfTold(site, record, 'save');
  const before = { ...record };
  const status = record.status;
  try {
    write();
  } catch (error) {
    site.products.setSku(record, before.sku);
    site.products.setGtin(record, before.gtin);
    if (record.slug !== before.slug) site.products.setSlug(record, before.slug);
    Object.assign(record, before);
    throw error;
  }
  if (record.status === 'trash' && status !== 'trash') record.statusBeforeTrash = status;
  saveProduct(site, record);
}

function remove(site: Site, params: Params): RestResponse {
  const record = site.products.find(absInt(params['id']));
  if (!record) throw invalidId('product', 404);
  refuseVariation(record);
  return ok(removeRecord(site, record, params));
}

/** The answer shows the product as it was before. */
export function removeRecord(site: Site, record: ProductRecord, params: Params, view = productView) {
  const before = view(site, record, 'edit');
  if (isSet(params['force']) && params['force'] !== false) deleteProduct(site, record);
  else if (record.status !== 'trash') trashProduct(site, record);
  else
    throw new RestError('woocommerce_rest_already_trashed', `The ${postType(record)} has already been deleted.`, 410);
  return before;
}

function postType(record: ProductRecord): string {
  return record.type === 'variation' ? 'product_variation' : 'product';
}
