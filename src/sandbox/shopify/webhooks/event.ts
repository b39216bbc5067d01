import { randomUUID } from 'node:crypto';
import type { SandboxState } from '../state.ts';
import { gidOf } from '../store/ids.ts';
import type { ItemRecord, LevelRecord, ProductRecord } from '../store/records.ts';
import {
  deletedItemPayload,
  disconnectedLevelPayload,
  itemPayload,
  levelPayload,
  productPayload,
  timeWriter,
} from './payloads.ts';

/** All webhooks of one action: they share the event id and the time. */
export interface WebhookEvent {
  product(topic: string, product: ProductRecord): void;
  deletedProduct(product: ProductRecord): void;
  item(topic: string, item: ItemRecord): void;
  level(topic: string, level: LevelRecord): void;
  send(topic: string, payload: unknown): void;
}

export function createWebhookEvent(state: SandboxState, now: number): WebhookEvent {
  const eventId = randomUUID();
  const at = timeWriter(state.config.shop.ianaTimezone);
  const announce = (topic: string, ownerGid: string | null, build: () => unknown) => {
    // A catalogue of thousands of variants is not worth writing out for nobody.
    if (state.webhooks.hasListeners(topic))
      state.webhooks.announce({ topic, eventId, triggeredAt: now, ownerGid, payload: build() });
  };
  return {
    product: (topic, product) => announce(topic, gidOf('Product', product.id), () => productPayload(product, at)),
    deletedProduct: (product) => announce('products/delete', null, () => ({ id: product.id })),
    item: (topic, item) =>
      announce(topic, null, () =>
        topic === 'inventory_items/delete' ? deletedItemPayload(item) : itemPayload(item, at),
      ),
    level: (topic, level) =>
      announce(topic, null, () =>
        topic === 'inventory_levels/disconnect' ? disconnectedLevelPayload(level) : levelPayload(level, at),
      ),
    send: (topic, payload) => announce(topic, null, () => payload),
  };
}
