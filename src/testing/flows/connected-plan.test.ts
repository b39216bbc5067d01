import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { findPlan } from '../../db/writers/runs.ts';
import { updatePair } from '../../db/writers/stores.ts';
import { requestPlan } from '../../engine/plan/plan-pair.ts';
import { applyPlan } from '../../engine/runs/request-run.ts';
import { Refusal } from '../../model/refusal.ts';
import { Story } from './depth/story.ts';

const GTIN = '4006381333931';

test('a first link: by SKU, barcode and handle; only here, only there; ambiguous; nothing by title', () =>
  Story.play(async (story) => {
    const { woo, shop } = story;
    story.addBoth('BY-SKU');
    woo.addProduct({ title: 'Lamp', sku: 'LAMP-W', gtin: GTIN, regularPrice: '30.00', stock: 4 });
    shop.addProduct({ title: 'The lamp', sku: 'LAMP-S', barcode: GTIN, price: '30.00', stock: 4 });
    woo.addProduct({ title: 'Same handle', regularPrice: '5.00', stock: 3 });
    shop.addProduct({ title: 'Same handle', price: '5.00', stock: 3 });
    woo.addProduct({ title: 'Kettle blue', sku: 'T-1', regularPrice: '5.00', stock: 3 });
    shop.addProduct({ title: 'Kettle green', sku: 'T-2', price: '5.00', stock: 3 });
    woo.addProduct({ title: 'Only in WooCommerce', sku: 'ONLY-W', regularPrice: '7.00', stock: 2 });
    shop.addProduct({ title: 'Only in Shopify', sku: 'ONLY-S', price: '8.00', stock: 6 });
    woo.addProduct({ title: 'Twice there', sku: 'TWICE', regularPrice: '9.00', stock: 1 });
    for (const title of ['One of two', 'Two of two']) shop.addProduct({ title, sku: 'TWICE', price: '9.00', stock: 1 });

    await story.world.pairUp();
    const plan = await story.world.plan();
    assert.equal(plan.status, 'ready', plan.errorMessage ?? '');
    const items = story.planItems(plan);
    const of = (action: string) => items.filter((item) => item.action === action).map((item) => item.title);
    assert.deepEqual(of('link').sort(), ['Lamp', 'Same handle', 'Thing BY-SKU']);
    assert.deepEqual(
      items
        .filter((item) => item.action === 'link')
        .map((item) => item.data.reason)
        .sort(),
      ['barcode', 'handle', 'sku'],
    );
    assert.deepEqual(of('create').sort(), ['Kettle blue', 'Kettle green', 'Only in Shopify', 'Only in WooCommerce']);
    assert.deepEqual(of('ambiguous').sort(), ['One of two', 'Twice there', 'Two of two']);
    const twice = items.find((item) => item.title === 'Twice there');
    assert.deepEqual(twice?.data.candidates?.map(({ title }) => title).sort(), ['One of two', 'Two of two']);
    assert.equal(story.ledger.landedWrites(), 0, 'a plan writes nothing');

    const run = await story.world.apply(plan.id, plan.hash);
    assert.equal(run.status, 'completed', run.errorMessage ?? '');
    await story.rest();
    assert.equal(story.item('shopify', 'ONLY-W').stock, 2);
    assert.equal(story.item('woocommerce', 'ONLY-S').stock, 6);
    assert.equal(story.item('shopify', 'LAMP-W').title, 'Lamp', 'WooCommerce wins a first link');
    assert.equal(story.shelf('shopify').filter((row) => row.sku === 'TWICE').length, 2);
    const again = await story.world.plan();
    assert.equal(again.status, 'nothing_to_do', JSON.stringify(story.planItems(again)));
  }));

