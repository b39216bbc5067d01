import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from './depth/story.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const FORBIDDEN = { kind: 'status', status: 403 } as const;

const told = (story: Story, code: string) =>
  story.world.db.connection
    .prepare("SELECT message, remedy FROM problem WHERE state = 'open' AND code = ?")
    .all(code) as { message: string; remedy: string }[];

test('[W8] a firewall turns away what sets stock: a person is told by whom, all else goes on, and what was owed follows once it is let through', () =>
  Story.play(async (story) => {
    for (const sku of ['MUG', 'CUP']) story.addBoth(sku, { stock: 9, price: '20.00' });
    await story.link();
    let refusals = 0;
    story.woo.setFault(({ body }) => {
      if (!body.includes('meta_data')) return undefined;
      refusals += 1;
      return FORBIDDEN;
    });
    story.shop.placeOrder([{ variant: 'MUG', quantity: 2 }]);
    story.shop.setPrice('CUP', '18.00');
    await story.rest(2 * HOUR_MS);
    assert.equal(story.item('woocommerce', 'CUP').price, 1800, 'a price has no meta data, and goes through');
    assert.deepEqual(story.stock('MUG'), [9, 7]);
    const [problem] = told(story, 'WRITE_UNANSWERED');
    assert.match(problem?.message ?? '', /stock of .*firewall or security plugin .* \/wp-json\/wc\/v3\/ left alone/);
    assert.ok(refusals < 70, `${refusals} refusals in two hours`);
    story.woo.setFault(null);
    await story.rest(2 * HOUR_MS);
    assert.deepEqual([story.stock('MUG'), story.codes()], [[7, 7], []]);
  }));

test('[W8] a firewall that turns one request with stock away for a moment holds no sale up until its fence', () =>
  Story.play(async (story) => {
    const skus = ['MUG', 'CUP'];
    for (const sku of skus) story.addBoth(sku, { stock: 9 });
    await story.link();
    let left = 1;
    story.woo.setFault(({ body }) => (body.includes('meta_data') && left-- > 0 ? FORBIDDEN : undefined));
    for (const variant of skus) story.shop.placeOrder([{ variant, quantity: 2 }]);
    await story.rest(MINUTE_MS / 2);
    const stocks = skus.map((sku) => story.stock(sku));
    assert.deepEqual(
      [stocks, story.codes()],
      [
        [
          [7, 7],
          [7, 7],
        ],
        [],
      ],
    );
  }));

test('[M1] a firewall turns away the search by SKU: a person is told, nothing is made twice, all else goes on, and what is new follows once it is let through', () =>
  Story.play(async (story) => {
    story.addBoth('CUP', { stock: 9 });
    await story.link();
    let refusals = 0;
    story.woo.setFault(({ url }) => {
      if (!/[?&]sku=/.test(url)) return undefined;
      refusals += 1;
      return FORBIDDEN;
    });
    story.shop.addProduct({ title: 'Mug', sku: 'MUG', price: '5.00', stock: 4 });
    story.shop.placeOrder([{ variant: 'CUP', quantity: 2 }]);
    await story.rest(2 * HOUR_MS);
    assert.deepEqual(story.stock('CUP'), [7, 7]);
    const [problem] = told(story, 'STORE_REFUSES');
    assert.match(problem?.message ?? '', /firewall or security plugin .* search for products by their SKU/);
    assert.equal(story.woo.listShelf().length, 1);
    assert.ok(refusals < 40, `${refusals} refusals in two hours`);
    story.woo.setFault(null);
    await story.rest(HOUR_MS);
    assert.deepEqual(
      story.woo
        .listShelf()
        .map(({ sku }) => sku)
        .toSorted(),
      ['CUP', 'MUG'],
    );
    assert.deepEqual(story.codes(), []);
  }));
