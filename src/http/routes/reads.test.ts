import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eq } from 'drizzle-orm';
import { transact } from '../../db/database.ts';
import { type ProductRow, product } from '../../db/schema/product.ts';
import type { RunRow } from '../../db/schema/run.ts';
import { run } from '../../db/schema/run.ts';
import { store } from '../../db/schema/store.ts';
import { closeProblemsBySubject, raiseProblem, recordChange } from '../../db/writers/history.ts';
import { enqueueJob } from '../../db/writers/jobs.ts';
import { updateProduct } from '../../db/writers/products.ts';
import { updatePair, updateStore } from '../../db/writers/stores.ts';
import type { ProblemId, ProductId } from '../../model/ids.ts';
import type { CanonicalProduct } from '../../model/product.ts';
import type { ConnectorHealth } from '../../ports/connector.ts';
import { insertWorld, variantIdOf } from '../../testing/http/insert-world.ts';
import { makeTestApp, type TestApp } from '../../testing/http/make-test-app.ts';

async function setUp(app: TestApp) {
  const person = app.person();
  const world = insertWorld(app.db, person.workspace.id, app.clock.now());
  const get = async (url: string, status = 200) => {
    const reply = await app.server.inject({ url, headers: person.headers });
    assert.equal(reply.statusCode, status, `${url}: ${reply.body.slice(0, 300)}`);
    return reply.json();
  };
  return { ...person, world, get };
}

