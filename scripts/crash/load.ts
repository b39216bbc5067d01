import { pause } from '../bench/lib/api.ts';
import type { DeliveryMaker } from '../bench/lib/deliveries.ts';
import type { Item } from '../bench/lib/shelf.ts';
import { createWebhookSender } from '../bench/lib/webhook-sender.ts';
import type { World } from '../bench/lib/world.ts';
import type { Side } from './books.ts';
import type { Ledger } from './ledger.ts';

const SELLERS = 3;
/** Between two sales of one seller, ms. */
const PAUSE_MS = 3;
/** Two sales of one, then a restock of two: nothing ever sells out, however long it goes on. */
const DELTAS = [-1, -1, 2];

export interface Load {
  /** Ends it; resolves when every delivery was answered or its connection broke. */
  stop(): Promise<void>;
}

/**
 * Where each SKU is sold, in one store only: WooCommerce has no conditional write, and a sale there between our read and our write is lost by
 * design (`src/core/SPEC.md`), which is not what is looked for here.
 */
export function sellers(items: readonly Item[]): ReadonlyMap<string, Side> {
  return new Map(items.map(({ sku }, index) => [sku, index % 2 === 0 ? 'woocommerce' : 'shopify']));
}

/** Sales in both stores, each followed by its webhook. */
export function startLoad(world: World, makers: DeliveryMaker, items: readonly Item[], ledger: Ledger): Load {
  const sender = createWebhookSender(world.port);
  const answers: Promise<void>[] = [];
  let isStopped = false;

  async function sellOne(): Promise<void> {
    const item = items[Math.floor(Math.random() * items.length)];
    if (item === undefined) return;
    const isWoo = ledger.soldIn(item.sku) === 'woocommerce';
    const delta = DELTAS[Math.floor(Math.random() * DELTAS.length)] ?? -1;
    await (isWoo ? world.woo : world.shopify).control('restock', item.sku, delta);
    const entry = ledger.sold(item.sku, delta);
    const request = isWoo ? makers.wooProduct(item.wooId) : makers.shopifyStock(item.inventoryItemId);
    answers.push(
      sender.send(request).then(({ status }) => {
        entry.isAcknowledged = status === 200;
        if (status === 200) ledger.acknowledged += 1;
        else ledger.unanswered += 1;
      }),
    );
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      await sellOne();
      await pause(PAUSE_MS);
    }
  }

  const running = Promise.all(Array.from({ length: SELLERS }, run));
  return {
    async stop() {
      isStopped = true;
      await running;
      await Promise.all(answers);
      sender.close();
    },
  };
}
