import type { Signal, VerifiedDelivery } from '../../model/signal.ts';
import type { RawDelivery } from '../../ports/connector.ts';
import { signDelivery } from './webhooks.ts';

/** Checks a memory platform's delivery against the current and the previous secret [C22]. */
export function verifyMemoryDelivery(delivery: RawDelivery, secrets: readonly string[]): VerifiedDelivery | null {
  const signature = delivery.headers['x-memory-signature'] ?? '';
  const isAuthentic = secrets.some((secret) => signDelivery(delivery.body, secret) === signature);
  if (!isAuthentic) return null;
  return {
    deliveryId: delivery.headers['x-memory-delivery-id'] ?? signature,
    topic: delivery.headers['x-memory-topic'] ?? 'unknown',
    signals: signalsOf(delivery.body),
    notices: [],
  };
}

function signalsOf(body: Uint8Array): Signal[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return [];
  }
  if (parsed === null || typeof parsed !== 'object') return [];
  const { product_id: productId, stock_id: stockId } = parsed as Record<string, unknown>;
  if (typeof stockId === 'string') return [{ kind: 'stock', externalId: stockId }];
  if (typeof productId === 'string') return [{ kind: 'product', externalId: productId }];
  return [];
}
