import type { Bench, Row } from './bench.ts';
import { pause, until } from './lib/api.ts';
import { percentile } from './lib/numbers.ts';
import { type Item, listItems, shopifyStock, wooStock, wrong } from './lib/shelf.ts';
import { createWebhookSender, type Receipt, type WebhookSender } from './lib/webhook-sender.ts';
import { openWorld, type World } from './lib/world.ts';

const PRODUCTS = 1_000;
const PER_SECOND = 1_000;
const SECONDS = 10;
const MAX_SECONDS = 5;
const CONNECTIONS = 64;
const AT_ONCE = 1_000;
const APPLIED_WITHIN_MS = 60_000;

export const intake: Bench = {
  name: 'intake',
  about: 'webhooks that are stored durably before they are answered, each with the work that it causes',
  async run(workshop) {
    const world = await openWorld(workshop, { products: PRODUCTS, variants: 1 });
    const sender = createWebhookSender(world.port);
    try {
      await world.api.apply(await world.api.plan(world.pairId));
      const makers = await world.takeOverWebhooks();
      const items = await listItems(world.woo, world.shopify);
      const next = roundRobin(items, (item) => makers.shopifyStock(item.inventoryItemId));
      return [
        ...(await sustained(world, sender, next)),
        ...(await mostSustained(world, sender, next)),
        ...(await atOnce(world, sender, items, next)),
      ];
    } finally {
      sender.close();
      await world.close();
    }
  },
};

function roundRobin(items: readonly Item[], make: (item: Item) => Buffer): () => Buffer {
  let n = 0;
  return () => {
    const item = items[n % items.length];
    n += 1;
    if (item === undefined) throw new Error('the stores have nothing in common');
    return make(item);
  };
}

async function sustained(world: World, sender: WebhookSender, next: () => Buffer): Promise<readonly Row[]> {
  const before = world.storedCount();
  const receipts: Promise<Receipt>[] = [];
  const startedAt = performance.now();
  while (receipts.length < PER_SECOND * SECONDS) {
    const due = Math.min(PER_SECOND * SECONDS, Math.floor(((performance.now() - startedAt) * PER_SECOND) / 1000));
    while (receipts.length < due) receipts.push(sender.send(next()));
    await pause(1);
  }
  const all = await Promise.all(receipts);
  const seconds = (performance.now() - startedAt) / 1000;
  const acknowledged = all.filter(({ status }) => status === 200);
  const waits = acknowledged.map(({ sentAt, answeredAt }) => answeredAt - sentAt);
  const stored = world.storedCount() - before;
  const rate = acknowledged.length / seconds;
  return [
    {
      what: `${PER_SECOND}/s for ${SECONDS} s: answered 200 per second`,
      value: rate.toFixed(0),
      target: `>= ${PER_SECOND * 0.97}`,
      isMet: rate >= PER_SECOND * 0.97,
    },
    {
      what: 'answered and not stored',
      value: String(acknowledged.length - stored),
      target: '0',
      isMet: acknowledged.length === stored && acknowledged.length === all.length,
    },
    {
      what: 'time to the answer p50 / p99',
      value: `${percentile(waits, 0.5).toFixed(1)} / ${percentile(waits, 0.99).toFixed(1)} ms`,
      target: '',
      isMet: null,
    },
  ];
}

/** Each connection sends its next delivery when the last one was answered. */
async function mostSustained(world: World, sender: WebhookSender, next: () => Buffer): Promise<readonly Row[]> {
  const startedAt = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() - startedAt < MAX_SECONDS * 1000) {
        const { status } = await sender.send(next());
        if (status === 200) count += 1;
      }
    }),
  );
  const rate = count / ((performance.now() - startedAt) / 1000);
  return [
    {
      what: `most sustained over ${CONNECTIONS} connections, per second`,
      value: rate.toFixed(0),
      target: `>= ${PER_SECOND}`,
      isMet: rate >= PER_SECOND,
    },
    { what: 'peak memory of the server so far', value: `${world.server.peakMb()} MB`, target: '', isMet: null },
  ];
}

async function atOnce(
  world: World,
  sender: WebhookSender,
  items: readonly Item[],
  next: () => Buffer,
): Promise<readonly Row[]> {
  await world.idle();
  await world.shopify.control(
    'placeOrder',
    items.slice(0, AT_ONCE).map(({ sku }) => ({ variant: sku, quantity: 1 })),
  );
  const truth = await shopifyStock(world.shopify);
  await sender.warm(AT_ONCE - CONNECTIONS);
  const before = world.storedCount();
  const requests = Array.from({ length: AT_ONCE }, next);
  const startedAt = performance.now();
  const receipts = await Promise.all(requests.map((request) => sender.send(request)));
  const answeredMs = performance.now() - startedAt;
  const answered = receipts.filter(({ status }) => status === 200).length;
  const stored = world.storedCount() - before;
  let left = AT_ONCE;
  await until(APPLIED_WITHIN_MS, async () => {
    left = wrong(await wooStock(world.woo), truth);
    return left === 0;
  });
  const appliedMs = performance.now() - startedAt;
  return [
    {
      what: `${AT_ONCE} at once: answered / stored / applied`,
      value: `${answered} / ${stored} / ${AT_ONCE - left}`,
      target: `${AT_ONCE} each`,
      isMet: answered === AT_ONCE && stored === AT_ONCE && left === 0,
    },
    {
      what: 'all answered after / all applied after',
      value: `${(answeredMs / 1000).toFixed(2)} s / ${(appliedMs / 1000).toFixed(2)} s`,
      target: '',
      isMet: null,
    },
  ];
}
