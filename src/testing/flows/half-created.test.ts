import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import { EngineFlow, record } from './engine-flow.ts';

// WooCommerce takes a product with variations in three steps: a draft, its variations, and only then its status.

for (const [landed, variants, status] of [
  ['nothing but the draft', [], 'active'],
  ['the draft and one of its variants', [{ sku: 'MUG-S', optionValues: ['S'] }], 'active'],
  ['nothing but the draft (of what is sold by its address alone)', [], 'unlisted'],
] as const)
  test(`[W4] a create of which ${landed} landed is finished, and is nobody's edit: the product stays on sale where it came from`, async () => {
    const flow = new EngineFlow();
    flow.stock(['shopify'], { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    await flow.link();
    const { shelf } = flow.shop('woocommerce');
    let isCut = false;
    flow.hands.woocommerce.writeProducts = async (writes, signal, cut) => {
      const [write] = writes;
      if (isCut || write?.type !== 'create') return flow.connector('woocommerce').writeProducts(writes, signal, cut);
      isCut = true;
      const half = shelf.addProduct(record({ ...write.fields, status: 'draft' }, variants), null);
      shelf.addMark(half, write.mark, null);
      return [{ ok: false, error: new ConnectorError('unknown_outcome', 'cut off') }];
    };
    flow.stock(['shopify'], { title: 'Mug', optionNames: ['Size'], status }, [
      { sku: 'MUG-S', optionValues: ['S'] },
      { sku: 'MUG-M', optionValues: ['M'], quantity: 4 },
    ]);
    await flow.rest(60);
    assert.equal(isCut, true);
    assert.equal(flow.product('shopify', 'Mug').fields.status, status);
    assert.equal(flow.product('woocommerce', 'Mug').fields.status, status);
    assert.deepEqual(
      [flow.quantities('MUG-S'), flow.quantities('MUG-M')],
      [
        [10, 10],
        [4, 4],
      ],
    );
    assert.deepEqual(flow.problems(), []);
  });
