// Writes whose answer says nothing, again and again: somebody has to hear of it, and the shop is not asked each minute for ever.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryProblem } from '../../engine/runs/retry-problem.ts';
import { noteSilence, noteStoreAnswers } from '../../engine/stores/store-state.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { StoreId } from '../../model/ids.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { WriteOutcome } from '../../ports/connector.ts';
import { variant } from '../support/products.ts';
import { EngineFlow } from './engine-flow.ts';

const unknown = () => new ConnectorError('unknown_outcome', 'Shopify answered ODD_FAULT');

/** A mug in both shops, and from now on no write of a product to one of them is answered. When it was tried. */
async function unanswered(side: Side): Promise<{ readonly flow: EngineFlow; readonly tries: number[] }> {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.link();
  return { flow, tries: silence(flow, side) };
}

function silence(flow: EngineFlow, side: Side): number[] {
  const tries: number[] = [];
  flow.hands[side].writeProducts = async (writes) => {
    tries.push(flow.world.clock.now());
    return writes.map(() => ({ ok: false, error: unknown() }));
  };
  return tries;
}

function edit(flow: EngineFlow, side: Side, text: string): void {
  flow.shop(side).outside.editProduct(flow.product(side, 'Mug').id, 'descriptionHtml', `<p>${text}</p>`);
}

const shown = (flow: EngineFlow, side: Side) => flow.product(side, 'Mug').fields.descriptionHtml;

test('[W8] an update that is never answered is told of, tried ever more seldom, and the problem closes when it is answered', async () => {
  const { flow, tries } = await unanswered('shopify');
  edit(flow, 'woocommerce', 'New');
  await flow.rest(3);
  assert.ok(tries.length > 0 && tries.length < 5);
  assert.deepEqual(flow.problems(), [], 'a few are nothing');
  await flow.rest(17);
  assert.deepEqual(flow.problems(), ['WRITE_UNANSWERED']);
  assert.match(flow.words('WRITE_UNANSWERED').message, /"Mug".*description.*Shopify answered ODD_FAULT/);
  assert.match(flow.words('WRITE_UNANSWERED').message, /Shopify/);
  await flow.rest(4 * 60);
  const before = tries.length;
  await flow.rest(4 * 60);
  const hourly = tries.length - before;
  assert.ok(hourly >= 3 && hourly <= 4, `${hourly} tries in four hours`);
  // The other side, and what is sold, goes on meanwhile.
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 1);
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'title', 'Cup');
  await flow.rest(10);
  assert.deepEqual(flow.quantities('MUG'), [9, 9]);
  assert.equal(flow.product('woocommerce', 'Cup').fields.title, 'Cup');
  delete flow.hands.shopify.writeProducts;
  await flow.rest(70);
  assert.match(flow.product('shopify', 'Cup').fields.descriptionHtml, /New/);
  assert.deepEqual(flow.problems(), []);
});

test('[W8] an edit of it, and a person who asks for it, need not wait for the next try', async () => {
  const { flow, tries } = await unanswered('woocommerce');
  edit(flow, 'shopify', 'New');
  await flow.rest(5 * 60);
  assert.deepEqual(flow.problems(), ['WRITE_UNANSWERED']);
  const waitForLull = async () => {
    for (let n = -1; n !== tries.length; ) {
      n = tries.length;
      await flow.rest(10);
    }
  };
  await waitForLull();
  let before = tries.length;
  edit(flow, 'shopify', 'Newer');
  await flow.rest(1);
  assert.equal(tries.length, before + 1, 'another write is tried at once');
  await waitForLull();
  before = tries.length;
  const [problem] = flow.rows<{ id: string }>("SELECT id FROM problem WHERE code = 'WRITE_UNANSWERED'");
  retryProblem(flow.world.life().ctx, problem?.id ?? '');
  await flow.rest(1);
  assert.equal(tries.length, before + 1, 'a person has asked');
  assert.deepEqual(flow.problems(), ['WRITE_UNANSWERED']);
  await waitForLull();
  delete flow.hands.woocommerce.writeProducts;
  flow
    .shop('shopify')
    .outside.editProduct(flow.product('shopify', 'Mug').id, 'descriptionHtml', shown(flow, 'woocommerce'));
  await flow.rest(1);
  assert.deepEqual(flow.problems(), [], 'nothing is owed any more');
});

