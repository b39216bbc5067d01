import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiToken } from '../../accounts/api-tokens.ts';
import { transact } from '../../db/database.ts';
import { getStore } from '../../db/readers/pairs.ts';
import { listSandboxStores } from '../../db/readers/sandbox.ts';
import { insertStore } from '../../db/writers/stores.ts';
import type { DemoService } from '../../demo/demo-service.ts';
import type { PairId, StoreId, WorkspaceId } from '../../model/ids.ts';
import { Refusal } from '../../model/refusal.ts';
import { insertWorld } from '../../testing/http/insert-world.ts';
import { makeTestApp } from '../../testing/http/make-test-app.ts';

const DEVICE = { ip: '127.0.0.1', userAgent: 'test', isLocal: true };

/** Adds what it is asked for to a list, and says when a workspace was used. */
function fakeDemo() {
  const loaded = new Set<WorkspaceId>();
  const touched: WorkspaceId[] = [];
  const demo: Partial<DemoService> = {
    async load(workspaceId) {
      if (loaded.has(workspaceId)) throw new Refusal('DEMO_DATA_PRESENT', 'It is there already.');
      loaded.add(workspaceId);
      const stores = [{ storeId: 'str_1' as StoreId, name: 'Harbour', platform: 'woocommerce' as const }];
      return { pairId: 'pair_1' as PairId, stores, runId: null, expiresAt: 0 };
    },
    unload: async (workspaceId) => (loaded.delete(workspaceId) ? { stores: 3, pairs: 1 } : null),
    touch: (workspaceId) => void touched.push(workspaceId),
  };
  return { demo: demo as DemoService, loaded, touched };
}

test('demo data is added once and removed; both stand in the audit log, and a repeated request is answered as before', async () => {
  const { demo, loaded } = fakeDemo();
  await using app = await makeTestApp({ deps: { demo } });
  const { headers, workspace } = app.person({ role: 'admin' });
  const send = (method: 'POST' | 'DELETE', more = {}) =>
    app.server.inject({ method, url: '/api/demo/data', headers: { ...headers, ...more } });
  const key = { 'idempotency-key': 'once' };
  const first = await send('POST', key);
  assert.equal(first.statusCode, 201);
  assert.deepEqual(first.json().demoData.stores, [{ storeId: 'str_1', name: 'Harbour', platform: 'woocommerce' }]);
  assert.equal(first.json().demoData.idleMinutes, 30);
  const repeated = await send('POST', key);
  assert.deepEqual([repeated.statusCode, repeated.body], [201, first.body]);
  assert.equal((await send('POST')).json().error.code, 'DEMO_DATA_PRESENT');
  assert.deepEqual([...loaded], [workspace.id]);
  assert.deepEqual((await send('DELETE')).json(), { removed: { stores: 3, pairs: 1 } });
  assert.equal((await send('DELETE')).statusCode, 404);
  const audit = await app.server.inject({ url: '/api/workspace/audit', headers });
  const deeds = audit
    .json()
    .entries.map(({ action, target }: { action: string; target: string | null }) => [action, target]);
  assert.deepEqual(deeds, [
    ['demo_data.removed', null],
    ['demo_data.loaded', null],
  ]);
});

test('a page of another origin opens no demo in a visitor’s browser', async () => {
  let opened = 0;
  const demo = {
    open: async () => {
      opened += 1;
      throw new Refusal('RATE_LIMITED', 'never mind');
    },
  } as unknown as DemoService;
  await using app = await makeTestApp({ deps: { demo, publicUrl: 'https://sync.example.com' } });
  const open = (origin?: string) =>
    app.server.inject({ method: 'POST', url: '/api/demo/session', headers: origin === undefined ? {} : { origin } });
  const foreign = await open('https://shop.example.com');
  assert.deepEqual([foreign.statusCode, foreign.json().error.code, opened], [403, 'ORIGIN_REFUSED', 0]);
  await open('https://sync.example.com');
  await open();
  assert.equal(opened, 2, 'its own pages and programs do');
});

test('a demo visitor, and an instance without a demo, have no demo data', async () => {
  const { demo, loaded } = fakeDemo();
  await using app = await makeTestApp({ deps: { demo } });
  const visitor = app.person({ isDemo: true });
  const refused = await app.server.inject({ method: 'POST', url: '/api/demo/data', headers: visitor.headers });
  assert.equal(refused.statusCode, 403);
  assert.equal(loaded.size, 0);
  await using off = await makeTestApp();
  for (const method of ['POST', 'DELETE'] as const) {
    const reply = await off.server.inject({ method, url: '/api/demo/data', headers: off.person().headers });
    assert.deepEqual(
      [reply.statusCode, reply.json().error.message],
      [404, 'The demo is switched off on this instance.'],
    );
  }
});

test('people who use a workspace keep its sandbox, programs that ask do not', async () => {
  const { demo, touched } = fakeDemo();
  await using app = await makeTestApp({ deps: { demo } });
  const person = app.person();
  const { secret } = createApiToken(app.accounts, person, { name: 's', scope: 'read', expiresInDays: null }, DEVICE);
  await app.server.inject({ url: '/api/stores', headers: { authorization: `Bearer ${secret}` } });
  assert.deepEqual(touched, []);
  await app.server.inject({ url: '/api/stores', headers: person.headers });
  assert.deepEqual(touched, [person.workspace.id]);
});

test('beside stores of their own nobody is asked to find a partner for a sandbox store, nor is one suggested', async () => {
  await using app = await makeTestApp();
  const { workspace, headers } = app.person();
  const world = insertWorld(app.db, workspace.id, app.clock.now());
  transact(app.db, (tx) => {
    const lonely = { ...getStore(tx, world.storeIds.shopify), id: 'str_own' as StoreId, identity: 'own', name: 'Own' };
    insertStore(tx, lonely);
    const outlet = { ...lonely, id: 'str_box' as StoreId, identity: 'box', name: 'Outlet', isSandbox: true };
    insertStore(tx, { ...outlet, platform: 'woocommerce' });
  });
  assert.equal(listSandboxStores(app.db, workspace.id).length, 1);
  const get = async (url: string) => (await app.server.inject({ url, headers })).json();
  const { needsYou, unpairedStoreIds } = await get('/api/dashboard/overview');
  const setups = needsYou.filter(({ type }: { type: string }) => type === 'setup');
  assert.deepEqual(
    setups.map(({ text }: { text: string }) => text),
    ['Own has no partner yet'],
  );
  assert.deepEqual(unpairedStoreIds.toSorted(), ['str_box', 'str_own']);
  const { suggestions } = await get('/api/pairs');
  assert.deepEqual(suggestions, [
    { woocommerceStoreId: null, shopifyStoreId: 'str_own' },
    { woocommerceStoreId: 'str_box', shopifyStoreId: null },
  ]);
});
