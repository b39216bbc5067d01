import { pause, until } from './api.ts';
import type { ShopifyStats } from './asked.ts';
import type { DeliveryMaker } from './deliveries.ts';
import type { Store } from './processes.ts';
import { type Item, shopifyStock, wrong } from './shelf.ts';
import { createWebhookSender } from './webhook-sender.ts';
import type { World } from './world.ts';

const PER_SECOND = 1_000;
const START_STOCK = 1_000;
/** Looks after webhooks and credentials, not after stock. */
const NOT_COUNTED = /^(Webhook|Inspect|ShopSetup)/;

export interface StormOptions {
  readonly seconds: number;
  /** Left out: sales do not wait for answers, however many are missing. */
  readonly atOnceMax?: number;
}

export interface Storm {
  readonly sent: number;
  readonly acknowledged: number;
  readonly waitingMax: number;
  /** Answers other than 200, for people; '' when there were none. */
  readonly refusals: string;
}

export interface Recovery {
  /** SKUs that do not hold the truth. */
  readonly left: number;
  /** Calls that look after stock. */
  readonly calls: number;
  /** For people: all operations and how often. */
  readonly list: string;
  readonly seconds: number;
}

/** As much of everything in both stores as no storm sells. */
export async function stockUp(stores: readonly Store[], items: readonly Item[]): Promise<void> {
  await Promise.all(
    stores.map(async (store) => {
      for (const { sku } of items) await store.control('recount', sku, START_STOCK);
    }),
  );
}

/** A thousand sales a second in WooCommerce, each with its webhook, while Shopify does not answer; it is left down. */
export async function storm(
  world: World,
  makers: DeliveryMaker,
  items: readonly Item[],
  { seconds, atOnceMax = Number.POSITIVE_INFINITY }: StormOptions,
): Promise<Storm> {
  const sender = createWebhookSender(world.port);
  await world.shopifyTap.down();
  let acknowledged = 0;
  let sent = 0;
  let waiting = 0;
  let waitingMax = 0;
  const refused = new Map<number, number>();
  const answers: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let second = 0; second < seconds; second += 1) {
    const lines = items.map(({ sku }) => ({ ref: sku, quantity: 1 }));
    await world.woo.control('placeOrder', lines);
    for (const [index, item] of items.entries()) {
      const dueAt = startedAt + second * 1000 + (index * 1000) / PER_SECOND;
      if (performance.now() < dueAt) await pause(1);
      while (waiting >= atOnceMax) await pause(1);
      sent += 1;
      waiting += 1;
      waitingMax = Math.max(waitingMax, waiting);
      const answer = sender.send(makers.wooProduct(item.wooId));
      answers.push(
        answer.then(({ status }) => {
          waiting -= 1;
          if (status === 200) acknowledged += 1;
          else refused.set(status, (refused.get(status) ?? 0) + 1);
        }),
      );
    }
  }
  await Promise.all(answers);
  sender.close();
  const refusals = [...refused].map(([status, count]) => `; answered ${status}: ${count}`).join('');
  return { sent, acknowledged, waitingMax, refusals };
}

/** Shopify comes back: how many calls until it holds the truth. */
export async function recovery(world: World, truth: ReadonlyMap<string, number>, withinMs: number): Promise<Recovery> {
  await world.shopify.control('resetStats');
  await world.shopifyTap.up();
  const startedAt = performance.now();
  let left = truth.size;
  await until(withinMs, async () => {
    left = wrong(await shopifyStock(world.shopify), truth);
    return left === 0;
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const { byOperation } = await world.shopify.stats<ShopifyStats>();
  const counted = Object.entries(byOperation).filter(([name]) => !NOT_COUNTED.test(name));
  const calls = counted.reduce((sum, [, operation]) => sum + operation.calls, 0);
  const list = Object.entries(byOperation)
    .map(([name, operation]) => `${name} ${operation.calls}`)
    .join(', ');
  return { left, calls, list, seconds };
}
