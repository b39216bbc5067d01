import type { Bench, Row } from './bench.ts';
import { pause, until } from './lib/api.ts';
import { namesShopifyItem, namesWooProduct } from './lib/names-item.ts';
import { covered, percentile } from './lib/numbers.ts';
import { measureRelay } from './lib/relay.ts';
import { type Item, listItems } from './lib/shelf.ts';
import type { Exchange } from './lib/tap.ts';
import { createWebhookSender } from './lib/webhook-sender.ts';
import { openWorld, type World } from './lib/world.ts';

const PRODUCTS = 400;
const PER_SECOND = 50;
const SECONDS = 14;
/** The first of these are for warming up and are not counted. */
const WARM_SECONDS = 6;
const P50_MS = 5;
const P99_MS = 15;
/** What those limits are of a bare relay's time where fdatasync takes 0.3 ms: they hold where the disk is slower, too. */
const P50_OF_RELAY = P50_MS / 2.2;
const P99_OF_RELAY = P99_MS / 5.2;
const RELAY_SECONDS = 6;

interface Event {
  readonly sku: string;
  /** Last byte of the webhook handed to the socket. */
  readonly sentAt: number;
  /** First byte of the write that it caused. */
  writtenAt: number | null;
}

interface Direction {
  readonly name: string;
  /** A sale in the one store, without its own webhook. */
  sell(world: World, item: Item): Promise<unknown>;
  delivery(makers: Awaited<ReturnType<World['takeOverWebhooks']>>, item: Item): Buffer;
  /** Whether a request to the other store writes this item's stock. */
  isWrite(request: string, item: Item): boolean;
  tapOf(world: World): readonly Exchange[];
}

const DIRECTIONS: readonly Direction[] = [
  {
    name: 'Shopify sale to WooCommerce write',
    sell: ({ shopify }, { sku }) => shopify.control('restock', sku, -1),
    delivery: (makers, { inventoryItemId }) => makers.shopifyStock(inventoryItemId),
    isWrite: (request, { wooId }) =>
      /^(POST|PUT) /.test(request) && request.includes('stock_quantity') && request.includes(`"id":${wooId},`),
    tapOf: ({ wooTap }) => wooTap.exchanges,
  },
  {
    name: 'WooCommerce sale to Shopify write',
    sell: ({ woo }, { sku }) => woo.control('restock', sku, -1),
    delivery: (makers, { wooId }) => makers.wooProduct(wooId),
    isWrite: (request, { inventoryItemId }) =>
      request.includes('inventorySetQuantities') && request.includes(`"inventoryItemId":"${inventoryItemId}"`),
    tapOf: ({ shopifyTap }) => shopifyTap.exchanges,
  },
];

export const latency: Bench = {
  name: 'latency',
  about: `own time from a webhook's last byte to the first byte of the write, ${PER_SECOND} events/s, ${SECONDS - WARM_SECONDS} s counted`,
  async run(workshop) {
    const world = await openWorld(workshop, { products: PRODUCTS, variants: 1 });
    try {
      await world.api.apply(await world.api.plan(world.pairId));
      const makers = await world.takeOverWebhooks();
      const items = await listItems(world.woo, world.shopify);
      await world.idle();
      const relay = await measureRelay(workshop, PER_SECOND, RELAY_SECONDS);
      const rows: Row[] = [
        {
          what: 'a bare durable relay on this machine p50 / p99',
          value: `${ms(relay.p50)} / ${ms(relay.p99)}`,
          target: '',
          isMet: null,
        },
      ];
      for (const direction of DIRECTIONS) rows.push(...(await measure(world, direction, makers, items, relay)));
      return rows;
    } finally {
      await world.close();
    }
  },
};

/** The requests of both stores that ask for this item or write it. */
function exchangesOf({ wooTap, shopifyTap }: World, item: Item): readonly Exchange[] {
  return [
    ...wooTap.exchanges.filter(({ request }) => namesWooProduct(request, item)),
    ...shopifyTap.exchanges.filter(({ request }) => namesShopifyItem(request, item)),
  ];
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}

