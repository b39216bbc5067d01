import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { test } from 'node:test';
import type { ActivityReply } from '../../contracts/activity.ts';
import type { SessionReply } from '../../contracts/auth.ts';
import type { DemoActionReply, DemoDataRemovedReply, DemoDataReply, ShelvesReply } from '../../contracts/demo.ts';
import type { ErrorReply } from '../../contracts/errors.ts';
import type { PairsReply } from '../../contracts/pairs.ts';
import type { StoresReply } from '../../contracts/stores.ts';
import { openDatabase } from '../../db/database.ts';
import { storagePaths } from '../../db/storage.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { type LinkedApp, OWNER, startLinkedApp } from './start-linked-app.ts';
import { eventually, startTestApp } from './start-test-app.ts';

/** Where in the database any of these ids is still spoken of, besides the log of who did what. */
function tracesOf(dataDir: string, ids: readonly string[]): string[] {
  const { connection } = openDatabase({ file: storagePaths(dataDir).database });
  const tables = connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'audit_entry'")
    .pluck()
    .all() as string[];
  const found = tables.flatMap((table) =>
    connection
      .prepare(`SELECT * FROM "${table}"`)
      .all()
      .map((row) => `${table} ${JSON.stringify(row)}`)
      .filter((text) => ids.some((id) => text.includes(id))),
  );
  connection.close();
  return found;
}

function clientOf(app: LinkedApp) {
  const ask = async <T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body: object | null = null) =>
    app.running.call<T & ErrorReply>(method, path, body, app.session);
  return {
    ask,
    load: async () => {
      const reply = await ask<DemoDataReply>('POST', '/api/demo/data');
      assert.equal(reply.status, 201, JSON.stringify(reply.body));
      return reply.body.demoData;
    },
    act: (body: object) => ask<DemoActionReply>('POST', '/api/demo/actions', body),
    itemIn: async (side: 'woocommerce' | 'shopify', sku: string) =>
      (await ask<ShelvesReply>('GET', '/api/demo/shelves')).body[side].items.find((one) => one.sku === sku),
  };
}

test('demo data in a workspace with a pair of its own: sold, told apart, kept apart, and removed while it is at work', async () => {
  using dir = makeTempDir();
  const ids: string[] = [];
  {
    await using app = await startLinkedApp(dir.path, [{ title: 'Mug', sku: 'MUG' }], { demo: true });
    const { ask, load, act, itemIn } = clientOf(app);
    const demo = await load();
    assert.equal(demo.stores.length, 3);
    const stores = (await ask<StoresReply>('GET', '/api/stores')).body.stores;
    assert.deepEqual(stores.map(({ isSandbox }) => isSandbox).sort(), [false, false, true, true, true]);
    const { pairs, suggestions } = (await ask<PairsReply>('GET', '/api/pairs')).body;
    assert.deepEqual(pairs.map(({ _id, isSandbox }) => [_id === demo.pairId, isSandbox]).sort(), [
      [false, false],
      [true, true],
    ]);
    assert.equal(suggestions.length, 1, 'the one without a partner');

    const sold = await act({ side: 'woocommerce', action: 'sell', sku: 'MUG-CREAM', value: 2 });
    assert.equal(sold.status, 200, JSON.stringify(sold.body));
    await eventually('the sale on the other side', async () =>
      (await itemIn('shopify', 'MUG-CREAM'))?.stock === sold.body.item.stock ? true : null,
    );

    const again = await ask('POST', '/api/demo/data');
    assert.deepEqual([again.status, again.body.error.code], [409, 'DEMO_DATA_PRESENT']);
    const outlet = demo.stores[2]?.storeId;
    const mixed = { woocommerceStoreId: outlet, shopifyStoreId: app.storeIds.shopify };
    const changes: readonly (readonly [string, object])[] = [
      ['/api/pairs', mixed],
      [`/api/stores/${outlet}/keys`, { consumerKey: 'ck_1', consumerSecret: 'cs_1' }],
      [`/api/stores/${outlet}/move`, { url: 'https://shop.example' }],
    ];
    for (const [path, body] of changes) {
      const refused = await ask('POST', path, body);
      assert.deepEqual([refused.status, refused.body.error?.code], [409, 'SANDBOX_STORE'], path);
    }

    // While a sync of it is under way, and what was just sold on its way.
    for (let n = 0; n < 3; n += 1) {
      const { pairId, stores: own } = n === 0 ? demo : await load();
      ids.push(pairId, ...own.map(({ storeId }) => storeId));
      assert.equal((await ask('POST', '/api/sync/manual', { pairId })).status, 202);
      for (const sku of ['POT-12', 'JAR-05', 'JAR-10', 'BOWL-STONE'])
        await act({ side: n === 1 ? 'shopify' : 'woocommerce', action: 'sell', sku });
      const removed = await ask<DemoDataRemovedReply>('DELETE', '/api/demo/data');
      assert.deepEqual(removed.body, { removed: { stores: 3, pairs: 1 } });
    }
    assert.equal((await ask('DELETE', '/api/demo/data')).status, 404);
    assert.equal((await ask('GET', '/api/demo/shelves')).status, 404);

    app.woo.controls.placeOrder([{ ref: 'MUG', quantity: 3 }]);
    await eventually('a sale of the own pair', () =>
      app.shopify.controls.listShelf().find(({ sku }) => sku === 'MUG')?.available === 7 ? true : null,
    );
    const left = (await ask<PairsReply>('GET', '/api/pairs')).body.pairs;
    assert.deepEqual(
      left.map(({ _id, status }) => [_id, status]),
      [[app.pairId, 'active']],
    );
    const { activity } = (await ask<ActivityReply>('GET', '/api/activity?limit=100')).body;
    assert.equal(activity.filter(({ text }) => text === 'The demo data was removed').length, 3);
    assert.ok(!JSON.stringify(activity).includes('Harbour'));
    const faults = app.running.log.lines.filter(({ level }) => level === 'error');
    assert.deepEqual(faults, []);
  }
  assert.deepEqual(tracesOf(dir.path, ids), []);
});

