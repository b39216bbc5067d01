import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from './depth/story.ts';

test('[B12] what WooCommerce protects by a password is not made in Shopify, and is as soon as it is open to everybody', () =>
  Story.play(async (story) => {
    story.addBoth('MUG');
    await story.link();
    const inShopify = () => story.shop.listShelf().map(({ sku }) => sku);
    const { productId } = story.woo.addProduct({
      title: 'For dealers',
      sku: 'DEALERS',
      regularPrice: '9.00',
      status: 'draft',
    });
    await story.wooApi('PUT', `/products/${productId}`, { post_password: 's3same', status: 'publish' });
    await story.rest();
    assert.deepEqual([inShopify(), story.codes()], [['MUG'], []]);
    await story.wooApi('PUT', `/products/${productId}`, { post_password: '' });
    await story.rest();
    assert.deepEqual(inShopify().toSorted(), ['DEALERS', 'MUG']);
  }));
