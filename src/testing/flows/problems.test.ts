// Each problem closes when it is over, and not before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { raiseProblem } from '../../db/writers/history.ts';
import { rejectedWords } from '../../engine/problems.ts';
import { retryProblem } from '../../engine/runs/retry-problem.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { ProblemId, WorkspaceId } from '../../model/ids.ts';
import type { PairSettings } from '../../model/pair.ts';
import { SIDES } from '../../model/platform.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

async function linked(settings: Partial<PairSettings> = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  flow.stock(SIDES, { optionNames: ['Size'] }, [
    { sku: 'MUG-S', optionValues: ['S'], quantity: 1 },
    { sku: 'MUG-M', optionValues: ['M'] },
  ]);
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  return flow.link();
}

/** Tries all open problems again. */
async function retryAll(flow: EngineFlow): Promise<void> {
  for (const { id } of flow.rows<{ id: string }>("SELECT id FROM problem WHERE state = 'open'"))
    retryProblem(flow.world.life().ctx, id);
  await flow.rest();
}

test('[P1, P2, S9] oversold: open until there is enough again, however often it is tried', async () => {
  const flow = await linked();
  for (const side of SIDES) flow.shop(side).outside.sell(flow.item(side, 'MUG-S'), 1);
  await flow.rest();
  await retryAll(flow);
  assert.deepEqual(flow.problems(), ['OVERSOLD']);
  flow.shop('woocommerce').outside.restock(flow.item('woocommerce', 'MUG-S'), 1);
  await flow.rest();
  assert.deepEqual(flow.problems(), []);
});

test('[P1, S9] oversold: what is told is what the shops show, also once backorders are forbidden or some of it is restocked', async () => {
  const flow = await linked();
  const told = () => flow.words('OVERSOLD').message.replace(/^.* was sold /, '');
  const { outside } = flow.shop('woocommerce');
  const item = flow.item('woocommerce', 'MUG-S');
  const shown = flow.quantity('woocommerce', 'MUG-S');
  outside.editVariant(item, 'backorders', 'yes');
  await flow.rest();
  outside.sell(item, shown + 2);
  await flow.rest();
  assert.equal(told(), '2 times more than there was. Both shops show -2.');
  outside.editVariant(item, 'backorders', 'no');
  await flow.rest();
  assert.deepEqual(flow.quantities('MUG-S'), [0, 0]);
  assert.equal(told(), '2 times more than there was. Both shops show 0.');
  outside.restock(item, 1);
  await flow.rest();
  await flow.scan();
  assert.equal(told(), '1 time more than there was. Both shops show 0.');
  await flow.scan();
  const [{ count, lastAt } = {}] = flow.rows<{ count: number; lastAt: number }>(
    "SELECT count, last_at AS lastAt FROM problem WHERE state = 'open'",
  );
  await flow.scan();
  assert.deepEqual(
    flow.rows("SELECT count, last_at AS lastAt FROM problem WHERE state = 'open'"),
    [{ count, lastAt }],
    'once',
  );
});

test('[P1, P2, S5] a doubtful stock: open until a person says that it was counted, or puts more in stock', async () => {
  for (const how of ['counted', 'restocked'] as const) {
    const flow = await linked();
    flow.shop('shopify').faults = {
      ...flow.shop('shopify').faults,
      request: () => ({ latencyMs: 10, handledAfterMs: 5, isSlow: false, fault: { type: 'timeout', when: 'after' } }),
    };
    flow.shop('woocommerce').outside.restock(flow.item('woocommerce', 'MUG-M'), 4);
    await flow.world.clock.runFor(2_000);
    flow.shop('shopify').faults = flow.shop('woocommerce').faults;
    flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG-M'), 3);
    await flow.rest(30);
    assert.deepEqual(flow.problems(), ['STOCK_DOUBT']);
    if (how === 'counted') await retryAll(flow);
    else flow.shop('shopify').outside.restock(flow.item('shopify', 'MUG-M'), 4);
    await flow.rest();
    assert.deepEqual(flow.problems(), [], how);
  }
});

