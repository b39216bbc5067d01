import {
  calmPlan,
  FAULT_NAMES,
  type FaultName,
  type RandomFaultPlan,
  randomPlan,
} from '../../connectors/memory/fault-plan.ts';
import { PERSONALITIES, type Personality } from '../../connectors/memory/personality.ts';
import { type ListingOutage, MemoryPlatform } from '../../connectors/memory/platform.ts';
import { type Db, transact } from '../../db/database.ts';
import { forgetRows } from '../../db/row-cache.ts';
import { insertPair, insertStore } from '../../db/writers/stores.ts';
import type { PairId, StoreId, WorkspaceId } from '../../model/ids.ts';
import { DEFAULT_PAIR_SETTINGS, type PairSettings } from '../../model/pair.ts';
import { type PerSide, SIDES, type Side } from '../../model/platform.ts';
import { type Shop, shopOf } from '../../model/shop.ts';
import type { Log } from '../../ports/log.ts';
import { openMemoryDatabase } from '../support/memory-database.ts';
import { makeProduct, muddleSomeSkus, restocked } from './catalogue.ts';
import type { Violation } from './check.ts';
import { LateOrigins } from './late-origins.ts';
import { type OurProcess, startProcess } from './process.ts';
import type { SeededRandom } from './random.ts';
import { VirtualClock } from './virtual-clock.ts';

/** Which platforms meet: with compare-and-set on both sides, as the real ones are, or with neither. */
export const CAPABILITY_SETS = ['keyed', 'real', 'plain'] as const;
export type CapabilitySet = (typeof CAPABILITY_SETS)[number];

const SETS: Readonly<Record<CapabilitySet, PerSide<Personality>>> = {
  keyed: { woocommerce: PERSONALITIES.wooPlugin, shopify: { ...PERSONALITIES.shopify, stockWrite: 'keyed' } },
  real: { woocommerce: PERSONALITIES.woo, shopify: PERSONALITIES.shopify },
  plain: {
    woocommerce: PERSONALITIES.woo,
    shopify: { ...PERSONALITIES.shopify, stockWrite: 'stamped', createBy: 'listing' },
  },
};

export const PAIR_ID = 'pair_sim' as PairId;
export const STORE_IDS: PerSide<StoreId> = { woocommerce: 'str_w' as StoreId, shopify: 'str_s' as StoreId };
const shopAt = (platform: Side) => ({ platform, address: `${platform}.test`, identity: `${platform}.test` });
/** What their locks go by. */
export const SHOPS: PerSide<Shop> = {
  woocommerce: shopOf(shopAt('woocommerce')),
  shopify: shopOf(shopAt('shopify')),
};
export const WORKSPACE_ID = 'ws_sim' as WorkspaceId;
const QUIET: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** [T3] What had left or waited for its turn when the settings changed goes on: a few requests one after another, each as long as we wait for one. */
const PASS_MS = 120_000;

/** Two shops, their people, a network, and our program, all on one virtual clock. */
export class World {
  readonly clock = new VirtualClock(undefined, { isPromisesOnly: true });
  readonly db: Db = openMemoryDatabase();
  readonly random: SeededRandom;
  readonly shops: PerSide<MemoryPlatform>;
  /** The pair's settings as they are, and each that held before, with the time at which it was given up. */
  settings: PairSettings;
  readonly #formerSettings: { readonly settings: PairSettings; readonly until: number }[] = [];
  readonly bugs: unknown[] = [];
  /** What was seen to be wrong at the very moment at which it happened. */
  readonly breaches: Violation[] = [];
  /** Faults of our own making. */
  readonly own = { killed: 0, slept: 0, revoked: 0, clock_skew: 0, shopify_clock_skew: 0, listing_outage: 0 };
  process: OurProcess | null = null;
  /** Batches that our process has in work at once. */
  concurrency = 8;
  /** Ids of the deliveries that we answered with 200, by store. */
  readonly acknowledged = new Set<string>();
  /** When a person looked through what had happened, and the guard began to count anew. */
  readonly lookedAt: number[] = [];
  /** When the listing of one shop or the other was empty. */
  readonly emptySpans: { readonly side: Side; readonly from: number; to: number }[] = [];
  /** When it came back after a day on which it was off; null: there was none. */
  backAt: number | null = null;
  /** When each life of our process began. */
  readonly boots: number[] = [];
  /** SKUs that led to more than one record before the first link. */
  readonly muddled: string[] = [];
  /** When the first link had come to rest: writes before it belong to it. */
  linkedAt = 0;
  readonly lateOrigins = new LateOrigins();
  readonly #plans: RandomFaultPlan[] = [];
  readonly #log: Log;
  /** How far each shop's clock is ahead of ours. */
  readonly #skewMs: Record<Side, number> = { woocommerce: 0, shopify: 0 };
  readonly #clocks: SeededRandom;
  #lives = 0;

