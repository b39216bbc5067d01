import { createHash } from 'node:crypto';
import type { Signal, VerifiedDelivery } from '../../model/signal.ts';
import type { RawDelivery } from '../../ports/connector.ts';
import { idText, parseExactJson } from '../shared/exact-json.ts';
import { isSigned } from '../shared/hmac.ts';
import { topicOf } from '../shared/unsigned-header.ts';

/** Deliveries that name products; variations arrive under the same topics. */
export const PRODUCT_TOPICS = ['product.created', 'product.updated', 'product.deleted', 'product.restored'] as const;

/**
 * WooCommerce greets a new webhook with an unsigned form, `webhook_id=12`. It is not authentic, but it has to be
 * answered with 200, or it comes again and the webhook is not switched on.
 */
export function isPing(headers: Readonly<Record<string, string>>, body: Uint8Array): boolean {
  if (headers['x-wc-webhook-signature'] !== undefined || body.byteLength > 40) return false;
  if (!(headers['content-type'] ?? '').toLowerCase().startsWith('application/x-www-form-urlencoded')) return false;
  return /^webhook_id=\d{1,20}$/.test(new TextDecoder().decode(body));
}

/**
 * A delivery that is signed with one of our secrets, with the records that it names; null for any other [C22]. The
 * state in its body is that of the moment of delivery and may be a minute late: only the identity is taken.
 */
export function verifyDelivery(delivery: RawDelivery, secrets: readonly string[]): VerifiedDelivery | null {
  const { headers, body } = delivery;
  if (!isSigned(body, headers['x-wc-webhook-signature'], secrets)) return null;
  const topic = topicOf(headers['x-wc-webhook-topic']);
  return {
    // WooCommerce repeats its delivery id for one webhook within one second, so that the id alone would hide real deliveries.
    deliveryId: createHash('sha256')
      .update(headers['x-wc-webhook-delivery-id'] ?? '')
      .update(topic)
      .update(body)
      .digest('hex'),
    topic,
    signals: signalsOf(topic, body),
    notices: [],
  };
}

function signalsOf(topic: string, body: Uint8Array): Signal[] {
  if (!topic.startsWith('product.')) return [];
  let value: unknown;
  try {
    value = parseExactJson(new TextDecoder().decode(body));
  } catch {
    return [];
  }
  const record = value as { id?: unknown; type?: unknown; parent_id?: unknown } | null;
  const id = idText(record?.id);
  if (id === null) return [];
  if (record?.type !== 'variation') return [{ kind: 'product', externalId: id }];
  const parentId = idText(record.parent_id);
  const variant: Signal = { kind: 'variant', externalId: id };
  // Nobody knows a new variation yet: it is found through its product.
  return topic === 'product.created' && parentId !== null
    ? [variant, { kind: 'product', externalId: parentId }]
    : [variant];
}