test('stores carry the names of the specification and never a credential', async () => {
  await using app = await makeTestApp({
    engine: {
      storeHealth: () => ({
        lastContactAt: 1_700_000_000_000,
        lastErrorAt: null,
        lastErrorKind: null,
        callCount: 7,
        failureCount: 0,
        throttledCount: 0,
        latencyP50Ms: 40,
        latencyP99Ms: 90,
      }),
    },
  });
  const { get, world } = await setUp(app);
  const list = await get('/api/stores?limit=1');
  assert.equal(list.total, 2);
  const [store] = list.stores;
  assert.equal(store._id, world.storeIds.woocommerce);
  assert.equal(store.domain, 'woo.example');
  assert.equal(store.url, 'https://woo.example/shop');
  assert.equal(store.health.connectionStatus, 'healthy');
  assert.deepEqual(Object.keys(store.syncStats), ['totalProducts', 'totalOrders', 'lastSync']);
  assert.equal(store.syncStats.totalOrders, null, 'orders are not mirrored: no number, not even 0');
  assert.match(store.createdAt, /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.doesNotMatch(JSON.stringify(list), /SEALED/);
  const second = await get(`/api/stores?limit=1&cursor=${list.nextCursor}`);
  assert.equal(second.stores[0].platform, 'shopify');
  assert.equal(second.nextCursor, null);
  assert.equal((await get('/api/stores?platform=shopify&q=GARDEN')).total, 1);
  const { stats } = await get(`/api/stores/${world.storeIds.shopify}/stats`);
  assert.deepEqual([stats.openProblems, stats.totalOrders], [1, null]);
  await get('/api/stores?cursor=nonsense', 422);
  await get('/api/stores?limit=1000', 422);
  await get('/api/stores?limit=1.5', 422);
});

test('a store has at least the products that were linked since it was asked for their number', async () => {
  await using app = await makeTestApp();
  const { get, world } = await setUp(app);
  const told = async () => {
    const { store } = await get(`/api/stores/${world.storeIds.shopify}`);
    const { stats } = await get(`/api/stores/${world.storeIds.shopify}/stats`);
    assert.equal(stats.totalProducts, store.syncStats.totalProducts);
    return [stats.totalProducts, stats.linkedProducts];
  };
  const ask = (productCount: number) => {
    const info = app.db.query.select().from(store).where(eq(store.id, world.storeIds.shopify)).get()?.info;
    transact(app.db, (tx) =>
      updateStore(tx, world.storeIds.shopify, { info: info ? { ...info, productCount } : null }),
    );
  };
  ask(0);
  assert.deepEqual(await told(), [1, 1], 'made by us after the store was connected');
  ask(7);
  assert.deepEqual(await told(), [7, 1]);
  ask(0);
  transact(app.db, (tx) => tx.query.update(product).set({ state: 'deleted', deletedOn: 'shopify' }).run());
  assert.deepEqual(await told(), [0, 0], 'a record that was deleted is not there');
});

test('a store that does not answer is not called healthy, on either list', async () => {
  const at = 1_700_000_000_000;
  const idle = { callCount: 7, failureCount: 1, throttledCount: 0, latencyP50Ms: 40, latencyP99Ms: 90 };
  let health: ConnectorHealth = { ...idle, lastContactAt: null, lastErrorAt: null, lastErrorKind: null };
  await using app = await makeTestApp({ engine: { storeHealth: () => health } });
  const { get, world, workspace } = await setUp(app);
  const told = async () => {
    const [one] = (await get('/api/stores?platform=woocommerce')).stores;
    const [pair] = (await get('/api/pairs')).pairs;
    return [one.health.connectionStatus, pair.woocommerce.connectionStatus];
  };
  transact(app.db, (tx) => updateStore(tx, world.storeIds.woocommerce, { lastContactAt: at }));
  assert.deepEqual(await told(), ['healthy', 'healthy']);
  for (const lastErrorKind of ['unavailable', 'timeout', 'unknown_outcome']) {
    health = { ...health, lastErrorAt: at + 1, lastErrorKind };
    assert.deepEqual(await told(), ['unknown', 'unknown'], lastErrorKind);
  }
  health = { ...health, lastErrorKind: 'rate_limited' };
  assert.deepEqual(await told(), ['healthy', 'healthy'], 'who asks us to slow down is there');
  health = { ...health, lastErrorKind: 'unavailable', lastContactAt: at + 2 };
  assert.deepEqual(await told(), ['healthy', 'healthy'], 'it has answered since');
  const about = {
    pairId: world.pairId,
    storeId: world.storeIds.woocommerce,
    productId: null,
    side: 'woocommerce',
  } as const;
  const words = { code: 'STORE_AWAY', level: 'error', message: 'It has not answered.', remedy: 'See.' } as const;
  transact(app.db, (tx) => {
    const row = { workspaceId: workspace.id, subject: about.storeId, details: null, ...about, ...words };
    raiseProblem(tx, 'prb_away' as ProblemId, row, at);
  });
  assert.deepEqual(await told(), ['error', 'error']);
  transact(app.db, (tx) => closeProblemsBySubject(tx, world.pairId, 'STORE_AWAY', about.storeId, at));
  assert.deepEqual(await told(), ['healthy', 'healthy']);
});

test('pairs are listed with their stores, counts and suggestions', async () => {
  await using app = await makeTestApp();
  const { get, world } = await setUp(app);
  const { pairs, suggestions } = await get('/api/pairs');
  assert.equal(pairs[0].counts.records, 1);
  assert.equal(pairs[0].openPlanId, world.planId);
  assert.equal(pairs[0].settings.syncDirection, 'bidirectional');
  assert.deepEqual(suggestions, []);
  const halt = { reason: 'mass_delete', side: 'shopify', count: 40, limit: 10, at: 0 } as const;
  transact(app.db, (tx) => updatePair(tx, world.pairId, { status: 'halted', halt }));
  const { pair } = await get(`/api/pairs/${world.pairId}`);
  // What a halted pair has to do waits, however long it has been due.
  for (const task of ['sync_stock', 'sync_products']) {
    const job = { key: task, task, groupKey: world.pairId, payload: {}, priority: 0, runAt: 0 };
    transact(app.db, (tx) => enqueueJob(tx, job));
  }
  const queued = async () => {
    const { queue } = await get('/api/sync/queue/status');
    return [queue.ready, queue.waiting];
  };
  assert.deepEqual(await queued(), [1, 1], 'save for its stock [G1]');
  assert.match(
    pair.halt.message,
    /^40 products were deleted.*The last was deleted in Shopify.* in real time stock goes on; everything else waits\.$/,
  );
  const overview = await get('/api/dashboard/overview');
  assert.equal(overview.needsYou[0].type, 'halted');
  const shrunken = { ...halt, reason: 'shrunken_listing' } as const;
  transact(app.db, (tx) => updatePair(tx, world.pairId, { halt: shrunken }));
  assert.deepEqual(await queued(), [0, 2]);
  const { message } = (await get(`/api/pairs/${world.pairId}`)).pair.halt;
  assert.match(message, /^40 linked products are missing from what Shopify listed \(the limit is 10\).*then resume\.$/);
});

test('a plan is read page by page, by action, side and words', async () => {
  await using app = await makeTestApp();
  const { get, world } = await setUp(app);
  const { plan } = await get(`/api/plans/${world.planId}?limit=2`);
  assert.equal(plan.hash, 'h1');
  assert.equal(plan.currency, 'EUR');
  assert.deepEqual(plan.actionCounts, { link: 1, create: 1, none: 1 });
  assert.deepEqual([plan.items.length, plan.itemCount], [2, 3]);
  const line = { label: 'MUG', woocommerce: 10, shopify: 9, result: 9, rule: 'smaller' };
  assert.deepEqual(plan.items[0].stock, [line]);
  assert.deepEqual(plan.items[1].stock, [{ ...line, only: 'shopify' }], 'the other side keeps its number');
  const rest = await get(`/api/plans/${world.planId}?limit=2&cursor=${plan.nextCursor}`);
  assert.deepEqual(
    rest.plan.items.map((item: { title: string }) => item.title),
    ['Oil bottle'],
  );
  const titles = async (query: string) =>
    (await get(`/api/plans/${world.planId}?${query}`)).plan.items.map((item: { title: string }) => item.title);
  assert.deepEqual(await titles('action=create'), ['Wool throw']);
  assert.deepEqual(await titles('side=shopify'), ['Enamel mug']);
  assert.deepEqual(await titles('side=woocommerce'), ['Enamel mug', 'Wool throw'], 'the stock of the first is written');
  const { items, counts } = (await get(`/api/plans/${world.planId}?unlike=true`)).plan;
  const links = items.map(({ unlike }: { unlike: unknown }) => unlike);
  assert.deepEqual([links, counts.unlike], [[{ woocommerce: 'Enamel mug', shopify: 'Mug' }], 1]);
  assert.deepEqual(await titles('q=oil'), ['Oil bottle']);
  assert.deepEqual(await titles('q=%25'), [], 'a percent sign is a percent sign');
  await get(`/api/plans/${world.planId}?action=explode`, 422);
});

test('the history is searched by store, entity and status, and paged by offset or cursor', async () => {
  await using app = await makeTestApp();
  const { get, world, workspace } = await setUp(app);
  transact(app.db, (tx) => {
    for (let n = 0; n < 5; n += 1) {
      const row: RunRow = {
        id: `run_${n}` as RunRow['id'],
        workspaceId: workspace.id,
        pairId: world.pairId,
        planId: null,
        trigger: 'scheduled',
        direction: 'woocommerce_to_shopify',
        area: n === 4 ? 'inventory' : 'all',
        status: n === 0 ? 'failed' : 'completed',
        progress: 100,
        stats: { totalProcessed: 2, successful: 2, failed: 0, written: 1, skipped: 1 },
        errorCode: n === 0 ? 'STORE_UNREACHABLE' : null,
        errorMessage: n === 0 ? 'Connection timeout' : null,
        cursor: 0,
        scanNumber: 2,
        isCancelRequested: false,
        startedAt: app.clock.now() + 1000 + n,
        finishedAt: app.clock.now() + 2000 + n,
      };
      tx.query.insert(run).values(row).run();
    }
  });
  const page = await get('/api/sync/history?limit=200');
  assert.equal(page.total, 6);
  const [log] = page.syncLogs;
  assert.equal(log.storeName, 'Garden Shop and Garden Shop 2');
  assert.equal(log.duration, 1000);
  assert.deepEqual([log.entityType, log.direction], ['inventory', 'woocommerce_to_shopify'], 'as they were then');
  assert.equal((await get('/api/sync/history?q=FAIL')).total, 1);
  assert.equal((await get('/api/sync/history?q=garden')).total, 6);
  assert.equal((await get('/api/sync/history?q=shop%20and%20garden')).total, 6, 'the name as it is shown');
  assert.equal((await get('/api/sync/history?q=removed')).total, 0);
  assert.equal((await get('/api/sync/history?q=all')).total, 5);
  assert.equal((await get('/api/sync/history?entityType=inventory')).total, 1);
  assert.equal((await get('/api/sync/history?q=nothing')).total, 0);
  assert.equal((await get('/api/sync/history?entityType=orders')).total, 0);
  const ids = (logs: { _id: string }[]) => logs.map((one) => one._id);
  const byOffset = await get('/api/sync/history?limit=2&offset=2');
  const first = await get('/api/sync/history?limit=2');
  const byCursor = await get(`/api/sync/history?limit=2&cursor=${first.nextCursor}`);
  assert.deepEqual(ids(byOffset.syncLogs), ids(byCursor.syncLogs));
  const { stats } = await get('/api/sync/stats?period=week');
  assert.deepEqual([stats.total, stats.failed, stats.recordsProcessed], [6, 1, 11]);
  const detail = await get(`/api/runs/${world.runId}`);
  assert.deepEqual(detail.outcomeCounts, { written: 1 });
  assert.equal(detail.items[0].recordId, world.productId);
  assert.deepEqual(
    [detail.items[0].writes, detail.items[0].writeCount],
    [[], 0],
    'what a shop changed was not written',
  );
  assert.equal((await get(`/api/sync/status/${world.runId}`)).run.status, 'completed');
  assert.equal((await get('/api/sync/queue/status')).queue.ready, 0);
});

test('records that are read page by page by their ids are all met, whatever changes meanwhile', async () => {
  await using app = await makeTestApp();
  const { get, world, workspace } = await setUp(app);
  const second = insertWorld(app.db, app.person().workspace.id, app.clock.now());
  transact(app.db, (tx) => updatePair(tx, second.pairId, { workspaceId: workspace.id }));
  const [record] = app.db.query.select().from(product).all();
  assert.ok(record !== undefined);
  const others = ['prod_b', 'prod_a', 'prod_c'].map((id) => ({ ...record, id: id as ProductId, pairId: world.pairId }));
  transact(app.db, (tx) => tx.query.insert(product).values(others).run());
  const all = [world.productId, second.productId, ...others.map(({ id }) => id)].sort();
  const read = async (sort: string) => {
    const met: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await get(`/api/records?limit=2&sort=${sort}&cursor=${cursor}`);
      met.push(...page.records.map((one: { _id: string }) => one._id));
      cursor = page.nextCursor;
      // Each page is followed by a change of what was not given yet.
      const next = all.find((id) => !met.includes(id));
      app.clock.advance(1);
      if (next === undefined) continue;
      transact(app.db, (tx) => updateProduct(tx, next as ProductId, { updatedAt: app.clock.now() }));
    }
    return met;
  };
  assert.deepEqual(await read('id'), all);
  assert.ok((await read('changed')).length < all.length);
  const { nextCursor } = await get('/api/records?limit=2');
  await get(`/api/records?sort=id&cursor=${nextCursor}`, 422);
  await get('/api/records?sort=id&q=mug', 422);
  assert.equal((await get('/api/records?sort=id&state=conflict')).records.length, 2);
});