  constructor(random: SeededRandom, set: CapabilitySet, settings: Partial<PairSettings>, log: Log = QUIET) {
    this.random = random;
    this.#clocks = random.fork('clocks');
    this.#log = log;
    this.settings = { ...DEFAULT_PAIR_SETTINGS, ...settings };
    const shop = (side: Side) =>
      new MemoryPlatform({
        name: `${side}.test`,
        personality: SETS[set][side],
        clock: this.clock,
        random: random.fork(side),
        faults: calmPlan(20),
        skewMs: () => this.#skewMs[side],
        firstId: side === 'woocommerce' ? 101n : 9_007_199_254_740_993n,
        deliver: (delivery) => this.#receive(side, delivery),
      });
    this.shops = { woocommerce: shop('woocommerce'), shopify: shop('shopify') };
    this.#insertRows();
  }

  async #receive(side: Side, delivery: Parameters<OurProcess['receive']>[1]): Promise<boolean> {
    const life = this.process;
    // Whatever was thrown at our door, the platform sees a failure.
    const isTaken = (await life?.receive(STORE_IDS[side], delivery).catch(() => false)) ?? false;
    const id = `${STORE_IDS[side]} ${delivery.headers['x-memory-delivery-id']}`;
    if (!isTaken && this.acknowledged.has(id) && life === this.process && this.isAlive() && !this.isAsleep())
      this.breaches.push({
        invariant: 'I10 nothing acknowledged is lost',
        message: `delivery ${id} was taken, came once more, and was refused`,
      });
    if (isTaken) this.acknowledged.add(id);
    return isTaken;
  }

  /** An open connection keeps the functions that were registered with it, and they this world: a worker that plays a hundred would keep them all. */
  end(): void {
    this.process?.kill();
    this.db.connection.close();
  }

  #insertRows(): void {
    const at = this.clock.now();
    transact(this.db, (tx) => {
      for (const side of SIDES) {
        insertStore(tx, {
          id: STORE_IDS[side],
          workspaceId: WORKSPACE_ID,
          name: side,
          ...shopAt(side),
          credentials: '',
          webhookSecret: '',
          webhookSecretPrevious: null,
          status: 'connected',
          statusReason: null,
          info: null,
          findings: [],
          webhookSources: null,
          isSandbox: false,
          changedCursor: null,
          lastContactAt: null,
          webhooksCheckedAt: null,
          createdAt: at,
        });
      }
      insertPair(tx, {
        id: PAIR_ID,
        workspaceId: WORKSPACE_ID,
        woocommerceStoreId: STORE_IDS.woocommerce,
        shopifyStoreId: STORE_IDS.shopify,
        settings: this.settings,
        status: 'setup',
        halt: null,
        guardSince: at,
        guardWaivedUntil: null,
        guardWaivedReason: null,
        linkedAt: null,
        scanNumber: 0,
        lastSyncAt: null,
        accuracy: null,
        createdAt: at,
      });
    });
  }

  /** Catalogues: most products in both shops, alike but for what first links have to settle; some in one only. */
  stockShelves(count: number): void {
    const random = this.random.fork('catalogue');
    for (let number = 1; number <= count; number += 1) {
      const record = makeProduct(random, number);
      const where = random.weighted({ both: 8, woocommerce: 1, shopify: 1 });
      const counts = this.random.fork(`stock ${number}`);
      // Two shops that sold apart until now seldom show the same number.
      const other = counts.chance(0.3) ? restocked(record, counts) : record;
      for (const side of SIDES)
        if (where === 'both' || where === side)
          this.shops[side].outside.addProduct(side === 'shopify' ? other : record);
    }
    this.muddled.push(...muddleSomeSkus(this.random.fork('muddles'), this.shops));
    // They have been there for long: every search knows them.
    for (const side of SIDES) for (const product of this.shops[side].shelf.products.values()) product.searchableAt = 0;
  }

  boot(): OurProcess {
    this.#lives += 1;
    this.boots.push(this.clock.now());
    // The file survives, what was in memory does not.
    forgetRows(this.db);
    this.process = startProcess({
      db: this.db,
      clock: this.clock,
      random: this.random.fork(`life:${this.#lives}`),
      shops: this.shops,
      storeIds: STORE_IDS,
      log: this.#log,
      concurrency: this.concurrency,
      onBug: (error) => this.bugs.push(error),
      onBreach: (breach) => this.breaches.push(breach),
      settingsHeld: (at) => this.settingsHeld(at),
    });
    return this.process;
  }

  isAlive(): boolean {
    return this.process?.clock.isAlive() === true;
  }

  /** Nobody can reach it, and nothing of it moves. */
  isAsleep(): boolean {
    return this.isAlive() && this.process?.clock.asleep() !== null;
  }

  /** The living process; a dead one is started again. */
  life(): OurProcess {
    return this.process !== null && this.isAlive() ? this.process : this.boot();
  }

  startFaults(): void {
    for (const side of SIDES) {
      const plan = randomPlan(this.random.fork(`faults:${side}`));
      this.#plans.push(plan);
      this.shops[side].faults = plan;
    }
  }

  /** What a shop's listings show from now on; null: all there is. */
  setListing(side: Side, outage: ListingOutage): void {
    const shop = this.shops[side];
    const now = this.clock.now();
    const open = this.emptySpans.findLast((span) => span.side === side);
    if (shop.listingOutage === 'empty' && open !== undefined) open.to = now;
    if (outage === 'empty') this.emptySpans.push({ side, from: now, to: Number.POSITIVE_INFINITY });
    shop.listingOutage = outage;
  }

  noteSettings(settings: PairSettings): void {
    this.#formerSettings.push({ settings: this.settings, until: this.clock.now() });
    this.settings = settings;
  }

  /** All that held at some moment from `since` to `at`, or under which a pass may have begun that did something at `at`. */
  settingsHeld(at: number, since = at - PASS_MS): readonly PairSettings[] {
    const ends = [...this.#formerSettings, { settings: this.settings, until: Number.POSITIVE_INFINITY }];
    return ends
      .filter(({ until }, i) => until >= since && (ends[i - 1]?.until ?? Number.NEGATIVE_INFINITY) <= at)
      .map(({ settings }) => settings);
  }

  /** From here on nothing goes wrong any more. */
  stopFaults(): void {
    for (const plan of this.#plans) plan.setIntensity(0);
    for (const side of SIDES) {
      this.shops[side].restoreCredentials();
      this.setListing(side, null);
      this.shops[side].readOutage = null;
    }
    for (const side of SIDES) this.#skewMs[side] = 0;
  }

  /** WooCommerce's clock is set; Shopify's is right, or wrong by itself, or by just as much, which is as if ours were wrong. */
  turnClock(ms: number, maxMs: number): void {
    const kind = this.#clocks.weighted({ right: 3, apart: 4, alike: 3 });
    const apartMs = Math.round((this.#clocks.unit() - 0.5) * 2 * maxMs);
    this.#skewMs.woocommerce = ms;
    this.#skewMs.shopify = { right: 0, apart: apartMs, alike: ms }[kind];
    this.own.clock_skew += 1;
    if (kind !== 'right') this.own.shopify_clock_skew += 1;
  }

  faultCounts(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const name of FAULT_NAMES)
      counts[name] = SIDES.reduce((sum, side) => sum + (this.shops[side].fired.get(name as FaultName) ?? 0), 0);
    return { ...counts, ...this.own };
  }
}
