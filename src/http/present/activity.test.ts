import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PairId, WorkspaceId } from '../../model/ids.ts';
import type { ActivityNames } from '../activity-names.ts';
import { presentActivity } from './activity.ts';

const NAMES: ActivityNames = {
  record: 'Enamel mug',
  variant: null,
  store: null,
  pair: 'Northfold and Northfold Studio',
  currency: 'USD',
  sides: {
    woocommerce: { name: 'Northfold', url: 'https://northfold.example' },
    shopify: { name: 'Northfold Studio', url: 'https://northfold.myshopify.com' },
  },
};

function told(type: string, payload: unknown, names: Partial<ActivityNames> = {}) {
  const event = { seq: 1, workspaceId: 'ws_1' as WorkspaceId, pairId: 'pair_1' as PairId, type, payload, at: 0 };
  return presentActivity(event, { ...NAMES, ...names });
}

const changed = (field: string, from: unknown, to: unknown): string =>
  told('field_changed', { productId: 'prd_1', title: 'Enamel mug', side: 'woocommerce', field, from, to }).text;

describe('what the journal tells, in the words of a person', () => {
  test('values of every kind of field', () => {
    const price = (regularMinor: number | null, saleMinor: number | null = null) => ({ regularMinor, saleMinor });
    const start = 'Enamel mug was changed in WooCommerce: ';
    for (const [field, from, to, words] of [
      ['price', price(1200), price(2000, 1600), 'price 12.00 USD → 16.00 USD (was 20.00 USD)'],
      ['price', price(null), price(1200), 'price no price → 12.00 USD'],
      ['tags', [], ['home', 'sale'], 'tags none → home, sale'],
      ['optionNames', ['Colour'], ['Colour', 'Size'], 'option names Colour → Colour, Size'],
      ['weightMg', null, 1_250_000, 'weight none → 1250 g'],
      ['descriptionHtml', '<p>For the <b>house</b>.</p>', '', 'description For the house. → none'],
      ['status', 'active', 'draft', 'status active → draft'],
      ['sku', '', 'MUG', 'SKU none → MUG'],
      ['backorders', 'no', 'notify', 'backorders not allowed → allowed, the customer is told'],
    ] as const)
      assert.equal(changed(field, from, to), start + words);
  });

  test('a price whose pair is gone is not told in digits that its currency may not have', () => {
    const price = (regularMinor: number) => ({ regularMinor, saleMinor: null });
    const payload = { title: 'Enamel mug', side: 'woocommerce', field: 'price', from: price(1200), to: price(1500) };
    assert.doesNotMatch(told('field_changed', payload, { pair: null, currency: null }).text, /\d/);
  });

  test('no line about a field holds JSON, and none is longer than a line', () => {
    const many = Array.from({ length: 40 }, (_, index) => `tag ${index}`);
    for (const value of [many, { unheard: 'of' }, 'x'.repeat(500), true]) {
      const text = changed('anything', null, value);
      assert.doesNotMatch(text, /[{}[\]]/);
      assert.ok(text.length < 200, text);
    }
  });

  test('the variants of a product are told apart, in the text and in what pages make of the row', () => {
    const payload = { productId: 'prd_1', variantId: 'var_1', title: 'Enamel mug', side: 'shopify', field: 'price' };
    const row = told('field_changed', { ...payload, from: null, to: null }, { variant: 'MUG-CREAM' });
    assert.match(row.text, /^Enamel mug \(MUG-CREAM\) was changed in Shopify/);
    assert.equal((row.payload as { sku: string }).sku, 'MUG-CREAM');
    const conflict = { productId: 'prd_1', title: 'Enamel mug', field: 'variant.var_1.price', side: 'shopify' };
    assert.equal(
      told('conflict_opened', conflict, { variant: 'MUG-CREAM' }).text,
      'Enamel mug (MUG-CREAM) was changed differently on both sides: price',
    );
  });

  test('a write says what was written; a new product and a new variant are created', () => {
    const write = { productId: 'prd_1', title: 'Enamel mug', side: 'shopify' };
    assert.equal(
      told('product_written', { ...write, action: 'update', field: 'status', from: 'active', to: 'draft' }).text,
      'Enamel mug was written to Shopify: status active → draft',
    );
    assert.equal(told('product_written', { ...write, action: 'create' }).text, 'Enamel mug was created in Shopify');
    assert.equal(
      told('product_written', { ...write, action: 'create_variant' }, { variant: 'MUG-SAND' }).text,
      'A new variant of Enamel mug (MUG-SAND) was created in Shopify',
    );
  });

  test('the store is named', () => {
    const store = { store: 'Northfold' };
    const refused = { storeId: 'str_1', status: 'error', reason: 'Consumer secret is invalid.' };
    assert.equal(
      told('store_health_changed', refused, store).text,
      'Northfold does not let us in any more: Consumer secret is invalid.',
    );
    assert.equal(
      told('store_health_changed', { storeId: 'str_1', status: 'connected', reason: null }, store).text,
      'Northfold lets us in again',
    );
    assert.equal(
      told('webhooks_repaired', { storeId: 'str_1', active: 7, repaired: 7 }, store).text,
      'Webhooks of Northfold were switched on',
    );
    assert.equal(
      told('problem', { subject: 'str_1', message: 'WooCommerce has not answered for some time.' }, store).text,
      'Northfold: WooCommerce has not answered for some time.',
    );
  });

  test('the pair is named, and why', () => {
    assert.equal(told('pair_created', {}).text, 'A pair was made: Northfold and Northfold Studio');
    assert.equal(told('pair_deleted', { pairId: 'pair_1' }, { pair: null }).text, 'A pair was removed');
    assert.equal(told('pair_created', {}, { pair: null }).text, 'A pair was made that was removed since');
    assert.equal(told('pair_paused', {}).text, 'The sync of Northfold and Northfold Studio was paused');
    assert.equal(
      told('pair_settings_changed', { changed: ['conflictResolution', 'syncSchedule'] }).text,
      'The settings of Northfold and Northfold Studio were changed: conflict resolution, sync schedule',
    );
    assert.equal(
      told('plan_failed', { planId: 'plan_1', errorCode: 'X', errorMessage: 'The store is busy.' }).text,
      'A plan for Northfold and Northfold Studio could not be made: The store is busy.',
    );
    assert.equal(
      told('run_completed', { stats: { totalProcessed: 8, written: 1, failed: 0 } }).text,
      'Sync of Northfold and Northfold Studio completed: 8 records, 1 written',
    );
    assert.equal(
      told('run_completed', { stats: { totalProcessed: 1, written: 1, failed: 0 } }).text,
      'Sync of Northfold and Northfold Studio completed: 1 record, 1 written',
    );
    assert.equal(
      told('run_failed', { error: { code: 'UNAUTHORIZED', message: 'WooCommerce said “No”' } }).text,
      'Sync of Northfold and Northfold Studio failed: Northfold said “No”',
    );
  });
});
