import { type RouteRules, rulesFor } from './arg-rules.ts';
import { runBatch } from './batch.ts';
import { absInt, toText } from './decimal.ts';
import { isSet, type Params } from './json.ts';
import type { OrderRecord } from './order-records.ts';
import { orderTotal, orderView } from './order-view.ts';
import { insertOrder, updateOrder } from './order-write.ts';
import { paginate } from './pagination.ts';
import { cannotCreateExisting, invalidId, RestError } from './rest-error.ts';
import { created, EDITABLE, ok, type RestRequest, type RestResponse, type Route } from './rest-types.ts';
import type { Site } from './site.ts';
import { parseRestDate } from './site-time.ts';
import { parseList } from './validate-args.ts';

const PATH = '/orders';

export function orderRoutes(site: Site, rules: () => RouteRules): Route[] {
  const verbs = {
    create: (params: Params) => create(site, params),
    update: (params: Params) => update(site, params),
    remove: (params: Params) => remove(site, params),
  };
  return [
    { path: PATH, methods: ['GET'], access: 'list', handle: (request) => list(site, request) },
    { path: PATH, methods: ['POST'], access: 'create', handle: ({ params }) => verbs.create(params) },
    {
      path: `${PATH}/batch`,
      methods: EDITABLE,
      access: 'batch',
      handle: (request) => runBatch(request, verbs, rulesFor(rules(), PATH, 'POST')),
    },
    {
      path: `${PATH}/<id>`,
      methods: ['GET'],
      access: 'read',
      handle: ({ params }) => ok(orderView(site, find(site, params, 404))),
    },
    { path: `${PATH}/<id>`, methods: EDITABLE, access: 'edit', handle: ({ params }) => verbs.update(params) },
    { path: `${PATH}/<id>`, methods: ['DELETE'], access: 'delete', handle: ({ params }) => verbs.remove(params) },
  ];
}

function find(site: Site, params: Params, missingStatus: number): OrderRecord {
  const order = site.orders.get(absInt(params['id']));
  if (!order) throw invalidId('shop_order', missingStatus);
  return order;
}

function create(site: Site, params: Params): RestResponse {
  if (absInt(params['id']) !== 0) throw cannotCreateExisting('shop_order');
  const order = insertOrder(site, params, toText(params['created_via']) || 'rest-api');
  return created(orderView(site, order), site.restUrl(`/wc/v3${PATH}/${order.id}`));
}

function update(site: Site, params: Params): RestResponse {
  const order = find(site, params, 400);
  updateOrder(site, order, params);
  return ok(orderView(site, order));
}

/** Neither the trash nor a final delete gives stock back. */
function remove(site: Site, params: Params): RestResponse {
  const order = find(site, params, 404);
  const body = orderView(site, order);
  if (isSet(params['force']) && params['force'] !== false) {
    site.orders.delete(order.id);
  } else if (order.status === 'trash') {
    throw new RestError('woocommerce_rest_already_trashed', 'The shop_order has already been deleted.', 410);
  } else {
    order.statusBeforeTrash = order.status;
    order.status = 'trash';
    order.modifiedS = site.nowS();
    site.fire('order.deleted', order.id);
  }
  return ok(body);
}

function list(site: Site, request: RestRequest): RestResponse {
  const { params } = request;
  const ids = (key: string): Set<number> => new Set(isSet(params[key]) ? parseList(params[key]).map(absInt) : []);
  const include = ids('include');
  const exclude = ids('exclude');
  const statuses = isSet(params['status']) ? parseList(params['status']).map((status) => toText(status)) : ['any'];
  const isAny = statuses.includes('any') || statuses.length === 0;
  const search = toText(params['search']).toLowerCase();
  const customer = isSet(params['customer']) ? absInt(params['customer']) : null;
  const product = isSet(params['product']) ? absInt(params['product']) : null;
  const dates = dateTests(site, params);
  const found = [...site.orders.values()]
    .filter((order) => (isAny ? !['trash', 'auto-draft'].includes(order.status) : statuses.includes(order.status)))
    .filter((order) => (include.size === 0 || include.has(order.id)) && !exclude.has(order.id))
    .filter((order) => customer === null || order.customerId === customer)
    .filter(
      (order) =>
        product === null || order.lines.some((line) => line.productId === product || line.variationId === product),
    )
    .filter((order) => search === '' || haystack(order).includes(search))
    .filter((order) => dates.every((test) => test(order)));
  const sign = toText(params['order']) === 'asc' ? 1 : -1;
  const by = toText(params['orderby']) || 'date';
  const key = (order: OrderRecord): number => {
    if (by === 'modified') return order.modifiedS;
    if (by === 'id') return order.id;
    return by === 'total' ? orderTotal(order) : order.createdS;
  };
  found.sort((a, b) => sign * (key(a) - key(b) || a.id - b.id));
  return paginate(site, request, found, PATH, (order) => orderView(site, order));
}

function haystack(order: OrderRecord): string {
  const people = [order.billing, order.shipping].flatMap((address) => Object.values(address).map(String));
  return [String(order.id), ...people, ...order.lines.map((line) => line.name)].join('\n').toLowerCase();
}

/** As for products, and a fraction with a zone but without the flag finds nothing at all (order tables of HPOS). */
function dateTests(site: Site, params: Params): ((order: OrderRecord) => boolean)[] {
  const tests: ((order: OrderRecord) => boolean)[] = [];
  const isGmt = params['dates_are_gmt'] === true;
  const add = (key: string, read: (order: OrderRecord) => number, isAfter: boolean): void => {
    const date = isSet(params[key]) ? parseRestDate(toText(params[key])) : null;
    if (!date) return;
    if (date.hasFraction && date.utcS !== null && !isGmt) {
      tests.push(() => false);
      return;
    }
    const boundary = date.utcS === null ? date.wallS : site.time.toLocal(date.utcS);
    tests.push((order) => {
      const at = isGmt ? read(order) : site.time.toLocal(read(order));
      return isAfter ? at > boundary : at < boundary;
    });
  };
  add('after', (order) => order.createdS, true);
  add('before', (order) => order.createdS, false);
  add('modified_after', (order) => order.modifiedS, true);
  add('modified_before', (order) => order.modifiedS, false);
  return tests;
}
