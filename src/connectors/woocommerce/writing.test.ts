import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { ProductWrite } from '../../ports/connector.ts';
import { TransportError } from '../shared/transport.ts';
import { create, openStore, SIZES, update, variant } from './open-store.test.ts';

test('a variable product is a draft until all its variations are there', async () => {
  const { connector, sent } = await openStore();
  const [outcome] = await connector.writeProducts([create({ optionNames: ['Size'] }, SIZES)]);
  assert.equal(outcome?.ok && outcome.snapshot.fields.status, 'active');
  const [parent, variations, final] = sent;
  assert.equal(parent?.body.create[0].status, 'draft');
  assert.equal(variations?.body.create.length, 2);
  assert.deepEqual(Object.keys(final?.body.update[0]).toSorted(), ['id', 'status']);
  assert.equal(sent.length, 3);
});

test('a product that leaves the bin by our hand brings its variations along, those switched off as switched off', async () => {
  const { connector, controls, read, call, sent } = await openStore();
  const { productId, variationIds } = controls.addProduct({
    title: 'Shirt',
    variations: ['S', 'M', 'L'].map((size) => ({ regularPrice: '9.00', stock: 4, options: { Size: size } })),
  });
  const [first, , off] = variationIds.map(String);
  await call('PUT', `/products/${productId}/variations/${off}`, { status: 'private' });
  const before = await read(productId);
  controls.trashProduct(productId);
  const binned = await read(productId);
  assert.equal(binned.trashed, true);
  assert.deepEqual(binned.variants, before.variants, 'what is in the bin is as it was');
  const [outcome] = await connector.writeProducts([update(binned, { fields: { status: 'active' } })]);
  assert.deepEqual(outcome?.ok && outcome.snapshot.variants, before.variants);
  assert.equal((await call('GET', `/products/${productId}/variations/${off}`)).status, 'private');
  assert.deepEqual(
    sent.map(({ path }) => path),
    [`/products/${productId}/variations/batch`, '/products/batch'],
    'the variations first: a product seen without them would have lost them',
  );
  controls.trashProduct(productId);
  await call('PUT', `/products/${productId}/variations/${first}`, { status: 'publish' });
  assert.deepEqual((await read(productId)).variants, before.variants, 'also half way out');
});

for (const name of ['?', '( @ +'])
  test(`an option that is called "${name}" is refused before anything is sent: WooCommerce would know none of its values`, async () => {
    const { connector, sent } = await openStore();
    sent.length = 0;
    const variants = [variant({ optionValues: ['S'] }), variant({ optionValues: ['M'] })];
    const [outcome] = await connector.writeProducts([create({ optionNames: [name] }, variants)]);
    assert.ok(outcome && !outcome.ok && outcome.error.kind === 'rejected');
    assert.equal(outcome.error.details.field, 'optionNames');
    assert.ok(outcome.error.message.includes(name));
    assert.deepEqual(sent, []);
  });

test('[C29] a product whose option is an attribute of the shop that is called "#", and goes by a slug with letters, is edited like any', async () => {
  const { connector, call, read } = await openStore();
  const size = await call('POST', '/products/attributes', { name: '#', slug: 'pa_number' });
  const attributes = [{ id: size.id, variation: true, visible: true, options: ['40', '42'] }];
  const { id } = await call('POST', '/products', { name: 'Shoe', type: 'variable', attributes });
  for (const option of ['40', '42'])
    await call('POST', `/products/${id}/variations`, { attributes: [{ id: size.id, option }], regular_price: '9.00' });
  const seen = await read(id);
  assert.deepEqual([seen.fields.optionNames, seen.unsyncable], [['#'], null]);
  const [outcome] = await connector.writeProducts([
    update(seen, { fields: { title: 'Boot' }, newVariants: [variant({ optionValues: ['44'] })] }),
  ]);
  assert.ok(outcome?.ok, JSON.stringify(outcome));
  assert.equal(outcome.snapshot.fields.title, 'Boot');
  assert.deepEqual(
    outcome.snapshot.variants.map(({ fields }) => fields.optionValues),
    [['40'], ['42'], ['44']],
  );
});

