// [B12] What a plan says of what a platform is known to refuse.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SIDES } from '../../model/platform.ts';
import { Story } from './depth/story.ts';
import { EngineFlow } from './engine-flow.ts';

test('[B12] a plan asks once whether a create would be refused', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  flow.stock(['woocommerce'], { title: 'Jug' }, [{ sku: 'JUG' }]);
  const { refusalOf } = flow.connector('shopify');
  const asked: string[] = [];
  flow.hands.shopify = {
    refusalOf: (write, bin) => {
      if (write.type === 'create') asked.push(write.fields.title);
      return refusalOf(write, bin);
    },
  };
  await flow.plan();
  assert.deepEqual(asked, ['Jug']);
});

const REBUILD = 'WooCommerce keeps a product without options as another kind of record';
const NO_LESS = 'an option can’t be taken away from a product on Shopify';
const WHOLE = new RegExp(`^(${REBUILD}|${NO_LESS})`);

test('[B12, B1] options that Shopify can’t be rid of, and a variant that WooCommerce can’t be given, are not promised: the rest is planned and written', () =>
  Story.play(async (story) => {
    const { woo, shop } = story;
    story.addBoth('FINE');
    woo.addProduct({ title: 'Shirt', sku: 'T-S', regularPrice: '20.00', stock: 4 });
    const size = (value: string) => ({ sku: `T-${value}`, optionValues: [value], price: '18.00', stock: 4 });
    shop.addProduct({ title: 'A shirt', optionNames: ['Size'], variants: [size('S'), size('M')] });
    woo.addProduct({
      title: 'Trousers',
      variations: ['S', 'M'].map((value) => ({
        ...{ sku: `J-${value}`, regularPrice: '30.00', stock: 2 },
        options: { Size: value },
      })),
    });
    const cut = (value: string) => ({ sku: `J-${value}`, optionValues: [value, 'Red'], price: '28.00', stock: 2 });
    shop.addProduct({ title: 'The trousers', optionNames: ['Size', 'Colour'], variants: [cut('S'), cut('M')] });
    await story.world.pairUp();
    const plan = await story.world.plan();
    const planned = (title: string) => {
      const item = story.planItems(plan).find((one) => one.title === title);
      const refused = item?.data.refused ?? [];
      return {
        action: item?.action,
        refused: refused.map(({ side, message }) => `${side}: ${WHOLE.exec(message)?.[0]}`),
        fields: item?.data.fields.map(({ side, field }) => `${side}: ${field}`),
      };
    };
    assert.deepEqual(planned('Shirt'), {
      action: 'link',
      refused: [`woocommerce: ${REBUILD}`, `shopify: ${NO_LESS}`],
      fields: ['shopify: Title', 'shopify: Price'],
    });
    assert.deepEqual(planned('Trousers'), {
      action: 'link',
      refused: [`shopify: ${NO_LESS}`],
      fields: ['shopify: Title', 'shopify: S: Price', 'shopify: M: Price'],
    });
    await story.world.apply(plan.id, plan.hash);
    await story.rest();
    assert.equal(story.item('shopify', 'T-S').title, 'Shirt');
    const prices = story.shop.listShelf().map(({ sku, price }) => `${sku} ${price}`);
    for (const price of ['T-S 20.00', 'T-M 18.00', 'J-S 30.00', 'J-M 30.00']) assert.ok(prices.includes(price), price);
    const told = story.problems().map(({ message }) => message);
    assert.ok(told.length === 2 && told.every((message) => message.includes(REBUILD) || message.includes(NO_LESS)));
    const again = await story.world.plan();
    assert.deepEqual(
      story.planItems(again).map(({ title, data }) => [title, data.fields, data.refused?.length]),
      [
        ['Shirt', [], 1],
        ['Trousers', [], 1],
      ],
    );
  }));