test('[P1, P2, V4] a removed variant: open until its counterpart is removed too', async () => {
  const flow = await linked();
  flow.shop('woocommerce').outside.deleteVariant(flow.item('woocommerce', 'MUG-M'));
  await flow.rest();
  await retryAll(flow);
  assert.deepEqual(flow.problems(), ['VARIANT_REMOVED']);
  flow.shop('shopify').outside.deleteVariant(flow.item('shopify', 'MUG-M'));
  await flow.rest();
  assert.deepEqual(flow.problems(), []);
});

test('[P1, P2] deleted on a target: open until it is there again, or gone at the source', async () => {
  for (const how of ['restored', 'deleted'] as const) {
    const flow = await linked({ syncDirection: 'shopify_to_woocommerce' });
    const { id } = flow.product('woocommerce', 'Bowl');
    flow.shop('woocommerce').outside.deleteProduct(id, 'bin');
    await flow.rest();
    await retryAll(flow);
    assert.deepEqual(flow.problems(), ['DELETED_ON_TARGET']);
    if (how === 'restored') {
      flow.shop('woocommerce').outside.restore(id);
      flow.shop('woocommerce').outside.editProduct(id, 'status', 'active');
    } else flow.shop('shopify').outside.deleteProduct(flow.product('shopify', 'Bowl').id, 'hard');
    await flow.rest();
    await flow.scan();
    assert.deepEqual(flow.problems(), [], how);
  }
});

test('[P1, L5] a product that cannot be held: open until it is gone, and never for two reasons at once', async () => {
  const flow = await linked();
  flow.unsyncable.set('Vase', { reason: 'bundle', detail: '' });
  flow.stock(['woocommerce'], { title: 'Vase' }, [{ sku: 'VASE' }]);
  await flow.rest();
  assert.deepEqual(flow.problems(), ['UNSYNCABLE_BUNDLE']);
  flow.unsyncable.set('Vase', { reason: 'gift_card', detail: '' });
  await flow.scan();
  assert.deepEqual(flow.problems(), ['UNSYNCABLE_GIFT_CARD']);
  flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Vase').id, 'bin');
  await flow.rest();
  assert.deepEqual(flow.problems(), []);
});

test('[P1, P2] a refused stock write: open until one is taken, whatever else is written meanwhile', async () => {
  const flow = await linked();
  flow.hands.woocommerce.writeStock = async (writes) =>
    writes.map(() => ({ outcome: 'failed', error: new ConnectorError('rejected', 'Stock is managed elsewhere') }));
  flow.shop('shopify').outside.sell(flow.item('shopify', 'BOWL'), 1);
  await flow.rest();
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Bowl').id, 'descriptionHtml', '<p>New</p>');
  await flow.rest();
  assert.equal(flow.product('woocommerce', 'Bowl').fields.descriptionHtml, '<p>New</p>');
  await retryAll(flow);
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED'], 'it still holds');
  delete flow.hands.woocommerce.writeStock;
  flow.shop('shopify').outside.sell(flow.item('shopify', 'BOWL'), 1);
  await flow.rest();
  assert.deepEqual(flow.problems(), []);
  assert.deepEqual(flow.quantities('BOWL'), [8, 8]);
});

test('[P1] a refused write that nobody wants any more is no problem any more', async () => {
  const flow = await linked();
  flow.shop('shopify').outside.duplicateSku(flow.item('shopify', 'MUG-M'), flow.item('shopify', 'BOWL'));
  const bowl = flow.product('shopify', 'Bowl').variants[0]?.stockId ?? '';
  await flow.rest();
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
  flow.shop('shopify').outside.renameSku(bowl, 'BOWL');
  await flow.rest();
  assert.deepEqual(flow.problems(), []);
});

