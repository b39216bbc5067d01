import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkStoreForm, storeChangeOf, storeFormOf } from './store-settings-form.ts';

const OPENED = storeFormOf({ name: 'Northfold', webhookSources: ['203.0.113.7', '2001:db8::/32'] });

test('the list is one address a line, and comes back as it went in', () => {
  assert.deepEqual(OPENED, { name: 'Northfold', webhookSources: '203.0.113.7\n2001:db8::/32' });
  assert.deepEqual(storeChangeOf(OPENED, OPENED), {}, 'nothing was said');
});

test('only what is changed is sent: the list as it was typed, without blanks and repetitions', () => {
  assert.deepEqual(storeChangeOf({ ...OPENED, name: ' Southfold ' }, OPENED), { name: 'Southfold' });
  const webhookSources = ' 198.51.100.0/24,\n\n203.0.113.7 203.0.113.7';
  assert.deepEqual(storeChangeOf({ ...OPENED, webhookSources }, OPENED), {
    webhookSources: ['198.51.100.0/24', '203.0.113.7'],
  });
  assert.deepEqual(storeChangeOf({ ...OPENED, webhookSources: ' \n' }, OPENED), { webhookSources: [] });
  const turned = { name: 'Northfold ', webhookSources: '2001:db8::/32, 203.0.113.7\n' };
  assert.deepEqual(storeChangeOf(turned, OPENED), {}, 'another order lets in nobody else');
});

test('what the server would refuse is said beside its field, with the word that is wrong', () => {
  assert.deepEqual(checkStoreForm(OPENED), {});
  assert.deepEqual(checkStoreForm({ ...OPENED, webhookSources: '' }), {});
  const found = checkStoreForm({ name: '  ', webhookSources: '203.0.113.7\nshop.example.com' });
  assert.match(found.name ?? '', /^Give the store a name/);
  assert.match(found.webhookSources ?? '', /^"shop\.example\.com" is no address/);
  for (const bad of ['203.0.113.7/33', '203.0.113', '10.0.0.1-10.0.0.9', '203.0.113.7:443'])
    assert.ok(checkStoreForm({ ...OPENED, webhookSources: bad }).webhookSources?.includes(`"${bad}"`), bad);
  const long = checkStoreForm({ ...OPENED, webhookSources: 'x'.repeat(5_000) }).webhookSources ?? '';
  assert.ok(long.length < 300);
  const many = Array.from({ length: 101 }, (_, at) => `10.0.0.${at}`).join('\n');
  assert.match(checkStoreForm({ ...OPENED, webhookSources: many }).webhookSources ?? '', /at most 100/);
});
