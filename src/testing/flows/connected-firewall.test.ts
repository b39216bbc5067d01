import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryProblem } from '../../engine/runs/retry-problem.ts';
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

test('[M1] a firewall takes offence at one SKU: of a whole first link that product alone waits, is told of with its SKU and the remedy, and follows once it is let through', () =>
  Story.play(async (story) => {
    let refusals = 0;
    story.woo.setFault(({ url }) => {
      const sku = new URL(url, 'http://store').searchParams.get('sku') ?? '';
      if (!sku.includes('1 or 1=1')) return undefined;
      refusals += 1;
      return FORBIDDEN;
    });
    const skus = Array.from({ length: 120 }, (_, i) => (i === 70 ? '1 OR 1=1' : `NEW-${i}`));
    for (const sku of skus) story.shop.addProduct({ title: `Thing ${sku}`, sku, price: '5.00', stock: 4 });
    await story.link();
    await story.rest(MINUTE_MS);
    const made = () => story.woo.listShelf().map(({ sku }) => sku);
    assert.deepEqual(made().toSorted(), skus.filter((sku) => sku !== '1 OR 1=1').toSorted());
    const [problem, ...others] = story.problems();
    assert.deepEqual([problem?.code, others], ['WRITE_REJECTED', []]);
    assert.match(problem?.message ?? '', /"Thing 1 OR 1=1".* search for the SKU “1 or 1=1” .*status 403/);
    assert.match(problem?.remedy ?? '', /wp-json\/wc\/v3/);
    assert.equal(refusals, 4);
    await story.rest(2 * HOUR_MS);
    assert.ok(refusals <= 8, `${refusals} refusals in two hours`);
    story.woo.setFault(null);
    await story.rest(2 * HOUR_MS);
    assert.deepEqual(made().toSorted(), skus.toSorted());
    assert.deepEqual(story.codes(), []);
  }));

const ODD = '1 OR 1=1';

/** A firewall before WooCommerce that takes offence at searches for `ODD`. */
const guard = (story: Story) =>
  story.woo.setFault(({ url }) =>
    (new URL(url, 'http://store').searchParams.get('sku') ?? '').includes(ODD.toLowerCase()) ? FORBIDDEN : undefined,
  );

for (const side of ['shopify', 'woocommerce'] as const)
  test(`[M1] a new product of ${side} with a SKU that a firewall takes offence at waits alone, and is told of until it has another`, () =>
    Story.play(async (story) => {
      story.addBoth('CUP');
      await story.link();
      guard(story);
      const add = (sku: string) =>
        side === 'shopify'
          ? story.shop.addProduct({ title: `The ${sku}`, sku, price: '5.00', stock: 4 })
          : story.woo.addProduct({ title: `The ${sku}`, sku, regularPrice: '5.00', stock: 4 });
      for (const sku of [ODD, 'MUG', 'JUG']) add(sku);
      await story.rest(HOUR_MS);
      const made = () => story.shelf(side === 'shopify' ? 'woocommerce' : 'shopify').map(({ sku }) => sku);
      assert.deepEqual(made().toSorted(), ['CUP', 'JUG', 'MUG']);
      const [problem, ...others] = story.problems();
      assert.deepEqual(others, []);
      assert.match(
        problem?.message ?? '',
        /^"The 1 OR 1=1" is neither linked nor made in .* search for the SKU “1 or 1=1” .*403/,
      );
      assert.match(problem?.remedy ?? '', /wp-json\/wc\/v3.* another SKU/);
      if (side === 'shopify') story.shop.setSku(ODD, 'ODD');
      else {
        const row = story.woo.listShelf().find(({ sku }) => sku === ODD);
        await story.wooApi('PUT', `/products/${row?.productId}`, { sku: 'ODD' });
      }
      await story.rest(HOUR_MS);
      assert.deepEqual(made().toSorted(), ['CUP', 'JUG', 'MUG', 'ODD']);
      assert.deepEqual(story.codes(), []);
    }));

/** Shopify alone has a product at whose SKU a firewall before WooCommerce takes offence. */
async function linkOddAlone(story: Story): Promise<void> {
  story.addBoth('CUP');
  story.shop.addProduct({ title: 'Odd', sku: ODD, price: '5.00', stock: 4 });
  guard(story);
  await story.link();
  await story.rest(HOUR_MS);
}

test('[M1] of a product that is known, one shop alone has it, and a firewall takes offence at its SKU: it is told of until it need not be made any more', () =>
  Story.play(async (story) => {
    await linkOddAlone(story);
    assert.deepEqual(story.codes(), ['WRITE_REJECTED']);
    story.woo.addProduct({ title: 'Another', sku: ODD, regularPrice: '5.00', stock: 4 });
    await story.rest(HOUR_MS);
    assert.deepEqual(
      story.woo
        .listShelf()
        .map(({ sku }) => sku)
        .toSorted(),
      [ODD, 'CUP'].toSorted(),
      'nothing is made beside it',
    );
    story.woo.setFault(null);
    await story.rest(2 * HOUR_MS);
    assert.deepEqual([story.woo.listShelf().length, story.codes()], [2, []]);
    assert.deepEqual(story.stock(ODD).length, 2);
  }));

for (const [name, add, code] of [
  ['shares its SKU', (story: Story) => story.shop.addProduct({ title: 'Other', sku: ODD }), 'AMBIGUOUS_MATCH'],
  ['has a namesake', (story: Story) => story.woo.addProduct({ title: 'Odd', sku: 'OTHER' }), 'SAME_TITLE'],
] as const)
  test(`[P1] what waits because it ${name} is not said any more to wait for a firewall, once that lets its SKU through`, () =>
    Story.play(async (story) => {
      await linkOddAlone(story);
      add(story);
      await story.rest(HOUR_MS);
      assert.deepEqual(story.codes().toSorted(), [code, 'WRITE_REJECTED'].toSorted());
      story.woo.setFault(null);
      await story.rest(2 * HOUR_MS);
      assert.deepEqual(story.codes(), [code, code]);
    }));

test('[P2] where a firewall was told to let a SKU through, trying again tries it at once', () =>
  Story.play(async (story) => {
    story.shop.addProduct({ title: 'Odd', sku: ODD, price: '5.00', stock: 4 });
    story.addBoth('CUP');
    guard(story);
    await story.link();
    await story.rest(HOUR_MS);
    story.woo.setFault(null);
    const { id } = story.world.db.connection.prepare("SELECT id FROM problem WHERE state = 'open'").get() as {
      id: string;
    };
    retryProblem(story.world.ctx, id);
    await story.rest(MINUTE_MS / 2);
    assert.deepEqual([story.woo.listShelf().length, story.codes()], [2, []]);
  }));