test('a refused variation takes the draft back; nothing is left', async () => {
  const { connector, controls, sent } = await openStore();
  controls.addProduct({ title: 'Other', sku: 'TAKEN' });
  const variants = [variant({ optionValues: ['S'] }), variant({ optionValues: ['M'], sku: 'TAKEN' })];
  const [outcome] = await connector.writeProducts([create({ optionNames: ['Size'] }, variants)]);
  assert.ok(outcome && !outcome.ok && outcome.error.kind === 'rejected');
  assert.equal(outcome.error.details.field, 'sku');
  assert.equal(sent.at(-1)?.method, 'DELETE');
  assert.deepEqual(
    controls.listShelf().map((row) => row.title),
    ['Other'],
  );
  assert.equal(await connector.findByMark({ pairId: 'pair_1', hubId: 'prd_1' }, 0), null);
});

for (const [field, param, code] of [
  ['sku', 'sku', 'Taken'],
  ['barcode', 'global_unique_id', '4006381333931'],
] as const) {
  test(`a variation whose ${field} another product bears is refused without a draft from the second time on, until that is in the bin`, async () => {
    const { connector, controls, sent, call } = await openStore();
    const { id } = await call('POST', '/products', { name: 'Other', [param]: code });
    const variants = [variant({ optionValues: ['S'] }), variant({ optionValues: ['M'], [field]: code })];
    const again = async () => {
      sent.length = 0;
      const [outcome] = await connector.writeProducts([create({ optionNames: ['Size'] }, variants)]);
      return outcome;
    };
    const first = await again();
    assert.ok(first && !first.ok && first.error.details.field === field);
    assert.equal(sent.at(-1)?.method, 'DELETE');
    assert.deepEqual(await again(), first, 'with the same words');
    assert.deepEqual(sent, [], 'and nothing was sent');
    controls.trashProduct(id);
    assert.equal((await again())?.ok, true, 'it is made once the code is free');
  });
}

test('stock travels with a create and never with an update', async () => {
  const { connector, sent, controls } = await openStore();
  const { productId } = controls.addProduct({ title: 'A', sku: 'A', regularPrice: '5', stock: 7 });
  const [seen] = await connector.readProducts([String(productId)]);
  assert.ok(seen?.ok);
  await connector.writeProducts([
    update(seen.value, {
      fields: { title: 'B', descriptionHtml: 'c', status: 'draft', tags: ['t'] },
      variants: [
        {
          externalId: String(productId),
          fields: { ...seen.value.variants[0]!.fields, price: { regularMinor: 600, saleMinor: null } },
        },
      ],
    }),
  ]);
  const body = JSON.stringify(sent);
  for (const word of ['stock_quantity', 'manage_stock', 'inventory_delta', 'stock_status', 'slug'])
    assert.ok(!body.includes(word), word);
});

test('other attributes survive when values are added to an option', async () => {
  const { connector, call, read } = await openStore();
  const color = await call('POST', '/products/attributes', { name: 'Color' });
  const made = await call('POST', '/products', {
    name: 'V',
    type: 'variable',
    attributes: [
      { name: 'Material', visible: true, options: ['Cotton', 'Wool'], position: 0 },
      { id: color.id, variation: true, visible: true, options: ['Red'], position: 1 },
      { name: 'Size', variation: true, options: ['S'], position: 2 },
    ],
  });
  await call('POST', `/products/${made.id}/variations`, {
    attributes: [
      { id: color.id, option: 'Red' },
      { name: 'Size', option: 'S' },
    ],
  });
  const seen = await read(made.id);
  assert.deepEqual(seen.fields.optionNames, ['Color', 'Size']);
  const [outcome] = await connector.writeProducts([
    update(seen, { newVariants: [variant({ optionValues: ['Blue & Green', 'XL'] })] }),
  ]);
  assert.ok(outcome?.ok);
  assert.deepEqual(
    outcome.snapshot.variants.map((one) => one.fields.optionValues),
    [
      ['Red', 'S'],
      ['Blue & Green', 'XL'],
    ],
  );
  const after2 = await call('GET', `/products/${made.id}`);
  assert.deepEqual(
    after2.attributes.map((one: { id: number; name: string; variation: boolean; options: string[] }) => [
      one.id > 0,
      one.name,
      one.variation,
      one.options,
    ]),
    [
      [false, 'Material', false, ['Cotton', 'Wool']],
      [true, 'Color', true, ['Blue &amp; Green', 'Red']],
      [false, 'Size', true, ['S', 'XL']],
    ],
  );
});

