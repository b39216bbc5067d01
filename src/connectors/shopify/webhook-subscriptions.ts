import { ConnectorError } from '../../model/connector-error.ts';
import type { ShopifyClient } from './client.ts';
import { OPERATIONS } from './operations.gen.ts';
import { firstUserError } from './user-errors.ts';
import { WebhookCreateAnswer, WebhookDeleteAnswer, WebhooksAnswer, WebhookUpdateAnswer } from './wire.ts';

/**
 * Topics that we need, and the fields that their payloads are cut down to: a webhook names a record, and the record is read. `updated_at` stays in, as
 * Shopify asks. Empty: the whole (small) payload.
 */
const LEVEL_FIELDS = ['inventory_item_id', 'location_id', 'updated_at'];
const RECORD_FIELDS = ['id', 'admin_graphql_api_id', 'updated_at'];
export const NEEDED_TOPICS: Readonly<Record<string, readonly string[]>> = {
  PRODUCTS_CREATE: RECORD_FIELDS,
  PRODUCTS_UPDATE: RECORD_FIELDS,
  PRODUCTS_DELETE: [],
  INVENTORY_LEVELS_UPDATE: LEVEL_FIELDS,
  INVENTORY_LEVELS_CONNECT: LEVEL_FIELDS,
  INVENTORY_LEVELS_DISCONNECT: [],
  INVENTORY_ITEMS_UPDATE: RECORD_FIELDS,
  LOCATIONS_UPDATE: RECORD_FIELDS,
  LOCATIONS_ACTIVATE: RECORD_FIELDS,
  LOCATIONS_DEACTIVATE: RECORD_FIELDS,
  LOCATIONS_DELETE: [],
  SHOP_UPDATE: ['id', 'updated_at'],
  APP_UNINSTALLED: ['id', 'updated_at'],
  BULK_OPERATIONS_FINISH: [],
};

interface Subscription {
  readonly id: string;
  readonly topic: string;
  readonly uri: string;
  readonly includeFields: readonly string[];
}

/**
 * Ours are those whose address is `callbackUrl`; what points elsewhere is left alone [C23]. Shopify deletes a subscription after eight failures in a
 * row, so this runs on a timer. A topic that can't be had doesn't keep the others from being had; it is thrown in the end.
 */
export async function ensureWebhooks(
  client: ShopifyClient,
  callbackUrl: string,
  signal?: AbortSignal,
): Promise<{ active: number; repaired: number }> {
  const ours = (await list(client, signal)).filter(({ uri }) => uri === callbackUrl);
  let active = 0;
  let repaired = 0;
  let firstError: ConnectorError | null = null;
  for (const [topic, includeFields] of Object.entries(NEEDED_TOPICS)) {
    try {
      const known = ours.find((subscription) => subscription.topic === topic);
      if (known !== undefined && sameFields(known.includeFields, includeFields)) active += 1;
      else {
        const done = known
          ? await update(client, known.id, callbackUrl, includeFields, signal)
          : await create(client, topic, callbackUrl, includeFields, signal);
        active += 1;
        if (done) repaired += 1;
      }
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      // What a topic was refused for is its own affair; a store that is away is away for all.
      if (error.kind !== 'rejected' && error.kind !== 'unauthorized') throw error;
      firstError ??= new ConnectorError(error.kind, `webhook ${topic}: ${error.message}`, error.details);
    }
  }
  if (firstError !== null) throw firstError;
  return { active, repaired };
}

export async function removeWebhooks(client: ShopifyClient, callbackUrl: string, signal?: AbortSignal): Promise<void> {
  const ours = (await list(client, signal)).filter(({ uri }) => uri === callbackUrl);
  for (const { id } of ours) {
    const answer = await client.call(OPERATIONS.webhookDelete, { id }, WebhookDeleteAnswer, { signal });
    const error = firstUserError(answer.webhookSubscriptionDelete.userErrors);
    if (error !== null && !/not (be )?found|does not exist/i.test(error.message)) throw error;
  }
}

/** Ours at `callbackUrl`, for the doctor. */
export async function listOurWebhooks(
  client: ShopifyClient,
  callbackUrl: string,
  signal?: AbortSignal,
): Promise<readonly { readonly topic: string }[]> {
  return (await list(client, signal)).filter(({ uri }) => uri === callbackUrl);
}

async function list(client: ShopifyClient, signal: AbortSignal | undefined): Promise<Subscription[]> {
  const all: Subscription[] = [];
  for (let after: string | null = null; ; ) {
    const answer: {
      webhookSubscriptions: { nodes: Subscription[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
    } = await client.call(OPERATIONS.webhooks, { after }, WebhooksAnswer, { signal });
    all.push(...answer.webhookSubscriptions.nodes);
    if (!answer.webhookSubscriptions.pageInfo.hasNextPage) return all;
    after = answer.webhookSubscriptions.pageInfo.endCursor;
  }
}

/** False when it was there already, only not listed yet. */
async function create(
  client: ShopifyClient,
  topic: string,
  uri: string,
  includeFields: readonly string[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const variables = { topic, webhookSubscription: input(uri, includeFields) };
  const answer = await client.call(OPERATIONS.webhookCreate, variables, WebhookCreateAnswer, { signal });
  const { userErrors } = answer.webhookSubscriptionCreate;
  if (userErrors.some(({ message }) => /already been taken/i.test(message))) return false;
  const error = firstUserError(userErrors);
  if (error !== null) throw error;
  return true;
}

async function update(
  client: ShopifyClient,
  id: string,
  uri: string,
  includeFields: readonly string[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const variables = { id, webhookSubscription: input(uri, includeFields) };
  const answer = await client.call(OPERATIONS.webhookUpdate, variables, WebhookUpdateAnswer, { signal });
  const error = firstUserError(answer.webhookSubscriptionUpdate.userErrors);
  if (error !== null) throw error;
  return true;
}

function input(uri: string, includeFields: readonly string[]) {
  return { uri, format: 'JSON', includeFields };
}

function sameFields(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((field) => b.includes(field));
}
