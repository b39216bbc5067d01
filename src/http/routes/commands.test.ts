import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { transact } from '../../db/database.ts';
import type { PairRow } from '../../db/schema/pair.ts';
import type { PlanRow, RunRow } from '../../db/schema/run.ts';
import { type StoreRow, store } from '../../db/schema/store.ts';
import type { StoreId } from '../../model/ids.ts';
import { Refusal } from '../../model/refusal.ts';
import { insertWorld, type World } from '../../testing/http/insert-world.ts';
import { makeTestApp } from '../../testing/http/make-test-app.ts';
import { storeRow } from '../../testing/http/world-rows.ts';
import type { EngineApi } from '../engine-api.ts';
import { misplacedIn } from '../pair-form.ts';

/** An engine that answers with what the world holds. */
function engineOf(world: () => World): Partial<EngineApi> {
  return {
    connectStore: async () => ({ store: { id: world().storeIds.woocommerce } as StoreRow, findings: [] }),
    testStore: async () => [{ code: 'REACHABLE', level: 'error', message: 'It does not answer.', remedy: 'Start it.' }],
    createPair: () => ({ id: world().pairId }) as PairRow,
    requestPlan: () => ({ id: world().planId }) as PlanRow,
    applyPlan: () => ({ id: world().runId }) as RunRow,
    requestRun: () => ({ id: world().runId }) as RunRow,
  };
}

async function setUp(engine: Partial<EngineApi> = {}) {
  let world: World | null = null;
  const current = () => world as World;
  const app = await makeTestApp({ engine: { ...engineOf(current), ...engine } });
  const person = app.person();
  world = insertWorld(app.db, person.workspace.id, app.clock.now());
  const send = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
    const reply = await app.server.inject({ method, url, headers: person.headers, ...(payload ? { payload } : {}) });
    return { status: reply.statusCode, body: reply.json() };
  };
  return { app, world, send, workspaceId: person.workspace.id };
}

test('a workspace has no more stores than its pages show', async () => {
  const { app, send, workspaceId } = await setUp();
  await using _ = app;
  const form = { name: 'S', platform: 'shopify', shopDomain: 'x.myshopify.com', accessToken: 'shpat' };
  const { total } = (await send('GET', '/api/stores')).body;
  const add = (from: number, to: number) =>
    transact(app.db, (tx) => {
      for (let n = from; n < to; n += 1) {
        const row = storeRow(`str_more${n}` as StoreId, workspaceId, 'shopify', app.clock.now());
        tx.query
          .insert(store)
          .values({ ...row, identity: `more ${n}` })
          .run();
      }
    });
  add(total, 199);
  assert.equal((await send('POST', '/api/stores/connect', form)).status, 201);
  add(199, 200);
  const { status, body } = await send('POST', '/api/stores/connect', form);
  assert.deepEqual([status, body.error.code], [409, 'LIMIT_REACHED']);
  assert.equal(app.calls.filter(({ name }) => name === 'connectStore').length, 1, 'nobody is called for it');
});

test('stores that are sent at once do not pass the limit together, and one that is refused keeps no place', async () => {
  let end = () => {};
  const looked = new Promise<void>((resolve) => {
    end = resolve;
  });
  const { app, send, workspaceId } = await setUp({
    connectStore: async () => {
      await looked;
      throw new Refusal('STORE_CHECK_FAILED', 'It does not answer.', { findings: [] });
    },
  });
  await using _ = app;
  const form = { name: 'S', platform: 'shopify', shopDomain: 'x.myshopify.com', accessToken: 'shpat' };
  const { total } = (await send('GET', '/api/stores')).body;
  transact(app.db, (tx) => {
    for (let n = total; n < 199; n += 1) {
      const row = storeRow(`str_more${n}` as StoreId, workspaceId, 'shopify', app.clock.now());
      tx.query
        .insert(store)
        .values({ ...row, identity: `more ${n}` })
        .run();
    }
  });
  const first = send('POST', '/api/stores/connect', form);
  while (app.calls.every(({ name }) => name !== 'connectStore')) await turn();
  const second = await send('POST', '/api/stores/connect', form);
  assert.equal(second.body.error.code, 'LIMIT_REACHED');
  end();
  assert.equal((await first).body.error.code, 'STORE_CHECK_FAILED');
  assert.equal((await send('POST', '/api/stores/connect', form)).body.error.code, 'STORE_CHECK_FAILED');
});

