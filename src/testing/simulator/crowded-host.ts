import { MemoryConnector } from '../../connectors/memory/connector.ts';
import { calmPlan, type FaultPlan } from '../../connectors/memory/fault-plan.ts';
import { PERSONALITIES } from '../../connectors/memory/personality.ts';
import { MemoryPlatform } from '../../connectors/memory/platform.ts';
import { transact } from '../../db/database.ts';
import { findPair, getStore } from '../../db/readers/pairs.ts';
import { findPlan } from '../../db/writers/runs.ts';
import { insertPair, insertStore } from '../../db/writers/stores.ts';
import { TASKS } from '../../engine/enqueue.ts';
import { requestPlan } from '../../engine/plan/plan-pair.ts';
import { applyPlan, requestRun } from '../../engine/runs/request-run.ts';
import { enqueueWebhookCheck } from '../../engine/stores/connect-store.ts';
import type { PairId, StoreId } from '../../model/ids.ts';
import { otherSide, type PerSide, SIDES, type Side } from '../../model/platform.ts';
import { Refusal } from '../../model/refusal.ts';
import { makeProduct } from './catalogue.ts';
import { checkFairness } from './check-fairness.ts';
import { SeededRandom } from './random.ts';
import type { SeedResult } from './simulate.ts';
import { PAIR_ID, STORE_IDS, World } from './world.ts';

/** More of them than slots: each could fill one with products alone. */
export const BUSY = 5;
/** Batches at once. A server has more of them, and as many more pairs. */
export const SLOTS = 3;
/** Of a busy pair: one call saves all of them. */
const BUSY_PRODUCTS = 20;
/** Enough for each to be touched once. */
const QUIET_PRODUCTS = 60;
const FLOOD_MS = 60_000;
/** Somebody edits a product of a busy pair so often, ms: two thousand edits, some ten times what can be carried over meanwhile. */
const EDIT_EACH_MS = 25;
/** What a busy shop takes to save a product, ms: a batch of all that it has takes seconds. */
export const SAVING_MS = 2_500;
const HOUR_MS = 3_600_000;

export interface Tenant {
  readonly pairId: PairId;
  readonly storeIds: PerSide<StoreId>;
  readonly shops: PerSide<MemoryPlatform>;
}

/** Something that one shop has to be told, because it happened in the other. */
export interface Act {
  readonly what: 'sale' | 'edit';
  readonly isQuiet: boolean;
  /** Its shop does not say that it is a sale. */
  readonly isToldAsEdit: boolean;
  readonly at: number;
  /** Where it has to arrive. */
  readonly shop: MemoryPlatform;
  readonly id: string;
  readonly to: unknown;
  /** Of its product, in both shops. */
  readonly sku: string;
  /** Products of the same pair, and of all, whose turn had come and which had not been looked at yet. */
  readonly waiting: { readonly own: number; readonly all: number };
}

/**
 * A server with more pairs than it works for at once. All but one have thousands of edits and a full look under way; nothing fails, so that what is late is late for want
 * of a turn.
 */
export class CrowdedHost {
  readonly world: World;
  readonly tenants: readonly Tenant[];
  readonly acts: Act[] = [];
  readonly latencyMs: number;
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
    this.world = new World(random, 'real', {});
    this.world.concurrency = SLOTS;
    this.latencyMs = 10 + random.fork('latency').int(30);
    this.tenants = Array.from({ length: BUSY + 1 }, (_, i) => this.#addTenant(i + 1));
  }

  get shops(): readonly MemoryPlatform[] {
    return this.tenants.flatMap(({ shops }) => SIDES.map((side) => shops[side]));
  }