/** From now on a write to Shopify that has one of these fields is not answered, and not done. When each such was tried, and with what. */
function poison(flow: EngineFlow, ...names: readonly string[]): { readonly at: number; readonly with: string[] }[] {
  const tries: { readonly at: number; readonly with: string[] }[] = [];
  const { writeProducts } = flow.connector('shopify');
  flow.hands.shopify.writeProducts = async (writes, ...rest) => {
    const held = writes.map(({ fields, variants }) =>
      [fields, ...variants.map((own) => own.fields)].flatMap((part) => Object.keys(part)),
    );
    const isHeld = held.map((own) => own.some((name) => names.includes(name)));
    held.forEach((own, i) => {
      if (isHeld[i]) tries.push({ at: flow.world.clock.now(), with: own.sort() });
    });
    const answers = [
      ...(await writeProducts(
        writes.filter((_, i) => !isHeld[i]),
        ...rest,
      )),
    ];
    return isHeld.map((own) => (own ? { ok: false, error: unknown() } : (answers.shift() as WriteOutcome)));
  };
  return tries;
}

test('[W8] a field that is never answered holds no other edit of its product, and is not tried more often for it', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug', status: 'active' }, [{ sku: 'MUG' }]);
  await flow.link();
  const tries = poison(flow, 'descriptionHtml');
  const { id } = flow.product('woocommerce', 'Mug');
  edit(flow, 'woocommerce', 'New');
  await flow.rest(4 * 60);
  assert.deepEqual(flow.problems(), ['WRITE_UNANSWERED']);
  const before = tries.length;
  for (const tags of [['a'], ['b'], ['c']]) {
    flow.shop('woocommerce').outside.editProduct(id, 'tags', tags);
    await flow.rest(5);
    assert.deepEqual(flow.product('shopify', 'Mug').fields.tags, tags);
  }
  flow.shop('woocommerce').outside.editProduct(id, 'status', 'draft');
  await flow.rest(2);
  assert.equal(flow.product('shopify', 'Mug').fields.status, 'draft');
  assert.deepEqual(flow.problems(), ['WRITE_UNANSWERED'], 'it is owed still');
  assert.ok(tries.length <= before + 1, `${tries.length - before} tries for four edits`);
  await flow.rest(3 * 60);
  assert.deepEqual(tries.at(-1)?.with, ['descriptionHtml']);
  assert.ok(tries.length - before >= 2 && tries.length - before <= 5, `${tries.length - before} tries in three hours`);
  delete flow.hands.shopify.writeProducts;
  await flow.rest(70);
  assert.match(shown(flow, 'shopify'), /New/);
  assert.deepEqual(flow.problems(), []);
});

test('[W8] of what had no answer together only what is the cause goes on waiting', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.link();
  const tries = poison(flow, 'descriptionHtml');
  const { id } = flow.product('woocommerce', 'Mug');
  edit(flow, 'woocommerce', 'New');
  flow.shop('woocommerce').outside.editProduct(id, 'title', 'Cup');
  flow.shop('woocommerce').outside.editProduct(id, 'tags', ['a']);
  await flow.rest(20);
  assert.ok(tries.slice(0, 5).every((own) => own.with.length === 3));
  await flow.rest(60);
  assert.deepEqual(flow.product('shopify', 'Cup').fields.tags, ['a']);
  assert.deepEqual(flow.problems(), ['WRITE_UNANSWERED']);
  assert.deepEqual(tries.at(-1)?.with, ['descriptionHtml']);
  assert.match(flow.words('WRITE_UNANSWERED').message, /"Cup" \(description\)/);
  const before = tries.length;
  await flow.rest(4 * 60);
  assert.ok(tries.length - before <= 5, `${tries.length - before} tries in four hours`);
});

