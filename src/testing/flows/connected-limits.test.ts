import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from './depth/story.ts';

const VARIANTS_MAX = 2_048;

test('2,048 variants cross; one more is refused whole, with the reason', () =>
  Story.play(async (story) => {
    story.addBoth('SMALL');
    const numbers = Array.from({ length: VARIANTS_MAX }, (_, i) => i + 1);
    story.shop.addProduct({
      title: 'As many as there may be',
      optionNames: ['Number'],
      variants: numbers.map((n) => ({ sku: `S-${n}`, price: '1.00', stock: n % 7, optionValues: [`No ${n}`] })),
    });
    story.woo.addProduct({
      title: 'One too many',
      variations: [...numbers, VARIANTS_MAX + 1].map((n) => ({
        sku: `W-${n}`,
        regularPrice: '1.00',
        stock: 1,
        options: { Number: `No ${n}` },
      })),
    });
    const { plan } = await story.link();
    const skipped = story.planItems(plan).filter((item) => item.action === 'skip');
    assert.deepEqual(
      skipped.map(({ title }) => title),
      ['One too many'],
    );
    assert.match(skipped[0]?.data.reason ?? '', /more than 2,048 variants/);
    await story.rest(120_000);
    const rows = new Map(story.shelf('woocommerce').map((row) => [row.sku, row.stock]));
    assert.deepEqual(
      numbers.filter((n) => rows.get(`S-${n}`) !== n % 7),
      [],
      'each with its stock',
    );
    assert.deepEqual(
      story.shelf('shopify').filter(({ sku }) => sku.startsWith('W-')),
      [],
    );
    story.woo.placeOrder([{ ref: `S-${VARIANTS_MAX - 2}`, quantity: 1 }]);
    await story.rest();
    const last = VARIANTS_MAX - 2;
    assert.deepEqual(story.stock(`S-${last}`), [(last % 7) - 1, (last % 7) - 1]);
  }));
