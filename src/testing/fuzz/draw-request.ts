import { createHmac } from 'node:crypto';
import type { SeededRandom } from '../simulator/random.ts';
import { drawAnything, drawFitting, pick, type Schema, spoil } from './draw-value.ts';

/** One operation of the published description. */
export interface FuzzRoute {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly body: Schema | null;
}

export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

/** What requests are filled with: ids and tokens that are good in part, so that handlers are reached. */
export interface Ammunition {
  readonly ids: readonly string[];
  readonly tokens: readonly string[];
  readonly stores: readonly {
    readonly id: string;
    readonly platform: 'woocommerce' | 'shopify';
    readonly secret: string;
  }[];
}

const CONTENT_TYPES = ['text/plain', 'application/xml', 'application/json; charset=utf-16', 'multipart/form-data', ''];
const ODD_PARTS = ['%00', '%ff', '%2e%2e', '%', 'a'.repeat(300), '..', ';', '%0d%0a', '__proto__', '-'];
const SIGNED_TOPICS = {
  woocommerce: ['product.updated', 'product.deleted', 'order.created', 'nonsense', ''],
  shopify: ['products/update', 'inventory_levels/update', 'app/uninstalled', 'bulk_operations/finish', 'nonsense', ''],
} as const;

export function drawRequest(random: SeededRandom, route: FuzzRoute, has: Ammunition): FuzzRequest {
  const headers: Record<string, string> = {
    // Each from an address of its own, so that limits by source do not end the run.
    'x-forwarded-for': `10.${random.int(256)}.${random.int(256)}.${random.int(256)}`,
    ...drawCredentials(random, has),
  };
  if (random.int(10) === 0) headers['if-none-match'] = pick(random, ['*', 'W/"x"', '"', ',,', 'x'.repeat(500)]);
  if (random.int(10) === 0)
    headers['idempotency-key'] = pick(random, ['k', `k${random.int(50)}`, 'x'.repeat(200), 'ä']);
  if (route.path.startsWith('/api/webhooks/')) return drawDelivery(random, has, headers);
  const path = drawPath(random, route, has);
  if (route.method === 'GET') return { method: 'GET', path, headers, body: null };
  return { method: route.method, path, ...drawBody(random, route, has, headers) };
}

function drawCredentials(random: SeededRandom, has: Ammunition): Record<string, string> {
  switch (random.int(12)) {
    case 0:
      return {};
    case 1:
      return {
        authorization: pick(random, ['Bearer ', 'Basic eDp5', 'Bearer mock_x', 'Bearer ts_x', 'bearer a.b.c', 'x']),
      };
    default:
      return { authorization: `Bearer ${pick(random, has.tokens)}` };
  }
}

function drawPath(random: SeededRandom, route: FuzzRoute, has: Ammunition): string {
  let path = route.path.replaceAll(/\{\w+\}/g, () =>
    random.int(8) === 0 ? pick(random, ODD_PARTS) : encodeURIComponent(pick(random, has.ids)),
  );
  const query = route.parameters.filter((one) => one.in === 'query');
  const parts = query
    .filter(() => random.int(3) === 0)
    .map(
      ({ name, schema }) =>
        `${name}=${encodeText(random.int(3) === 0 ? drawAnything(random) : drawFitting(random, schema, has.ids))}`,
    );
  if (random.int(15) === 0)
    parts.push(pick(random, ['__proto__[x]=1', 'limit=1&limit=2', 'cursor=%ff', '=', '&&', 'q[]=1']));
  if (parts.length > 0) path += `?${parts.join('&')}`;
  return path.slice(0, 8_000);
}

function encodeText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  // A lone surrogate can not be written in an address.
  return encodeURIComponent(text.toWellFormed().slice(0, 2_000));
}

function drawBody(random: SeededRandom, route: FuzzRoute, has: Ammunition, headers: Record<string, string>) {
  const fitting = route.body === null ? {} : drawFitting(random, route.body, has.ids);
  const kind = random.int(20);
  const value = kind < 9 ? fitting : kind < 16 ? spoil(random, fitting) : drawAnything(random);
  let body = Buffer.from(JSON.stringify(value) ?? '');
  let type = 'application/json';
  if (kind === 17) body = body.subarray(0, random.int(body.length + 1));
  if (kind === 18) body = Buffer.from(Array.from({ length: random.int(200) }, () => random.int(256)));
  if (kind === 19) type = pick(random, CONTENT_TYPES);
  return { headers: { ...headers, ...(type === '' ? {} : { 'content-type': type }) }, body };
}

/** Mostly signed as the platform would, so that what reads bodies is reached. */
function drawDelivery(random: SeededRandom, has: Ammunition, headers: Record<string, string>): FuzzRequest {
  const store = pick(random, has.stores);
  const record = {
    id: pick(random, [1, -1, 2 ** 53, 1e21, 0.5, '7', null]),
    inventory_item_id: drawAnything(random),
    parent_id: 3,
  };
  const value = random.int(2) === 0 ? spoil(random, record) : drawAnything(random);
  const body =
    random.int(6) === 0
      ? Buffer.from(Array.from({ length: random.int(300) }, () => random.int(256)))
      : Buffer.from(JSON.stringify(value) ?? '');
  const secret = random.int(8) === 0 ? 'another' : store.secret;
  const signature = createHmac('sha256', secret).update(body).digest('base64');
  const topic = pick<string>(random, SIGNED_TOPICS[store.platform]);
  const own: Record<string, string> =
    store.platform === 'woocommerce'
      ? {
          'x-wc-webhook-topic': topic,
          'x-wc-webhook-signature': signature,
          'x-wc-webhook-delivery-id': String(random.bits()),
        }
      : { 'x-shopify-topic': topic, 'x-shopify-hmac-sha256': signature, 'x-shopify-webhook-id': String(random.bits()) };
  const type = pick(random, ['application/json', 'application/x-www-form-urlencoded', 'application/octet-stream']);
  const path = `/api/webhooks/${random.int(20) === 0 ? 'none' : store.id}`;
  return { method: 'POST', path, headers: { ...headers, ...own, 'content-type': type }, body };
}
