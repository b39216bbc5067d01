import type { RawDelivery } from '../../ports/connector.ts';
import type { FaultName, FaultPlan } from './fault-plan.ts';
import type { Topic } from './outside.ts';
import type { ProductRecord } from './records.ts';
import type { WorldClock, WorldRandom } from './world.ts';

/** Groups of topics: one webhook is made for each. */
export type HookTopic = 'product' | 'inventory';

export interface Hook {
  readonly id: string;
  readonly url: string;
  readonly topic: HookTopic;
  isActive: boolean;
  failureCount: number;
}

/** Takes a delivery at our door; false (or a throw) is a failure that the platform may repeat. */
export type Deliver = (delivery: RawDelivery, url: string) => boolean | Promise<boolean>;

const RETRY_AFTER_MS = 20_000;

/** A keyed checksum; the real platforms sign by HMAC, which here would cost more than everything else that a delivery does. */
export function signDelivery(body: Uint8Array, secret: string): string {
  // FNV-1a, twice with different primes: a touched body or another secret gives another one.
  let first = 0x811c9dc5;
  let second = 0xc9dc5118;
  for (let at = 0; at < secret.length; at += 1) {
    first = Math.imul(first ^ secret.charCodeAt(at), 0x01000193);
    second = Math.imul(second ^ secret.charCodeAt(at), 0x85ebca6b);
  }
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    first = Math.imul(first ^ byte, 0x01000193);
    second = Math.imul(second ^ byte, 0x85ebca6b);
  }
  return `${first >>> 0}.${second >>> 0}`;
}

export interface WebhookOptions {
  readonly clock: WorldClock;
  readonly random: WorldRandom;
  readonly plan: () => FaultPlan;
  readonly secret: () => string;
  readonly deliver: Deliver;
  readonly count: (name: FaultName) => void;
  readonly tellsStock: boolean;
  readonly retries: number;
  readonly failuresMax: number;
}

/** The platform's webhooks: sent for everything that happens, our own writes included, and as unreliable as the plan says. */
export class Webhooks {
  readonly hooks: Hook[] = [];
  readonly topics: readonly HookTopic[];
  readonly #options: WebhookOptions;
  #made = 0;
  /** Per product, the youngest event that has arrived: an older one after it came out of order. */
  readonly #arrived = new Map<string, number>();

  constructor(options: WebhookOptions) {
    this.#options = options;
    this.topics = options.tellsStock ? ['product', 'inventory'] : ['product'];
  }

  add(url: string, topic: HookTopic): Hook {
    this.#made += 1;
    const hook: Hook = { id: `hook${this.#made}`, url, topic, isActive: true, failureCount: 0 };
    this.hooks.push(hook);
    return hook;
  }

  remove(id: string): void {
    const at = this.hooks.findIndex((hook) => hook.id === id);
    if (at >= 0) this.hooks.splice(at, 1);
  }

  emit(topic: Topic, product: ProductRecord, stockId: string | null, by: 'outside' | 'us'): void {
    if (topic === 'inventory.updated' && !this.#options.tellsStock) {
      this.emit('product.updated', product, null, by);
      return;
    }
    const group: HookTopic = topic === 'inventory.updated' ? 'inventory' : 'product';
    for (const hook of this.hooks) {
      if (hook.topic === group && hook.isActive) this.#send(hook, topic, product, stockId, by);
    }
  }

  #send(hook: Hook, topic: Topic, product: ProductRecord, stockId: string | null, by: 'outside' | 'us'): void {
    const { clock, random, plan, count } = this.#options;
    this.#made += 1;
    const order = this.#made;
    // The numbers are wrong on purpose: a delivery names a record, and whoever believes more than that is caught by it.
    const body = JSON.stringify({
      topic,
      product_id: product.id,
      stock_id: stockId,
      quantity: random.int(1_000),
      title: `stale ${random.int(1_000)}`,
    });
    const bytes = new TextEncoder().encode(body);
    const delivery: RawDelivery = {
      headers: {
        'content-type': 'application/json',
        'x-memory-topic': topic,
        'x-memory-delivery-id': `d${order}`,
        'x-memory-signature': signDelivery(bytes, this.#options.secret()),
      },
      body: bytes,
    };
    const { delaysMs, isLate } = plan().delivery({ at: clock.now(), topic, by });
    if (delaysMs.length === 0) count('delivery_lost');
    if (delaysMs.length > 1) count('delivery_doubled');
    if (isLate) count('delivery_late');
    for (const delayMs of delaysMs) {
      clock.setTimer(() => this.#arrive(hook, delivery, product.id, order, 0), delayMs);
    }
  }

  #arrive(hook: Hook, delivery: RawDelivery, productId: string, order: number, attempt: number): void {
    const { count, deliver } = this.#options;
    const youngest = this.#arrived.get(productId) ?? 0;
    if (order < youngest) count('delivery_reordered');
    else this.#arrived.set(productId, order);
    // A promise only where our side gives one: otherwise the answer is in before anything else happens.
    let taken: boolean | Promise<boolean>;
    try {
      taken = deliver(delivery, hook.url);
    } catch {
      taken = false;
    }
    const settle = (isTaken: boolean): void => this.#settle(isTaken, hook, delivery, productId, order, attempt);
    if (typeof taken === 'boolean') settle(taken);
    else taken.then(settle, () => settle(false));
  }

  #settle(
    isTaken: boolean,
    hook: Hook,
    delivery: RawDelivery,
    productId: string,
    order: number,
    attempt: number,
  ): void {
    const { clock, count, retries, failuresMax } = this.#options;
    if (isTaken) {
      hook.failureCount = 0;
      return;
    }
    count('delivery_refused');
    hook.failureCount += 1;
    if (hook.failureCount >= failuresMax && hook.isActive) {
      hook.isActive = false;
      count('webhook_switched_off');
    }
    if (attempt >= retries) return;
    clock.setTimer(() => this.#arrive(hook, delivery, productId, order, attempt + 1), RETRY_AFTER_MS * 2 ** attempt);
  }
}
