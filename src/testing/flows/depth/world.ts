import { type Db, transact } from '../../../db/database.ts';
import { findPair } from '../../../db/readers/pairs.ts';
import type { PairRow } from '../../../db/schema/pair.ts';
import type { PlanRow, RunRow } from '../../../db/schema/run.ts';
import { findPlan, findRun } from '../../../db/writers/runs.ts';
import { insertWorkspace } from '../../../db/writers/workspaces.ts';
import { createPair } from '../../../engine/pairs/create-pair.ts';
import { requestPlan } from '../../../engine/plan/plan-pair.ts';
import { applyPlan } from '../../../engine/runs/request-run.ts';
import { connectStore } from '../../../engine/stores/connect-store.ts';
import type { PairId, PlanId, RunId, StoreId, WorkspaceId } from '../../../model/ids.ts';
import type { PairSettings } from '../../../model/pair.ts';
import type { PerSide, Side } from '../../../model/platform.ts';
import type { RawDelivery } from '../../../ports/connector.ts';
import type { Log } from '../../../ports/log.ts';
import type { ShopifySandboxOptions } from '../../../sandbox/shopify/types.ts';
import type { WooSandboxOptions } from '../../../sandbox/woocommerce/options.ts';
import { SeededRandom } from '../../simulator/random.ts';
import { openMemoryDatabase } from '../../support/memory-database.ts';
import { DepthClock } from './depth-clock.ts';
import { type OurProcess, PUBLIC_URL, startProcess } from './process.ts';
import { openShops, SHOP_DOMAIN, SHOP_SECRET, SHOP_TOKEN, type Shops, WOO_KEY, WOO_URL } from './shops.ts';
import type { Host, RequestFate, Witness } from './wire.ts';

export const WORKSPACE_ID = 'ws_depth' as WorkspaceId;
const QUIET: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
/** A webhook is on its way for at most this long, ms. */
const DELIVERY_MAX_MS = 60;
const WAITS_MAX = 20_000;

export interface WorldOptions {
  readonly seed?: string;
  readonly log?: Log;
  readonly woo?: WooSandboxOptions;
  readonly shopify?: ShopifySandboxOptions;
  readonly witness?: (world: DepthWorld) => Witness;
  /** Other servers on the network, by host name. */
  readonly hosts?: Readonly<Record<string, Host>>;
  readonly shopifyApiVersion?: string;
  /** The Shopify app asks for tokens itself instead of having one for ever. */
  readonly usesClientCredentials?: boolean;
}

/** What becomes of one webhook between store and us. */
export type DeliveryFate = 'arrives' | 'lost' | 'doubled' | 'late' | 'refused';

/** Two sandbox stores, a network, and our program with its real connectors, all on one virtual clock. */
export class DepthWorld {
  readonly clock = new DepthClock(Date.UTC(2026, 10, 21, 9));
  readonly db: Db = openMemoryDatabase();
  readonly random: SeededRandom;
  readonly bugs: string[] = [];
  /** Webhooks that reached us, in order; `sent` ones that did not are not here. */
  readonly received: { readonly side: Side; readonly delivery: RawDelivery; readonly result: string | null }[] = [];
  shops!: Shops;
  process: OurProcess | null = null;
  stores!: PerSide<StoreId>;
  pairId!: PairId;
  /** What becomes of a webhook, and of a request of ours. */
  fate: (side: Side) => DeliveryFate = () => 'arrives';
  requestFate: (side: Side) => RequestFate = () => 'passes';
  readonly #log: Log;
  readonly #witness: Witness | undefined;
  readonly #options: WorldOptions;
  #lives = 0;

  private constructor(options: WorldOptions) {
    this.#options = options;
    this.random = new SeededRandom(`depth:${options.seed ?? 'flow'}`);
    this.#log = options.log ?? QUIET;
    this.#witness = options.witness?.(this);
  }

  static async open(options: WorldOptions = {}): Promise<DepthWorld> {
    const world = new DepthWorld(options);
    const random = world.random.fork('shops');
    const { woo, shopify } = options;
    world.shops = await openShops({
      clock: world.clock,
      random: () => random.unit(),
      deliver: (side, url, delivery) => world.#deliver(side, url, delivery),
      ...(woo === undefined ? {} : { woo }),
      ...(shopify === undefined ? {} : { shopify }),
    });
    transact(world.db, (tx) =>
      insertWorkspace(tx, { id: WORKSPACE_ID, name: 'Depth', isDemo: false, createdAt: world.clock.now() }),
    );
    world.boot();
    return world;
  }