test('[P1, P2] a job that was put aside: open until a full sync has looked at everything again', async () => {
  const flow = await linked();
  transact(flow.world.db, (tx) =>
    raiseProblem(
      tx,
      'prb_1' as ProblemId,
      {
        ...{ workspaceId: 'ws_sim' as WorkspaceId, pairId: PAIR_ID, storeId: null, productId: null, side: null },
        ...{ subject: 'stock:1', code: 'JOB_PUT_ASIDE', level: 'error', message: '', remedy: '', details: null },
      },
      flow.world.clock.now(),
    ),
  );
  await flow.poll();
  assert.deepEqual(flow.problems(), ['JOB_PUT_ASIDE']);
  const [problem] = flow.rows<{ id: string }>("SELECT id FROM problem WHERE state = 'open'");
  retryProblem(flow.world.life().ctx, problem?.id ?? '');
  assert.deepEqual(flow.problems(), ['JOB_PUT_ASIDE'], 'being tried again is not being over');
  await flow.rest();
  assert.deepEqual(flow.problems(), []);
});

test('[P1] a variant that is missed on a target: told once, and not any more when its product was deleted at the source', async () => {
  const flow = await linked({ syncDirection: 'shopify_to_woocommerce', enforce: true });
  const { outside } = flow.shop('woocommerce');
  const { id, fields } = flow.product('woocommerce', flow.product('shopify', 'Mug').fields.title);
  outside.deleteVariant(flow.item('woocommerce', 'MUG-S'));
  await flow.rest();
  assert.deepEqual(flow.problems(), ['DELETED_ON_TARGET']);
  flow.shop('shopify').outside.deleteProduct(flow.product('shopify', fields.title).id, 'hard');
  await flow.rest();
  assert.deepEqual(flow.problems(), []);
  outside.editProduct(id, 'title', 'Typed there');
  await flow.rest();
  assert.equal(flow.shop('woocommerce').shelf.products.get(id)?.fields.title, fields.title, 'it was put right');
  assert.deepEqual(flow.problems(), []);
  const told = flow.rows<{ payload: string }>("SELECT payload FROM event WHERE type = 'problem'");
  assert.equal(told.filter(({ payload }) => payload.includes('DELETED_ON_TARGET')).length, 1);
});

test('a refused write names the field as people call it', () => {
  const words = (field: string) => {
    const error = new ConnectorError('rejected', 'no', { field, platformMessage: 'no' });
    const { message, remedy } = rejectedWords('shopify', '"Mug"', error);
    return `${message} ${remedy}`;
  };
  assert.match(words('optionNames'), /because of its options: no Change the options on either side/);
  assert.match(words('descriptionHtml'), /because of its description/);
  assert.match(words('sku'), /because of its SKU/);
  assert.match(words('stock'), /because of its stock/);
});

test('[P1] a stock number that is refused is told with its product and SKU, in one pair of quotation marks', async () => {
  const flow = await linked();
  flow.hands.shopify.writeStock = async (writes) =>
    writes.map(() => ({
      outcome: 'failed' as const,
      error: new ConnectorError('rejected', 'no', { field: 'stock', platformMessage: 'Not that many.' }),
    }));
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'BOWL'), 1);
  await flow.rest();
  assert.equal(
    flow.words('WRITE_REJECTED').message,
    'Shopify refused "Bowl" (BOWL) because of its stock: Not that many.',
  );
});

test('what a shop would refuse and was not sent is not told as refused by it', () => {
  const error = new ConnectorError('rejected', 'it has no price, without which Shopify makes none', { field: 'price' });
  const { message, remedy } = rejectedWords('shopify', '"Mug"', error);
  assert.equal(
    message,
    '"Mug" can\'t be written to Shopify because of its price: it has no price, without which Shopify makes none',
  );
  assert.equal(remedy, 'Change that in the shop where it was entered; it is tried again by itself.');
});
