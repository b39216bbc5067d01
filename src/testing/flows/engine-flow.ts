import assert from 'node:assert/strict';
import type { NewProductRecord, ProductRecord } from '../../connectors/memory/records.ts';
import { transact } from '../../db/database.ts';
import { findPair, getStore } from '../../db/readers/pairs.ts';
import { findProductByExternal } from '../../db/readers/products.ts';
import { findPlan } from '../../db/writers/runs.ts';
import { updatePair } from '../../db/writers/stores.ts';
import { enqueuePoll, enqueueProductSync } from '../../engine/enqueue.ts';
import { type HubState, loadHub } from '../../engine/hub.ts';
import { requestPlan } from '../../engine/plan/plan-pair.ts';
import { applyPlan, requestRun } from '../../engine/runs/request-run.ts';
import { enqueueWebhookCheck } from '../../engine/stores/connect-store.ts';
import { present } from '../../lib/assert.ts';
import type { PairSettings } from '../../model/pair.ts';
import type { PlanItemData } from '../../model/plan.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { ProductFields, VariantFields } from '../../model/product.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { Connector } from '../../ports/connector.ts';
import { SeededRandom } from '../simulator/random.ts';
import { type CapabilitySet, PAIR_ID, STORE_IDS, World } from '../simulator/world.ts';
import { fields, variant } from '../support/products.ts';
import { bound, refusing } from './hands-on-connector.ts';

const MINUTE_MS = 60_000;

export interface PlannedRow {
  readonly action: string;
  readonly title: string;
  readonly data: PlanItemData;
}

/** Two shops on in-memory platforms, linked by the real engine, jobs and database, on a quiet day: for one thing at a time. */
export class EngineFlow {
  readonly world: World;
  readonly #plain: (side: Side) => Connector;

  constructor(settings: Partial<PairSettings> = {}, set: CapabilitySet = 'real') {
    this.world = new World(new SeededRandom('flow'), set, settings);
    const { ctx } = this.world.boot();
    const { forStore } = ctx.connectors;
    const stores = new Map(SIDES.map((side) => [side, getStore(this.world.db, STORE_IDS[side])]));
    this.#plain = (side) => bound(forStore(present(stores.get(side), side), null));
    // Which products a platform cannot hold is known by its connector; the memory platform holds everything.
    Object.assign(ctx.connectors, {
      forStore: (...args: Parameters<typeof forStore>) => {
        const connector = forStore(...args);
        return refusing(connector, this, this.hands[connector.platform]);
      },
    });
  }

  /** Takes the place of single functions of a side's connector: for what no platform does, such as a fault of the connector itself. */
  readonly hands: Record<Side, Partial<Connector>> = { woocommerce: {}, shopify: {} };

  /** A side's own connector, without hands laid on it. */
  connector(side: Side): Connector {
    return this.#plain(side);
  }

  /** By title: products that the connectors say cannot be kept the same. */
  readonly unsyncable = new Map<string, NonNullable<ProductSnapshot['unsyncable']>>();

  /** By title: products that their shop hides, and why. */
  readonly withheld = new Map<string, string>();

  /** The same product in both shops, or in one. Variants: quantity by SKU. */
  stock(where: readonly Side[], change: Partial<ProductFields>, variants: readonly FlowVariant[]): void {
    for (const side of where) this.world.shops[side].outside.addProduct(record(change, variants));
  }

  /** First link: plan and apply, then a quarter of an hour for everything to come to rest. */
  async link(): Promise<this> {
    await this.plan();
    await this.apply();
    return this;
  }

  async plan(): Promise<readonly PlannedRow[]> {
    // The shops are not new: their searches know everything.
    await this.rest(1);
    const { ctx } = this.world.life();
    transact(ctx.db, (tx) => {
      for (const side of SIDES) enqueueWebhookCheck(tx, STORE_IDS[side], this.world.clock.now());
    });
    const plan = requestPlan(ctx, PAIR_ID);
    for (let i = 0; findPlan(this.world.db, plan.id)?.status === 'planning'; i += 1) {
      assert.ok(i < 600, 'the plan is ready within ten minutes');
      await this.world.clock.runFor(1_000);
    }
    this.#planId = plan.id;
    return this.rows<{ action: string; title: string; data: string }>(
      'SELECT action, title, data FROM plan_item ORDER BY seq',
    ).map((row) => ({ ...row, data: JSON.parse(row.data) as PlanItemData }));
  }

  #planId: ReturnType<typeof requestPlan>['id'] | null = null;

  planStatus(): NonNullable<ReturnType<typeof findPlan>> {
    const plan = this.#planId === null ? null : findPlan(this.world.db, this.#planId);
    assert.ok(plan);
    return plan;
  }

  async apply(): Promise<void> {
    const plan = this.#planId === null ? null : findPlan(this.world.db, this.#planId);
    assert.ok(plan?.hash, `there is no plan to apply: ${plan?.status} ${plan?.errorMessage}`);
    applyPlan(this.world.life().ctx, plan.id, plan.hash);
    await this.rest();
    assert.notEqual(this.status(), 'linking');
  }

  /** A quarter of an hour. */
  async rest(minutes = 15): Promise<void> {
    await this.world.clock.runFor(minutes * MINUTE_MS);
    assert.deepEqual(this.world.bugs, [], 'no bug');
  }

