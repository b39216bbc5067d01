import { createHmac, randomUUID } from 'node:crypto';
import type { MetafieldRecord, WebhookSubscriptionRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { SandboxConfig, SandboxEnvironment, WebhookFaults } from '../types.ts';
import { matchesFilter } from './filter.ts';

/** Facts, section 5: one second to connect, five in all, eight retries within four hours, then the subscription is deleted. */
const CONNECT_TIMEOUT_MS = 1_000;
const TOTAL_TIMEOUT_MS = 5_000;
const MINUTE_MS = 60_000;
export const RETRY_DELAYS_MS: readonly number[] = [1, 3, 8, 18, 30, 45, 60, 75].map((minutes) => minutes * MINUTE_MS);

export interface WebhookAnnouncement {
  /** `products/update`. */
  readonly topic: string;
  readonly eventId: string;
  readonly triggeredAt: number;
  readonly ownerGid: string | null;
  readonly payload: unknown;
}

export interface WebhookLogEntry {
  readonly topic: string;
  readonly webhookId: string;
  readonly attempt: number;
  readonly outcome: 'delivered' | 'failed' | 'dropped';
  readonly status: number | null;
}

export interface WebhookStats {
  sent: number;
  delivered: number;
  failed: number;
  dropped: number;
  duplicated: number;
  subscriptionsRemoved: number;
}

export interface WebhookDispatcher {
  readonly stats: WebhookStats;
  faults: WebhookFaults;
  hasListeners(topic: string): boolean;
  announce(announcement: WebhookAnnouncement): void;
  /** Deliveries under way or waiting for their next attempt. */
  pending(): number;
  /** The app is gone; only app/uninstalled itself is still tried once. */
  dropSubscriptions(): void;
}

interface Delivery {
  readonly webhookId: string;
  readonly subscription: WebhookSubscriptionRecord;
  readonly headers: Record<string, string>;
  readonly body: string;
  failures: number;
}

function topicToEnum(topic: string): string {
  return topic.replace(/\//g, '_').toUpperCase();
}

export function createWebhookDispatcher(options: {
  readonly store: Store;
  readonly config: SandboxConfig;
  readonly environment: SandboxEnvironment;
  schedule(run: () => void, delayMs: number): void;
}): WebhookDispatcher {
  const { store, config, environment } = options;
  const stats: WebhookStats = { sent: 0, delivered: 0, failed: 0, dropped: 0, duplicated: 0, subscriptionsRemoved: 0 };
  const failuresInARow = new Map<number, number>();
  let pending = 0;

  const dispatcher: WebhookDispatcher = {
    stats,
    faults: config.webhookFaults,
    pending: () => pending,
    dropSubscriptions: () => store.subscriptions.clear(),
    hasListeners(topic) {
      const wanted = topicToEnum(topic);
      for (const subscription of store.subscriptions.values()) if (subscription.topic === wanted) return true;
      return false;
    },
    announce(announcement) {
      const wanted = topicToEnum(announcement.topic);
      for (const subscription of store.subscriptions.values()) {
        if (subscription.topic !== wanted || !matchesFilter(subscription.filter, announcement.payload)) continue;
        const delivery = createDelivery(announcement, subscription);
        start(delivery);
        if (chance(dispatcher.faults.duplicateRate)) {
          stats.duplicated += 1;
          start({ ...delivery });
        }
      }
    },
  };

  function createDelivery(announcement: WebhookAnnouncement, subscription: WebhookSubscriptionRecord): Delivery {
    const body = JSON.stringify(payloadFor(announcement, subscription));
    const webhookId = randomUUID();
    const headers: Record<string, string> = {
      'Content-Type': 'application/json',
      'User-Agent': 'Shopify-Captain-Hook',
      'X-Shopify-Topic': announcement.topic,
      'X-Shopify-Hmac-Sha256': createHmac('sha256', config.clientSecret).update(body, 'utf8').digest('base64'),
      'X-Shopify-Shop-Domain': config.shopDomain,
      'X-Shopify-API-Version': subscription.apiVersion,
      'X-Shopify-Webhook-Id': webhookId,
      'X-Shopify-Event-Id': announcement.eventId,
      'X-Shopify-Triggered-At': new Date(announcement.triggeredAt).toISOString(),
    };
    if (subscription.name !== null) headers['X-Shopify-Name'] = subscription.name;
    return { webhookId, subscription, headers, body, failures: 0 };
  }

  function payloadFor(announcement: WebhookAnnouncement, subscription: WebhookSubscriptionRecord): unknown {
    const { payload } = announcement;
    if (typeof payload !== 'object' || payload === null) return payload;
    const { includeFields, metafieldNamespaces } = subscription;
    const trimmed: Record<string, unknown> =
      includeFields.length === 0
        ? { ...payload }
        : Object.fromEntries(Object.entries(payload).filter(([key]) => includeFields.includes(key)));
    if (metafieldNamespaces.length > 0 && announcement.ownerGid !== null) {
      const metafields = store.metafields.get(announcement.ownerGid) ?? [];
      trimmed['metafields'] = metafields
        .filter((metafield) => metafieldNamespaces.includes(metafield.namespace))
        .map(metafieldPayload);
    }
    return trimmed;
  }

  function chance(rate: number | undefined): boolean {
    return rate !== undefined && rate > 0 && environment.random() < rate;
  }

  function start(delivery: Delivery): void {
    if (chance(dispatcher.faults.dropRate)) {
      stats.dropped += 1;
      return;
    }
    const { delayMs = 0, reorderWithinMs = 0 } = dispatcher.faults;
    const jitter = reorderWithinMs > 0 ? environment.random() * reorderWithinMs : 0;
    enqueue(delivery, config.webhookDelayMs + delayMs + jitter);
  }

  function enqueue(delivery: Delivery, delayMs: number): void {
    pending += 1;
    options.schedule(() => {
      attempt(delivery)
        .catch(() => undefined)
        .finally(() => {
          pending -= 1;
        });
    }, delayMs);
  }

  async function attempt(delivery: Delivery): Promise<void> {
    const isFinal = delivery.failures === 0 && delivery.headers['X-Shopify-Topic'] === 'app/uninstalled';
    if (!store.subscriptions.has(delivery.subscription.id) && !isFinal) return;
    stats.sent += 1;
    const delivered = await send(delivery);
    if (delivered) {
      stats.delivered += 1;
      failuresInARow.set(delivery.subscription.id, 0);
      return;
    }
    stats.failed += 1;
    delivery.failures += 1;
    const row = (failuresInARow.get(delivery.subscription.id) ?? 0) + 1;
    failuresInARow.set(delivery.subscription.id, row);
    // Read as: the first attempt and all eight retries of one delivery failed, with no success of the subscription in between. The
    // documents do not say whether eight different deliveries that each fail once would count the same.
    if (delivery.failures > RETRY_DELAYS_MS.length && row >= RETRY_DELAYS_MS.length) {
      if (store.subscriptions.delete(delivery.subscription.id)) stats.subscriptionsRemoved += 1;
      return;
    }
    const delayMs = RETRY_DELAYS_MS[delivery.failures - 1];
    // The original body and id go out again, however old they are by then.
    if (delayMs !== undefined) enqueue(delivery, delayMs);
  }

  async function send(delivery: Delivery): Promise<boolean> {
    try {
      const { status } = await environment.deliver({
        url: delivery.subscription.uri,
        headers: delivery.headers,
        body: delivery.body,
        connectTimeoutMs: CONNECT_TIMEOUT_MS,
        timeoutMs: TOTAL_TIMEOUT_MS,
      });
      return status >= 200 && status < 300;
    } catch {
      return false;
    }
  }

  return dispatcher;
}

function metafieldPayload(metafield: MetafieldRecord): Record<string, unknown> {
  return {
    id: metafield.id,
    namespace: metafield.namespace,
    key: metafield.key,
    value: metafield.value,
    type: metafield.valueType,
    updated_at: new Date(metafield.updatedAt).toISOString(),
  };
}
