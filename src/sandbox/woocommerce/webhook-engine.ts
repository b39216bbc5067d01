import { createHash } from 'node:crypto';
import { type Json, phpJson } from './json.ts';
import { orderView } from './order-view.ts';
import { productView } from './product-view.ts';
import { invalidId } from './rest-error.ts';
import { isSafeUrl } from './safe-url.ts';
import type { Site, Topic } from './site.ts';
import { signWebhook } from './webhook-signature.ts';

export interface WebhookRecord {
  readonly id: number;
  name: string;
  status: string;
  topic: string;
  deliveryUrl: string;
  secret: string;
  readonly createdS: number;
  modifiedS: number | null;
  failureCount: number;
  /** Until a ping was answered with exactly 200, every save of the webhook pings again. */
  isPingPending: boolean;
}

interface Pending {
  readonly hookId: number;
  readonly resourceId: number;
}

const QUEUE_INTERVAL_MS = 60_000;
const QUEUE_START_MS = 250;
const DELIVERY_TIMEOUT_MS = 60_000;
const PING_TIMEOUT_MS = 5_000;
const FAILURES_MAX = 5;

/** Webhooks and the queue they wait in. One attempt each; the body is made when it is sent. */
export class WebhookEngine {
  readonly hooks = new Map<number, WebhookRecord>();
  readonly counts = { delivered: 0, failed: 0, pings: 0 };
  readonly #site: Site;
  #pending = new Map<string, Pending>();
  #nextId = 1;
  #nextRunMs = 0;
  #timers = new Set<unknown>();
  #running: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();

  constructor(site: Site) {
    this.#site = site;
    site.onEvent = (topic, id) => this.#queue(topic, id);
  }

  get pendingCount(): number {
    return this.#pending.size;
  }

  insert(fields: Pick<WebhookRecord, 'name' | 'topic' | 'deliveryUrl' | 'secret'>): WebhookRecord {
    const hook: WebhookRecord = {
      ...fields,
      id: this.#nextId++,
      // Whatever status was asked for, a new webhook is active.
      status: 'active',
      createdS: this.#site.nowS(),
      modifiedS: null,
      failureCount: 0,
      isPingPending: true,
    };
    this.hooks.set(hook.id, hook);
    return hook;
  }

  /** A waiting delivery of the same hook and resource takes this one in. */
  #queue(topic: Topic, resourceId: number): void {
    for (const hook of this.hooks.values()) {
      if (hook.status !== 'active' || hook.topic !== topic) continue;
      const key = `${hook.id} ${resourceId}`;
      if (!this.#pending.has(key)) this.#pending.set(key, { hookId: hook.id, resourceId });
    }
  }

  /** Any request to the site may start the queue: at once, or once a minute by WordPress's cron. */
  requestArrived(): void {
    const { environment, settings } = this.#site;
    if (settings.queue !== 'action-scheduler') return;
    const nowMs = environment.now();
    if (nowMs < this.#nextRunMs) return;
    this.#nextRunMs = nowMs + QUEUE_INTERVAL_MS;
    this.#later(QUEUE_START_MS);
  }

  requestEnded(): void {
    if (this.#site.settings.queue === 'immediate' && this.#pending.size > 0) this.#later(0);
  }

  #later(ms: number): void {
    if (this.#closing.signal.aborted) return;
    const { environment } = this.#site;
    const handle = environment.setTimer(() => {
      this.#timers.delete(handle);
      void this.runQueue();
    }, ms);
    this.#timers.add(handle);
  }

  /** Sends all that waits, one after the other, after what is being sent already. */
  runQueue(): Promise<void> {
    const batch = [...this.#pending.values()];
    this.#pending = new Map();
    this.#running = this.#running.then(async () => {
      for (const { hookId, resourceId } of batch) {
        const hook = this.hooks.get(hookId);
        if (hook && !this.#closing.signal.aborted) await this.#deliver(hook, resourceId);
      }
    });
    return this.#running;
  }

  async #deliver(hook: WebhookRecord, resourceId: number): Promise<void> {
    const site = this.#site;
    const [resource = '', event = ''] = hook.topic.split('.');
    const body = phpJson(event === 'deleted' ? { id: resourceId } : this.#payload(resource, resourceId));
    const status = await this.#send(hook, body, DELIVERY_TIMEOUT_MS, {
      'Content-Type': 'application/json',
      'X-WC-Webhook-Source': site.url('/'),
      'X-WC-Webhook-Topic': hook.topic,
      'X-WC-Webhook-Resource': resource,
      'X-WC-Webhook-Event': event,
      'X-WC-Webhook-Signature': signWebhook(body, hook.secret),
      'X-WC-Webhook-ID': String(hook.id),
      'X-WC-Webhook-Delivery-ID': this.#deliveryId(hook),
    });
    if (status >= 200 && status < 303) {
      this.counts.delivered++;
      hook.failureCount = 0;
    } else {
      this.counts.failed++;
      // Stays at six when it switches off: re-activated, the next failure does it again.
      if (hook.failureCount > FAILURES_MAX) hook.status = 'disabled';
      else hook.failureCount++;
    }
    await this.saved(hook);
  }

  /** A hash of hook and second: two deliveries of one hook within a second carry the same id. */
  #deliveryId(hook: WebhookRecord): string {
    return createHash('md5')
      .update(`${this.#site.url('/')} ${hook.id}${this.#site.nowS()}`)
      .digest('hex');
  }

  /** What GET would answer now, an error for what is gone by now. */
  #payload(resource: string, id: number): Json {
    const site = this.#site;
    if (resource === 'order') {
      const order = site.orders.get(id);
      return order ? orderView(site, order) : invalidId('shop_order', 404).body();
    }
    const record = site.products.find(id);
    return record ? productView(site, record, 'view') : invalidId('product', 404).body();
  }

  async ping(hook: WebhookRecord): Promise<void> {
    this.counts.pings++;
    const status = await this.#send(hook, `webhook_id=${hook.id}`, PING_TIMEOUT_MS, {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    if (status === 200) hook.isPingPending = false;
  }

  async saved(hook: WebhookRecord): Promise<void> {
    hook.modifiedS = this.#site.nowS();
    if (hook.isPingPending && hook.status === 'active') await this.ping(hook);
  }

  async #send(hook: WebhookRecord, body: string, timeoutMs: number, headers: Record<string, string>): Promise<number> {
    const { environment, settings } = this.#site;
    const url = hook.deliveryUrl;
    if (this.#closing.signal.aborted) return 0;
    if (settings.rejectUnsafeUrls && !isSafeUrl(url, this.#site.url(''))) return 0;
    const agent = `WooCommerce/${settings.version} Hookshot (WordPress/${settings.wpVersion})`;
    const common = { 'User-Agent': agent, Accept: '*/*', 'Accept-Encoding': 'deflate, gzip, br, zstd' };
    const { signal } = this.#closing;
    try {
      const sent = environment.deliver({
        url,
        body,
        timeoutMs,
        signal,
        headers: { ...common, ...headers, Connection: 'close' },
      });
      return (await untilAborted(sent, signal)).status;
    } catch {
      return 0; // Unreachable is a failed attempt like any other; nobody tries again.
    }
  }

  /** Resolves when nothing waits and nothing is being sent (with the immediate queue). */
  async settle(): Promise<void> {
    do {
      await this.runQueue();
    } while (this.#pending.size > 0);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const handle of this.#timers) this.#site.environment.clearTimer(handle);
    this.#timers.clear();
    await this.#running;
  }
}

/** Closing must not wait for a receiver that keeps silent, even where `deliver` does not listen to the signal. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('the store is closing'));
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
