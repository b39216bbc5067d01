import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change, RecordSide } from '../../api/records.ts';
import type { Side } from '../../components/side.ts';
import { deletedWords } from './deleted-words.ts';

const deleted = (to: unknown, change: Partial<Change> = {}): Change => ({
  ...{ seq: 1, recordId: 'prd_1', variantId: null, field: 'deleted', origin: 'woocommerce', target: null },
  ...{ from: 'active', to, cause: 'delete', runId: null, at: '2026-01-01T00:00:00.000Z' },
  ...change,
});

const held = (side: Side): RecordSide => ({
  ...{
    side,
    storeId: 'str_1',
    externalId: '1',
    adminUrl: '',
    currency: null,
    apart: [],
    variants: [],
    isPending: false,
    fencedUntil: null,
  },
  fields: { title: 'Mug', status: 'active', tags: [], descriptionHtml: '', optionNames: [], handle: 'mug' },
});

test('a deleted product is not shown as if its store still held it: where it went, and what became of it, is said', () => {
  const record = { state: 'deleted', woocommerce: held('woocommerce'), shopify: held('shopify') } as const;
  assert.equal(
    deletedWords(record, [deleted('archived')]),
    'This product was deleted in WooCommerce. In Shopify it is archived, not deleted. What is shown of WooCommerce is what it held last.',
  );
  assert.equal(
    deletedWords(record, [deleted(null, { origin: 'shopify' })]),
    'This product was deleted in Shopify. What is shown of Shopify is what it held last.',
  );
  const goneToo = deleted(true, { origin: 'shopify', cause: 'gone_too' });
  assert.equal(
    deletedWords(record, [goneToo, deleted('archived')]),
    'This product was deleted in WooCommerce. In Shopify it is deleted as well. What is shown of WooCommerce is what it held last.',
  );
  assert.match(
    deletedWords(record, [deleted('archived'), goneToo]),
    /In Shopify it is archived/,
    'it was, before it came back',
  );
  assert.match(deletedWords(record, [deleted(true, { variantId: 'var_1' })]), /^This product was deleted\. /);
  assert.equal(deletedWords({ ...record, state: 'level' }, [deleted('archived')]), '');
  assert.match(
    deletedWords(record, [deleted(true, { cause: 'joined' })]),
    /^Both stores turned out to have this product\. /,
  );
});

test('of what no store shows any more no values are announced, and nothing is said to be archived', () => {
  const record = { state: 'deleted', woocommerce: null, shopify: null } as const;
  assert.equal(deletedWords(record, [deleted('archived')]), 'This product was deleted in WooCommerce.');
  assert.equal(
    deletedWords(record, [deleted(true, { origin: 'shopify', cause: 'gone_too' }), deleted('archived')]),
    'This product was deleted in WooCommerce. In Shopify it is deleted as well.',
  );
  assert.equal(deletedWords(record, []), 'This product was deleted.');
  assert.match(deletedWords(record, [deleted(true, { cause: 'joined' })]), /under the record of both\.$/);
});