test('a record shows both sides, what was agreed, and its history', async () => {
  await using app = await makeTestApp();
  const { get, world } = await setUp(app);
  const list = await get('/api/records?q=mug');
  assert.equal(list.records[0].state, 'conflict');
  assert.deepEqual(list.stateCounts.conflict, 1);
  assert.equal((await get('/api/records?state=level')).records.length, 0);
  assert.equal((await get('/api/records?q=MUG')).records.length, 1, 'by SKU');
  const { record, changes } = await get(`/api/records/${world.productId}`);
  assert.equal(record.hub.variants[0].quantity, 9);
  assert.equal(record.shopify.externalId, 'shopify-1');
  assert.equal(record.woocommerce.variants[0].variantId, variantIdOf(world));
  assert.deepEqual([changes[0].field, changes[0].from, changes[0].to], ['stock', 10, 9]);
  assert.equal(record.conflicts[0]._id, world.conflictId);
  assert.equal(record.problems[0].code, 'WRITE_REJECTED');
});

test('each side of a record is told as its platform shows it, in its own currency', async () => {
  const held = (product: CanonicalProduct, apart: string[] = []) => ({ product, apart });
  await using app = await makeTestApp({
    engine: {
      heldBy(id) {
        const { data } = app.db.query.select().from(product).where(eq(product.id, id)).get() as ProductRow;
        const draft = { ...data, fields: { ...data.fields, status: 'draft' as const } };
        return { woocommerce: held(draft), shopify: held({ ...data, variants: {} }, ['title']) };
      },
    },
  });
  const { get, world } = await setUp(app);
  const info = app.db.query.select().from(store).where(eq(store.id, world.storeIds.shopify)).get()?.info;
  assert.ok(info);
  transact(app.db, (tx) => updateStore(tx, world.storeIds.shopify, { info: { ...info, currency: 'JPY' } }));
  const { record } = await get(`/api/records/${world.productId}`);
  assert.deepEqual([record.woocommerce.fields.status, record.shopify.fields.status], ['draft', 'active']);
  assert.deepEqual([record.woocommerce.variants.length, record.shopify.variants.length], [1, 0]);
  assert.deepEqual([record.woocommerce.apart, record.shopify.apart], [[], ['title']]);
  assert.deepEqual([record.woocommerce.currency, record.shopify.currency, record.currency], ['EUR', 'JPY', 'EUR']);
});

