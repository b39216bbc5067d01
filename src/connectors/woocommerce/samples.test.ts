import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { assembleProduct } from './assemble.ts';
import { factsOf, type Settings } from './store-facts.ts';
import { firstFault, wire } from './wire.ts';

const sample = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8'));

const batch = sample('batch_mixed_errors') as { create: unknown[]; update: unknown[] };
const variations = sample('variations_batch_response') as { create: unknown[]; update: unknown[] };
const delivered = (name: string) =>
  JSON.parse((sample(`webhook_delivery_${name}`) as { body_text: string }).body_text) as unknown;

/** Everything that a real store answered fits what the mappers ask for. */
const RECORDED = {
  product: [
    ...['product_simple', 'product_variable', 'product_image', 'product_created_with_dropped_invalid_gtin'].map(sample),
    batch.create[0],
    batch.create[2],
    batch.update[2],
    delivered('product.created'),
  ],
  variation: [sample('product_variation'), ...variations.create, ...variations.update],
  stockItem: [sample('product_simple'), sample('product_variation')],
  webhook: [sample('webhook')],
  tag: [sample('tag')],
  setting: [...(sample('settings_general') as unknown[]), ...(sample('settings_tax') as unknown[])],
} as const;

for (const [name, records] of Object.entries(RECORDED)) {
  test(`recorded: ${records.length} of ${name}`, () => {
    const validator = wire[name as keyof typeof RECORDED];
    for (const record of records) assert.ok(validator.Check(record), firstFault(validator, record));
  });
}

const settings = (name: string): Settings =>
  new Map((sample(name) as { id: string; value: unknown }[]).map(({ id, value }) => [id, value]));

test('the facts of a recorded store', () => {
  const facts = factsOf('https://shop.example', settings('settings_general'), settings('settings_products'), '10.5.0');
  const url = { siteUrl: 'https://shop.example' };
  assert.deepEqual(facts, {
    ...url,
    currency: 'USD',
    priceDecimals: 2,
    weightUnit: 'lbs',
    hasBarcodes: true,
    findsBarcodes: true,
  });
  assert.throws(() => factsOf('https://shop.example', new Map(), settings('settings_products'), ''), /currency/);
  assert.throws(() => factsOf('https://shop.example', settings('settings_general'), new Map(), ''), /weighs/);
});

test('an invalid GTIN that the store dropped is read as none; a picture is found', () => {
  const facts = factsOf('https://shop.example', settings('settings_general'), settings('settings_products'), '');
  const dropped = assembleProduct(sample('product_created_with_dropped_invalid_gtin'), [], facts);
  assert.equal(dropped.variants[0]?.fields.barcode, '');
  assert.match(assembleProduct(sample('product_image'), [], facts).imageUrl, /^https?:\/\//);
});
