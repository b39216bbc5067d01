import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ActivityReply } from '../../contracts/activity.ts';
import { loadPairView } from '../../engine/pair-view.ts';
import { createPair, deletePair } from '../../engine/pairs/create-pair.ts';
import { disconnectStore } from '../../engine/stores/connect-store.ts';
import { PAIR_ID, STORE_IDS, WORKSPACE_ID } from '../simulator/world.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { EngineFlow } from './engine-flow.ts';
import { startLinkedApp } from './start-linked-app.ts';

test('a pair that was removed is told by the names of its stores, also when those are disconnected after it', async () => {
  using dir = makeTempDir();
  await using app = await startLinkedApp(dir.path, [{ title: 'Mug', sku: 'MUG' }]);
  const ask = async <T>(method: 'GET' | 'DELETE', path: string) =>
    (await app.running.call<T>(method, path, null, app.session)).body;
  await ask('DELETE', `/api/pairs/${app.pairId}`);
  for (const id of Object.values(app.storeIds)) await ask('DELETE', `/api/stores/${id}`);
  const { activity } = await ask<ActivityReply>('GET', '/api/activity?limit=10');
  const texts = activity.map(({ text }) => text);
  assert.ok(texts.includes('The pair of Garden Shop and Garden Studio was removed'), texts.join('\n'));
});

test('a store that is paired while its shop is asked to give up our webhooks is not disconnected, and has them again', async () => {
  const flow = new EngineFlow();
  const { ctx } = flow.world.life();
  deletePair(ctx, PAIR_ID);
  const asked = disconnectStore(ctx, STORE_IDS.woocommerce).catch((error: unknown) => error);
  const { id } = createPair(ctx, {
    workspaceId: WORKSPACE_ID,
    woocommerceStoreId: STORE_IDS.woocommerce,
    shopifyStoreId: STORE_IDS.shopify,
  });
  await flow.rest(1);
  assert.equal(((await asked) as { readonly code?: string } | undefined)?.code, 'STORE_IN_PAIR');
  assert.equal(loadPairView(ctx, id)?.stores.woocommerce.id, STORE_IDS.woocommerce);
  // They are there: nothing has to be put right.
  const { repaired } = await flow.world.clock.run(
    flow.connector('woocommerce').ensureWebhooks(`${ctx.publicUrl}/api/webhooks/${STORE_IDS.woocommerce}`),
  );
  assert.equal(repaired, 0);
});