test('conflicts stand by position and by role; problems and activity have words', async () => {
  await using app = await makeTestApp();
  const { get } = await setUp(app);
  const { conflicts, total } = await get('/api/conflicts');
  assert.equal(total, 1);
  const [conflict] = conflicts;
  assert.deepEqual(
    [conflict.woocommerce, conflict.agreed, conflict.shopify, conflict.hub, conflict.remote],
    ['Enamel mug', 'Mug', 'Enamelled mug', 'Enamel mug', 'Enamelled mug'],
  );
  assert.equal((await get('/api/conflicts?state=closed')).total, 0);
  assert.equal((await get('/api/problems?level=error')).total, 1);
  assert.equal((await get('/api/problems?q=refused')).total, 1);
  const { activity, filterCounts, lastSeq } = await get('/api/activity');
  assert.equal(activity[0].text, 'Stock of Enamel mug changed in Shopify: 10 → 9');
  assert.equal(activity[0].seq, lastSeq);
  assert.deepEqual(filterCounts, { all: 1, orders: 0, products: 1, errors: 0 });
  assert.equal((await get('/api/activity?filter=errors')).activity.length, 0);
  assert.equal((await get(`/api/activity?after=${lastSeq}`)).activity.length, 0);
  assert.equal((await get(`/api/activity?before=${lastSeq}`)).activity.length, 0);
  assert.equal((await get(`/api/activity?before=${lastSeq + 1}`)).activity.length, 1);
});