test('what one platform cannot hold is left out whole, with the reason', () =>
  Story.play(async (story) => {
    const { woo, shop } = story;
    story.addBoth('FINE');
    const make = (body: object) => story.wooApi<{ id: number }>('POST', '/products', { status: 'publish', ...body });
    await make({ name: 'Grouped', type: 'grouped', sku: 'GROUPED' });
    await make({ name: 'External', type: 'external', sku: 'EXTERNAL', regular_price: '5' });
    woo.addProduct({
      title: 'Four options',
      variations: [{ sku: 'FOUR', options: { A: '1', B: '2', C: '3', D: '4' }, regularPrice: '5.00', stock: 1 }],
    });
    const any = await make({
      name: 'Any size',
      type: 'variable',
      attributes: [{ name: 'Size', variation: true, visible: true, options: ['S', 'M'] }],
    });
    const open = { sku: 'ANY', regular_price: '5', attributes: [] };
    const { id } = await story.wooApi<{ id: number }>('POST', `/products/${any.id}/variations`, open);
    shop.addProduct({ title: 'Fine too', sku: 'FINE-2', price: '1.00', stock: 1 });

    const { plan } = await story.link();
    const skipped = story.planItems(plan).filter((item) => item.action === 'skip');
    const type = 'Left out whole: its product type has no counterpart on the other platform';
    const leftOut = [
      `Any size: Left out whole: one of its variations applies to "any" value of an attribute (variation ${id} is for any Size).`,
      `External: ${type} (product type "external").`,
      'Four options: Left out whole: it has more than 3 options, and Shopify holds at most 3 (4 variation attributes: A, B, C, D).',
      `Grouped: ${type} (product type "grouped").`,
    ];
    assert.deepEqual(skipped.map((item) => `${item.title}: ${item.data.reason}`).sort(), [...leftOut]);
    assert.deepEqual(
      story
        .shelf('shopify')
        .map(({ sku }) => sku)
        .sort(),
      ['FINE', 'FINE-2'],
    );
    await story.sync();
    const items = story.world.db.connection
      .prepare(
        "SELECT title, detail FROM run_item JOIN run ON run.id = run_id WHERE trigger = 'manual' AND outcome = 'skipped' ORDER BY title",
      )
      .all() as { title: string; detail: string }[];
    assert.deepEqual(
      items.map(({ title, detail }) => `${title}: ${detail}`),
      leftOut,
      'a run says of them what the plan said',
    );
    const told = story.problems().filter(({ code }) => code.startsWith('UNSYNCABLE'));
    assert.deepEqual(
      told.map(({ code }) => code),
      [
        'UNSYNCABLE_ANY_VARIATION',
        'UNSYNCABLE_TOO_MANY_OPTIONS',
        'UNSYNCABLE_UNSUPPORTED_TYPE',
        'UNSYNCABLE_UNSUPPORTED_TYPE',
      ],
    );
    for (const { message, remedy } of told)
      assert.ok(message.includes('left out whole') && remedy.length > 20, message);
  }));

test('a product without variants is not promised by the plan, and made when it has one', () =>
  Story.play(async (story) => {
    story.addBoth('FINE');
    const attributes = [{ name: 'Size', variation: true, visible: true, options: ['S'] }];
    const { id } = await story.wooApi<{ id: number }>('POST', '/products', {
      ...{ name: 'Not yet', type: 'variable', status: 'publish', attributes },
    });
    const { plan } = await story.link();
    const item = story.planItems(plan).find(({ title }) => title === 'Not yet');
    assert.deepEqual([item?.action, item?.data.reason], ['skip', 'It has no variants to sell yet.']);
    await story.wooApi('POST', `/products/${id}/variations`, {
      ...{ sku: 'NOW', regular_price: '5', manage_stock: true, stock_quantity: 3 },
      attributes: [{ name: 'Size', option: 'S' }],
    });
    await story.rest(60_000);
    assert.equal(story.shop.listShelf().find(({ sku }) => sku === 'NOW')?.available, 3);
  }));

test('[B12] what a platform is known to refuse is not promised: the plan says why, and it is a problem once that is applied', () =>
  Story.play(async (story) => {
    story.addBoth('FINE');
    const body = { name: 'No price yet', type: 'simple', status: 'publish', sku: 'FREE' };
    const { id } = await story.wooApi<{ id: number }>('POST', '/products', body);
    story.woo.addProduct({ title: 'Long '.repeat(60), sku: 'LONG', regularPrice: '5.00', stock: 1 });
    const { plan } = await story.link();
    const skipped = story.planItems(plan).filter(({ action }) => action === 'skip');
    assert.deepEqual(skipped.map(({ data }) => data.reason).sort(), [
      'Shopify would refuse it: Shopify holds 255 characters here, not 299.',
      'Shopify would refuse it: a variant without a price can’t exist on Shopify.',
    ]);
    assert.equal(plan.counts.shopify.create, 0);
    await story.rest();
    const told = story.problems().filter(({ code }) => code === 'WRITE_REJECTED');
    assert.equal(told.length, 2, JSON.stringify(story.problems()));
    await story.wooApi('PUT', `/products/${id}`, { regular_price: '5.00' });
    await story.rest(60_000);
    assert.ok(story.shop.listShelf().some(({ sku }) => sku === 'FREE'));
  }));