test('a WooCommerce store and both kinds of Shopify store reach the engine as credentials', async () => {
  const { app, send, workspaceId } = await setUp();
  await using _ = app;
  const woo = {
    name: ' Shop ',
    platform: 'woocommerce',
    url: 'https://x.example',
    consumerKey: 'ck',
    consumerSecret: 'cs',
  };
  const connected = await send('POST', '/api/stores/connect', woo);
  assert.equal(connected.status, 201);
  assert.equal(typeof connected.body.store._id, 'string');
  assert.deepEqual(connected.body.findings, []);
  const shop = { name: 'S', platform: 'shopify', shopDomain: 'x.myshopify.com' };
  await send('POST', '/api/stores/connect', { ...shop, accessToken: 'shpat', apiSecret: 'sec' });
  await send('POST', '/api/stores/connect', { ...shop, clientId: 'id', clientSecret: 'sec' });
  const asked = app.calls.filter((call) => call.name === 'connectStore').map((call) => call.args[0]);
  assert.deepEqual(asked, [
    {
      workspaceId,
      name: 'Shop',
      platform: 'woocommerce',
      credentials: { platform: 'woocommerce', url: 'https://x.example', consumerKey: 'ck', consumerSecret: 'cs' },
    },
    {
      workspaceId,
      name: 'S',
      platform: 'shopify',
      credentials: {
        platform: 'shopify',
        shopDomain: 'x.myshopify.com',
        auth: { type: 'token', accessToken: 'shpat', apiSecret: 'sec' },
      },
    },
    {
      workspaceId,
      name: 'S',
      platform: 'shopify',
      credentials: {
        platform: 'shopify',
        shopDomain: 'x.myshopify.com',
        auth: { type: 'client_credentials', clientId: 'id', clientSecret: 'sec' },
      },
    },
  ]);
});

test('a connect form with holes names each of them with its remedy', async () => {
  const { app, send } = await setUp();
  await using _ = app;
  const { status, body } = await send('POST', '/api/stores/connect', { platform: 'woocommerce', name: 'x' });
  assert.equal(status, 422);
  const fields = body.error.details.fields.map((one: { field: string }) => one.field);
  assert.deepEqual(fields, ['url', 'consumerKey', 'consumerSecret']);
  const keys = { platform: 'woocommerce', name: 'x', url: 'https://shop.example', consumerKey: 'cs_1' };
  const mixed = await send('POST', '/api/stores/connect', { ...keys, consumerSecret: 'ck_1' });
  assert.equal(mixed.status, 422);
  assert.deepEqual(mixed.body.error.details.fields, [
    { field: 'consumerKey', message: 'consumerKey: this is the consumer secret; the key begins with ck_' },
    { field: 'consumerSecret', message: 'consumerSecret: this is the consumer key; the secret begins with cs_' },
  ]);
  const unknown = await send('POST', '/api/stores/connect', { platform: 'magento' });
  assert.deepEqual(unknown.body.error.details.fields, [
    { field: 'platform', message: 'platform: must be one of woocommerce, shopify' },
  ]);
});

test("the doctor's findings come with the refusal", async () => {
  const findings = [
    { code: 'KEY_READ_ONLY', level: 'error', message: 'The key is read-only.', remedy: 'Make another.' },
  ];
  const { app, send } = await setUp({
    connectStore: async () => {
      throw new Refusal('STORE_CHECK_FAILED', 'The key is read-only.', { findings });
    },
  });
  await using _ = app;
  const form = { name: 'x', platform: 'woocommerce', url: 'https://x.example', consumerKey: 'a', consumerSecret: 'b' };
  const { status, body } = await send('POST', '/api/stores/connect', form);
  assert.equal(status, 422);
  assert.deepEqual(body.error.details.findings, findings);
});

test('a store moves with the keys that were typed, or the stored ones; without an address it does not', async () => {
  const { app, send, world } = await setUp({ moveStore: async () => [] });
  await using _ = app;
  const path = `/api/stores/${world.storeIds.woocommerce}/move`;
  const command = () => app.calls.findLast((call) => call.name === 'moveStore')?.args[0];
  const storeId = world.storeIds.woocommerce;
  assert.equal((await send('POST', path, { url: ' https://new.example ' })).status, 200);
  assert.deepEqual(command(), { storeId, address: 'https://new.example', credentials: null });
  const keys = { consumerKey: 'ck_1', consumerSecret: 'cs_1' };
  assert.equal((await send('POST', path, { url: 'https://new.example', ...keys })).status, 200);
  assert.deepEqual(command(), {
    ...{ storeId, address: 'https://new.example' },
    credentials: { platform: 'woocommerce', url: 'https://new.example', ...keys },
  });
  for (const [body, field] of [
    [{}, 'url'],
    [{ url: ' ' }, 'url'],
    [{ shopDomain: 'new.myshopify.com' }, 'url'],
    [{ url: 'https://new.example', consumerSecret: 'cs_1' }, 'consumerKey'],
  ] as const) {
    const { status, body: refused } = await send('POST', path, body);
    assert.deepEqual([status, refused.error.details.fields[0].field], [422, field]);
  }
  const shop = `/api/stores/${world.storeIds.shopify}/move`;
  assert.equal((await send('POST', shop, { shopDomain: 'new.myshopify.com' })).status, 200);
  assert.deepEqual(command(), {
    ...{ storeId: world.storeIds.shopify, address: 'new.myshopify.com', credentials: null },
  });
});

