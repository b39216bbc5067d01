// A backup is put back: what the server of before had carried over since is not sold a second time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { settleStockBase, updateVariant } from '../../db/writers/products.ts';
import { enqueueRestored } from '../../engine/stock/resume-stock.ts';
import type { VariantId } from '../../model/ids.ts';
import type { PairSettings } from '../../model/pair.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import { EngineFlow } from './engine-flow.ts';

/** Lets the shops go on under the server, then puts the stock of before back as `restore` leaves it. `unseen`: sold after the server of before had ended. */
async function goOnFromBackup(flow: EngineFlow, carried: () => void, unseen: () => void): Promise<void> {
  const variants = flow.rows<{ id: VariantId; quantity: number }>('SELECT id, quantity FROM variant');
  const bases = flow.rows<{ variant_id: VariantId; side: Side; base_quantity: number }>(
    'SELECT * FROM variant_binding',
  );
  carried();
  await flow.rest();
  unseen();
  const { ctx } = flow.world.life();
  transact(ctx.db, (tx) => {
    for (const { id, quantity } of variants) updateVariant(tx, id, { quantity, stockState: 'restored' });
    for (const base of bases) settleStockBase(tx, base.variant_id, base.side, base.base_quantity, true);
  });
  enqueueRestored(ctx);
  await flow.rest();
}

async function linked(settings: Partial<PairSettings> = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  for (const title of ['Bowl', 'Cup', 'Jar', 'Pan'])
    flow.stock(SIDES, { title }, [{ sku: title.toUpperCase(), quantity: 20 }]);
  return flow.link();
}

const shown = (flow: EngineFlow, sku: string) => SIDES.map((side) => flow.quantity(side, sku));

test('[S14] what was carried over since the backup counts once, and what was sold after it counts too', async () => {
  const flow = await linked();
  const sell = (side: Side, sku: string, count: number) => flow.shop(side).outside.sell(flow.item(side, sku), count);
  await goOnFromBackup(
    flow,
    () => {
      sell('woocommerce', 'BOWL', 3);
      sell('shopify', 'CUP', 2);
      sell('shopify', 'JAR', 1);
      flow.shop('shopify').outside.restock(flow.item('shopify', 'PAN'), 7);
    },
    () => {
      sell('woocommerce', 'BOWL', 1);
      sell('shopify', 'CUP', 4);
    },
  );
  assert.deepEqual(
    ['BOWL', 'CUP', 'JAR', 'PAN'].map((sku) => shown(flow, sku)),
    [
      [16, 16],
      [14, 14],
      [19, 19],
      [27, 27],
    ],
  );
  assert.deepEqual(flow.rows('SELECT DISTINCT stock_state FROM variant'), [{ stock_state: 'live' }]);
  assert.equal(flow.rows("SELECT 1 FROM problem WHERE code = 'STOCK_DOUBT' AND state = 'open'").length, 2);
  sell('woocommerce', 'JAR', 1);
  await flow.rest();
  assert.deepEqual(shown(flow, 'JAR'), [18, 18]);
});

test('[S14] a side that only receives stock says nothing about what was sold', async () => {
  const flow = await linked({ syncDirection: 'woocommerce_to_shopify', stockTwoWay: false });
  await goOnFromBackup(
    flow,
    () => flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'BOWL'), 3),
    () => flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'BOWL'), 1),
  );
  assert.deepEqual(shown(flow, 'BOWL'), [16, 16]);
});
