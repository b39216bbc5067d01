// A shop that makes a product by our mark writes over whatever bears it by then.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProductRecord } from '../../connectors/memory/records.ts';
import { loadHub } from '../../engine/hub.ts';
import { SIDES } from '../../model/platform.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow, record } from './engine-flow.ts';

/** A bowl in both shops, and a mug that WooCommerce has. */
function shops(createOn: { readonly woocommerce: boolean; readonly shopify: boolean }): EngineFlow {
  const flow = new EngineFlow({ conflictResolution: 'newest', createOn });
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  flow.stock(['woocommerce'], { title: 'Mug' }, [{ sku: 'MUG' }]);
  return flow;
}

/** An import into Shopify, with all that was noted on a product: our mark too. */
function importMarked(flow: EngineFlow, title: string, isTold: boolean): ProductRecord {
  const { shelf, webhooks } = flow.shop('shopify');
  const hubId = flow.hub('Mug').row.id;
  const made = shelf.addProduct(record({ title }, [{ sku: 'IMPORT', quantity: 7 }]), null);
  shelf.addMark(made, { pairId: PAIR_ID, hubId }, null);
  if (isTold) webhooks.emit('product.created', made, null, 'outside');
  return made;
}

/** Creates that left for Shopify from now on. */
function creates(flow: EngineFlow): { count: number } {
  const seen = { count: 0 };
  const { writeProducts } = flow.connector('shopify');
  flow.hands.shopify.writeProducts = (writes, ...rest) => {
    seen.count += writes.filter(({ type }) => type === 'create').length;
    return writeProducts(writes, ...rest);
  };
  return seen;
}

function untold(flow: EngineFlow, deed: () => void): void {
  const shop = flow.shop('shopify');
  const { faults } = shop;
  shop.faults = { ...faults, delivery: () => ({ delaysMs: [], isLate: false }) };
  deed();
  shop.faults = faults;
}

function editMug(flow: EngineFlow, text: string): void {
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', 'Mug').id, 'descriptionHtml', text);
}

test('[M1] what bears the mark of a product that is to be made again, and is known as another, is not written over: a person decides', async () => {
  const flow = shops({ woocommerce: false, shopify: true });
  await flow.link();
  const old = flow.product('shopify', 'Mug');
  untold(flow, () => flow.shop('shopify').outside.deleteProduct(old.id, 'hard'));
  const imported = importMarked(flow, 'Imported cup', true);
  await flow.rest();
  const owner = flow.hub('Imported cup').row.id;
  assert.notEqual(owner, flow.hub('Mug').row.id, 'it is known as a product of its own');
  const made = creates(flow);
  // The edit wins against the delete that nobody told of: it is to be made again.
  editMug(flow, 'New');
  await flow.rest();
  assert.equal(made.count, 0);
  assert.equal(flow.hub('Imported cup').bindings.shopify?.externalId, imported.id);
  assert.equal(flow.hub('Imported cup').row.id, owner);
  assert.equal(flow.product('shopify', 'Imported cup').fields.descriptionHtml, imported.fields.descriptionHtml);
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
  assert.match(flow.words('WRITE_REJECTED').message, /"Mug".*"Imported cup"/);
  await flow.scan();
  assert.equal(made.count, 0);
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
  // A person takes it away.
  flow.shop('shopify').outside.deleteProduct(imported.id, 'hard');
  await flow.rest();
  assert.deepEqual([made.count, flow.quantity('shopify', 'MUG')], [1, 10]);
  assert.deepEqual(flow.problems(), []);
});

test('[M1] what bears the mark of a product that was not made yet by what is known, as after a backup was put back, is that product', async () => {
  const flow = shops({ woocommerce: true, shopify: false });
  await flow.link();
  // Known as what one shop alone has.
  editMug(flow, 'Known');
  await flow.rest();
  const hubId = flow.hub('Mug').row.id;
  let made: ProductRecord | null = null;
  untold(flow, () => {
    made = importMarked(flow, 'Mug of a lost day', false);
  });
  const sent = creates(flow);
  flow.change({ createOn: { woocommerce: true, shopify: true } });
  editMug(flow, 'New');
  await flow.rest();
  assert.equal(sent.count, 0);
  assert.equal(flow.count('shopify'), 2);
  const { bindings } = loadHub(flow.world.db, hubId) ?? {};
  assert.equal(bindings?.shopify?.externalId, (made as ProductRecord | null)?.id);
});

test('[M1] where a create does not go by its mark, a copy that bears it keeps nothing from being made again', async () => {
  const flow = new EngineFlow({ conflictResolution: 'newest', createOn: { woocommerce: true, shopify: false } });
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  flow.stock(['shopify'], { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.link();
  const { outside } = flow.shop('woocommerce');
  const made = flow.product('woocommerce', 'Mug').id;
  outside.duplicateProduct(made);
  await flow.rest();
  outside.deleteProduct(made, 'hard');
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'descriptionHtml', 'New');
  await flow.lookAt('Mug', 30);
  assert.equal(flow.count('woocommerce'), 3);
  assert.notEqual(flow.product('woocommerce', 'Mug').id, made);
  assert.deepEqual(flow.problems(), []);
});

for (const why of ['hidden', 'of the same title'] as const)
  test(`[M1] what is not made anyway is not looked for by its mark (${why})`, async () => {
    const flow = shops({ woocommerce: false, shopify: true });
    if (why === 'hidden') flow.withheld.set('Mug', 'it is a download');
    if (why === 'of the same title') flow.stock(['shopify'], { title: 'Mug', handle: 'other' }, [{ sku: 'OTHER' }]);
    await flow.link();
    let asked = 0;
    const { findByMark } = flow.connector('shopify');
    flow.hands.shopify.findByMark = (...args) => {
      asked += 1;
      return findByMark(...args);
    };
    await flow.scan();
    assert.equal(asked, 0);
  });
