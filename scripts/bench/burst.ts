import type { Bench, Row } from './bench.ts';
import { pause, until } from './lib/api.ts';
import type { ShopifyStats } from './lib/asked.ts';
import { createMemoryLimit } from './lib/memory-limit.ts';
import { type Item, listItems, shopifyStock, wooStock, wrong } from './lib/shelf.ts';
import { createWebhookSender } from './lib/webhook-sender.ts';
import { openWorld, type World } from './lib/world.ts';

const SKUS = 1_000;
const SECONDS = 60;
const PER_SECOND = 1_000;
const LIMIT_MB = 256;
/** Where the kernel can not be asked to keep the limit, the process must stay this far below it. */
const UNLIMITED_PEAK_MB = 200;
const CALLS_MAX = 8;
const SETTLED_WITHIN_MS = 400_000;
const START_STOCK = 1_000;
/** Looks after webhooks and credentials, not after stock. */
const NOT_COUNTED = /^(Webhook|Inspect|ShopSetup)/;

export const burst: Bench = {
  name: 'burst',
  about: `${SECONDS * PER_SECOND} WooCommerce events in ${SECONDS} s over ${SKUS} SKUs, Shopify down, ${LIMIT_MB} MB`,
  async run(workshop) {
    const limit = createMemoryLimit(LIMIT_MB * 1024 * 1024);
    const world = await openWorld(workshop, { products: SKUS, variants: 1, limit });
    try {
      const items = await listItems(world.woo, world.shopify);
      for (const { sku } of items) await world.woo.control('recount', sku, START_STOCK);
      for (const { sku } of items) await world.shopify.control('recount', sku, START_STOCK);
      await world.api.apply(await world.api.plan(world.pairId));
      await world.idle();
      const storedBefore = world.storedCount();
      const { acknowledged, sent, waitingMax, refusals } = await storm(world, items);
      // Sixty sales of an item end in one number: that the number is right does not say that each of them was kept.
      const unstored = acknowledged - (world.storedCount() - storedBefore);
      const truth = await wooStock(world.woo);
      const peakMb = world.server.peakMb();
      const rows: Row[] = [
        {
          what: 'events sent / acknowledged',
          value: `${sent} / ${acknowledged}`,
          target: 'all',
          isMet: sent === acknowledged,
        },
        {
          what: 'acknowledged and not stored',
          value: String(unstored),
          target: '0',
          isMet: unstored === 0,
        },
        {
          what: 'most that waited for their answer at once',
          value: `${waitingMax}${refusals}`,
          target: '',
          isMet: null,
        },
        {
          what:
            limit === null ? 'peak memory (no memory controller here)' : `peak memory, killed beyond ${LIMIT_MB} MB`,
          value: `${peakMb} MB`,
          target: limit === null ? `< ${UNLIMITED_PEAK_MB} MB` : 'alive',
          isMet: limit === null ? peakMb < UNLIMITED_PEAK_MB : world.server.residentMb() > 0,
        },
      ];
      if (limit !== null) {
        const groupMb = Math.round(limit.peakBytes() / 1024 / 1024);
        rows.push({ what: 'peak of its group, page cache included', value: `${groupMb} MB`, target: '', isMet: null });
      }
      return [...rows, ...(await recovery(world, truth))];
    } finally {
      await world.close();
      limit?.close();
    }
  },
};

interface Storm {
  readonly sent: number;
  readonly acknowledged: number;
  readonly waitingMax: number;
  /** Answers other than 200, for people; '' when there were none. */
  readonly refusals: string;
}

/** A thousand sales a second in WooCommerce, each with its webhook, while Shopify does not answer. */
async function storm(world: World, items: readonly Item[]): Promise<Storm> {
  const makers = await world.takeOverWebhooks();
  const sender = createWebhookSender(world.port);
  await world.shopifyTap.down();
  let acknowledged = 0;
  let sent = 0;
  let waiting = 0;
  let waitingMax = 0;
  const refused = new Map<number, number>();
  const answers: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let second = 0; second < SECONDS; second += 1) {
    const lines = items.map(({ sku }) => ({ ref: sku, quantity: 1 }));
    await world.woo.control('placeOrder', lines);
    for (const [index, item] of items.entries()) {
      const dueAt = startedAt + second * 1000 + (index * 1000) / PER_SECOND;
      if (performance.now() < dueAt) await pause(1);
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
async function recovery(world: World, truth: ReadonlyMap<string, number>): Promise<readonly Row[]> {
  await world.shopify.control('resetStats');
  await world.shopifyTap.up();
  const startedAt = performance.now();
  let left = truth.size;
  await until(SETTLED_WITHIN_MS, async () => {
    left = wrong(await shopifyStock(world.shopify), truth);
    return left === 0;
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const { byOperation } = await world.shopify.stats<ShopifyStats>();
  const counted = Object.entries(byOperation).filter(([name]) => !NOT_COUNTED.test(name));
  const calls = counted.reduce((sum, [, operation]) => sum + operation.calls, 0);
  const list = Object.entries(byOperation).map(([name, operation]) => `${name} ${operation.calls}`);
  return [
    { what: 'acknowledged and lost (SKUs that are wrong)', value: String(left), target: '0', isMet: left === 0 },
    {
      what: 'Shopify calls until settled, webhook checks left aside',
      value: `${calls} (${list.join(', ')})`,
      target: `<= ${CALLS_MAX}`,
      isMet: calls <= CALLS_MAX,
    },
    { what: 'settled after Shopify came back', value: `${seconds.toFixed(1)} s`, target: '', isMet: null },
  ];
}
