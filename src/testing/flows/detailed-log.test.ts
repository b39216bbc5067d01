// What the log tells of a pair whose settings ask for it, and what it never tells.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PairReply } from '../../contracts/pairs.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { SIDES } from '../../model/platform.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { makeTestLog, type TestLog } from '../support/test-log.ts';
import { EngineFlow } from './engine-flow.ts';
import { type LinkedApp, OWNER, startLinkedApp } from './start-linked-app.ts';
import { eventually } from './start-test-app.ts';

function told(log: TestLog, message: string): readonly Readonly<Record<string, unknown>>[] {
  return log.lines.filter((line) => line.level === 'info' && line.message === message).map(({ fields }) => fields);
}

async function set(app: LinkedApp, enableLogging: boolean): Promise<void> {
  const path = `/api/pairs/${app.pairId}`;
  const reply = await app.running.call<PairReply>('PATCH', path, { enableLogging }, app.session);
  assert.deepEqual([reply.status, reply.body.notices], [200, []]);
}

async function sell(app: LinkedApp, left: number): Promise<void> {
  app.shopify.controls.restock('MUG', -1);
  const stock = () => app.woo.controls.snapshot().shelf.find(({ sku }) => sku === 'MUG')?.stock;
  await eventually('the sale in the other shop', () => (stock() === left ? true : null));
}

test('[T3] a pair that asks for it has a line in the log for each job and each write, at once, and without a title, an address or a secret', async () => {
  using dir = makeTempDir();
  await using app = await startLinkedApp(dir.path, [{ title: 'Zylindermug', sku: 'MUG' }]);
  const { log } = app.running;
  const lines = () => [...told(log, 'a job ended'), ...told(log, 'a write was sent')];
  await sell(app, 9);
  assert.deepEqual(lines(), []);
  await set(app, true);
  await sell(app, 8);
  const job = await eventually(
    'the line of its job',
    () => told(log, 'a job ended').find(({ task, outcome }) => task === 'sync_stock' && outcome === 'done') ?? null,
  );
  assert.equal(job['pairId'], app.pairId);
  assert.match(String(job['key']), /^stock:pair_\w+:var_\w+$/);
  assert.equal(typeof job['durationMs'], 'number');
  // The job may be one that was under way before: the answer to the write comes when it comes.
  const write = await eventually('the line of its write', () => told(log, 'a write was sent')[0] ?? null);
  assert.match(String(write['externalId']), /^p:\d+$/);
  assert.deepEqual(
    { ...write, externalId: null },
    { pairId: app.pairId, side: 'woocommerce', externalId: null, kind: 'stock', fields: ['stock'], outcome: 'applied' },
  );
  const text = JSON.stringify(lines());
  for (const word of ['Zylindermug', OWNER.email, OWNER.firstName, 'cs_sandbox', 'shpat_sandbox_token'])
    assert.ok(!text.includes(word), `${word} is in the log`);
  await set(app, false);
  const before = lines().length;
  for (const left of [7, 6]) await sell(app, left);
  assert.equal(lines().length, before);
});

/** Two shops with a product that only one of them has, and the log of the engine. */
function logged(): { flow: EngineFlow; log: TestLog } {
  const flow = new EngineFlow({ enableLogging: true });
  const log = makeTestLog();
  Object.assign(flow.world.life().ctx, { log });
  flow.stock(SIDES, { title: 'Zylindermug' }, [{ sku: 'MUG' }]);
  flow.stock(['woocommerce'], { title: 'Porzellanschale' }, [{ sku: 'BOWL' }]);
  return { flow, log };
}

test('[T3] a line tells what kind of write it was, its fields by name, and how it went', async () => {
  const { flow, log } = logged();
  await flow.link();
  const bowl = flow.product('shopify', 'Porzellanschale');
  const create = told(log, 'a write was sent').find(({ kind }) => kind === 'create');
  assert.deepEqual([create?.['side'], create?.['externalId'], create?.['outcome']], ['shopify', bowl.id, 'applied']);
  assert.match(String(create?.['fields']), /\btitle\b.*\bvariants\.price\b/);

  const mug = flow.product('woocommerce', 'Zylindermug').id;
  const edit = (title: string) =>
    flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Zylindermug').id, 'title', title);
  flow.hands.woocommerce.writeProducts = async (writes) =>
    writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'Zylindermug II is no title') }));
  edit('Zylindermug II');
  await flow.rest();
  const refused = told(log, 'a write was sent').at(-1);
  assert.deepEqual(refused, {
    ...{ pairId: PAIR_ID, side: 'woocommerce', externalId: mug },
    ...{ kind: 'update', fields: ['title'], outcome: 'rejected' },
  });
  assert.ok(!/Zylinder|Porzellan/.test(JSON.stringify(told(log, 'a write was sent'))));
});

test('[T3] a call without an answer was sent, and one that was given up before it left was not', async () => {
  const { flow, log } = logged();
  await flow.link();
  const before = told(log, 'a write was sent').length;
  const errors = [
    new ConnectorError('unavailable', 'the call was cancelled before it was sent', { isCancelled: true }),
    new ConnectorError('unknown_outcome', 'the answer was not waited for', { isCancelled: true }),
  ];
  const { writeStock } = flow.connector('woocommerce');
  flow.hands.woocommerce.writeStock = async (writes, signal) => {
    const error = errors.shift();
    if (error !== undefined) throw error;
    return await writeStock(writes, signal);
  };
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 1);
  await flow.rest();
  const outcomes = told(log, 'a write was sent')
    .slice(before)
    .map(({ outcome }) => outcome);
  assert.equal(errors.length, 0);
  assert.equal(outcomes[0], 'unknown_outcome');
});