  async poll(minutes?: number): Promise<void> {
    const { ctx } = this.world.life();
    transact(ctx.db, (tx) => {
      for (const side of SIDES) enqueuePoll(tx, STORE_IDS[side], ctx.clock.now());
    });
    await this.rest(minutes);
  }

  /** The nightly comparison of both catalogues. */
  async scan(): Promise<void> {
    requestRun(this.world.life().ctx, { pairId: PAIR_ID, trigger: 'reconcile' });
    await this.rest();
  }

  /** Looks at both sides of one product in one pass. */
  async lookAt(title: string, minutes?: number): Promise<void> {
    const { ctx } = this.world.life();
    const productId = this.hub(title).row.id;
    transact(ctx.db, (tx) => enqueueProductSync(tx, PAIR_ID, { ref: { productId }, observe: SIDES }, ctx.clock.now()));
    await this.rest(minutes);
  }

  shop(side: Side) {
    return this.world.shops[side];
  }

  /** The record of a shop by its title as it is now; the first of several. */
  product(side: Side, title: string): ProductRecord {
    const found = [...this.shop(side).shelf.products.values()].find((product) => product.fields.title === title);
    assert.ok(found, `${side} has "${title}"`);
    return found;
  }

  count(side: Side): number {
    return this.shop(side).shelf.products.size;
  }

  /** The stock address of a SKU. */
  item(side: Side, sku: string): string {
    for (const product of this.shop(side).shelf.products.values())
      for (const own of product.variants) if (own.fields.sku === sku && !own.isArchived) return own.stockId;
    throw new assert.AssertionError({ message: `${side} has no item ${sku}` });
  }

  quantity(side: Side, sku: string): number {
    return this.shop(side).shelf.items.get(this.item(side, sku))?.variant.quantity ?? Number.NaN;
  }

  quantities(sku: string): readonly number[] {
    return SIDES.map((side) => this.quantity(side, sku));
  }

  hub(title: string): HubState {
    for (const side of SIDES) {
      for (const product of this.shop(side).shelf.products.values()) {
        if (product.fields.title !== title) continue;
        const productId = findProductByExternal(this.world.db, PAIR_ID, side, product.id);
        const hub = productId === null ? null : loadHub(this.world.db, productId);
        if (hub !== null) return hub;
      }
    }
    throw new assert.AssertionError({ message: `"${title}" is not linked` });
  }

  hubQuantity(sku: string): number {
    const [row] = this.rows<{ quantity: number }>('SELECT quantity FROM variant WHERE sku = ?', sku);
    assert.ok(row, `the hub has no ${sku}`);
    return row.quantity;
  }

  /** Codes of open problems. */
  problems(): readonly string[] {
    return this.rows<{ code: string }>("SELECT code FROM problem WHERE state = 'open' ORDER BY code").map(
      ({ code }) => code,
    );
  }

  /** What a person reads about a problem. */
  words(code: string): { readonly message: string; readonly remedy: string } {
    const [row] = this.rows<{ message: string; remedy: string }>(
      "SELECT message, remedy FROM problem WHERE code = ? AND state = 'open'",
      code,
    );
    assert.ok(row, `no open problem ${code}, only ${this.problems().join(', ')}`);
    assert.ok(row.message.length > 20 && row.remedy.length > 10);
    return row;
  }

  conflicts(): readonly {
    readonly field: string;
    readonly side: Side;
    readonly version: number;
    readonly id: string;
  }[] {
    return this.rows("SELECT id, field, side, version FROM conflict WHERE state = 'open'");
  }

  changes(field: string): readonly {
    readonly from: unknown;
    readonly to: unknown;
    readonly cause: string;
    readonly target: string | null;
  }[] {
    return this.rows<{ from: string | null; to: string | null; cause: string; target: string | null }>(
      'SELECT "from", "to", cause, target FROM change WHERE field = ? ORDER BY rowid',
      field,
    ).map((row) => ({ ...row, from: JSON.parse(row.from ?? 'null'), to: JSON.parse(row.to ?? 'null') }));
  }

  /** Entries of a shop's own book that we caused. */
  ours(side: Side, kind?: string): number {
    return this.shop(side).shelf.ledger.entries.filter(
      (entry) => entry.by === 'us' && (kind === undefined || entry.kind === kind),
    ).length;
  }

  status(): string {
    return findPair(this.world.db, PAIR_ID)?.status ?? 'gone';
  }

  halt(): { readonly reason: string; readonly count: number; readonly limit: number } | null {
    return findPair(this.world.db, PAIR_ID)?.halt ?? null;
  }

  change(settings: Partial<PairSettings>): void {
    const pair = findPair(this.world.db, PAIR_ID);
    assert.ok(pair);
    transact(this.world.db, (tx) => updatePair(tx, PAIR_ID, { settings: { ...pair.settings, ...settings } }));
  }

  rows<T>(sql: string, ...values: unknown[]): T[] {
    return this.world.db.connection.prepare(sql).all(...values) as T[];
  }
}

export interface FlowVariant extends Partial<VariantFields> {
  readonly quantity?: number;
  readonly tracked?: boolean;
}

export function record(change: Partial<ProductFields>, variants: readonly FlowVariant[]): NewProductRecord {
  return {
    fields: fields({ handle: (change.title ?? 'Mug').toLowerCase().replace(/\W+/g, '-'), ...change }),
    variants: variants.map(({ quantity = 10, tracked = true, ...own }) => ({
      fields: variant(own),
      stock: { tracked, quantity },
    })),
  };
}