  async #deliver(side: Side, url: string, delivery: RawDelivery): Promise<number> {
    const fate = this.fate(side);
    if (fate === 'lost') throw new Error('lost on the way');
    const way = this.random.fork(`way:${this.received.length}:${this.clock.now()}`);
    await this.clock.sleep(1 + way.int(fate === 'late' ? 300_000 : DELIVERY_MAX_MS));
    if (fate === 'refused') return 502;
    if (fate === 'doubled') await this.receive(side, url, delivery);
    const result = await this.receive(side, url, delivery);
    if (result === null) throw new Error('nobody listens');
    return result === 'not_authentic' ? 401 : result === 'unknown_store' ? 404 : 200;
  }

  /** Hands bytes to the webhook intake, as the route does. */
  async receive(side: Side, url: string, delivery: RawDelivery): Promise<string | null> {
    const path = `${PUBLIC_URL}/api/webhooks/`;
    if (!url.startsWith(path)) throw new Error(`a webhook went to ${url}`);
    const life = this.process;
    if (life === null || !life.clock.isAlive()) return null;
    const result = await life.receive(url.slice(path.length) as StoreId, delivery);
    this.received.push({ side, delivery, result });
    return result;
  }

  boot(): OurProcess {
    this.#lives += 1;
    const random = this.random.fork(`life:${this.#lives}`);
    const { hosts } = this.shops;
    this.process = startProcess({
      db: this.db,
      random,
      shopifyApiVersion: this.#options.shopifyApiVersion ?? null,
      log: this.#log,
      onBug: (text) => this.bugs.push(text),
      wire: {
        clock: this.clock,
        random: random.fork('wire'),
        hosts: new Map([
          [new URL(WOO_URL).host, hosts.woocommerce],
          [SHOP_DOMAIN, hosts.shopify],
          ...Object.entries(this.#options.hosts ?? {}),
        ]),
        fate: (side) => this.requestFate(side),
        ...(this.#witness === undefined ? {} : { witness: this.#witness }),
      },
    });
    return this.process;
  }

  isAlive(): boolean {
    return this.process?.clock.isAlive() === true;
  }

  /** The living process; a dead one is started again. */
  life(): OurProcess {
    return this.process !== null && this.isAlive() ? this.process : this.boot();
  }

  get ctx(): OurProcess['ctx'] {
    return this.life().ctx;
  }

  /** Connects both stores and joins them. */
  async pairUp(settings: Partial<PairSettings> = {}): Promise<PairRow> {
    const auth = this.#options.usesClientCredentials
      ? ({ type: 'client_credentials', clientId: 'client-id-of-the-app', clientSecret: SHOP_SECRET } as const)
      : ({ type: 'token', accessToken: SHOP_TOKEN, apiSecret: SHOP_SECRET } as const);
    const woo = await this.clock.run(
      connectStore(this.ctx, {
        workspaceId: WORKSPACE_ID,
        name: 'Woo',
        credentials: {
          platform: 'woocommerce',
          url: WOO_URL,
          consumerKey: WOO_KEY.key,
          consumerSecret: WOO_KEY.secret,
        },
      }),
    );
    const shopify = await this.clock.run(
      connectStore(this.ctx, {
        workspaceId: WORKSPACE_ID,
        name: 'Shop',
        credentials: { platform: 'shopify', shopDomain: SHOP_DOMAIN, auth },
      }),
    );
    this.stores = { woocommerce: woo.store.id, shopify: shopify.store.id };
    const pair = createPair(this.ctx, {
      workspaceId: WORKSPACE_ID,
      woocommerceStoreId: woo.store.id,
      shopifyStoreId: shopify.store.id,
      settings,
    });
    this.pairId = pair.id;
    await this.until(
      'webhooks at both stores',
      () =>
        this.shops.woo.controls.webhooks().length > 0 &&
        this.shops.shopify.controls.snapshot().subscriptions.length > 0,
    );
    return pair;
  }

  /** Asks for a plan and waits for it. */
  async plan(): Promise<PlanRow> {
    const { id } = requestPlan(this.ctx, this.pairId);
    return this.until('the plan', () => {
      const plan = findPlan(this.db, id);
      return plan === null || plan.status === 'planning' ? null : plan;
    });
  }

  /** Applies a plan and waits for the end of its run. */
  async apply(planId: PlanId, hash: string | null): Promise<RunRow> {
    return this.finished(applyPlan(this.ctx, planId, hash ?? '').id);
  }

  finished(runId: RunId): Promise<RunRow> {
    return this.until('the run', () => {
      const run = findRun(this.db, runId);
      return run === null || run.status === 'running' ? null : run;
    });
  }

  /** Pairs, plans, applies, and lets what follows come to rest. */
  async link(settings: Partial<PairSettings> = {}): Promise<{ readonly plan: PlanRow; readonly run: RunRow }> {
    await this.pairUp(settings);
    const plan = await this.plan();
    if (plan.hash === null) throw new Error(`the plan is ${plan.status}: ${plan.errorMessage}`);
    const run = await this.apply(plan.id, plan.hash);
    await this.clock.runFor(10_000);
    return { plan, run };
  }

  pair(): PairRow {
    const pair = findPair(this.db, this.pairId);
    if (pair === null) throw new Error('there is no pair');
    return pair;
  }

  /** Lets time pass until `read` gives something; a life that was killed on the way is started again. */
  async until<T>(what: string, read: () => T | null | false, stepMs = 200): Promise<T> {
    for (let step = 0; step < WAITS_MAX; step += 1) {
      const value = read();
      if (value !== null && value !== false) return value;
      this.life();
      await this.clock.runFor(stepMs);
    }
    throw new Error(`${what} never came`);
  }

  async close(): Promise<void> {
    this.process?.kill();
    await this.shops.close();
    this.db.connection.close();
  }
}
