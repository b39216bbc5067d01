import { type RouteRules, rulesFor } from './arg-rules.ts';
import { runBatch } from './batch.ts';
import { absInt, toText } from './decimal.ts';
import { isSet, type JsonObject, type Params } from './json.ts';
import { paginate } from './pagination.ts';
import { links } from './product-view.ts';
import { cannotCreateExisting, invalidId, RestError } from './rest-error.ts';
import { created, EDITABLE, ok, type RestRequest, type RestResponse, type Route } from './rest-types.ts';
import type { Site } from './site.ts';
import { naive } from './site-time.ts';
import { parseList } from './validate-args.ts';
import type { WebhookEngine, WebhookRecord } from './webhook-engine.ts';

const PATH = '/webhooks';
const POST_TYPE = 'shop_webhook';

const TOPIC_HOOKS: Readonly<Record<string, readonly string[]>> = {
  'product.created': [
    'woocommerce_process_product_meta',
    'woocommerce_new_product',
    'woocommerce_new_product_variation',
  ],
  'product.updated': [
    'woocommerce_process_product_meta',
    'woocommerce_update_product',
    'woocommerce_update_product_variation',
  ],
  'product.deleted': ['wp_trash_post'],
  'product.restored': ['untrashed_post'],
  'order.created': ['woocommerce_new_order'],
  'order.updated': ['woocommerce_update_order', 'woocommerce_order_refunded'],
  'order.deleted': ['wp_trash_post', 'woocommerce_trash_order'],
  'order.restored': ['untrashed_post', 'woocommerce_untrash_order'],
};

export function webhookRoutes(site: Site, engine: WebhookEngine, rules: () => RouteRules): Route[] {
  const verbs = {
    create: (params: Params) => create(site, engine, params),
    update: (params: Params) => update(site, engine, params),
    remove: (params: Params) => remove(site, engine, params),
  };
  return [
    { path: PATH, methods: ['GET'], access: 'list', handle: (request) => list(site, engine, request) },
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
      handle: ({ params }) => ok(view(site, find(engine, params, 400))),
    },
    { path: `${PATH}/<id>`, methods: EDITABLE, access: 'edit', handle: ({ params }) => verbs.update(params) },
    { path: `${PATH}/<id>`, methods: ['DELETE'], access: 'delete', handle: ({ params }) => verbs.remove(params) },
  ];
}

/** An unknown id is 404 only to DELETE. */
function find(engine: WebhookEngine, params: Params, missingStatus: 400 | 404): WebhookRecord {
  const hook = engine.hooks.get(absInt(params['id']));
  if (!hook) throw invalidId(POST_TYPE, missingStatus, missingStatus === 400 ? 'ID is invalid.' : 'Invalid ID.');
  return hook;
}

function list(site: Site, engine: WebhookEngine, request: RestRequest): RestResponse {
  const { params } = request;
  const ids = (key: string): Set<number> => new Set(isSet(params[key]) ? parseList(params[key]).map(absInt) : []);
  const include = ids('include');
  const exclude = ids('exclude');
  const status = toText(params['status']) || 'all';
  const search = toText(params['search']).toLowerCase();
  const sign = toText(params['order']) === 'asc' ? 1 : -1;
  const found = [...engine.hooks.values()]
    .filter((hook) => include.size === 0 || include.has(hook.id))
    .filter((hook) => !exclude.has(hook.id))
    .filter((hook) => status === 'all' || hook.status === status)
    .filter((hook) => hook.name.toLowerCase().includes(search))
    .sort((a, b) => sign * (params['orderby'] === 'title' ? (a.name < b.name ? -1 : 1) : a.id - b.id));
  return paginate(site, request, found, PATH, (hook) => view(site, hook));
}

function isValidTopic(topic: string): boolean {
  if (topic.startsWith('action.woocommerce_') || topic.startsWith('action.wc_')) return true;
  const [resource = '', event = ''] = topic.split('.');
  return (
    ['coupon', 'customer', 'order', 'product'].includes(resource) &&
    ['created', 'updated', 'deleted', 'restored'].includes(event)
  );
}

