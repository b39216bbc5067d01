// What was put away, or lay in a bin, and is then deleted for good, of which no shop tells.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resumePair } from '../../engine/pairs/halt-pair.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { PairSettings } from '../../model/pair.ts';
import { SIDES } from '../../model/platform.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';
import { untold } from './untold.ts';

const DAY_MINUTES = 24 * 60;

async function linked(titles: readonly string[], settings: Partial<PairSettings> = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  for (const title of titles) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase() }]);
  return flow.link();
}

function deleteInShopify(flow: EngineFlow, title: string): void {
  flow.shop('shopify').outside.deleteProduct(flow.product('shopify', title).id, 'hard');
}

function deleteUntold(flow: EngineFlow, title: string): void {
  const { id } = flow.product('woocommerce', title);
  untold(flow, 'woocommerce', (outside) => outside.deleteProduct(id, 'hard'));
}

async function scans(flow: EngineFlow, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await flow.scan();
}

test('[M3] two products became one, and the two that were put away for it are deleted: they make no key ambiguous any more', async () => {
  const flow = await linked(['Bowl', 'Jug', 'Cup']);
  for (const title of ['Bowl', 'Jug']) deleteInShopify(flow, title);
  await flow.rest(5);
  const variants = ['Bowl', 'Jug'].map((kind) => ({ sku: kind.toUpperCase(), optionValues: [kind] }));
  flow.stock(['shopify'], { title: 'Set', optionNames: ['Kind'] }, variants);
  await flow.rest(30);
  assert.deepEqual(flow.problems(), ['AMBIGUOUS_MATCH']);
  for (const title of ['Bowl', 'Jug']) deleteUntold(flow, title);
  await scans(flow, 3);
  assert.deepEqual(flow.problems(), []);
  assert.equal(flow.product('woocommerce', 'Set').variants.length, 2);
});

test('[P1] a shop refuses to put a product away, and somebody deletes it there: the problem is over', async () => {
  const flow = await linked(['Bowl', 'Cup']);
  flow.hands.woocommerce.writeProducts = async (writes) =>
    writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'a plug-in says no') }));
  deleteInShopify(flow, 'Bowl');
  await flow.rest(30);
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
  deleteUntold(flow, 'Bowl');
  await scans(flow, 3);
  assert.deepEqual(flow.problems(), []);
});

test('[P1] with "keep" a question about the stock of what was kept is over once that is deleted as well', async () => {
  const flow = await linked(['Bowl', 'Cup'], { deletePolicy: 'keep' });
  deleteInShopify(flow, 'Bowl');
  await flow.rest(30);
  flow.shop('woocommerce').outside.setTracked(flow.item('woocommerce', 'BOWL'), false);
  await flow.rest(30);
  assert.deepEqual(flow.problems(), ['STOCK_TRACKING_CHANGED']);
  deleteUntold(flow, 'Bowl');
  await scans(flow, 3);
  assert.deepEqual(flow.problems(), []);
});

test('[G7] of more than a hundred that lie in a bin, and nowhere else, each night looks at a hundred, and each has its turn', async () => {
  const binned = Array.from({ length: 130 }, (_, i) => `Mug ${i}`);
  const flow = await linked(['Cup', ...binned]);
  const ids = binned.map((title) => flow.product('woocommerce', title).id);
  for (const id of ids) flow.shop('woocommerce').outside.deleteProduct(id, 'bin');
  await flow.rest();
  assert.equal(flow.halt()?.reason, 'mass_delete');
  resumePair(flow.world.life().ctx, PAIR_ID);
  await flow.rest();
  for (const title of binned) deleteInShopify(flow, title);
  await flow.rest(DAY_MINUTES);
  await flow.scan();

  const asked: string[] = [];
  const { readProducts } = flow.connector('woocommerce');
  flow.hands.woocommerce.readProducts = (externalIds, signal) => {
    asked.push(...externalIds.filter((id) => ids.includes(id)));
    return readProducts(externalIds, signal);
  };
  const perNight: number[] = [];
  for (let night = 0, before = 0; night < 4; night += 1, before = asked.length) {
    await flow.scan();
    perNight.push(asked.length - before);
  }
  assert.ok(Math.max(...perNight) <= 100, perNight.join(', '));
  assert.equal(new Set(asked).size, 130);
  const [run] = flow.rows<{ stats: string }>('SELECT stats FROM run ORDER BY started_at DESC LIMIT 1');
  assert.equal((JSON.parse(run?.stats ?? '{}') as { totalProcessed: number }).totalProcessed, 1, 'the cup');

  const { shelf } = flow.shop('woocommerce');
  for (const title of ['Mug 0', 'Mug 129']) shelf.deleteProduct(flow.product('woocommerce', title));
  await scans(flow, 4);
  assert.equal(flow.rows("SELECT 1 FROM product_binding WHERE side = 'woocommerce'").length, 129);
  assert.equal(flow.status(), 'active');
});