test('[W8] what has arrived meanwhile is named no longer', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.link();
  poison(flow, 'descriptionHtml');
  edit(flow, 'woocommerce', 'New');
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', 'Mug').id, 'tags', ['a']);
  await flow.rest(7);
  assert.match(flow.words('WRITE_UNANSWERED').message, /\(description, tags\)/);
  while (flow.product('shopify', 'Mug').fields.tags[0] !== 'a') await flow.rest(1);
  assert.match(flow.words('WRITE_UNANSWERED').message, /\(description\).* tried 6 times.*ODD_FAULT/);
});

test('[W8] an edit of one of two that had no answer together goes at once, time after time', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.link();
  const tries = poison(flow, 'descriptionHtml');
  const { id } = flow.product('woocommerce', 'Mug');
  edit(flow, 'woocommerce', 'New');
  flow.shop('woocommerce').outside.editProduct(id, 'tags', ['a']);
  await flow.rest(7);
  assert.deepEqual(flow.problems(), ['WRITE_UNANSWERED']);
  const before = tries.length;
  for (const tag of 'bcdefghijk') {
    flow.shop('woocommerce').outside.editProduct(id, 'tags', [tag]);
    await flow.rest(3);
    assert.deepEqual(flow.product('shopify', 'Mug').fields.tags, [tag]);
  }
  assert.ok(tries.length - before <= 3, `${tries.length - before} tries for ten edits`);
});

test('[W8] what is refused beside a field that is never answered makes the pauses of that no shorter', async () => {
  const { flow } = await unanswered('shopify');
  const tries: number[] = [];
  const no = new ConnectorError('rejected', 'no', { field: 'barcode', platformMessage: 'no' });
  flow.hands.shopify.writeProducts = async (writes) =>
    writes.map(({ fields }) => {
      if (fields.descriptionHtml === undefined) return { ok: false, error: no };
      tries.push(flow.world.clock.now());
      return { ok: false, error: unknown() };
    });
  edit(flow, 'woocommerce', 'New');
  flow.shop('woocommerce').outside.editVariant(flow.item('woocommerce', 'MUG'), 'barcode', '4006381333931');
  await flow.rest(5 * 60);
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED', 'WRITE_UNANSWERED']);
  const before = tries.length;
  await flow.rest(4 * 60);
  assert.ok(tries.length - before <= 5, `${tries.length - before} tries in four hours`);
});

for (const held of ['what is put away', 'what is new'] as const)
  test(`[W8] while ${held} is never answered no SKU is handed over without it`, async () => {
    const flow = new EngineFlow();
    const sizes = ['S', 'M', 'L'].map((size) => ({ sku: `T-${size}`, optionValues: [size] }));
    flow.stock(SIDES, { title: 'Shirt', optionNames: ['Size'] }, sizes);
    await flow.link();
    const { writeProducts } = flow.connector('woocommerce');
    const answers: WriteOutcome[] = [];
    flow.hands.woocommerce.writeProducts = async (writes, ...rest) => {
      const [write] = writes;
      assert.ok(write?.type === 'update' && writes.length === 1);
      const isHeld = write.archiveVariants.length + write.newVariants.length > 0;
      const own = isHeld ? [{ ok: false as const, error: unknown() }] : await writeProducts(writes, ...rest);
      answers.push(...own);
      return own;
    };
    const { id } = flow.product('shopify', 'Shirt');
    const { outside } = flow.shop('shopify');
    const given = flow.item('shopify', 'T-M');
    outside.editProduct(id, 'descriptionHtml', '<p>New</p>');
    if (held === 'what is put away') outside.deleteVariant(flow.item('shopify', 'T-S'));
    outside.renameSku(given, held === 'what is new' ? 'T-MM' : 'T-S');
    if (held === 'what is new')
      outside.addVariant(id, {
        fields: variant({ sku: 'T-M', optionValues: ['XL'] }),
        stock: { tracked: true, quantity: 3 },
      });
    await flow.rest(2 * 60);
    assert.match(flow.product('woocommerce', 'Shirt').fields.descriptionHtml, /New/);
    assert.deepEqual(flow.problems(), ['WRITE_UNANSWERED']);
    assert.ok(answers.every((own) => own.ok || own.error.kind === 'unknown_outcome'));
    delete flow.hands.woocommerce.writeProducts;
    await flow.rest(70);
    const shown = flow.product('woocommerce', 'Shirt').variants.filter((own) => !own.isArchived);
    const skus = shown.map(({ fields }) => fields.sku).sort();
    assert.deepEqual(skus, held === 'what is new' ? ['T-L', 'T-M', 'T-MM', 'T-S'] : ['T-L', 'T-S']);
    assert.deepEqual(flow.problems(), []);
  });

