import { createHash } from 'node:crypto';
import type { Signal, StoreNotice, VerifiedDelivery } from '../../model/signal.ts';
import type { RawDelivery } from '../../ports/connector.ts';
import { idText, parseExactJson } from '../shared/exact-json.ts';
import { isSigned } from '../shared/hmac.ts';
import { topicOf, UNSIGNED_LENGTH_MAX } from '../shared/unsigned-header.ts';
import { type GidType, gid, isGid } from './gid.ts';

export interface WebhookVerifierOptions {
  /** The current secret and, during a rotation (Shopify signs with the old one for up to an hour), the previous. */
  readonly secrets: readonly string[];
  /**
   * What this shop is called: by the address it was connected with, and by its permanent one, which deliveries bear. One app may be on several shops
   * with one secret: a delivery of another shop is none of ours. Null: not checked (a local store).
   */
  readonly shopDomains: readonly string[] | null;
  /** Stock of other places than this one is not news; null: every place is told. */
  readonly locationId: string | null;
}

/**
 * Null when the delivery isn't authentic [C22]. The HMAC is over the raw bytes alone: the body is read only after it held, and an odd one has no
 * signals. A body names records, and its numbers are never used; topic and id may be anybody's, and so lead to a look and nothing more.
 */
export function verifyDelivery(options: WebhookVerifierOptions, delivery: RawDelivery): VerifiedDelivery | null {
  const { headers, body } = delivery;
  if (!isSigned(body, headers['x-shopify-hmac-sha256'], options.secrets)) return null;
  const shop = headers['x-shopify-shop-domain'];
  if (options.shopDomains !== null && shop !== undefined && !options.shopDomains.includes(shop.toLowerCase()))
    return null;
  const topic = topicOf(headers['x-shopify-topic']);
  return {
    deliveryId: deliveryIdOf(headers['x-shopify-webhook-id'], topic, body),
    topic,
    signals: signalsOf(topic, body, options.locationId),
    notices: noticesOf(topic),
  };
}

/** Shopify's id, a UUID, is the same for all repeats of one delivery. Without it the bytes are what repeats have in common. */
function deliveryIdOf(header: string | undefined, topic: string, body: Uint8Array): string {
  if (header === undefined) return createHash('sha256').update(topic).update(body).digest('hex');
  return header.length <= UNSIGNED_LENGTH_MAX ? header : createHash('sha256').update(header).digest('hex');
}

function signalsOf(topic: string, body: Uint8Array, locationId: string | null): Signal[] {
  const record = parse(body);
  if (record === null) return [];
  switch (topic) {
    case 'products/create':
    case 'products/update':
    case 'products/delete':
      return signal('product', 'Product', record['admin_graphql_api_id'], record['id']);
    case 'inventory_levels/update':
    case 'inventory_levels/connect':
    case 'inventory_levels/disconnect': {
      const place = idText(record['location_id']);
      if (locationId !== null && place !== null && gid('Location', place) !== locationId) return [];
      // Its admin_graphql_api_id is the level's; the item is what we know stock by.
      return signal('stock', 'InventoryItem', null, record['inventory_item_id']);
    }
    case 'inventory_items/update':
      return signal('stock', 'InventoryItem', record['admin_graphql_api_id'], record['id']);
    default:
      return [];
  }
}

function signal(kind: Signal['kind'], type: GidType, globalId: unknown, id: unknown): Signal[] {
  if (typeof globalId === 'string' && isGid(globalId, type)) return [{ kind, externalId: globalId }];
  const text = idText(id);
  return text === null ? [] : [{ kind, externalId: gid(type, text) }];
}

function noticesOf(topic: string): StoreNotice[] {
  if (topic === 'app/uninstalled') return ['uninstalled'];
  if (topic === 'bulk_operations/finish') return ['bulk_finished'];
  if (topic === 'shop/update' || topic === 'app/scopes_update' || topic.startsWith('locations/'))
    return ['settings_changed'];
  return [];
}

function parse(body: Uint8Array): Record<string, unknown> | null {
  try {
    const value = parseExactJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