test('an option is renamed and a second one added, with every variation told anew', async () => {
  const { connector, read, controls } = await openStore();
  const made = controls.addProduct({
    title: 'V',
    variations: [{ options: { Size: 'S' } }, { options: { Size: 'M' } }],
  });
  const seen = await read(made.productId);
  const [renamed] = await connector.writeProducts([update(seen, { fields: { optionNames: ['Fit'] } })]);
  assert.ok(renamed?.ok);
  assert.deepEqual(renamed.snapshot.fields.optionNames, ['Fit']);
  assert.deepEqual(
    renamed.snapshot.variants.map((one) => one.fields.optionValues),
    [['S'], ['M']],
  );
  const variants = renamed.snapshot.variants.map((one) => ({
    externalId: one.externalId,
    fields: { optionValues: [...one.fields.optionValues, 'Red'] },
  }));
  const [added] = await connector.writeProducts([
    update(renamed.snapshot, { fields: { optionNames: ['Fit', 'Colour'] }, variants }),
  ]);
  assert.ok(added?.ok);
  assert.deepEqual(
    added.snapshot.variants.map((one) => one.fields.optionValues),
    [
      ['S', 'Red'],
      ['M', 'Red'],
    ],
  );
  assert.equal(added.snapshot.unsyncable, null);
});

test('options change places with their values; a value that none bears any more gives its place to the new one', async () => {
  const { connector, call } = await openStore();
  const list = (name: string, options: string[], position: number) => ({ name, options, position, variation: true });
  const made = await call('POST', '/products', {
    name: 'V',
    type: 'variable',
    attributes: [list('Size', ['XS', 'S', 'M', 'L'], 0), list('Color', ['Red', 'Blue'], 1)],
  });
  const add = (Size: string, Color: string, status = 'publish') =>
    call('POST', `/products/${made.id}/variations`, {
      status,
      attributes: Object.entries({ Size, Color }).map(([name, option]) => ({ name, option })),
    });
  for (const [size, color, status] of [
    ['S', 'Red'],
    ['M', 'Blue'],
    ['L', 'Blue', 'private'],
  ] as const)
    await add(size, color, status);
  const lists = async () => {
    const { attributes } = await call('GET', `/products/${made.id}`);
    return attributes.map((one: { name: string; options: string[] }) => [one.name, one.options]);
  };
  const write = async (names: string[] | undefined, values: string[][]) => {
    const [seen] = await connector.readProducts([String(made.id)]);
    assert.ok(seen?.ok);
    const variants = seen.value.variants.map(({ externalId }, index) => {
      return { externalId, fields: { optionValues: values[index] ?? [] } };
    });
    const fieldsOf = names === undefined ? {} : { optionNames: names };
    const [outcome] = await connector.writeProducts([update(seen.value, { fields: fieldsOf, variants })]);
    assert.ok(outcome?.ok);
    assert.deepEqual(
      outcome.snapshot.variants.map((one) => one.fields.optionValues),
      values,
    );
    return outcome.snapshot.fields.optionNames;
  };
  assert.deepEqual(
    await write(
      ['Color', 'Size'],
      [
        ['Red', 'S'],
        ['Blue', 'M'],
      ],
    ),
    ['Color', 'Size'],
  );
  assert.deepEqual(await lists(), [
    ['Color', ['Red', 'Blue']],
    ['Size', ['XS', 'S', 'M', 'L']],
  ]);
  await write(undefined, [
    ['Red', 'Small'],
    ['Blue', 'M'],
  ]);
  assert.deepEqual(await lists(), [
    ['Color', ['Red', 'Blue']],
    ['Size', ['XS', 'Small', 'M', 'L']],
  ]);
  await write(undefined, [
    ['Blue', 'Small'],
    ['Blue', 'L'],
  ]);
  assert.deepEqual(
    await lists(),
    [
      ['Color', ['Blue']],
      ['Size', ['XS', 'Small', 'L']],
    ],
    'L: one is switched off',
  );
});