test('pair forms take both spellings of a direction, the old field map, and say what they cannot do', async () => {
  const { app, send, world } = await setUp();
  await using _ = app;
  const created = await send('POST', '/api/pairs', {
    woocommerceStoreId: world.storeIds.woocommerce,
    shopifyStoreId: world.storeIds.shopify,
    syncDirection: 'woocommerce-to-shopify',
    syncSchedule: 'hourly',
    fieldMapping: { syncInventory: false, syncImages: true },
    syncOrders: true,
    ...{ rateLimit: 500, retryAttempts: 1, enableLogging: true },
    isAdmin: true,
  });
  assert.equal(created.status, 201);
  assert.equal(created.body.notices.length, 2);
  const command = app.calls.find((call) => call.name === 'createPair')?.args[0] as { settings: object };
  assert.deepEqual(command.settings, {
    syncSchedule: 'hourly',
    syncDirection: 'woocommerce_to_shopify',
    syncInventory: false,
    ...{ rateLimit: 500, retryAttempts: 1, enableLogging: true },
  });
  const patched = await send('PATCH', `/api/pairs/${world.pairId}`, { rateLimit: 50 });
  assert.deepEqual(patched.body.error.details.fields, [
    { field: 'rateLimit', message: 'rateLimit: must be at least 100' },
  ]);
  const swapped = await send('POST', '/api/pairs', {
    woocommerceStoreId: world.storeIds.shopify,
    shopifyStoreId: world.storeIds.woocommerce,
  });
  assert.equal(swapped.status, 422);
});

test('the settings of a pair that come with a store’s form are said to belong to its pair, and change nothing', async () => {
  const { app, send, world } = await setUp({ renameStore: () => undefined });
  await using _ = app;
  const path = `/api/stores/${world.storeIds.shopify}`;
  const form = { name: 'Mine', syncProducts: true, syncOrders: true, autoSync: false, syncInterval: 7 };
  const { status, body } = await send('PATCH', path, form);
  assert.equal(status, 200);
  assert.equal(body.store._id, world.storeIds.shopify);
  assert.deepEqual(body.notices, [
    `Settings of a pair, not of a store: syncProducts, syncOrders, autoSync, syncInterval. Nothing was changed by them. Send them to PATCH /api/pairs/${world.pairId}.`,
    'Orders are not copied by this version. Stock needs no orders: every sale travels as stock.',
  ]);
  const asked = app.calls.map(({ name: call }) => call);
  assert.deepEqual([asked.includes('renameStore'), asked.includes('updatePairSettings')], [true, false]);
  assert.deepEqual((await send('PATCH', path, { name: 'Mine', webhookSources: null })).body.notices, []);
  assert.deepEqual(misplacedIn({ enableLogging: true, syncCustomers: false }, []), [
    'Settings of a pair, not of a store: syncCustomers, enableLogging. Nothing was changed by them. Send them to POST /api/pairs, which joins this store with another one.',
  ]);
});

test('the store form’s autoSync is realtime or by hand, where no schedule is named', async () => {
  const { app, send, world } = await setUp();
  await using _ = app;
  for (const [body, settings] of [
    [
      { autoSync: true, syncInterval: 30 },
      { syncSchedule: 'realtime', syncInterval: 30 },
    ],
    [{ autoSync: false }, { syncSchedule: 'manual' }],
    [{ autoSync: true, syncSchedule: 'hourly' }, { syncSchedule: 'hourly' }],
  ] as const) {
    assert.equal((await send('PATCH', `/api/pairs/${world.pairId}`, body)).status, 200);
    const command = app.calls.findLast((call) => call.name === 'updatePairSettings');
    assert.deepEqual(command?.args[1], settings);
  }
});

