import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../db/database.ts';
import { listRecentEvents } from '../db/readers/events.ts';
import { listPairs, listStores } from '../db/readers/pairs.ts';
import { isOfSandbox, listSandboxGone, listSandboxStores } from '../db/readers/sandbox.ts';
import type { PairRow } from '../db/schema/pair.ts';
import { pair } from '../db/schema/pair.ts';
import type { PlanRow, RunRow } from '../db/schema/run.ts';
import type { StoreRow } from '../db/schema/store.ts';
import { store } from '../db/schema/store.ts';
import { recordEvent } from '../db/writers/events.ts';
import { deleteStore, insertStore } from '../db/writers/stores.ts';
import { deleteWorkspace, insertWorkspace } from '../db/writers/workspaces.ts';
import type { PairId, StoreId, WorkspaceId } from '../model/ids.ts';
import { DEFAULT_PAIR_SETTINGS } from '../model/pair.ts';
import { Refusal } from '../model/refusal.ts';
import { insertWorld } from '../testing/http/insert-world.ts';
import { storeRow } from '../testing/http/world-rows.ts';
import { openMemoryDatabase } from '../testing/support/memory-database.ts';
import { makeTestAccounts } from '../testing/support/test-accounts.ts';
import { makeTestClock } from '../testing/support/test-clock.ts';
import { makeTestLog } from '../testing/support/test-log.ts';
import { makeTestRandom } from '../testing/support/test-random.ts';
import { createDemoService } from './create-demo-service.ts';
import type { DemoEngine } from './demo-engine.ts';
import { DEMO_SESSIONS_MAX } from './demo-service.ts';
import { clearLeftDemos } from './take-away.ts';

const DEVICE = { ip: '127.0.0.1', userAgent: 'test', isLocal: true };
const OURS = 'ws_ours' as WorkspaceId;
const MINUTE_MS = 60_000;

/** The service over a database and an engine that only stores what it is asked for. */
function setUp(change: Partial<DemoEngine> = {}) {
  const db = openMemoryDatabase();
  const clock = makeTestClock();
  const random = makeTestRandom();
  const { accounts } = makeTestAccounts({ db, clock, random, log: makeTestLog() });
  const trusted = new Set<string>();
  const forgotten: StoreId[] = [];
  const engine: DemoEngine = {
    async connectStore({ workspaceId, name, platform, isSandbox = false }) {
      const id = random.id('str_') as StoreId;
      const rest = { webhookSecretPrevious: null, statusReason: null, webhookSources: null, changedCursor: null };
      const row = {
        ...{ lastContactAt: null, webhooksCheckedAt: null, ...rest },
        ...storeRow(id, workspaceId, platform, clock.now()),
        ...{ name, isSandbox, identity: id },
      } as StoreRow;
      transact(db, (tx) => insertStore(tx, row));
      return { store: row };
    },
    createPair(command) {
      const at = clock.now();
      const row = { ...command, id: random.id('pair_') as PairId, settings: DEFAULT_PAIR_SETTINGS, status: 'setup' };
      db.query
        .insert(pair)
        .values({ ...row, status: 'setup', guardSince: at, scanNumber: 0, createdAt: at })
        .run();
      return row as unknown as PairRow;
    },
    requestPlan: () => ({ id: random.id('plan_') }) as PlanRow,
    applyPlan: () => ({ id: random.id('run_') }) as RunRow,
    ...change,
  };
  const service = createDemoService({
    accounts,
    engine,
    connectors: { forget: (id) => void forgotten.push(id) },
    trustOrigin: (origin) => {
      trusted.add(origin);
      return () => trusted.delete(origin);
    },
  });
  const addWorkspace = (id: string) => {
    transact(db, (tx) => insertWorkspace(tx, { id: id as WorkspaceId, name: id, isDemo: false, createdAt: 0 }));
    return id as WorkspaceId;
  };
  addWorkspace(OURS);
  const told = () => listRecentEvents(db, OURS, 10).map(({ type, payload }) => [type, payload]);
  return { db, clock, service, trusted, forgotten, addWorkspace, told };
}

async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Refusal, String(error));
  return error;
}