test('[W8] a new variant that is never answered is tried at once when it is edited', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Shirt', optionNames: ['Size'] }, [{ sku: 'T-S', optionValues: ['S'] }]);
  await flow.link();
  const { writeProducts } = flow.connector('woocommerce');
  flow.hands.woocommerce.writeProducts = async (writes, ...rest) => {
    const isOdd = writes.some(
      (own) => own.type === 'update' && own.newVariants.some(({ fields }) => fields.barcode === '0'),
    );
    return isOdd ? writes.map(() => ({ ok: false, error: unknown() })) : writeProducts(writes, ...rest);
  };
  const stock = { tracked: true, quantity: 3 };
  const { outside } = flow.shop('shopify');
  const fields = variant({ sku: 'T-M', optionValues: ['M'], barcode: '0' });
  outside.addVariant(flow.product('shopify', 'Shirt').id, { fields, stock });
  await flow.rest(3 * 60);
  assert.deepEqual(flow.problems(), ['WRITE_UNANSWERED']);
  outside.editVariant(flow.item('shopify', 'T-M'), 'barcode', '4006381333931');
  await flow.rest(3);
  assert.deepEqual(flow.quantities('T-M'), [3, 3]);
  assert.deepEqual(flow.problems(), []);
});

test('[W8] it is tried as often while the shop has no room for a new variant', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug', optionNames: ['Size'] }, [{ sku: 'MUG', optionValues: ['S'] }]);
  await flow.link();
  const tries: number[] = [];
  const full = new ConnectorError('rate_limited', 'no room', { retryAfterMs: 20 * 3_600_000 });
  flow.hands.shopify.writeProducts = async (writes) =>
    writes.map((write) => {
      if (write.type === 'update' && write.newVariants.length > 0) return { ok: false, error: full };
      tries.push(flow.world.clock.now());
      return { ok: false, error: unknown() };
    });
  edit(flow, 'woocommerce', 'New');
  const fields = variant({ sku: 'MUG-L', optionValues: ['L'] });
  flow
    .shop('woocommerce')
    .outside.addVariant(flow.product('woocommerce', 'Mug').id, { fields, stock: { tracked: true, quantity: 3 } });
  await flow.rest(2 * 60);
  assert.deepEqual(flow.problems(), ['WRITES_LIMITED', 'WRITE_UNANSWERED']);
  const before = tries.length;
  await flow.rest(4 * 60);
  assert.ok(tries.length - before >= 3 && tries.length - before <= 5, `${tries.length - before} tries in four hours`);
});