test('the overview of an empty workspace is empty, and of a full one complete', async () => {
  await using app = await makeTestApp();
  const { get } = await setUp(app);
  const full = await get('/api/dashboard/overview');
  assert.equal(full.pairs[0].heartbeat.length, 1);
  assert.equal(full.stats.totalProducts, 1);
  assert.equal(full.usage.syncsThisMonth, 1);
  assert.deepEqual([full.usage.ordersSyncedToday, full.usage.ordersThisMonth], [null, null]);
  assert.deepEqual(
    full.needsYou.map((one: { type: string }) => one.type),
    ['conflicts', 'problems'],
  );
  const nobody = app.person();
  const reply = await app.server.inject({ url: '/api/dashboard/overview', headers: nobody.headers });
  assert.deepEqual(reply.json().stores, []);
});

test('what happened over time is counted hour by hour and day by day, and only what is asked for', async () => {
  await using app = await makeTestApp();
  const { get, world } = await setUp(app);
  const now = app.clock.now();
  const fails = { ...app.db.query.select().from(run).get(), id: 'run_failed', status: 'failed' } as RunRow;
  transact(app.db, (tx) => {
    tx.query
      .insert(run)
      .values({ ...fails, startedAt: now - 3 * 86_400_000 })
      .run();
    tx.query
      .insert(run)
      .values({ ...fails, id: 'run_old' as RunRow['id'], startedAt: now - 40 * 86_400_000 })
      .run();
    const { pairId, productId } = world;
    const wrote = { pairId, productId, runId: null, variantId: null, field: 'title', from: 'a', to: 'b' };
    for (const at of [now, now - 86_400_000]) {
      recordChange(tx, { ...wrote, origin: 'woocommerce', target: 'shopify', cause: 'outside_change', at });
    }
  });
  insertWorld(app.db, app.person().workspace.id, now);
  const sums = (reply: { analytics: { buckets: Record<string, number | string>[] } }) => {
    const { buckets } = reply.analytics;
    const sum = (key: string) => buckets.reduce((total, bucket) => total + Number(bucket[key]), 0);
    return { buckets: buckets.length, syncs: sum('syncs'), failed: sum('failedSyncs'), changes: sum('changes') };
  };
  const month = await get('/api/dashboard/analytics');
  const stats = (await get('/api/sync/stats')).stats;
  assert.deepEqual(sums(month), { buckets: 30, syncs: 2, failed: 1, changes: stats.changes });
  assert.deepEqual([stats.changes, stats.total], [2, 2], 'the same as the other page says');
  assert.equal(month.analytics.buckets.at(-4).failedSyncs, 1);
  assert.equal(month.analytics.buckets.at(-1).conflicts, 1);
  assert.equal(month.analytics.buckets.at(-1).problems, 1);
  assert.equal(month.analytics.buckets[0].at, month.analytics.since);
  const day = await get(`/api/dashboard/analytics?period=day&pairId=${world.pairId}`);
  assert.deepEqual([sums(day).buckets, sums(day).syncs, sums(day).failed], [24, 1, 0]);
  assert.equal(sums(await get('/api/dashboard/analytics?pairId=pair_other')).syncs, 0);
  await get('/api/dashboard/analytics?period=year', 422);
});
