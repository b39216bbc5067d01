import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { conflict, problem } from '../../db/schema/history.ts';
import { pair } from '../../db/schema/pair.ts';
import { product, productBinding } from '../../db/schema/product.ts';
import type { ConflictId, PairId, ProblemId, ProductId, StoreId } from '../../model/ids.ts';
import { insertWorld } from '../../testing/http/insert-world.ts';
import { makeTestApp } from '../../testing/http/make-test-app.ts';

test('a pair, the overview and the list of records count the same records as level', async () => {
  await using app = await makeTestApp();
  const { headers, workspace } = app.person();
  const world = insertWorld(app.db, workspace.id, app.clock.now());
  const [mug] = app.db.query.select().from(product).all();
  const bindings = app.db.query.select().from(productBinding).all();
  const [clash] = app.db.query.select().from(conflict).all();
  const [trouble] = app.db.query.select().from(problem).all();
  assert.ok(mug !== undefined && clash !== undefined && trouble !== undefined && bindings.length === 2);
  const add = (tag: string, change: Partial<typeof mug> = {}, sides = 2): ProductId => {
    const id = `prd_${tag}` as ProductId;
    transact(app.db, (tx) => {
      tx.query
        .insert(product)
        .values({ ...mug, id, ...change })
        .run();
      for (const binding of bindings.slice(0, sides))
        tx.query
          .insert(productBinding)
          .values({ ...binding, productId: id, externalId: `${tag}-${binding.side}` })
          .run();
    });
    return id;
  };
  add('fine');
  add('gone', { state: 'deleted' });
  add('alone', {}, 1);
  const warned = add('warned');
  transact(app.db, (tx) => {
    // A second field of the same record, and warnings: more rows than records.
    tx.query
      .insert(conflict)
      .values({ ...clash, id: 'cfl_2' as ConflictId, field: 'descriptionHtml' })
      .run();
    for (const n of [1, 2, 3]) {
      const about = { productId: warned, subject: `${warned}${n}`, level: 'warning' as const };
      tx.query
        .insert(problem)
        .values({ ...trouble, id: `prb_${n}` as ProblemId, ...about })
        .run();
    }
  });
  const get = async (url: string) => (await app.server.inject({ url, headers })).json();
  const { counts } = (await get(`/api/pairs/${world.pairId}`)).pair;
  assert.deepEqual([counts.records, counts.level, counts.conflicts], [4, 2, 2]);
  const { stats, pairs } = await get('/api/dashboard/overview');
  assert.deepEqual([stats.totalProducts, stats.recordsLevel], [counts.records, counts.level]);
  assert.deepEqual(pairs[0].pair.counts, counts);
  assert.deepEqual((await get('/api/pairs')).pairs[0].counts, counts);
  const { stateCounts } = await get('/api/records');
  assert.equal(stateCounts.level, counts.level);
});

test('a product of a store that one of its pairs holds for deleted counts as long as another pair has it', async () => {
  await using app = await makeTestApp();
  const { headers, workspace } = app.person();
  const world = insertWorld(app.db, workspace.id, app.clock.now());
  const [mug] = app.db.query.select().from(product).all();
  const [first] = app.db.query.select().from(pair).all();
  const bindings = app.db.query.select().from(productBinding).all();
  assert.ok(mug !== undefined && first !== undefined);
  const [pairId, productId] = ['pair_second' as PairId, 'prd_second' as ProductId];
  transact(app.db, (tx) => {
    tx.query
      .insert(pair)
      .values({ ...first, id: pairId, woocommerceStoreId: 'str_other' as StoreId })
      .run();
    tx.query
      .insert(product)
      .values({ ...mug, id: productId, pairId, state: 'deleted' })
      .run();
    for (const binding of bindings.filter(({ side }) => side === 'shopify'))
      tx.query
        .insert(productBinding)
        .values({ ...binding, pairId, productId })
        .run();
  });
  const told = async () => {
    const { stats } = (await app.server.inject({ url: `/api/stores/${world.storeIds.shopify}/stats`, headers })).json();
    return stats.linkedProducts;
  };
  assert.equal(await told(), 1);
  transact(app.db, (tx) => tx.query.update(product).set({ state: 'deleted' }).run());
  assert.equal(await told(), 0);
});