const sizesBySku = ['A', 'B', 'C', 'D', 'E'].map((sku) => ({ sku, options: { Size: `size ${sku}` } }));
const skusOf = (seen: ProductSnapshot) => seen.variants.map((one) => one.fields.sku).join('');
const updateSkus = (seen: ProductSnapshot, wanted: string) =>
  update(seen, {
    variants: seen.variants.flatMap(({ externalId, fields: { sku } }, index) =>
      sku === wanted[index] ? [] : [{ externalId, fields: { sku: wanted[index] ?? '' } }],
    ),
  });

test('variations take over the SKUs of one another, in a row and round in a circle', async () => {
  const { connector, controls, read, sent } = await openStore();
  const seen = await read(controls.addProduct({ title: 'V', variations: sizesBySku }).productId);
  const [outcome] = await connector.writeProducts([updateSkus(seen, 'BCAEF')]);
  assert.ok(outcome?.ok);
  assert.equal(skusOf(outcome.snapshot), 'BCAEF');
  assert.equal((outcome.snapshot.passthrough as { keptSkus?: unknown }).keptSkus, undefined);
  assert.equal(sent.length, 2);
  sent.length = 0;
  await connector.writeProducts([updateSkus(outcome.snapshot, 'BCAFG')]);
  assert.equal(sent.length, 1, 'a row takes no call of its own');
});

test('[W4] a crash while SKUs go round is no edit of them: they are written to their end, or given back', async () => {
  const { connector, controls, read, hooks } = await openStore();
  const { productId } = controls.addProduct({ title: 'V', variations: sizesBySku });
  const cutShort = async (wanted: string) => {
    let batches = 0;
    hooks.answer = (path) => {
      if (path.endsWith('/variations/batch')) batches += 1;
      return batches === 2 ? { status: 500, headers: {}, body: new Uint8Array() } : null;
    };
    const before = await read(productId);
    const [outcome] = await connector.writeProducts([updateSkus(before, wanted)]);
    hooks.answer = () => null;
    assert.equal(!outcome?.ok && outcome?.error.kind, 'unknown_outcome');
    assert.equal(controls.listShelf().filter(({ sku }) => sku === '').length, 1);
    const left = await read(productId);
    assert.equal(skusOf(left), skusOf(before));
    return left;
  };
  const left = await cutShort('BCADE');
  const [again] = await connector.writeProducts([updateSkus(left, 'BCADE')]);
  assert.ok(again?.ok);
  assert.equal(skusOf(again.snapshot), 'BCADE');
  const [other] = await connector.writeProducts([update(await cutShort('CBADE'), { fields: { title: 'W' } })]);
  assert.ok(other?.ok);
  assert.equal(
    controls
      .listShelf()
      .map(({ sku }) => sku)
      .sort()
      .join(''),
    'ABCDE',
  );
  assert.equal((other.snapshot.passthrough as { keptSkus?: unknown }).keptSkus, undefined);
});

test('what would make another record of it is refused before anything is sent', async () => {
  const { connector, controls, read, sent } = await openStore();
  const simple = await read(controls.addProduct({ title: 'S', regularPrice: '1' }).productId);
  const writes: readonly (readonly [string, ProductWrite])[] = [
    ['optionNames', update(simple, { newVariants: [variant({ optionValues: ['M'] })] })],
    ['optionNames', update(simple, { fields: { optionNames: ['Size'] } })],
    ['title', update(simple, { fields: { title: '  ' } })],
    ['title', create({ title: ' ' }, [variant()])],
    ['optionNames', create({ optionNames: ['A', 'B', 'C', 'D'] }, [variant({ optionValues: ['1', '2', '3', '4'] })])],
    ['optionValues', create({ optionNames: ['A', 'B'] }, [variant({ optionValues: ['1'] })])],
    ['optionNames', create({}, SIZES)],
  ];
  for (const [field, write] of writes) {
    const [outcome] = await connector.writeProducts([write]);
    assert.ok(outcome && !outcome.ok, field);
    assert.equal(outcome.error.kind, 'rejected');
    assert.equal(outcome.error.details.field, field);
  }
  const foreign = update(simple, { variants: [{ externalId: '99', fields: { sku: 'x' } }] });
  const [stranger] = await connector.writeProducts([foreign]);
  assert.ok(stranger && !stranger.ok && stranger.error.kind === 'not_found');
  assert.deepEqual(sent, []);
});