function assertUrl(url: string): void {
  if (/^https?:\/\/[^\s/]/.test(url) && URL.canParse(url)) return;
  const message = 'Webhook delivery URL must be a valid URL starting with http:// or https://.';
  throw new RestError(`woocommerce_rest_${POST_TYPE}_invalid_delivery_url`, message, 400);
}

async function create(site: Site, engine: WebhookEngine, params: Params): Promise<RestResponse> {
  if (absInt(params['id']) !== 0) throw cannotCreateExisting(POST_TYPE);
  const topic = toText(params['topic']);
  if (!isValidTopic(topic.toLowerCase())) {
    const message = 'Webhook topic is required and must be valid.';
    throw new RestError(`woocommerce_rest_${POST_TYPE}_invalid_topic`, message, 400);
  }
  const deliveryUrl = toText(params['delivery_url']);
  assertUrl(deliveryUrl);
  const hook = engine.insert({
    name: toText(params['name']) || defaultName(site),
    topic,
    deliveryUrl,
    secret: toText(params['secret']) || randomSecret(site),
  });
  const body = view(site, hook);
  // The client has its answer only after the ping was answered: who serves both must not wait for one in the other.
  await engine.ping(hook);
  return created(body, site.restUrl(`/wc/v3${PATH}/${hook.id}`));
}

function defaultName(site: Site): string {
  const date = new Date(site.nowS() * 1000);
  const text = date.toLocaleString('en-US', {
    timeZone: 'UTC',
    month: 'short',
    day: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  return `Webhook created on ${text.replace(/, (?=\d{2}:)/, ' @ ')}`;
}

function randomSecret(site: Site): string {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!@#$%^&*()-_ []{}<>~`+=,.;:/?|';
  let secret = '';
  while (secret.length < 50) secret += letters[Math.floor(site.environment.random() * letters.length)] ?? '';
  return secret;
}

async function update(site: Site, engine: WebhookEngine, params: Params): Promise<RestResponse> {
  const hook = find(engine, params, 400);
  const topic = toText(params['topic']);
  if (topic !== '' && !isValidTopic(topic.toLowerCase())) {
    throw new RestError(`woocommerce_rest_${POST_TYPE}_invalid_topic`, 'Webhook topic must be valid.', 400);
  }
  const status = toText(params['status']);
  if (status !== '' && !['active', 'paused', 'disabled'].includes(status)) {
    throw new RestError(`woocommerce_rest_${POST_TYPE}_invalid_status`, 'Webhook status must be valid.', 400);
  }
  // Read-only in the schema, taken all the same.
  const deliveryUrl = toText(params['delivery_url']);
  if (deliveryUrl !== '') assertUrl(deliveryUrl);
  if (deliveryUrl !== '' && deliveryUrl !== hook.deliveryUrl) hook.isPingPending = true;
  hook.topic = topic || hook.topic;
  hook.status = status || hook.status;
  hook.deliveryUrl = deliveryUrl || hook.deliveryUrl;
  hook.secret = toText(params['secret']) || hook.secret;
  hook.name = toText(params['name']) || hook.name;
  await engine.saved(hook);
  return ok(view(site, hook));
}

function remove(site: Site, engine: WebhookEngine, params: Params): RestResponse {
  if (params['force'] !== true) {
    throw new RestError('woocommerce_rest_trash_not_supported', 'Webhooks do not support trashing.', 501);
  }
  const hook = find(engine, params, 404);
  engine.hooks.delete(hook.id);
  return ok(view(site, hook));
}

/** The secret is never shown again. */
function view(site: Site, hook: WebhookRecord): JsonObject {
  const [resource = '', event = ''] = hook.topic.split('.');
  const local = (utcS: number | null) => (utcS === null ? null : site.time.local(utcS));
  const gmt = (utcS: number | null) => (utcS === null ? null : naive(utcS));
  return {
    id: hook.id,
    name: hook.name,
    status: hook.status,
    topic: hook.topic,
    resource,
    event,
    hooks: [...(TOPIC_HOOKS[hook.topic] ?? [])],
    delivery_url: hook.deliveryUrl,
    date_created: local(hook.createdS),
    date_created_gmt: gmt(hook.createdS),
    date_modified: local(hook.modifiedS),
    date_modified_gmt: gmt(hook.modifiedS),
    _links: links(site, `/wc/v3${PATH}/${hook.id}`, `/wc/v3${PATH}`),
  };
}