test('[G7] several that were all that lay in a shop are not believed to be gone, and not asked for every minute', async () => {
  const flow = new EngineFlow({ createOn: { woocommerce: false, shopify: false } });
  for (const title of ['Bowl', 'Jug']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase() }]);
  flow.stock(['shopify'], { title: 'Cup' }, [{ sku: 'CUP' }]);
  await flow.link();
  for (const title of ['Bowl', 'Jug']) deleteInShopify(flow, title);
  await flow.rest();
  for (const title of ['Bowl', 'Jug']) deleteUntold(flow, title);
  await scans(flow, 3);
  assert.equal(flow.rows("SELECT 1 FROM product_binding WHERE side = 'woocommerce'").length, 2);
  assert.deepEqual(flow.rows("SELECT key FROM job WHERE key LIKE 'product:%'"), []);
  assert.equal(flow.status(), 'active');
});

for (const syncSchedule of ['manual', 'weekly'] as const)
  test(`[G7, G8] a pair that is synced ${syncSchedule === 'manual' ? 'by hand' : syncSchedule}: one sync puts away what was deleted since the last`, async () => {
    const flow = await linked(['Bowl', 'Jug', 'Cup', 'Can'], { syncSchedule });
    flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Bowl').id, 'bin');
    deleteUntold(flow, 'Jug');
    deleteInShopify(flow, 'Cup');
    await flow.rest(DAY_MINUTES);
    await flow.scan();
    const statuses = [
      flow.product('shopify', 'Bowl'),
      flow.product('shopify', 'Jug'),
      flow.product('woocommerce', 'Cup'),
    ];
    assert.deepEqual(
      statuses.map(({ fields }) => fields.status),
      ['archived', 'archived', 'draft'],
    );
    assert.deepEqual(
      SIDES.map((side) => flow.product(side, 'Can').fields.status),
      ['active', 'active'],
    );
  });

for (const moved of ['sold', 'restocked', 'held back'])
  test(`[G7] one sync by hand puts away what was deleted since the last, also where the other shop’s stock of it was ${moved}`, async () => {
    const flow = await linked(['Bowl', 'Can'], { syncSchedule: 'manual' });
    deleteUntold(flow, 'Bowl');
    if (moved === 'held back') flow.change({ stockBuffer: 2 });
    else flow.shop('shopify').outside.sell(flow.item('shopify', 'BOWL'), moved === 'sold' ? 2 : -5);
    await flow.rest(DAY_MINUTES);
    await flow.scan();
    assert.equal(flow.product('shopify', 'Bowl').fields.status, 'archived');
  });

test('[G7] synced by hand, what a listing leaves out is still there, and what the sync has just made is not asked for', async () => {
  const titles = Array.from({ length: 15 }, (_, i) => `Mug ${i}`);
  const flow = new EngineFlow({ syncSchedule: 'manual', createOn: { woocommerce: false, shopify: false } });
  for (const title of titles) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase() }]);
  flow.stock(['shopify'], { title: 'Cup' }, [{ sku: 'CUP' }]);
  await flow.link();
  flow.change({ createOn: { woocommerce: true, shopify: true } });
  const calm = flow.shop('woocommerce').faults;
  flow.shop('woocommerce').faults = {
    ...calm,
    request: (facts) => ({
      ...calm.request(facts),
      fault: facts.operation === 'scan' ? { type: 'shrunken_listing', keep: 0.7 } : null,
    }),
  };
  let lookedFor: readonly string[] = [];
  const { readProducts } = flow.connector('woocommerce');
  flow.hands.woocommerce.readProducts = (ids, signal) => {
    lookedFor = [...lookedFor, ...ids];
    return readProducts(ids, signal);
  };
  await flow.scan();
  assert.ok(lookedFor.length > 0);
  assert.ok(!lookedFor.includes(flow.product('woocommerce', 'Cup').id));
  assert.ok(titles.every((title) => flow.product('shopify', title).fields.status === 'active'));
});