test('plan, apply, sync and cancel answer 202 with what was asked for', async () => {
  const { app, send, world } = await setUp();
  await using _ = app;
  const planned = await send('POST', `/api/pairs/${world.pairId}/plan`);
  assert.deepEqual([planned.status, planned.body.plan._id], [202, world.planId]);
  const applied = await send('POST', `/api/plans/${world.planId}/apply`, { hash: 'h1' });
  assert.deepEqual([applied.status, applied.body.run._id], [202, world.runId]);
  assert.equal((await send('POST', `/api/plans/${world.planId}/apply`, {})).status, 422);
  const synced = await send('POST', '/api/sync/manual', { pairId: world.pairId });
  assert.deepEqual([synced.status, synced.body.run._id], [202, world.runId]);
  assert.equal((await send('POST', '/api/sync/manual', { storeId: world.storeIds.shopify })).status, 202);
  assert.equal((await send('POST', '/api/sync/manual', {})).status, 422);
  assert.equal((await send('POST', `/api/sync/cancel/${world.runId}`)).status, 202);
  const tested = await send('POST', `/api/stores/${world.storeIds.shopify}/test-connection`);
  assert.deepEqual([tested.status, tested.body.isOk], [200, false]);
});

test('a halted pair answers 409 with its reason', async () => {
  const { app, send, world } = await setUp({
    requestRun: () => {
      throw new Refusal('PAIR_HALTED', 'It was halted.', { halt: { reason: 'mass_delete' } });
    },
  });
  await using _ = app;
  const { status, body } = await send('POST', '/api/sync/manual', { pairId: world.pairId });
  assert.equal(status, 409);
  assert.deepEqual([body.error.code, body.error.message], ['PAIR_HALTED', 'It was halted.']);
  assert.deepEqual(body.error.details, { halt: { reason: 'mass_delete' } });
  assert.match(body.error.requestId, /^req_/);
});

test("a choice by position becomes the engine's; a stale one comes back with the fresh card", async () => {
  const { app, send, world } = await setUp({
    resolveConflict: ({ expectedVersion }) => {
      if (expectedVersion !== 3) throw new Refusal('CONFLICT_MOVED', 'It moved.');
    },
  });
  await using _ = app;
  const url = `/api/conflicts/${world.conflictId}/resolution`;
  for (const choice of ['hub', 'remote', 'woocommerce', 'shopify', 'agreed']) {
    assert.equal((await send('POST', url, { choice, expectedVersion: 3 })).status, 200, choice);
  }
  assert.equal((await send('POST', url, { choice: 'value', expectedVersion: 3, value: 'Mug 2' })).status, 200);
  const choices = app.calls
    .filter((call) => call.name === 'resolveConflict')
    .map((call) => call.args[0] as { choice: string; value?: unknown })
    .map(({ choice, value }) => (value === undefined ? choice : `${choice}:${value}`));
  assert.deepEqual(choices, ['hub', 'remote', 'hub', 'remote', 'value:Mug', 'value:Mug 2']);
  assert.equal((await send('POST', url, { choice: 'value', expectedVersion: 3 })).status, 422);
  const stale = await send('POST', url, { choice: 'hub', expectedVersion: 2 });
  assert.equal(stale.status, 409);
  assert.equal(stale.body.error.details.conflict.version, 3);
});

test('several choices are answered each for itself, in order; what was resolved is in the audit log, as one alone is', async () => {
  const { app, send, world } = await setUp({
    resolveConflict: ({ expectedVersion }) => {
      if (expectedVersion === 3) return;
      throw expectedVersion === 2
        ? new Refusal('CONFLICT_MOVED', 'A value changed while you were deciding. Look again.')
        : new Refusal('CONFLICT_CLOSED', 'This conflict is settled already.');
    },
  });
  await using _ = app;
  const stranger = insertWorld(app.db, app.person().workspace.id, app.clock.now());
  const at = (conflictId: string, version: number, choice = 'shopify') => ({ conflictId, version, choice });
  const { status, body } = await send('POST', '/api/conflicts/resolutions', {
    choices: [
      at(world.conflictId, 2),
      at(world.conflictId, 3),
      at('cfl_none', 3),
      at(stranger.conflictId, 3),
      at(world.conflictId, 1, 'agreed'),
    ],
  });
  assert.equal(status, 200);
  assert.deepEqual(
    body.results.map((one: { outcome: string; code: string | null }) => [one.outcome, one.code]),
    [
      ['refused', 'CONFLICT_MOVED'],
      ['done', null],
      ['refused', 'NOT_FOUND'],
      ['refused', 'NOT_FOUND'],
      ['refused', 'CONFLICT_CLOSED'],
    ],
  );
  const asked = app.calls.filter(({ name }) => name === 'resolveConflict').map(({ args }) => args[0]);
  const own = { conflictId: world.conflictId };
  assert.deepEqual(asked, [
    { ...own, expectedVersion: 2, choice: 'remote' },
    { ...own, expectedVersion: 3, choice: 'remote' },
    { ...own, expectedVersion: 1, choice: 'value', value: 'Mug' },
  ]);
  const { entries } = (await send('GET', '/api/workspace/audit')).body;
  assert.deepEqual(
    entries.map((entry: { action: string; target: string }) => [entry.action, entry.target]),
    [['conflict.settled', world.conflictId]],
  );
});

