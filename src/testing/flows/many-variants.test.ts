// Products of hundreds of variants: what is in hand at once is bounded by variants, not by products.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { listPlanItems } from '../../db/readers/view-plan.ts';
import { pageObservations, storeObservation } from '../../db/writers/observations.ts';
import { insertPlanItem, pagePlanItems } from '../../db/writers/runs.ts';
import { enqueueProductSync } from '../../engine/enqueue.ts';
import { loadPairView } from '../../engine/pair-view.ts';
import { updatePairSettings } from '../../engine/pairs/create-pair.ts';
import { planItem } from '../../engine/plan/plan-item.ts';
import { batches } from '../../lib/batches.ts';
import { VARIANTS_PER_BATCH } from '../../model/batch.ts';
import type { PlanId } from '../../model/ids.ts';
import type { PlanItemData } from '../../model/plan.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

const PRODUCTS = 12;
const VARIANTS = 600;

function largeShops(): EngineFlow {
  const flow = new EngineFlow();
  for (let p = 0; p < PRODUCTS; p += 1) {
    const variants = Array.from({ length: VARIANTS }, (_, v) => ({ sku: `S-${p}-${v}`, optionValues: [`${v}`] }));
    flow.stock(SIDES, { title: `Shirt ${p}`, optionNames: ['Size'] }, variants);
  }
  return flow;
}

test('a plan is applied, and a batch of jobs done, a few products at a time when they have many variants', async () => {
  const flow = largeShops();
  await flow.plan();
  const cursors = new Set<number>();
  flow.world.life().ctx.db.hooks.afterCommit.add(() => {
    for (const { cursor } of flow.rows<{ cursor: number }>('SELECT cursor FROM run')) cursors.add(cursor);
  });
  await flow.apply();
  assert.equal(flow.rows('SELECT 1 FROM product').length, PRODUCTS);
  // The cursor moves with each portion: a crash goes on there.
  assert.ok(cursors.size > (PRODUCTS * VARIANTS) / VARIANTS_PER_BATCH, `${cursors.size} portions`);

  const asked: number[] = [];
  for (const side of SIDES) {
    const own = flow.connector(side);
    flow.hands[side].readProducts = (ids, signal) => {
      asked.push(ids.length);
      return own.readProducts(ids, signal);
    };
  }
  const { ctx } = flow.world.life();
  const titles = Array.from({ length: PRODUCTS }, (_, p) => `Shirt ${p}`);
  const ids = titles.map((title) => flow.hub(title).row.id);
  transact(ctx.db, (tx) => {
    for (const productId of ids)
      enqueueProductSync(tx, PAIR_ID, { ref: { productId }, observe: SIDES }, ctx.clock.now());
  });
  await flow.rest();
  assert.equal(
    asked.reduce((sum, n) => sum + n, 0),
    PRODUCTS * 2,
  );
  assert.ok(Math.max(...asked) * VARIANTS <= VARIANTS_PER_BATCH, `${Math.max(...asked)} products at once`);
});