test('[W8] two fields that are never answered are told of both, and both are tried when a person asks', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.link();
  const tries = poison(flow, 'descriptionHtml', 'tags');
  edit(flow, 'woocommerce', 'New');
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', 'Mug').id, 'tags', ['a']);
  await flow.rest(4 * 60);
  assert.deepEqual(flow.problems(), ['WRITE_UNANSWERED']);
  assert.match(flow.words('WRITE_UNANSWERED').message, /tags/);
  assert.match(flow.words('WRITE_UNANSWERED').message, /description/);
  for (let n = -1; n !== tries.length; await flow.rest(8)) n = tries.length;
  delete flow.hands.shopify.writeProducts;
  const [problem] = flow.rows<{ id: string }>("SELECT id FROM problem WHERE code = 'WRITE_UNANSWERED'");
  retryProblem(flow.world.life().ctx, problem?.id ?? '');
  await flow.rest(1);
  assert.match(shown(flow, 'shopify'), /New/);
  assert.deepEqual(flow.product('shopify', 'Mug').fields.tags, ['a']);
  assert.deepEqual(flow.problems(), []);
});

test('[W8] while a price is never answered the product is not put on sale at the old one', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug', status: 'draft' }, [{ sku: 'MUG' }]);
  await flow.link();
  poison(flow, 'price');
  const { id } = flow.product('woocommerce', 'Mug');
  flow.shop('woocommerce').outside.editVariant(flow.item('woocommerce', 'MUG'), 'price', {
    regularMinor: 9_900,
    saleMinor: null,
  });
  await flow.rest(2 * 60);
  assert.deepEqual(flow.problems(), ['WRITE_UNANSWERED']);
  flow.shop('woocommerce').outside.editProduct(id, 'status', 'active');
  for (let minutes = 0; minutes < 3 * 60; minutes += 10) {
    await flow.rest(10);
    assert.equal(flow.product('shopify', 'Mug').fields.status, 'draft');
  }
  delete flow.hands.shopify.writeProducts;
  await flow.rest(70);
  assert.equal(flow.product('shopify', 'Mug').fields.status, 'active');
  assert.equal(flow.product('shopify', 'Mug').variants[0]?.fields.price.regularMinor, 9_900);
  assert.deepEqual(flow.problems(), []);
});

test('[W8] what an earlier build has noted stops nothing', async () => {
  const { flow, tries } = await unanswered('shopify');
  edit(flow, 'woocommerce', 'New');
  await flow.rest(7);
  assert.deepEqual(flow.problems(), ['WRITE_UNANSWERED']);
  const { connection } = flow.world.db;
  connection.prepare(`UPDATE problem SET details = '{"tries":5,"write":"x","until":0}' WHERE state = 'open'`).run();
  const before = tries.length;
  await flow.rest(70);
  assert.ok(tries.length > before);
  delete flow.hands.shopify.writeProducts;
  await flow.rest(70);
  assert.match(shown(flow, 'shopify'), /New/);
  assert.deepEqual(flow.problems(), []);
});

test('[W8] a create that is never answered is told of as well', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  const tries = silence(flow, 'shopify');
  flow.stock(['woocommerce'], { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.rest(30);
  assert.ok(tries.length >= 5, `${tries.length} tries`);
  assert.deepEqual(flow.problems(), ['WRITE_UNANSWERED']);
  assert.match(flow.words('WRITE_UNANSWERED').message, /make "Mug"/);
  delete flow.hands.shopify.writeProducts;
  await flow.rest(70);
  assert.equal(flow.count('shopify'), 2);
  assert.deepEqual(flow.problems(), []);
});

test('[W8] what is refused in the end is told of as that', async () => {
  const { flow } = await unanswered('shopify');
  edit(flow, 'woocommerce', 'New');
  await flow.rest(30);
  assert.deepEqual(flow.problems(), ['WRITE_UNANSWERED']);
  flow.hands.shopify.writeProducts = async (writes) =>
    writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'no', { platformMessage: 'no' }) }));
  await flow.rest(70);
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
});