async function measure(
  world: World,
  direction: Direction,
  makers: Awaited<ReturnType<World['takeOverWebhooks']>>,
  items: readonly Item[],
  relay: { readonly p50: number; readonly p99: number },
): Promise<readonly Row[]> {
  const sender = createWebhookSender(world.port);
  const events: { readonly event: Event; readonly item: Item }[] = [];
  for (const tap of [world.wooTap, world.shopifyTap]) {
    tap.exchanges.length = 0;
    tap.isRecording = true;
  }
  const startedAt = performance.now();
  for (let n = 0; n < PER_SECOND * SECONDS; n += 1) {
    const item = items[n % items.length];
    if (item === undefined) break;
    await pause(Math.max(0, startedAt + (n * 1000) / PER_SECOND - performance.now()));
    await direction.sell(world, item);
    const receipt = sender.send(direction.delivery(makers, item));
    const event: Event = { sku: item.sku, sentAt: performance.now(), writtenAt: null };
    if (n >= PER_SECOND * WARM_SECONDS) events.push({ event, item });
    receipt.then(
      ({ status }) => {
        if (status !== 200) throw new Error(`a webhook was answered with ${status}`);
      },
      () => undefined,
    );
  }
  const exchanges = direction.tapOf(world);
  await until(5_000, () => {
    for (const { event, item } of events) {
      event.writtenAt ??=
        exchanges.find(({ startedAt: at, request }) => at > event.sentAt && direction.isWrite(request, item))
          ?.startedAt ?? null;
    }
    return events.every(({ event }) => event.writtenAt !== null);
  });
  for (const tap of [world.wooTap, world.shopifyTap]) tap.isRecording = false;
  sender.close();

  const spans = [...world.wooTap.exchanges, ...world.shopifyTap.exchanges];
  const written = events.flatMap(({ event, item }) =>
    event.writtenAt === null ? [] : [{ item, sentAt: event.sentAt, at: event.writtenAt }],
  );
  const whole = written.map(({ sentAt, at }) => at - sentAt);
  const own = written.map(({ sentAt, at }) => at - sentAt - covered(sentAt, at, spans));
  // What this process does while another event's request is under way counts here: only the answers that this event waits for are taken out.
  const strict = written.map(({ item, sentAt, at }) => at - sentAt - covered(sentAt, at, exchangesOf(world, item)));
  const p50 = percentile(own, 0.5);
  const p99 = percentile(own, 0.99);
  const strictP50 = percentile(strict, 0.5);
  const strictP99 = percentile(strict, 0.99);
  return [
    {
      what: `${direction.name}: own time p50 / p99, without all time in which a store was asked anything`,
      value: `${ms(p50)} / ${ms(p99)}`,
      target: `< ${P50_MS} / < ${P99_MS} ms`,
      isMet: p50 < P50_MS && p99 < P99_MS,
    },
    {
      what: `${direction.name}: own time p50 / p99, without only the requests for its own item`,
      value: `${ms(strictP50)} / ${ms(strictP99)}`,
      target: `< ${P50_MS} / < ${P99_MS} ms`,
      isMet: strictP50 < P50_MS && strictP99 < P99_MS,
    },
    {
      what: `${direction.name}: the first own time, multiple of the relay's`,
      value: `${(p50 / relay.p50).toFixed(1)} / ${(p99 / relay.p99).toFixed(1)}`,
      target: `< ${P50_OF_RELAY.toFixed(1)} / < ${P99_OF_RELAY.toFixed(1)}`,
      isMet: p50 < relay.p50 * P50_OF_RELAY && p99 < relay.p99 * P99_OF_RELAY,
    },
    {
      what: `${direction.name}: with the stores' answers p50 / p99`,
      value: `${ms(percentile(whole, 0.5))} / ${ms(percentile(whole, 0.99))}`,
      target: '',
      isMet: null,
    },
    {
      what: `${direction.name}: events without a write`,
      value: String(events.length - written.length),
      target: '0',
      isMet: events.length === written.length,
    },
  ];
}