test('demo data is two sandbox stores that are a pair and a third; it is removed whole, and own stores stay', async () => {
  const { db, service, trusted, forgotten, addWorkspace, told } = setUp();
  const other = addWorkspace('ws_other');
  const own = insertWorld(db, OURS, 0);
  const { stores, pairId, expiresAt } = await service.load(OURS, DEVICE);
  assert.equal(stores.length, 3);
  assert.equal(listSandboxStores(db, OURS).length, 3);
  assert.equal(trusted.size, 3);
  assert.ok(expiresAt > 0);
  assert.equal(service.shelves(OURS)?.pairId, pairId);
  assert.equal(service.act(OURS, 'shopify', { type: 'sell', sku: 'APRON-LINEN', quantity: 2 })?.stock, 10);

  assert.equal(service.shelves(other), null);
  assert.equal(service.act(other, 'shopify', { type: 'sell', sku: 'APRON-LINEN', quantity: 2 }), null);
  assert.deepEqual(listSandboxStores(db, other), []);
  assert.equal(await service.unload(other), null);

  assert.deepEqual(await service.unload(OURS), { stores: 3, pairs: 1 });
  assert.deepEqual(
    listPairs(db).map(({ id }) => id),
    [own.pairId],
  );
  assert.deepEqual(
    listStores(db)
      .map(({ id }) => id)
      .sort(),
    Object.values(own.storeIds).sort(),
  );
  assert.equal(trusted.size, 0);
  assert.deepEqual(forgotten.toSorted(), stores.map(({ storeId }) => storeId).sort());
  assert.equal(service.shelves(OURS), null);
  assert.deepEqual(told()[0], ['demo_data_removed', { reason: 'person', stores: 3, pairs: 1 }]);
  assert.equal(await service.unload(OURS), null);
  await service.close();
});

test('it is added once, and what is being added is waited for by who removes it', async () => {
  const { db, service } = setUp();
  const first = service.load(OURS, DEVICE);
  assert.equal((await refusalOf(service.load(OURS, DEVICE))).code, 'DEMO_DATA_PRESENT');
  const removed = service.unload(OURS);
  await first;
  assert.deepEqual(await removed, { stores: 3, pairs: 1 });
  await service.load(OURS, DEVICE);
  assert.match((await refusalOf(service.load(OURS, DEVICE))).message, /already/);
  assert.equal(listSandboxStores(db, OURS).length, 3);
  await service.close();
  assert.deepEqual(listStores(db), []);
});

test('it takes one of the places that visitors have, and is refused in the same words', async () => {
  const { service, addWorkspace, trusted } = setUp();
  await service.load(OURS, DEVICE);
  for (let n = 1; n < DEMO_SESSIONS_MAX; n += 1) await service.open(DEVICE);
  const visitor = await refusalOf(service.open(DEVICE));
  const person = await refusalOf(service.load(addWorkspace('ws_late'), DEVICE));
  assert.equal(person.code, 'DEMO_FULL');
  assert.deepEqual([person.message, person.details], [visitor.message, visitor.details]);
  await service.unload(OURS);
  await service.load('ws_late' as WorkspaceId, DEVICE);
  await service.close();
  assert.equal(trusted.size, 0);
});

test('it goes when nobody has used the workspace for half an hour, and the journal says why', async () => {
  const { db, clock, service, addWorkspace, told } = setUp();
  await service.load(OURS, DEVICE);
  clock.advance(29 * MINUTE_MS);
  service.touch(OURS);
  clock.advance(29 * MINUTE_MS);
  await service.load(addWorkspace('ws_other'), DEVICE);
  assert.ok(service.shelves(OURS) !== null);
  clock.advance(MINUTE_MS);
  await service.load(addWorkspace('ws_third'), DEVICE);
  assert.equal(service.shelves(OURS), null);
  assert.deepEqual(listSandboxStores(db, OURS), []);
  assert.deepEqual(told()[0], ['demo_data_removed', { reason: 'idle', stores: 3, pairs: 1 }]);
  await service.close();
});

test('what people have taken apart themselves is added anew', async () => {
  const { db, service } = setUp();
  const { stores } = await service.load(OURS, DEVICE);
  db.query.delete(pair).run();
  transact(db, (tx) => {
    for (const { storeId } of stores) deleteStore(tx, storeId);
  });
  await service.load(OURS, DEVICE);
  assert.equal(listSandboxStores(db, OURS).length, 3);
  await service.close();
});

test('demo data that could not be added leaves nothing behind and takes no place', async () => {
  const { db, service, trusted, told } = setUp({
    createPair: () => {
      throw new Refusal('PAIR_EXISTS', 'no');
    },
  });
  for (let n = 0; n <= DEMO_SESSIONS_MAX; n += 1)
    assert.equal((await refusalOf(service.load(OURS, DEVICE))).code, 'PAIR_EXISTS');
  assert.equal(trusted.size, 0);
  assert.deepEqual(db.query.select().from(store).all(), []);
  assert.deepEqual(told()[0], ['demo_data_removed', { reason: 'failed', stores: 3, pairs: 0 }]);
  await service.close();
});