test('what a plan observed, and what it holds, is read in pages by size', () => {
  const flow = new EngineFlow();
  const { db } = flow.world.life().ctx;
  const text = 'x'.repeat(100_000);
  transact(db, (tx) => {
    for (let n = 0; n < 9; n += 1) {
      const snapshot = { externalId: `${n}`, adminUrl: text } as ProductSnapshot;
      storeObservation(tx, 'plan_x', 'shopify', snapshot, []);
      const data: PlanItemData = {
        side: null,
        reason: text.repeat(4),
        fields: [],
        stock: [],
        imageUrl: '',
        conflicts: 0,
      };
      insertPlanItem(tx, {
        ...{
          planId: 'plan_x' as PlanId,
          seq: n,
          action: 'link',
          productId: null,
          woocommerceId: null,
          shopifyId: null,
        },
        ...{ title: '', sku: '', fingerprint: '', data },
      });
    }
  });
  const observed: string[] = [];
  for (let page = pageObservations(db, 'plan_x', 'shopify', ''); page.length > 0; ) {
    assert.ok(page.length <= 3, `${page.length} records`);
    observed.push(...page.map(({ externalId }) => externalId));
    page = pageObservations(db, 'plan_x', 'shopify', observed.at(-1) ?? '');
  }
  assert.equal(observed.length, 9);
  const planned: number[] = [];
  for (let page = pagePlanItems(db, 'plan_x' as PlanId, -1, 100); page.length > 0; ) {
    assert.ok(page.length <= 3, `${page.length} items`);
    planned.push(...page.map(({ seq }) => seq));
    page = pagePlanItems(db, 'plan_x' as PlanId, planned.at(-1) ?? 0, 100);
  }
  assert.deepEqual(planned, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  const shown: number[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = listPlanItems(db, 'plan_x' as PlanId, { cursor, action: 'link' });
    assert.ok(page.rows.length <= 3 && page.total === 9, `${page.rows.length} of ${page.total} items`);
    shown.push(...page.rows.map(({ seq }) => seq));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  assert.deepEqual(shown, planned);
});

test('to plan a product of many variants each of them is looked at a few times, not once for each of the others', async () => {
  const flow = new EngineFlow();
  const variants = Array.from({ length: 400 }, (_, v) => ({ sku: `S-${v}`, optionValues: [`${v}`] }));
  flow.stock(SIDES, { title: 'Shirt', optionNames: ['Size'] }, variants);
  const view = loadPairView(flow.world.life().ctx, PAIR_ID);
  assert.ok(view);
  let looks = 0;
  const read = async (side: Side): Promise<ProductSnapshot> => {
    const [outcome] = await flow.world.clock.run(flow.connector(side).readProducts([flow.product(side, 'Shirt').id]));
    assert.ok(outcome?.ok);
    const counted = outcome.value.variants.map(({ externalId, ...rest }) => ({
      ...rest,
      get externalId() {
        looks += 1;
        return externalId;
      },
    }));
    return { ...outcome.value, variants: counted };
  };
  const [woocommerce, shopify] = [await read('woocommerce'), await read('shopify')];
  for (const snapshots of [{ woocommerce, shopify }, { woocommerce }]) {
    looks = 0;
    const item = planItem(view, null, snapshots, 'sku', 0);
    assert.equal(item.action, 'shopify' in snapshots ? 'link' : 'create');
    assert.ok(looks <= 40 * 400, `${looks} looks`);
  }
});

test('batches keep the order, and an entry that weighs more than a batch is one by itself', () => {
  const limits = { countMax: 3, weightMax: 10 };
  assert.deepEqual(
    batches([4, 4, 4, 20, 1, 1, 1, 1], (n) => n, limits),
    [[4, 4], [4], [20], [1, 1, 1], [1]],
  );
  assert.deepEqual(
    batches([], () => 1, limits),
    [],
  );
});

for (const then of ['goes on', 'is killed', 'is the source no more'] as const)
  test(`[S11, L4] a side with more than a thousand capped items becomes the source of one-way stock, a portion at a time, and the program ${then}`, async () => {
    const flow = new EngineFlow({ stockCap: 4, syncSchedule: then === 'goes on' ? 'realtime' : 'manual' });
    for (const p of [0, 1, 2]) {
      const variants = Array.from({ length: 400 }, (_, v) => ({ sku: `S-${p}-${v}`, optionValues: [`${v}`] }));
      flow.stock(SIDES, { title: `Shirt ${p}`, optionNames: ['Size'] }, variants);
    }
    await flow.link();
    const hub = () =>
      flow.rows<{ quantity: number; n: number }>('SELECT quantity, count(*) AS n FROM variant GROUP BY quantity');
    const { ctx } = flow.world.life();
    updatePairSettings(ctx, PAIR_ID, { syncDirection: 'woocommerce_to_shopify', stockTwoWay: false });
    const [few, most] = [
      { quantity: 4, n: 1_000 },
      { quantity: 10, n: 200 },
    ];
    assert.deepEqual(hub(), [few, most], 'what one transaction holds');
    if (then === 'is killed') {
      flow.world.process?.kill();
      flow.world.boot();
    } else if (then === 'is the source no more')
      updatePairSettings(ctx, PAIR_ID, { syncDirection: 'bidirectional', stockTwoWay: true });
    await flow.rest();
    assert.deepEqual(hub(), then === 'is the source no more' ? [few, most] : [{ quantity: 4, n: 1_200 }]);
    assert.equal(
      flow.rows("SELECT 1 FROM change WHERE field = 'stock' AND cause = 'first_link' AND \"to\" = '4'").length,
      then === 'is the source no more' ? 1_000 : 1_200,
      'each once in the history',
    );
    assert.deepEqual(flow.rows("SELECT 1 FROM job WHERE task = 'show_all'"), []);
    const looks = flow.rows("SELECT 1 FROM run WHERE trigger = 'realtime'");
    assert.equal(looks.length, then === 'goes on' ? 1 : 0, 'the full look follows it, once');
  });