test('duplicate and empty SKUs, zero against stock, prices, HTML, emoji and huge numbers', () =>
  Story.play(async (story) => {
    const { woo, shop } = story;
    woo.addProduct({ title: 'Nameless 🐝', regularPrice: '3.00', stock: 3 });
    shop.addProduct({ title: 'Zero here', sku: 'ZERO', price: '4.00', stock: 0 });
    woo.addProduct({ title: 'Zero here', sku: 'ZERO', regularPrice: '4.00', stock: 9 });
    woo.addProduct({
      title: 'Markup',
      sku: 'HTML',
      regularPrice: '6.00',
      stock: 1,
      description: '<p>1 < 2 & "3" <b>bold</b> 🐝 \u{1F468}\u200D\u{1F469}\u200D\u{1F467}</p><script>x</script>',
    });
    shop.addProduct({
      title: 'Ümläut & “quotes” <b>',
      sku: 'QUOTES',
      price: '6.50',
      stock: 1,
      descriptionHtml: '<div onclick="x()">A — B</div>',
    });
    woo.addProduct({ title: 'Huge price', sku: 'HUGE', regularPrice: '90071992547409930.01', stock: 1 });
    woo.addProduct({ title: 'Unpriced', sku: 'NOPRICE', stock: 2 });
    const comma = woo.addProduct({ title: 'Comma', sku: 'COMMA', regularPrice: '12.50', stock: 1 });
    woo.setPrice(comma.productId, '12,50');
    for (const title of ['Twin one', 'Twin two']) shop.addProduct({ title, sku: 'DUP', price: '1.00', stock: 1 });

    const { plan } = await story.link();
    const items = story.planItems(plan);
    const zero = items.find((item) => item.sku === 'ZERO');
    assert.match(zero?.data.stock[0]?.rule ?? '', /consent/);
    assert.deepEqual(story.stock('ZERO'), [9, 0], 'zero against stock is never settled without a person');
    assert.ok(story.codes().includes('STOCK_ZERO_CONSENT'));
    const nameless = story.shelf('shopify').find((row) => row.title === 'Nameless 🐝');
    assert.equal(nameless?.stock, 3);
    assert.equal(story.item('woocommerce', 'QUOTES').title.length > 5, true);
    const markup = story.hub('HTML').row.data.fields.descriptionHtml;
    assert.ok(markup.includes('🐝 \u{1F468}\u200D\u{1F469}\u200D\u{1F467}'), markup);
    assert.deepEqual(
      story.shelf('shopify').filter(({ sku }) => sku === 'HUGE'),
      [],
      'never rounded',
    );
    assert.equal(story.shelf('woocommerce').filter(({ sku }) => sku === 'HUGE').length, 1);
    assert.deepEqual(
      story.shelf('shopify').filter(({ sku }) => sku === 'NOPRICE'),
      [],
    );
    await story.rest();
    assert.ok(
      story
        .problems()
        .some(({ message }) => /"Unpriced" can.t be written to Shopify because of its price/.test(message)),
    );
    await story.sync();
    assert.ok(
      story.problems().some(({ message }) => message.includes('Huge price')),
      JSON.stringify(story.codes()),
    );
    assert.deepEqual(
      story.shelf('woocommerce').filter(({ sku }) => sku === 'DUP'),
      [],
      'neither of two records with one SKU is guessed to be the one',
    );
    assert.equal(story.codes().filter((code) => code === 'AMBIGUOUS_MATCH').length, 2);
    const about = story.problems().filter(({ message }) => message.includes('Comma'));
    assert.deepEqual(
      about.map(({ code }) => code),
      ['UNSYNCABLE_MALFORMED'],
    );
    assert.match(about[0]?.message ?? '', /is left out whole.*a price that is no number: "12,50"/);
    const there = story.shelf('shopify').filter(({ sku }) => sku === 'COMMA');
    assert.deepEqual(there, [], '[B7] what is no plain amount is never guessed');
  }));