test('what could not be taken away, as where the disk was full, is still there and is removed at the next try', async () => {
  const { db, clock, service, trusted, forgotten, addWorkspace } = setUp();
  const { stores } = await service.load(OURS, DEVICE);
  const other = addWorkspace('ws_other');
  await service.load(other, DEVICE);
  const refuseOurs = "BEFORE DELETE ON store WHEN OLD.workspace_id = 'ws_ours' BEGIN SELECT RAISE(ABORT, 'full'); END";
  db.connection.exec(`CREATE TEMP TRIGGER full ${refuseOurs}`);
  await assert.rejects(service.unload(OURS), /full/);
  assert.deepEqual([listSandboxStores(db, OURS).length, trusted.size, forgotten], [3, 6, []]);
  assert.equal((await refusalOf(service.load(OURS, DEVICE))).code, 'DEMO_DATA_PRESENT');
  assert.ok(service.shelves(OURS) !== null);

  // What nobody uses any more beside it goes all the same, and who asks for a sandbox of their own gets one.
  clock.advance(30 * MINUTE_MS);
  await service.load(addWorkspace('ws_third'), DEVICE);
  assert.deepEqual(listSandboxStores(db, other), []);
  db.connection.exec('DROP TRIGGER full');
  assert.deepEqual(await service.unload(OURS), { stores: 3, pairs: 1 });
  assert.equal(
    stores.every(({ storeId }) => forgotten.includes(storeId)),
    true,
  );
  await service.close();
  assert.equal(trusted.size, 0);
});

test('a workspace that is deleted while it is added keeps nothing of it', async () => {
  const { db, service, trusted, told } = setUp();
  const adding = service.load(OURS, DEVICE);
  transact(db, (tx) => deleteWorkspace(tx, OURS));
  assert.equal((await refusalOf(adding)).code, 'NOT_FOUND');
  assert.equal(trusted.size, 0);
  assert.deepEqual([listStores(db), listPairs(db), told()], [[], [], []]);
  await service.close();
});

test('what a process left behind is taken away at the next start, whether there is a demo then or not', async () => {
  const { db, clock, service, told } = setUp();
  const own = insertWorld(db, OURS, 0);
  await service.load(OURS, DEVICE);
  await service.open(DEVICE);
  clearLeftDemos({ db, clock });
  assert.deepEqual(
    listPairs(db).map(({ id }) => id),
    [own.pairId],
  );
  assert.equal(listStores(db).length, 2);
  assert.deepEqual(told()[0], ['demo_data_removed', { reason: 'restart', stores: 3, pairs: 1 }]);
  await service.close();
});

test('stores that were connected after their workspace had been deleted are taken away at the next start', async () => {
  const { db, clock, service } = setUp();
  await service.load(OURS, DEVICE);
  transact(db, (tx) => deleteWorkspace(tx, OURS));
  clearLeftDemos({ db, clock });
  const left = [listStores(db), listPairs(db), listRecentEvents(db, OURS, 10)];
  await service.close();
  assert.deepEqual(left, [[], [], []]);
});

test('what a job noted of it later is told nobody outside, and gone when the server has stopped', async () => {
  const { db, clock, service, told } = setUp();
  const { pairId } = await service.load(OURS, DEVICE);
  await service.unload(OURS);
  const late = { workspaceId: OURS, pairId, type: 'stock_written', payload: {}, at: clock.now() };
  transact(db, (tx) => recordEvent(tx, late));
  assert.equal(isOfSandbox(db, late), true);
  await service.close();
  assert.deepEqual(told(), [['demo_data_removed', { reason: 'person', stores: 3, pairs: 1 }]]);
  assert.deepEqual(listSandboxGone(db), []);
});

test('also where the server was killed before: at the next start it goes first', async () => {
  const { db, clock, service, told } = setUp();
  const { pairId } = await service.load(OURS, DEVICE);
  await service.unload(OURS);
  transact(db, (tx) =>
    recordEvent(tx, { workspaceId: OURS, pairId, type: 'stock_written', payload: {}, at: clock.now() }),
  );
  clearLeftDemos({ db, clock });
  assert.deepEqual(
    told().map(([type]) => type),
    ['demo_data_removed'],
  );
  assert.deepEqual(listSandboxGone(db), []);
  await service.close();
});
