// What travels when a product is made and never afterwards, and what keeps one from being made in the other shop.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VariantId } from '../../model/ids.ts';
import { create, openStore, update, variant } from './open-store.test.ts';

const SERVICE = { taxable: false, requiresShipping: false } as const;

test('whether a product is taxed and sent is read of it, and of each of its variations', async () => {
  const { read, call, controls } = await openStore();
  const simple = controls.addProduct({ title: 'Gift wrap', regularPrice: '2.00' });
  const shown = async (id: number) =>
    (await read(id)).variants.map(({ fields }) => [fields.taxable, fields.requiresShipping]);
  for (const [tax_status, virtual, expected] of [
    ['taxable', false, [true, true]],
    ['none', false, [false, true]],
    ['shipping', true, [false, false]],
  ] as const) {
    await call('PUT', `/products/${simple.productId}`, { tax_status, virtual });
    assert.deepEqual(await shown(simple.productId), [expected]);
  }
  const { productId, variationIds } = controls.addProduct({
    title: 'Course',
    variations: [{ options: { Form: 'Book' } }, { options: { Form: 'File' } }],
  });
  await call('PUT', `/products/${productId}`, { tax_status: 'none' });
  await call('PUT', `/products/${productId}/variations/${variationIds[1]}`, { virtual: true });
  assert.deepEqual(await shown(productId), [
    [false, true],
    [false, false],
  ]);
});

test('a service that is free of tax is made so, with the weight that it has; an update sends neither', async () => {
  const { connector, sent, call } = await openStore();
  const [made] = await connector.writeProducts([create({}, [variant({ ...SERVICE, weightMg: 250_000 })])]);
  const seen = made?.ok ? made.snapshot : assert.fail('it was refused');
  const { taxable, requiresShipping, weightMg } = seen.variants[0]?.fields ?? assert.fail('it has a variant');
  assert.deepEqual([taxable, requiresShipping, weightMg], [false, false, 250_000]);
  const { tax_status, virtual, weight } = await call('GET', `/products/${seen.externalId}`);
  assert.deepEqual([tax_status, virtual, weight], ['none', true, '0.25']);
  sent.splice(0);
  const fields = { sku: 'NEW', taxable: true, requiresShipping: true };
  await connector.writeProducts([update(seen, { variants: [{ externalId: seen.externalId, fields }] })]);
  assert.deepEqual(Object.keys(sent[0]?.body.update[0]).toSorted(), ['id', 'sku']);
});

test('variations are sent or not each for itself, and taxed as their product is: where one of them is, all are', async () => {
  const { connector, read } = await openStore();
  const forms = [
    variant({ ...SERVICE, optionValues: ['File'], weightMg: 10_000 }),
    variant({ optionValues: ['Book'], weightMg: 500_000, taxable: false }),
  ];
  const made = async (handle: string, variants: typeof forms, hubId: string) => {
    const write = create({ optionNames: ['Form'], handle }, variants, hubId);
    const [outcome] = await connector.writeProducts([write]);
    return outcome?.ok ? outcome.snapshot : assert.fail('it was refused');
  };
  const free = await made('course', forms, 'prd_1');
  const told = ({ variants }: typeof free) =>
    variants.map(({ fields }) => [fields.taxable, fields.requiresShipping, fields.weightMg]);
  assert.deepEqual(told(free), [
    [false, false, 10_000],
    [false, true, 500_000],
  ]);
  const mixed = [...forms, variant({ optionValues: ['Kit'] })];
  assert.deepEqual(
    told(await made('course-2', mixed, 'prd_2')).map(([taxable]) => taxable),
    [true, true, true],
  );
  const write = { type: 'create', fields: free.fields } as const;
  const hub = Object.fromEntries(mixed.map(({ fields }, index) => [`var_${index}` as VariantId, fields]));
  const represented = Object.values(connector.represent({ fields: write.fields, variants: hub }).variants);
  assert.deepEqual(
    represented.map(({ taxable }) => taxable),
    [true, true, true],
  );
  const added = variant({ ...SERVICE, optionValues: ['Stream'], weightMg: 1_000 });
  const [grown] = await connector.writeProducts([update(free, { newVariants: [added] })]);
  assert.deepEqual(grown?.ok && told(grown.snapshot).at(-1), [false, false, 1_000]);
  const stream = (await read(free.externalId)).variants.at(-1)?.externalId ?? '';
  await connector.writeProducts([update(await read(free.externalId), { archiveVariants: [stream] })]);
  const boxed = variant({ optionValues: ['Stream'] });
  const [back] = await connector.writeProducts([update(await read(free.externalId), { newVariants: [boxed] })]);
  assert.deepEqual(back?.ok && told(back.snapshot).at(-1), [false, true, null], 'as the new one is');
});

test('a product behind a password, and a download, are withheld from the other shop', async () => {
  const { read, call, controls } = await openStore();
  const { productId } = controls.addProduct({ title: 'For dealers', regularPrice: '2.00' });
  const why = async () => (await read(productId)).withheld;
  assert.equal(await why(), undefined);
  await call('PUT', `/products/${productId}`, { post_password: 's3same' });
  assert.equal(await why(), 'It is protected by a password.');
  assert.ok(!JSON.stringify(await read(productId)).includes('s3same'), 'which is nobody else’s business');
  await call('PUT', `/products/${productId}`, { post_password: '', downloadable: true });
  assert.match((await why()) ?? '', /download/);
  await call('PUT', `/products/${productId}`, { downloadable: false });
  assert.equal(await why(), undefined);
  const course = controls.addProduct({ title: 'Course', variations: [{ options: { Form: 'File' } }] });
  await call('PUT', `/products/${course.productId}/variations/${course.variationIds[0]}`, { downloadable: true });
  assert.match((await read(course.productId)).withheld ?? '', /download/);
});

test('a version that does not tell of passwords has none to be withheld for', async () => {
  const { read, call, controls } = await openStore({ version: '8.0.0' });
  const { productId } = controls.addProduct({ title: 'For dealers', regularPrice: '2.00' });
  await call('PUT', `/products/${productId}`, { post_password: 's3same' });
  assert.equal((await read(productId)).withheld, undefined);
});

test('what is refused for a code that two of its own variations share names none of them: they are gone with their draft', async () => {
  const { connector, controls } = await openStore();
  const sizes = (skus: readonly string[]) =>
    skus.map((sku, index) => variant({ sku, optionValues: [['S', 'M', 'L'][index] ?? ''] }));
  const refused = async (skus: readonly string[]) => {
    const [outcome] = await connector.writeProducts([create({ optionNames: ['Size'] }, sizes(skus))]);
    return outcome?.ok === false ? outcome.error : assert.fail('it was made');
  };
  // The shop's database folds more letters than we know of.
  const { kind, details } = await refused(['CAFÉ', 'café']);
  assert.deepEqual([kind, details.field, details.conflictingId], ['rejected', 'sku', undefined]);
  assert.deepEqual(controls.listShelf(), []);
  const mug = controls.addProduct({ title: 'Mug', sku: 'MUG' });
  const error = await refused(['T', 'Mug']);
  assert.equal(error.details.conflictingId, String(mug.productId), 'what stands in the way is told as before');
});