test('[W8] where a part of it is refused and the rest is never answered, both are told of, and once', async () => {
  const { flow } = await unanswered('shopify');
  const tries: number[] = [];
  const { id } = flow.product('woocommerce', 'Mug');
  flow.hands.shopify.writeProducts = async (writes) =>
    writes.map((write) => {
      if (write.fields.tags !== undefined)
        return { ok: false, error: new ConnectorError('rejected', 'no', { field: 'tags', platformMessage: 'no' }) };
      tries.push(flow.world.clock.now());
      return { ok: false, error: unknown() };
    });
  flow.shop('woocommerce').outside.editProduct(id, 'tags', ['odd']);
  edit(flow, 'woocommerce', 'New');
  await flow.rest(3 * 60);
  assert.deepEqual(flow.problems(), ['WRITE_REJECTED', 'WRITE_UNANSWERED']);
  assert.ok(tries.length < 12, `${tries.length} tries in three hours`);
  assert.equal(
    flow.rows("SELECT 1 FROM problem WHERE code = 'WRITE_UNANSWERED'").length,
    1,
    'it never closed meanwhile',
  );
});

for (const [set, side] of [
  ['real', 'woocommerce'],
  ['real', 'shopify'],
  ['keyed', 'woocommerce'],
] as const)
  test(`[W8] stock that is never answered is told of, and goes on being tried (${side}, ${set})`, async () => {
    const flow = new EngineFlow({}, set);
    flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
    await flow.link();
    flow.hands[side].writeStock = async (writes) => writes.map(() => ({ outcome: 'failed', error: unknown() }));
    const other = side === 'shopify' ? 'woocommerce' : 'shopify';
    flow.shop(other).outside.sell(flow.item(other, 'MUG'), 1);
    await flow.rest(3);
    assert.deepEqual(flow.problems(), [], 'a few are nothing');
    await flow.rest(40);
    assert.deepEqual(flow.problems(), ['WRITE_UNANSWERED']);
    assert.match(flow.words('WRITE_UNANSWERED').message, /stock of "Mug" \(MUG\)/);
    delete flow.hands[side].writeStock;
    await flow.rest(20);
    assert.deepEqual(flow.quantities('MUG'), [9, 9]);
    assert.deepEqual(flow.problems(), []);
  });

test('[W8] stock that is never answered, and is set all the same, is no problem, however much is sold', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG', quantity: 100 }]);
  await flow.link();
  const { writeStock } = flow.connector('woocommerce');
  flow.hands.woocommerce.writeStock = async (writes, ...rest) => {
    await writeStock(writes, ...rest);
    return writes.map(() => ({ outcome: 'failed', error: unknown() }));
  };
  for (let i = 0; i < 40; i += 1) {
    flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 1);
    await flow.rest(0.5);
  }
  delete flow.hands.woocommerce.writeStock;
  await flow.rest(10);
  assert.deepEqual(flow.quantities('MUG'), [60, 60]);
  assert.deepEqual(flow.rows("SELECT 1 FROM problem WHERE code = 'WRITE_UNANSWERED'"), []);
});

test('[W8, A1] of a store that is away a person is told, and not of each item besides', async () => {
  const flow = new EngineFlow({}, 'keyed');
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.link();
  flow.hands.shopify.writeStock = async (writes) => writes.map(() => ({ outcome: 'failed', error: unknown() }));
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 1);
  await flow.rest(15);
  const { ctx } = flow.world.life();
  const [store] = flow.rows<{ id: StoreId }>("SELECT id FROM store WHERE platform = 'shopify'");
  noteSilence(ctx, store?.id ?? ('' as StoreId), new ConnectorError('unavailable', 'no answer'), 99);
  await flow.rest(60);
  assert.deepEqual(flow.problems(), ['STORE_AWAY']);
  delete flow.hands.shopify.writeStock;
  noteStoreAnswers(ctx, store?.id ?? ('' as StoreId));
  await flow.rest(10);
  assert.deepEqual([flow.quantities('MUG'), flow.problems()], [[9, 9], []]);
});