test('tags are found or made once, and a tag deleted meanwhile is made anew', async () => {
  const { connector, call, sent } = await openStore();
  await call('POST', '/products/tags', { name: 'Summer' });
  const first = await connector.writeProducts([create({ tags: ['summer', 'new & hot'] }, [variant()], 'prd_1')]);
  assert.deepEqual(first[0]?.ok && first[0].snapshot.fields.tags, ['new & hot', 'Summer']);
  const second = await connector.writeProducts([create({ tags: ['SUMMER'] }, [variant()], 'prd_2')]);
  assert.deepEqual(second[0]?.ok && second[0].snapshot.fields.tags, ['Summer']);
  assert.equal(sent.filter(({ path }) => path === '/products/tags/batch').length, 1);
  const [tag] = await call('GET', '/products/tags?search=summer');
  await call('DELETE', `/products/tags/${tag.id}?force=true`);
  const third = await connector.writeProducts([create({ tags: ['summer'] }, [variant()], 'prd_3')]);
  assert.deepEqual(third[0]?.ok && third[0].snapshot.fields.tags, ['summer']);
});

test('[C27] a product that is on its way out of the bin takes no other along that has missed its turn', async () => {
  const { connector, controls, read, sent, hooks } = await openStore();
  const shirt = controls.addProduct({
    title: 'Shirt',
    variations: ['S', 'M'].map((size) => ({ regularPrice: '9.00', stock: 4, options: { Size: size } })),
  });
  const mug = await read(controls.addProduct({ title: 'Mug' }).productId);
  controls.trashProduct(shirt.productId);
  const binned = await read(shirt.productId);
  const work = new AbortController();
  hooks.onSent = (path) => {
    if (path.endsWith('/variations/batch')) work.abort();
  };
  const [back, other] = await connector.writeProducts(
    [update(binned, { fields: { status: 'active' } }), update(mug, { fields: { title: 'Cup' } })],
    work.signal,
    new AbortController().signal,
  );
  assert.equal(back?.ok && back.snapshot.fields.status, 'active');
  assert.equal(other?.ok === false && other.error.kind, 'unavailable');
  assert.equal((await read(mug.externalId)).fields.title, 'Mug');
  assert.equal(sent.length, 2);
});

test('[C27] a tag that was made while its product missed its turn is known when the product is written again', async () => {
  const { connector, sent, hooks } = await openStore();
  const work = new AbortController();
  hooks.onSent = (path) => {
    if (path.endsWith('/products/tags/batch')) work.abort();
  };
  const write = create({ tags: ['new'] }, [variant()]);
  const [missed] = await connector.writeProducts([write], work.signal, new AbortController().signal);
  assert.equal(missed?.ok === false && missed.error.details.isCancelled, true);
  const [made] = await connector.writeProducts([write]);
  assert.deepEqual(made?.ok && made.snapshot.fields.tags, ['new']);
  assert.deepEqual(
    sent.map(({ path }) => path),
    ['/products/tags/batch', '/products/batch'],
  );
});

