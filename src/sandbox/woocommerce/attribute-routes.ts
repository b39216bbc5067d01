import { type RouteRules, rulesFor } from './arg-rules.ts';
import { runBatch } from './batch.ts';
import { absInt, toBool, toText } from './decimal.ts';
import { isSet, type JsonObject, type Params } from './json.ts';
import { sanitizeText } from './php-text.ts';
import { links } from './product-view.ts';
import type { AttributeRecord } from './records.ts';
import { RestError } from './rest-error.ts';
import { created, EDITABLE, ok, type RestResponse, type Route } from './rest-types.ts';
import type { Site } from './site.ts';

const PATH = '/products/attributes';

export function attributeRoutes(site: Site, rules: () => RouteRules): Route[] {
  const verbs = {
    create: (params: Params) => create(site, params),
    update: (params: Params) => update(site, params),
    remove: (params: Params) => remove(site, params),
  };
  return [
    {
      path: PATH,
      methods: ['GET'],
      access: 'list',
      // Attributes are never paged: the whole list comes at once.
      handle: () => ok([...site.terms.attributes.values()].map((attribute) => view(site, attribute))),
    },
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
      handle: ({ params }) => ok(view(site, find(site, params))),
    },
    { path: `${PATH}/<id>`, methods: EDITABLE, access: 'edit', handle: ({ params }) => verbs.update(params) },
    { path: `${PATH}/<id>`, methods: ['DELETE'], access: 'delete', handle: ({ params }) => verbs.remove(params) },
  ];
}

function find(site: Site, params: Params): AttributeRecord {
  const attribute = site.terms.attributes.get(absInt(params['id']));
  if (!attribute) throw new RestError('woocommerce_rest_attribute_invalid', 'Attribute does not exist.', 404);
  return attribute;
}

function create(site: Site, params: Params): RestResponse {
  const name = sanitizeText(toText(params['name']));
  if (name === '') throw new RestError('woocommerce_rest_cannot_create', 'Please, provide an attribute name.', 400);
  const attribute = site.terms.insertAttribute({
    name,
    slug: toText(params['slug']),
    type: toText(params['type']) || 'select',
    orderBy: toText(params['order_by']) || 'menu_order',
    hasArchives: toBool(params['has_archives']),
  });
  return created(view(site, attribute), site.restUrl(`/wc/v3${PATH}/${attribute.id}`));
}

function update(site: Site, params: Params): RestResponse {
  const attribute = find(site, params);
  if (isSet(params['name'])) attribute.name = sanitizeText(toText(params['name'])) || attribute.name;
  if (isSet(params['order_by'])) attribute.orderBy = toText(params['order_by']);
  if (isSet(params['has_archives'])) attribute.hasArchives = toBool(params['has_archives']);
  return ok(view(site, attribute));
}

function remove(site: Site, params: Params): RestResponse {
  const attribute = find(site, params);
  if (params['force'] !== true) {
    throw new RestError('woocommerce_rest_trash_not_supported', 'Resource does not support trashing.', 501);
  }
  site.terms.attributes.delete(attribute.id);
  return ok(view(site, attribute));
}

function view(site: Site, attribute: AttributeRecord): JsonObject {
  return {
    id: attribute.id,
    name: attribute.name,
    slug: attribute.slug,
    type: attribute.type,
    order_by: attribute.orderBy,
    has_archives: attribute.hasArchives,
    _links: links(site, `/wc/v3${PATH}/${attribute.id}`, `/wc/v3${PATH}`),
  };
}