test('a request decides of a hundred conflicts at most, holds the event loop for no more than a few, and types no value', async () => {
  let inOneTurn = 0;
  let most = 0;
  const { app, send, world } = await setUp({
    resolveConflict: () => {
      inOneTurn += 1;
      most = Math.max(most, inOneTurn);
      if (inOneTurn === 1)
        setImmediate(() => {
          inOneTurn = 0;
        });
    },
  });
  await using _ = app;
  const one = { conflictId: world.conflictId, version: 3, choice: 'hub' };
  const many = (count: number) => ({ choices: Array.from({ length: count }, () => one) });
  const full = await send('POST', '/api/conflicts/resolutions', many(100));
  assert.deepEqual([full.status, full.body.results.length], [200, 100]);
  assert.ok(most <= 5, `${most} in one turn`);
  assert.equal((await send('POST', '/api/conflicts/resolutions', many(101))).status, 422);
  assert.equal((await send('POST', '/api/conflicts/resolutions', many(0))).status, 422);
  const typed = { choices: [{ ...one, choice: 'value', value: 'Mug 2' }] };
  assert.equal((await send('POST', '/api/conflicts/resolutions', typed)).status, 422);
});

test('a fault that is no refusal ends the request; what was done until then stays in the audit log', async () => {
  let calls = 0;
  const { app, send, world } = await setUp({
    resolveConflict: () => {
      calls += 1;
      if (calls > 1) throw new Error('a bug');
    },
  });
  await using _ = app;
  const one = { conflictId: world.conflictId, version: 3, choice: 'hub' };
  const { status } = await send('POST', '/api/conflicts/resolutions', { choices: [one, one, one] });
  assert.deepEqual([status, calls], [500, 2]);
  assert.equal((await send('GET', '/api/workspace/audit')).body.entries.length, 1);
});

test('a count reaches the engine with its time, and one that makes no sense names its field', async () => {
  const { app, world, send } = await setUp({ countStock: async () => ({ from: 3, quantity: 7, seenSince: 0 }) });
  await using _ = app;
  const url = `/api/records/${world.productId}/count`;
  const counted = await send('POST', url, { variantId: 'var_1', quantity: 7, countedAt: '2026-01-02T03:04:05Z' });
  assert.deepEqual(counted, { status: 200, body: { from: 3, quantity: 7, seenSince: 0 } });
  await send('POST', url, { variantId: 'var_1', quantity: 8 });
  app.clock.setWallAhead(3_600_000);
  await send('POST', url, { variantId: 'var_1', quantity: 9, countedAt: '2026-01-02T03:04:05Z' });
  const asked = app.calls.filter((call) => call.name === 'countStock').map((call) => call.args[0]);
  const about = { productId: world.productId, variantId: 'var_1' };
  assert.deepEqual(asked, [
    { ...about, quantity: 7, countedAt: Date.UTC(2026, 0, 2, 3, 4, 5) },
    { ...about, quantity: 8, countedAt: null },
    { ...about, quantity: 9, countedAt: Date.UTC(2026, 0, 2, 2, 4, 5) },
  ]);
  for (const [body, field] of [
    [{ variantId: 'var_1', quantity: -1 }, 'quantity'],
    [{ variantId: 'var_1', quantity: 1.5 }, 'quantity'],
    [{ variantId: 'var_1', quantity: 1, countedAt: 'yesterday' }, 'countedAt'],
  ] as const) {
    const refused = await send('POST', url, body);
    assert.equal(refused.status, 422);
    assert.equal(refused.body.error.details.fields[0].field, field);
  }
  assert.equal((await send('POST', '/api/records/prd_other/count', { variantId: 'v', quantity: 1 })).status, 404);
});