test('pending, private and future drafts stay what they are', async () => {
  const { connector, read, call, controls } = await openStore();
  for (const status of ['pending', 'private', 'draft']) {
    const { productId } = controls.addProduct({ title: status, status, regularPrice: '1' });
    await connector.writeProducts([update(await read(productId), { fields: { status: 'draft', title: 'x' } })]);
    assert.equal((await call('GET', `/products/${productId}`)).status, status);
  }
  const { productId } = controls.addProduct({ title: 'v', regularPrice: '1' });
  await call('PUT', `/products/${productId}`, { catalog_visibility: 'search' });
  await connector.writeProducts([update(await read(productId), { fields: { status: 'active' } })]);
  assert.equal((await call('GET', `/products/${productId}`)).catalog_visibility, 'search');
  await connector.writeProducts([update(await read(productId), { fields: { status: 'unlisted' } })]);
  assert.equal((await read(productId)).fields.status, 'unlisted');
  await connector.writeProducts([update(await read(productId), { fields: { status: 'active' } })]);
  assert.equal((await call('GET', `/products/${productId}`)).catalog_visibility, 'visible');
});

test('a planned sale outlives a change of the regular price', async () => {
  const { connector, read, call, controls } = await openStore();
  const { productId } = controls.addProduct({ title: 'Planned', regularPrice: '20.00' });
  await call('PUT', `/products/${productId}`, { sale_price: '15.00', date_on_sale_from_gmt: '2099-01-01T00:00:00' });
  const seen = await read(productId);
  assert.deepEqual(seen.variants[0]?.fields.price, { regularMinor: 2000, saleMinor: null });
  const price = (regularMinor: number, saleMinor: number | null) => [
    { externalId: String(productId), fields: { price: { regularMinor, saleMinor } } },
  ];
  await connector.writeProducts([update(seen, { variants: price(2500, null) })]);
  const kept = await call('GET', `/products/${productId}`);
  assert.deepEqual(
    [kept.regular_price, kept.sale_price, kept.date_on_sale_from_gmt],
    ['25.00', '15.00', '2099-01-01T00:00:00'],
  );
  const [now] = await connector.writeProducts([update(await read(productId), { variants: price(2500, 2000) })]);
  assert.deepEqual(now?.ok && now.snapshot.variants[0]?.fields.price, { regularMinor: 2500, saleMinor: 2000 });
  assert.equal((await call('GET', `/products/${productId}`)).date_on_sale_from_gmt, null);
});

test('stock that is not counted, or counted at the product, is refused and said so', async () => {
  const { connector, call, controls } = await openStore();
  const { productId } = controls.addProduct({ title: 'Untracked', regularPrice: '1' });
  const made = controls.addProduct({ title: 'V', variations: [{ options: { Size: 'S' } }] });
  await call('PUT', `/products/${made.productId}`, { manage_stock: true, stock_quantity: 9 });
  const ids = [`p:${productId}`, `v:${made.productId}:${made.variationIds[0]}`];
  const outcomes = await connector.writeStock(ids.map((stockId) => ({ stockId, expected: 0, to: 3, key: 'k' })));
  for (const outcome of outcomes) {
    assert.ok(outcome.outcome === 'failed' && outcome.error.kind === 'rejected');
    assert.equal(outcome.error.details.field, 'stock');
  }
  const read = await connector.readStock(ids);
  assert.deepEqual(
    read.map((one) => one.ok && one.value.tracked),
    [false, false],
  );
  assert.equal((await call('GET', `/products/${made.productId}`)).stock_quantity, 9);
  const bad = await connector.writeStock(
    [Number.NaN, 1.5, 2e9].map((to) => ({ stockId: ids[0]!, expected: 0, to, key: 'k' })),
  );
  assert.ok(bad.every((outcome) => outcome.outcome === 'failed' && outcome.error.kind === 'rejected'));
  const [strange] = await connector.writeStock([{ stockId: 'x:1', expected: 0, to: 1, key: 'k' }]);
  assert.ok(strange?.outcome === 'failed' && strange.error.kind === 'rejected');
});