  #plan(savingMs: number): FaultPlan {
    const calm = calmPlan(this.latencyMs);
    const slow = calmPlan(savingMs);
    return { ...calm, request: (facts) => (facts.operation === 'update_product' ? slow : calm).request(facts) };
  }

  /** The last of all, in whatever order rows may be read. */
  get quiet(): Tenant {
    return this.tenants[BUSY] as Tenant;
  }

  #addTenant(number: number): Tenant {
    const { world } = this;
    const pairId = `${PAIR_ID}_${number}` as PairId;
    const idOf = (side: Side) => `${STORE_IDS[side]}_${number}` as StoreId;
    const storeIds = { woocommerce: idOf('woocommerce'), shopify: idOf('shopify') };
    const shop = (side: Side) =>
      new MemoryPlatform({
        name: `${side}${number}.test`,
        personality: side === 'woocommerce' ? PERSONALITIES.woo : PERSONALITIES.shopify,
        faults: this.#plan(number > BUSY ? this.latencyMs : SAVING_MS),
        clock: world.clock,
        random: this.#random.fork(`${side} ${number}`),
        deliver: async (delivery) => (await world.process?.receive(storeIds[side], delivery)) ?? false,
      });
    transact(world.db, (tx) => {
      for (const side of SIDES) {
        const name = `${side}${number}.test`;
        insertStore(tx, { ...getStore(tx, STORE_IDS[side]), id: storeIds[side], name, address: name, identity: name });
      }
      const pair = findPair(tx, PAIR_ID);
      if (pair === null) throw new Error('the world has no pair');
      const stores = { woocommerceStoreId: storeIds.woocommerce, shopifyStoreId: storeIds.shopify };
      insertPair(tx, { ...pair, ...stores, id: pairId });
    });
    return { pairId, storeIds, shops: { woocommerce: shop('woocommerce'), shopify: shop('shopify') } };
  }

  boot(): void {
    const process = this.world.boot();
    const { connectors } = process.ctx;
    const isAlive = () => process.clock.isAlive();
    const added = new Map(
      this.tenants.flatMap(({ storeIds, shops }) =>
        SIDES.map((side) => [storeIds[side], new MemoryConnector(shops[side], { isAlive })] as const),
      ),
    );
    const forStore: typeof connectors.forStore = (store, location) =>
      added.get(store.id) ?? connectors.forStore(store, location);
    Object.assign(process.ctx, { connectors: { ...connectors, forStore } });
    transact(process.ctx.db, (tx) => {
      for (const { storeIds } of this.tenants)
        for (const side of SIDES) enqueueWebhookCheck(tx, storeIds[side], this.world.clock.now());
    });
  }

  stockShelves(): void {
    const random = this.#random.fork('shelves');
    for (const tenant of this.tenants) {
      const count = tenant === this.quiet ? QUIET_PRODUCTS : BUSY_PRODUCTS;
      for (let number = 1; number <= count; number += 1) {
        const record = makeProduct(random, number);
        for (const side of SIDES) tenant.shops[side].outside.addProduct(record);
      }
    }
  }

  async link(): Promise<void> {
    const { clock, db } = this.world;
    const { ctx } = this.world.life();
    const plans = this.tenants.map(({ pairId }) => requestPlan(ctx, pairId).id);
    await clock.runFor(10 * 60_000);
    for (const id of plans) {
      const hash = findPlan(db, id)?.hash;
      if (hash == null) throw new Error('a plan was not made');
      applyPlan(ctx, id, hash);
    }
    await clock.runFor(HOUR_MS);
    for (const { pairId } of this.tenants)
      if (findPair(db, pairId)?.status !== 'active') throw new Error('a pair was not linked');
  }

  /** The busy pairs are edited without an end, and looked through again and again; now and then something happens that is to be told at once. */
  async flood(): Promise<void> {
    const { clock } = this.world;
    const random = this.#random.fork('flood');
    const moments = this.#random.fork('moments');
    const until = clock.now() + FLOOD_MS;
    // The first batches are on their way when it begins to count.
    let nextAt = clock.now() + 5_000;
    for (let edit = 1; clock.now() < until; edit += 1) {
      const busy = random.pick(this.tenants.slice(0, BUSY));
      const { outside, shelf } = busy.shops[random.pick(SIDES)];
      outside.editProduct(random.pick([...shelf.products.keys()]), 'title', `Flood ${edit}`);
      if (random.chance(0.01)) this.#lookThrough(busy);
      if (clock.now() >= nextAt) {
        nextAt = clock.now() + 500 + moments.int(2_000);
        this.#happen(moments);
      }
      await clock.runFor(EDIT_EACH_MS);
    }
    await clock.runFor(HOUR_MS);
  }

  #lookThrough({ pairId }: Tenant): void {
    try {
      requestRun(this.world.life().ctx, { pairId, trigger: 'reconcile' });
    } catch (error) {
      // Its last look is not at its end yet.
      if (!(error instanceof Refusal)) throw error;
    }
  }

  #happen(random: SeededRandom): void {
    const isQuiet = random.chance(0.7);
    const tenant = isQuiet ? this.quiet : random.pick(this.tenants.slice(0, BUSY));
    const side = random.pick(SIDES);
    const what = isQuiet && random.chance(0.5) ? 'edit' : 'sale';
    const here = tenant.shops[side];
    const there = tenant.shops[otherSide(side)];
    const isToldAsEdit = !here.personality.tellsStock;
    const common = {
      what,
      isQuiet,
      isToldAsEdit,
      at: this.world.clock.now(),
      shop: there,
      waiting: this.#waiting(tenant),
    } as const;
    // Each is touched once: what arrives of it is told by nothing else.
    const touched = new Set(this.acts.filter(({ shop }) => shop === there || shop === here).map(({ sku }) => sku));
    const products = [...here.shelf.products.values()].filter(
      ({ variants }) => !touched.has(variants[0]?.fields.sku ?? ''),
    );
    const product = random.pick(products);
    const [variant] = product.variants;
    const twin = variant === undefined ? undefined : there.shelf.holdersOf(variant.fields.sku)[0];
    if (variant === undefined || twin === undefined) throw new Error('a product of the host has no twin');
    const { sku } = variant.fields;
    if (what === 'sale') {
      here.outside.sell(variant.stockId, 1);
      this.acts.push({ ...common, sku, id: twin.variant.stockId, to: variant.quantity });
    } else {
      const title = `Quiet ${this.acts.length}`;
      here.outside.editProduct(product.id, 'title', title);
      this.acts.push({ ...common, sku, id: twin.product.id, to: title });
    }
  }

  #waiting({ pairId }: Tenant): Act['waiting'] {
    const { connection } = this.world.db;
    const sql = 'SELECT count(*) AS n, coalesce(sum(group_key = ?), 0) AS own FROM job WHERE task = ? AND run_at <= ?';
    const row = connection.prepare(sql).get(pairId, TASKS.syncProducts, this.world.clock.now());
    const { n, own } = row as { n: number; own: number };
    return { all: n, own };
  }
}

/** A seed of its own kind: what happens in a quiet pair, and what is sold in a busy one, must not wait for what others have to do. */
export async function simulateCrowd(options: { readonly seed: number }): Promise<SeedResult> {
  const host = new CrowdedHost(new SeededRandom(`crowded:${options.seed}`));
  const { world } = host;
  try {
    const startedAt = world.clock.now();
    host.stockShelves();
    host.boot();
    await host.link();
    await host.flood();
    const count = (what: Act['what']) => host.acts.filter((act) => act.what === what).length;
    return {
      violations: checkFairness(host),
      faults: {},
      actions: { sale: count('sale'), edit: count('edit') },
      coverage: {},
      virtualMs: world.clock.now() - startedAt,
      writes: host.shops.flatMap(({ shelf }) => shelf.ledger.entries.filter(({ by }) => by === 'us')).length,
    };
  } finally {
    world.end();
  }
}
