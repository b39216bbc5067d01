import { createHmac } from 'node:crypto';
import { ConnectorError } from '../../model/connector-error.ts';
import { idText } from '../shared/exact-json.ts';
import { parseUrl } from '../shared/parse-url.ts';
import type { WooClient } from './client.ts';
import { PRODUCT_TOPICS } from './webhook.ts';
import { firstFault, type WireWebhook, wire } from './wire.ts';

export interface WebhookTarget {
  readonly callbackUrl: string;
  /** The secret that new webhooks sign with. */
  readonly secret: string;
}

/**
 * One active webhook for each topic at our address [C23]. One that WooCommerce has switched off is deleted and made
 * anew: re-activated it would keep its count of failures and be off again after the next one. Webhooks with another
 * address are never touched.
 */
export async function ensureWebhooks(client: WooClient, target: WebhookTarget, signal?: AbortSignal) {
  if (target.secret === '') throw new ConnectorError('rejected', 'a webhook needs a secret');
  const ours = (await listWebhooks(client, signal)).filter((hook) => isAt(hook, target.callbackUrl));
  let repaired = 0;
  for (const topic of PRODUCT_TOPICS) {
    const [kept, ...spare] = ours
      .filter((hook) => hook.topic === topic)
      .sort((a, b) => Number(isHealthy(b)) - Number(isHealthy(a)));
    for (const hook of spare) await remove(client, hook, signal);
    if (kept && isHealthy(kept)) {
      if (kept.name !== nameOf(topic, target.secret)) await sign(client, kept, target, signal);
      continue;
    }
    if (kept) await remove(client, kept, signal);
    await create(client, topic, target, signal);
    repaired += 1;
  }
  return { active: PRODUCT_TOPICS.length, repaired };
}

export async function removeWebhooks(client: WooClient, callbackUrl: string, signal?: AbortSignal): Promise<void> {
  for (const hook of await listWebhooks(client, signal)) {
    if (isAt(hook, callbackUrl)) await remove(client, hook, signal);
  }
}

/** Ours at `callbackUrl` and whether each is on, for the doctor. */
export async function listOurWebhooks(
  client: WooClient,
  callbackUrl: string,
  signal?: AbortSignal,
): Promise<WireWebhook[]> {
  return (await listWebhooks(client, signal)).filter((hook) => isAt(hook, callbackUrl));
}

async function listWebhooks(client: WooClient, signal: AbortSignal | undefined): Promise<WireWebhook[]> {
  const found: WireWebhook[] = [];
  for (let page = 1; ; page += 1) {
    const query = { per_page: 100, page, orderby: 'id', order: 'asc', status: 'all' };
    const { data, headers } = await client.get('/webhooks', { query, signal });
    if (!Array.isArray(data))
      throw new ConnectorError('malformed', 'the WooCommerce store answered with something other than webhooks');
    for (const raw of data as unknown[]) {
      if (!wire.webhook.Check(raw))
        throw new ConnectorError('malformed', `a webhook can't be understood: ${firstFault(wire.webhook, raw)}`);
      found.push(raw);
    }
    if (page >= Number(headers['x-wp-totalpages'] ?? 1) || data.length === 0) return found;
  }
}

async function create(
  client: WooClient,
  topic: string,
  target: WebhookTarget,
  signal: AbortSignal | undefined,
): Promise<void> {
  const body = {
    name: nameOf(topic, target.secret),
    topic,
    delivery_url: target.callbackUrl,
    secret: target.secret,
    status: 'active',
  };
  const { data } = await client.send('POST', '/webhooks', body, { signal });
  if (!wire.webhook.Check(data))
    throw new ConnectorError('unknown_outcome', 'the WooCommerce store answered a new webhook in an unknown form');
}

/** After the secret was changed: the server never tells the one it has, so the name carries a trace of it. */
async function sign(
  client: WooClient,
  hook: WireWebhook,
  target: WebhookTarget,
  signal: AbortSignal | undefined,
): Promise<void> {
  const body = { name: nameOf(hook.topic, target.secret), secret: target.secret };
  await client.send('PUT', `/webhooks/${idText(hook.id)}`, body, { signal });
}

async function remove(client: WooClient, hook: WireWebhook, signal: AbortSignal | undefined): Promise<void> {
  try {
    await client.send('DELETE', `/webhooks/${idText(hook.id)}`, undefined, { query: { force: true }, signal });
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.kind !== 'not_found') throw error;
  }
}

function isHealthy(hook: WireWebhook): boolean {
  return hook.status === 'active';
}

function isAt(hook: WireWebhook, callbackUrl: string): boolean {
  const plain = (text: string) => parseUrl(text.replaceAll('&amp;', '&'))?.href ?? text;
  return plain(hook.delivery_url) === plain(callbackUrl);
}

function nameOf(topic: string, secret: string): string {
  const trace = createHmac('sha256', secret).update('twinshelf webhook').digest('hex').slice(0, 8);
  return `Twinshelf ${topic} ${trace}`;
}