test('stock of many items goes in one call per hundred simple products and one per parent', async () => {
  const { connector, controls, sent } = await openStore();
  controls.seed(100, 1, 'A');
  const made = controls.addProduct({
    title: 'V',
    variations: ['S', 'M', 'L'].map((size) => ({ options: { Size: size }, stock: 1 })),
  });
  const rows = controls.listShelf().filter((row) => row.variationId === null);
  const simple = rows.map((row) => ({ stockId: `p:${row.productId}`, expected: 0, to: 4, key: `k${row.productId}` }));
  const varied = made.variationIds.map((id) => ({
    stockId: `v:${made.productId}:${id}`,
    expected: 0,
    to: 4,
    key: `k${id}`,
  }));
  for (const row of rows) controls.recount(row.productId, 1);
  // A hundred go together once fewer have come back quickly.
  await connector.writeStock(simple.slice(0, 75));
  sent.length = 0;
  const outcomes = [...(await connector.writeStock(simple.slice(0, 100))), ...(await connector.writeStock(varied))];
  assert.ok(outcomes.every((outcome) => outcome.outcome === 'applied'));
  assert.deepEqual(
    sent.map(({ path }) => path),
    ['/products/batch', `/products/${made.productId}/variations/batch`],
  );
});

test('[C4] a version without a field for barcodes keeps them all the same', async () => {
  const { connector, call, read } = await openStore({ version: '9.0.2' });
  const barcodes = (snapshot: ProductSnapshot) => snapshot.variants.map((one) => one.fields.barcode);
  const [simple, sized] = await connector.writeProducts([
    create({}, [variant({ barcode: '4006381333931' })]),
    create(
      { optionNames: ['Size'], handle: 'sized' },
      [variant({ optionValues: ['S'], barcode: '5901234123457' }), variant({ optionValues: ['M'] })],
      'prd_2',
    ),
  ]);
  assert.ok(simple?.ok && sized?.ok);
  assert.equal((await call('GET', `/products/${simple.snapshot.externalId}`)).global_unique_id, undefined);
  assert.deepEqual(barcodes(await read(simple.snapshot.externalId)), ['4006381333931']);
  assert.deepEqual(barcodes(await read(sized.snapshot.externalId)), ['5901234123457', '']);
  assert.deepEqual((await read(simple.snapshot.externalId)).marks, [{ pairId: 'pair_1', hubId: 'prd_1' }]);
  const change = (seen: ProductSnapshot, barcode: string) =>
    update(seen, { variants: [{ externalId: seen.externalId, fields: { barcode } }] });
  await connector.writeProducts([change(simple.snapshot, '96385074')]);
  assert.deepEqual(barcodes(await read(simple.snapshot.externalId)), ['96385074']);
  await connector.writeProducts([change(await read(simple.snapshot.externalId), '')]);
  assert.deepEqual(barcodes(await read(simple.snapshot.externalId)), ['']);
});

test('[C4] a barcode that was kept before WooCommerce had a field for it is neither lost nor stuck', async () => {
  const { connector, call, read } = await openStore();
  const made = await call('POST', '/products', {
    name: 'Kept',
    meta_data: [{ key: '_twinshelf_barcode', value: '4006381333931' }],
  });
  const seen = await read(made.id);
  assert.equal(seen.variants[0]?.fields.barcode, '4006381333931');
  for (const barcode of ['96385074', '']) {
    const write = update(seen, { variants: [{ externalId: seen.externalId, fields: { barcode } }] });
    const [outcome] = await connector.writeProducts([write]);
    assert.equal(outcome?.ok && outcome.snapshot.variants[0]?.fields.barcode, barcode);
  }
  await call('PUT', `/products/${made.id}`, { global_unique_id: '5901234123457' });
  assert.equal((await read(made.id)).variants[0]?.fields.barcode, '5901234123457');
});

test('[C27] a change of more variations than one call takes goes on to its end once the first of them have left', async () => {
  const { connector, read, hooks } = await openStore();
  const many = Array.from({ length: 101 }, (_, i) => variant({ optionValues: [`No ${i}`] }));
  const [made] = await connector.writeProducts([create({ optionNames: ['Number'] }, many)]);
  assert.ok(made?.ok);
  const seen = made.snapshot;
  const dearer = { price: { regularMinor: 1200, saleMinor: null } };
  const work = new AbortController();
  hooks.onSent = (path) => {
    if (path.endsWith('/variations/batch')) work.abort();
  };
  const variants = seen.variants.map(({ externalId }) => ({ externalId, fields: dearer }));
  const [outcome] = await connector.writeProducts(
    [update(seen, { variants })],
    work.signal,
    new AbortController().signal,
  );
  assert.ok(outcome?.ok, JSON.stringify(outcome));
  const prices = (await read(seen.externalId)).variants.map((one) => one.fields.price?.regularMinor);
  assert.deepEqual(new Set(prices), new Set([1200]));
});

