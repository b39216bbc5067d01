import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, openStore, update, variant } from './open-store.test.ts';

for (const [what, values, words] of [
  ['a "<" with no space behind it', ['a<b'], /"a<b"/],
  ['a heart', ['<3'], /"<3"/],
  ['more characters than a term has', ['x'.repeat(201)], /are shorter/],
  ['another that the database holds for the same', ['Чай', 'Чаи'], /"Чай" and "Чаи"/],
  ['another that differs by an accent', ['Café', 'CAFE'], /"Café" and "CAFE"/],
] as const)
  test(`a value of an attribute of the shop with ${what} is refused before anything is sent: the variation would be for another`, async () => {
    const { connector, call, read, sent } = await openStore();
    const size = await call('POST', '/products/attributes', { name: 'Size' });
    const attributes = [{ id: size.id, variation: true, visible: true, options: ['a < b'] }];
    const { id } = await call('POST', '/products', { name: 'Tea', type: 'variable', attributes });
    await call('POST', `/products/${id}/variations`, { attributes: [{ id: size.id, option: 'a < b' }] });
    const seen = await read(id);
    const write = (options: readonly string[]) =>
      connector.writeProducts([
        update(seen, { newVariants: options.map((option) => variant({ optionValues: [option] })) }),
      ]);
    sent.length = 0;
    const [outcome] = await write(values);
    assert.ok(outcome && !outcome.ok && outcome.error.kind === 'rejected');
    assert.equal(outcome.error.details.field, 'optionValues');
    assert.match(outcome.error.message, words);
    assert.deepEqual(sent, []);
    const [taken] = await write(['कि', 'का', 'c < d']);
    assert.ok(taken?.ok, JSON.stringify(taken));
    assert.deepEqual(
      taken.snapshot.variants.map(({ fields }) => fields.optionValues),
      [['a < b'], ['कि'], ['का'], ['c < d']],
    );
  });

test('a value that is spelled otherwise in the list of the shop is that one, as long as no two variations become one', async () => {
  const { connector, call, read } = await openStore();
  const color = await call('POST', '/products/attributes', { name: 'Color' });
  const attributes = [
    { id: color.id, variation: true, visible: true, options: ['Weiß'] },
    { name: 'Size', variation: true, options: ['S'] },
  ];
  const { id } = await call('POST', '/products', { name: 'Shirt', type: 'variable', attributes });
  const chosen = [
    { id: color.id, option: 'Weiß' },
    { name: 'Size', option: 'S' },
  ];
  await call('POST', `/products/${id}/variations`, { attributes: chosen });
  const write = async (...optionValues: string[]) =>
    (await connector.writeProducts([update(await read(id), { newVariants: [variant({ optionValues })] })]))[0];
  assert.equal((await write('weiss', 'M'))?.ok, true);
  assert.deepEqual(
    (await read(id)).variants.map(({ fields }) => fields.optionValues),
    [
      ['Weiß', 'S'],
      ['Weiß', 'M'],
    ],
  );
  const twin = await write('WEISS', 'S');
  assert.ok(twin && !twin.ok && twin.error.details.field === 'optionValues');
});

test('what PHP takes for nothing is refused as a title and as the name of an option, and is a value like any', async () => {
  const { connector, sent } = await openStore();
  sent.length = 0;
  const [untitled] = await connector.writeProducts([create({ title: '0' }, [variant()])]);
  assert.ok(untitled && !untitled.ok && untitled.error.details.field === 'title');
  const [nameless] = await connector.writeProducts([
    create({ optionNames: ['0'] }, [variant({ optionValues: ['S'] }), variant({ optionValues: ['M'] })]),
  ]);
  assert.ok(nameless && !nameless.ok && nameless.error.details.field === 'optionNames');
  assert.deepEqual(sent, []);
  const [sized] = await connector.writeProducts([
    create({ optionNames: ['Size'] }, [variant({ optionValues: ['0'] }), variant({ optionValues: ['00'] })]),
  ]);
  assert.ok(sized?.ok, JSON.stringify(sized));
  assert.deepEqual(
    sized.snapshot.variants.map(({ fields }) => fields.optionValues),
    [['0'], ['00']],
  );
});

test('the weight of a variation is not cleared where its product has one: that would be shown in its place, as if somebody had given it', async () => {
  const { connector, controls, call, read, sent } = await openStore();
  const variations = ['S', 'M'].map((Size) => ({ regularPrice: '9.00', stock: 5, options: { Size } }));
  const { productId, variationIds } = controls.addProduct({ title: 'Shirt', variations });
  await call('PUT', `/products/${productId}`, { weight: '2' });
  await call('PUT', `/products/${productId}/variations/${variationIds[0]}`, { weight: '3' });
  const weightsOf = async () => (await read(productId)).variants.map(({ fields }) => fields.weightMg);
  assert.deepEqual(await weightsOf(), [3_000_000, 2_000_000]);
  const weighing = async (weightMg: number | null, more: Parameters<typeof update>[1] = {}) =>
    update(await read(productId), {
      variants: [{ externalId: String(variationIds[0]), fields: { weightMg, sku: 'S-1' } }],
      ...more,
    });
  sent.length = 0;
  for (const write of [
    await weighing(null),
    await weighing(0),
    await weighing(null, { newVariants: [variant({ optionValues: ['L'] })] }),
  ]) {
    const [outcome] = await connector.writeProducts([write]);
    assert.ok(outcome && !outcome.ok && outcome.error.kind === 'rejected', JSON.stringify(outcome));
    assert.equal(outcome.error.details.field, 'weightMg');
    assert.equal(connector.refusalOf(write)?.message, outcome.error.message);
    assert.deepEqual(sent, []);
  }
  const [other] = await connector.writeProducts([await weighing(4_000_000)]);
  assert.ok(other?.ok, JSON.stringify(other));
  assert.deepEqual(await weightsOf(), [4_000_000, 2_000_000]);
  await call('PUT', `/products/${productId}`, { weight: '' });
  const [cleared] = await connector.writeProducts([await weighing(null)]);
  assert.ok(cleared?.ok, JSON.stringify(cleared));
  assert.deepEqual(await weightsOf(), [null, null]);
  const simple = controls.addProduct({ title: 'Mug', weight: '2' });
  const mug = await read(simple.productId);
  const [own] = await connector.writeProducts([
    update(mug, { variants: [{ externalId: mug.externalId, fields: { weightMg: null } }] }),
  ]);
  assert.equal(own?.ok && own.snapshot.variants[0]?.fields.weightMg, null);
});
