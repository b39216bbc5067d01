import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { product } from '../../db/schema/product.ts';
import { recordChange } from '../../db/writers/history.ts';
import type { RunId } from '../../model/ids.ts';
import { insertWorld, variantIdOf } from '../../testing/http/insert-world.ts';
import { makeTestApp } from '../../testing/http/make-test-app.ts';

test('a run says which fields it wrote, of which variant and to which store, and no more than a list can hold', async () => {
  await using app = await makeTestApp();
  const { headers, workspace } = app.person();
  const world = insertWorld(app.db, workspace.id, app.clock.now());
  const variantId = variantIdOf(world);
  const [mug] = app.db.query.select().from(product).all();
  const fields = mug?.data.variants[variantId];
  assert.ok(mug !== undefined && fields !== undefined);
  const data = { ...mug.data, variants: { [variantId]: { ...fields, optionValues: ['Slate', '350 ml'] } } };
  const { pairId, runId, productId } = world;
  const write = { ...{ pairId, runId, productId, variantId: null, origin: null, from: null, to: 'x' }, at: 1 } as const;
  const [from, to] = [1400, 1550].map((regularMinor) => ({ regularMinor, saleMinor: null }));
  transact(app.db, (tx) => {
    tx.query.update(product).set({ data }).run();
    recordChange(tx, { ...write, variantId, field: 'price', target: 'shopify', from, to, cause: 'written' });
    recordChange(tx, { ...write, field: 'title', target: 'shopify', cause: 'unanswered' });
    recordChange(tx, { ...write, runId: 'run_other' as RunId, field: 'title', target: 'shopify', cause: 'written' });
    for (let n = 0; n < 9; n += 1)
      recordChange(tx, { ...write, field: 'tags', target: 'woocommerce', cause: 'written' });
  });
  const reply = await app.server.inject({ url: `/api/runs/${runId}`, headers });
  const { items, currency } = reply.json();
  assert.equal(currency, 'EUR');
  assert.deepEqual(items[0].writes[0], { field: 'price', side: 'shopify', variantLabel: 'Slate / 350 ml', from, to });
  assert.deepEqual(items[0].writes[1], { field: 'tags', side: 'woocommerce', variantLabel: null, from: null, to: 'x' });
  assert.deepEqual([items[0].writes.length, items[0].writeCount], [6, 10]);
});