test('[C27] of a change of many variations nothing leaves when its first call was given up while it waited', async () => {
  const { connector, sent, hooks } = await openStore();
  const many = Array.from({ length: 101 }, (_, i) => variant({ optionValues: [`No ${i}`] }));
  const [made] = await connector.writeProducts([create({ optionNames: ['Number'] }, many)]);
  assert.ok(made?.ok);
  const work = new AbortController();
  hooks.answer = (path) => {
    if (!path.endsWith('/variations/batch') || work.signal.aborted) return null;
    work.abort();
    return { status: 429, headers: { 'retry-after': '20' }, body: new TextEncoder().encode('{}') };
  };
  const variants = made.snapshot.variants.map(({ externalId }) => ({
    externalId,
    fields: { price: { regularMinor: 1200, saleMinor: null } },
  }));
  sent.length = 0;
  const cut = new AbortController().signal;
  const [outcome] = await connector.writeProducts([update(made.snapshot, { variants })], work.signal, cut);
  assert.equal(outcome?.ok === false && outcome.error.kind, 'unavailable');
  assert.equal(sent.length, 1);
});

test('[C8] a write whose second call could not be sent says that the first may have been carried out; a create is taken back', async () => {
  const { connector, read, hooks, call } = await openStore();
  const [made] = await connector.writeProducts([create({ optionNames: ['Size'] }, SIZES)]);
  assert.ok(made?.ok);
  const seen = made.snapshot;
  hooks.onSent = (path) => {
    if (path.endsWith('/variations/batch')) throw new TransportError('before_send', 'refused', 'no connection');
  };
  const variants = [{ externalId: seen.variants[0]?.externalId ?? '', fields: { sku: 'NEW' } }];
  const [both] = await connector.writeProducts([update(seen, { fields: { title: 'New' }, variants })]);
  assert.equal(both?.ok === false && both.error.kind, 'unknown_outcome');
  assert.equal((await read(seen.externalId)).fields.title, 'New');
  const [nothing] = await connector.writeProducts([update(seen, { variants })]);
  assert.equal(nothing?.ok === false && nothing.error.kind, 'unavailable');
  const [second] = await connector.writeProducts([create({ optionNames: ['Size'] }, SIZES, 'prd_2')]);
  assert.equal(second?.ok === false && second.error.kind, 'unavailable');
  assert.equal((await call('GET', '/products?status=any')).length, 1);
});

for (const version of ['10.5.0', '10.2.0'])
  test(`the stock of a variation that is another product’s by now is not there: a write through its old one would take it back (WooCommerce ${version})`, async () => {
    const { connector, controls, call } = await openStore({ version });
    const variations = ['S', 'M', 'L'].map((Size) => ({ regularPrice: '9.00', stock: 5, options: { Size } }));
    const { productId, variationIds } = controls.addProduct({ title: 'Shirt', variations });
    const other = controls.addProduct({ title: 'Blouse', variations: variations.slice(0, 1) });
    const [first, second] = variationIds;
    await call('POST', `/products/${other.productId}/variations/batch`, { update: [{ id: first }] });
    const kindsOf = async (...stockIds: string[]) =>
      (await connector.readStock(stockIds)).map((outcome) =>
        outcome.ok ? outcome.value.quantity : outcome.error.kind,
      );
    const [old, kept, moved] = [`v:${productId}:${first}`, `v:${productId}:${second}`, `v:${other.productId}:${first}`];
    assert.deepEqual(await kindsOf(old, kept), ['not_found', 5]);
    assert.deepEqual(await kindsOf(old, moved, kept), ['not_found', 5, 5]);
    assert.deepEqual(await kindsOf(moved, old), [5, 'not_found']);
    assert.deepEqual(await kindsOf(old), ['not_found']);
  });