test('demo data ends with the server, and nobody else sees it', async () => {
  using dir = makeTempDir();
  const running = await startTestApp(dir.path, { demo: true, signup: 'open', allowLocalStores: false });
  let ids: string[] = [];
  try {
    const [ours, theirs] = await Promise.all(
      ['ada@example.com', 'bob@example.com'].map((email) =>
        running.call<SessionReply>('POST', '/api/auth/signup', { ...OWNER, email }),
      ),
    );
    const mine = ours?.body.accessToken ?? '';
    const other = theirs?.body.accessToken ?? '';
    const loaded = (await running.call<DemoDataReply>('POST', '/api/demo/data', null, mine)).body.demoData;
    ids = [loaded.pairId, ...loaded.stores.map(({ storeId }) => storeId)];
    assert.equal((await running.call('GET', '/api/demo/shelves', null, other)).status, 404);
    assert.equal((await running.call('GET', `/api/pairs/${loaded.pairId}`, null, other)).status, 404);
    assert.equal((await running.call('DELETE', '/api/demo/data', null, other)).status, 404);
    const seen = await running.call<StoresReply>('GET', '/api/stores', null, other);
    assert.deepEqual(seen.body.stores, []);
    assert.equal((await running.call('GET', '/api/demo/shelves', null, mine)).status, 200);
  } finally {
    await running.app.stop();
  }
  assert.deepEqual(tracesOf(dir.path, ids), []);
});

test('what a killed server has left of it is gone at the next start, also with DEMO=off', async () => {
  using dir = makeTempDir();
  using later = makeTempDir();
  let token = '';
  let ids: string[] = [];
  {
    await using app = await startLinkedApp(dir.path, [{ title: 'Mug', sku: 'MUG' }], { demo: true });
    const demo = await clientOf(app).load();
    ids = [demo.pairId, ...demo.stores.map(({ storeId }) => storeId)];
    token = app.session;
    // As it lies on the disk when the power goes.
    cpSync(dir.path, later.path, { recursive: true });
    assert.notDeepEqual(tracesOf(later.path, ids), []);
  }
  const running = await startTestApp(later.path, { demo: false });
  try {
    const { stores } = (await running.call<StoresReply>('GET', '/api/stores', null, token)).body;
    assert.deepEqual(
      stores.map(({ name, isSandbox }) => [name, isSandbox]),
      [
        ['Garden Shop', false],
        ['Garden Studio', false],
      ],
    );
    const { activity } = (await running.call<ActivityReply>('GET', '/api/activity', null, token)).body;
    assert.ok(activity.some(({ text }) => text === 'The demo data was removed: it ends with the server'));
  } finally {
    await running.app.stop();
  }
  assert.deepEqual(tracesOf(later.path, ids), []);
});

test('with DEMO=off there is no demo data, and it is said so', async () => {
  using dir = makeTempDir();
  const running = await startTestApp(dir.path, { demo: false });
  try {
    const { body } = await running.call<SessionReply>('POST', '/api/auth/signup', OWNER);
    const refused = await running.call<ErrorReply>('POST', '/api/demo/data', null, body.accessToken);
    assert.equal(refused.status, 404);
    assert.match(refused.body.error.message, /switched off/);
  } finally {
    await running.app.stop();
  }
});
