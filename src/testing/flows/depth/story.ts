import assert from 'node:assert/strict';
import { pageProducts } from '../../../db/readers/products.ts';
import type { PlanRow } from '../../../db/schema/run.ts';
import { listOpenConflicts } from '../../../db/writers/history.ts';
import { pagePlanItems } from '../../../db/writers/runs.ts';
import { type HubState, loadHub } from '../../../engine/hub.ts';
import { requestRun } from '../../../engine/runs/request-run.ts';
import type { PairSettings } from '../../../model/pair.ts';
import type { Side } from '../../../model/platform.ts';
import type { Log } from '../../../ports/log.ts';
import { Ledger } from './ledger.ts';
import { type ShelfItem, shelfOf } from './shelf.ts';
import { SHOP_DOMAIN, SHOP_TOKEN, WOO_KEY, WOO_URL } from './shops.ts';
import { DepthWorld, type WorldOptions } from './world.ts';

/** Long enough for a webhook, what it causes, and its echo. */
const REST_MS = 20_000;

export interface OpenProblem {
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  readonly subject: string;
}

/** What is in the middle of a test: two linked stores, their people, and a look at everything. */
export class Story {
  readonly world: DepthWorld;
  readonly ledger: Ledger;

  private constructor(world: DepthWorld, ledger: Ledger) {
    this.world = world;
    this.ledger = ledger;
  }

  /** Opens two stores with nothing in them. */
  static async open(options: WorldOptions & { readonly log?: Log } = {}): Promise<Story> {
    let ledger: Ledger | null = null;
    const world = await DepthWorld.open({
      ...options,
      witness: (self) => {
        ledger = new Ledger(self);
        return ledger;
      },
    });
    assert.ok(ledger);
    return new Story(world, ledger);
  }

  /** Plays `tell`; afterwards the program must have made no fault, and another look at everything must write nothing. */
  static async play(
    tell: (story: Story) => Promise<void>,
    options: WorldOptions & { readonly isRestless?: boolean } = {},
  ): Promise<void> {
    const story = await Story.open(options);
    try {
      await tell(story);
      assert.deepEqual(story.world.bugs, []);
      if (options.isRestless !== true) await story.checkRest();
      assert.deepEqual(story.ledger.violations, []);
    } finally {
      await story.world.close();
    }
  }

  get woo() {
    return this.world.shops.woo.controls;
  }

  get shop() {
    return this.world.shops.shopify.controls;
  }

  /** The one thing with this SKU on a shelf. */
  item(side: Side, sku: string): ShelfItem {
    const found = shelfOf(this.world.shops, side).filter((row) => row.sku === sku);
    assert.equal(found.length, 1, `one ${sku} on ${side}, not ${found.length}`);
    return found[0]!;
  }

  shelf(side: Side): readonly ShelfItem[] {
    return shelfOf(this.world.shops, side);
  }

  /** The stock of both shelves, WooCommerce's first. */
  stock(sku: string): readonly (number | null)[] {
    return [this.item('woocommerce', sku).stock, this.item('shopify', sku).stock];
  }

  /** The same simple product in both stores. */
  addBoth(sku: string, change: { title?: string; price?: string; stock?: number; tags?: string[] } = {}): void {
    const { title = `Thing ${sku}`, price = '10.00', stock = 10, tags = [] } = change;
    this.woo.addProduct({ title, sku, regularPrice: price, stock, tags });
    this.shop.addProduct({ title, sku, price, stock, tags });
  }

  link(settings: Partial<PairSettings> = {}): Promise<{ readonly plan: PlanRow }> {
    return this.world.link(settings);
  }

  rest(ms = REST_MS): Promise<void> {
    return this.world.clock.runFor(ms);
  }

  /** A full sync, and what follows from it. */
  async sync(): Promise<void> {
    await this.world.finished(requestRun(this.world.ctx, { pairId: this.world.pairId, trigger: 'manual' }).id);
    await this.rest();
  }

  /** A full look at two shelves at rest writes nothing. */
  async checkRest(): Promise<void> {
    await this.rest();
    const before = this.ledger.landedWrites();
    await this.sync();
    assert.equal(this.ledger.landedWrites() - before, 0, 'a full look at two shelves at rest writes nothing');
  }

  hub(sku: string): HubState {
    const { db, pairId } = this.world;
    for (const { id } of pageProducts(db, pairId, '', 10_000)) {
      const hub = loadHub(db, id);
      if (hub !== null && [...hub.variants.values()].some((variant) => variant.sku === sku)) return hub;
    }
    throw new Error(`the pair does not know ${sku}`);
  }

  conflicts(sku: string) {
    return listOpenConflicts(this.world.db, this.hub(sku).row.id);
  }

  problems(): readonly OpenProblem[] {
    return this.world.db.connection
      .prepare("SELECT code, message, remedy, subject FROM problem WHERE state = 'open' ORDER BY code")
      .all() as OpenProblem[];
  }

  codes(): readonly string[] {
    return this.problems().map(({ code }) => code);
  }

  planItems(plan: PlanRow) {
    return pagePlanItems(this.world.db, plan.id, 0, 10_000);
  }

  /** By hand, past our connectors: WooCommerce's own API. */
  async wooApi<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T> {
    const auth = Buffer.from(`${WOO_KEY.key}:${WOO_KEY.secret}`).toString('base64');
    const answer = await this.world.shops.hosts.woocommerce.inject({
      method,
      url: `${WOO_URL}/wp-json/wc/v3${path}`,
      headers: { authorization: `Basic ${auth}`, 'content-type': 'application/json' },
      timeoutMs: 1_000,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
    return JSON.parse(answer.body.toString()) as T;
  }

  /** By hand, past our connectors: Shopify's own API. */
  async shopApi<T = Record<string, unknown>>(query: string, variables: Record<string, unknown> = {}): Promise<T> {
    const answer = await this.world.shops.hosts.shopify.inject({
      method: 'POST',
      url: `https://${SHOP_DOMAIN}/admin/api/2026-10/graphql.json`,
      headers: { 'x-shopify-access-token': SHOP_TOKEN, 'content-type': 'application/json' },
      timeoutMs: 1_000,
      body: JSON.stringify({ query, variables }),
    });
    const body = JSON.parse(answer.body.toString()) as { data?: T; errors?: unknown };
    assert.ok(body.data !== undefined && body.errors === undefined, JSON.stringify(body).slice(0, 500));
    for (const payload of Object.values(body.data as Record<string, { userErrors?: unknown[] } | null>))
      assert.deepEqual(payload?.userErrors ?? [], []);
    return body.data;
  }
}
