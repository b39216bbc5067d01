// What others are shown of a record while a pass that decides about its other half holds it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { snapshotOf } from '../../connectors/memory/records.ts';
import { loadPairView } from '../../engine/pair-view.ts';
import {
  lockSubject,
  makeSubject,
  type ProductSubject,
  releaseSubject,
} from '../../engine/products/product-subject.ts';
import { noteSights, waitForSights } from '../../engine/sights.ts';
import { SIDES } from '../../model/platform.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

/** A pass that found the mug gone in WooCommerce and has not read it in Shopify. */
async function deleting() {
  const flow = new EngineFlow({ conflictResolution: 'newest' });
  for (const title of ['Mug', 'Bowl']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase() }]);
  await flow.link();
  const { ctx } = flow.world.life();
  const view = loadPairView(ctx, PAIR_ID);
  assert.ok(view);
  const productId = flow.hub('Mug').row.id;
  const subject = makeSubject(ctx, view, { productId }, ['woocommerce'], null);
  assert.ok(lockSubject(ctx, view, subject));
  subject.gone.add('woocommerce');
  const show = (title: 'Mug' | 'Bowl') =>
    noteSights(ctx, view, 'shopify', [snapshotOf(flow.product('shopify', title))]);
  const wait = (...subjects: ProductSubject[]) => waitForSights(ctx, view, subjects);
  const looks = () => flow.rows<{ payload: string }>('SELECT payload FROM job WHERE payload LIKE ?', `%${productId}%`);
  return { subject, show, wait, looks };
}

test('[G9] a delete is not stored in a pass that has not read what another one was just shown of its counterpart: both are looked at again', async () => {
  const { subject, show, wait, looks } = await deleting();
  show('Mug');
  wait(subject);
  assert.deepEqual(subject.outcome, { type: 'snooze', ms: 0 });
  assert.deepEqual(
    looks().map(({ payload }) => (JSON.parse(payload) as { observe: unknown }).observe),
    [['shopify']],
  );
  releaseSubject(subject);
});

test('[G9] ... and is stored where nobody was shown it, or another record, or where it is no delete', async () => {
  const { subject, show, wait, looks } = await deleting();
  show('Bowl');
  wait(subject);
  assert.equal(subject.outcome, null);
  show('Mug');
  subject.gone.clear();
  wait(subject);
  assert.equal(subject.outcome, null);
  assert.deepEqual(looks(), []);
  releaseSubject(subject);
});
