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