test('apply takes exactly the plan that was shown; what moved since is left out and listed', () =>
  Story.play(async (story) => {
    for (const sku of ['A', 'B']) story.woo.addProduct({ title: `New ${sku}`, sku, regularPrice: '5.00', stock: 2 });
    await story.world.pairUp();
    const plan = await story.world.plan();
    const refused = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code;
    assert.throws(() => applyPlan(story.world.ctx, plan.id, 'another'), refused('PLAN_HASH_MISMATCH'));
    story.woo.updateProduct('B', { title: 'Moved B' });
    story.woo.placeOrder([{ ref: 'A', quantity: 1 }]);
    const run = await story.world.apply(plan.id, plan.hash);
    assert.equal(run.status, 'completed');
    const moved = story.world.db.connection
      .prepare("SELECT title, detail FROM run_item WHERE run_id = ? AND outcome = 'moved'")
      .all(run.id) as { title: string }[];
    assert.deepEqual(
      moved.map(({ title }) => title),
      ['New B'],
    );
    await story.rest();
    assert.deepEqual(story.stock('A'), [1, 1], 'a plan holds the rule of a stock, not its number');
    assert.throws(() => applyPlan(story.world.ctx, plan.id, plan.hash ?? ''), refused('PLAN_NOT_READY'));
    await story.sync();
    assert.equal(story.item('shopify', 'B').title, 'Moved B', 'the next sync sees to it');
  }));

test('[M1] a counterpart that appears between plan and apply is left out and listed, by whichever key it is known, and linked by the next sync', () =>
  Story.play(async (story) => {
    const { woo, shop, world } = story;
    woo.addProduct({ title: 'By SKU', sku: 'S-1', regularPrice: '5.00', stock: 2 });
    woo.addProduct({ title: 'By handle', regularPrice: '5.00', stock: 2 });
    woo.addProduct({ title: 'Alone', sku: 'S-3', regularPrice: '5.00', stock: 2 });
    await world.pairUp();
    const plan = await world.plan();
    assert.deepEqual(
      story.planItems(plan).map(({ action }) => action),
      ['create', 'create', 'create'],
    );
    shop.addProduct({ title: 'Typed in', sku: 'S-1', price: '5.00', stock: 2 });
    shop.addProduct({ title: 'By handle', price: '5.00', stock: 2 });
    const run = await world.apply(plan.id, plan.hash);
    const left = world.db.connection
      .prepare("SELECT title, detail FROM run_item WHERE run_id = ? AND outcome = 'moved' ORDER BY title")
      .all(run.id) as { title: string; detail: string }[];
    assert.deepEqual(
      left.map(({ title, detail }) => `${title}: ${detail}`),
      ['By SKU', 'By handle'].sort().map((title) => `${title}: A counterpart has appeared since the plan was made.`),
    );
    await story.sync();
    await story.rest(60_000);
    assert.equal(new Set(shop.listShelf().map(({ productId }) => productId)).size, 3, 'nothing is there twice');
    assert.deepEqual(story.stock('S-1'), [2, 2]);
  }));

test('who asks for a plan while one is being made gets that one, unless the settings changed since', () =>
  Story.play(async (story) => {
    const { world } = story;
    story.addBoth('A');
    await world.pairUp();
    const first = requestPlan(world.ctx, world.pairId);
    assert.equal(requestPlan(world.ctx, world.pairId).id, first.id);
    transact(world.db, (tx) => updatePair(tx, world.pairId, { settings: { ...first.settings, stockBuffer: 3 } }));
    const second = requestPlan(world.ctx, world.pairId);
    assert.notEqual(second.id, first.id);
    assert.equal(findPlan(world.db, first.id)?.status, 'discarded');
    const ready = await world.plan();
    assert.equal(ready.id, second.id);
    assert.equal(ready.status, 'ready');
    const third = await world.plan();
    assert.notEqual(third.id, second.id, 'the stores may have moved since');
    await world.apply(third.id, third.hash);
  }));
