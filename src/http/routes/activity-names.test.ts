import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eq } from 'drizzle-orm';
import { transact } from '../../db/database.ts';
import { nameEvent } from '../../db/readers/name-event.ts';
import { product, variant } from '../../db/schema/product.ts';
import { store } from '../../db/schema/store.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { insertWorld, variantIdOf } from '../../testing/http/insert-world.ts';
import { makeTestApp } from '../../testing/http/make-test-app.ts';

test('the activity names the store and the pair that a line is about', async () => {
  await using app = await makeTestApp();
  const { headers, workspace } = app.person();
  const world = insertWorld(app.db, workspace.id, app.clock.now());
  const storeId = world.storeIds.woocommerce;
  transact(app.db, (tx) => {
    const common = { workspaceId: workspace.id, at: app.clock.now() };
    const payload = { storeId, status: 'error', reason: 'the key is unknown' };
    recordEvent(tx, {
      ...common,
      pairId: null,
      type: 'webhooks_repaired',
      payload: { storeId, active: 7, repaired: 7 },
    });
    recordEvent(tx, { ...common, pairId: null, type: 'store_health_changed', payload });
    recordEvent(tx, { ...common, pairId: world.pairId, type: 'pair_paused', payload: {} });
  });
  const reply = await app.server.inject({ url: '/api/activity', headers });
  const texts = (reply.json() as { activity: { text: string }[] }).activity.map(({ text }) => text);
  const [woocommerce, shopify] = [storeId, world.storeIds.shopify].map(
    (id) => app.db.query.select().from(store).where(eq(store.id, id)).get()?.name,
  );
  assert.deepEqual(texts.slice(0, 3), [
    `The sync of ${woocommerce} and ${shopify} was paused`,
    `${woocommerce} does not let us in any more: the key is unknown`,
    `Webhooks of ${woocommerce} were switched on`,
  ]);
});

test('a variant is called by its SKU or its options, also out of the path of a field; what is gone has no name', async () => {
  await using app = await makeTestApp();
  const world = insertWorld(app.db, app.person().workspace.id, app.clock.now());
  const id = variantIdOf(world);
  const name = (payload: object) => nameEvent(app.db, { pairId: world.pairId, payload }).variant;
  const { sku } = app.db.query.select().from(variant).where(eq(variant.id, id)).get()!;
  assert.notEqual(sku, '');
  assert.equal(name({ variantId: id }), sku);
  assert.equal(name({ field: `variant.${id}.price` }), sku);
  assert.equal(name({ variantId: 'var_gone' }), null);
  assert.equal(name({ field: 'title' }), null);
  const row = app.db.query.select().from(product).get()!;
  const variants = { [id]: { ...row.data.variants[id]!, optionValues: ['Sand', 'L'] } };
  app.db.query.update(variant).set({ sku: '' }).where(eq(variant.id, id)).run();
  app.db.query
    .update(product)
    .set({ data: { ...row.data, variants } })
    .where(eq(product.id, row.id))
    .run();
  assert.equal(name({ variantId: id }), 'Sand / L', 'without a SKU by its option values');
});
