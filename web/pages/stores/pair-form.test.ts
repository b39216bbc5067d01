import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PairSettings } from '../../../src/contracts/pairs.ts';
import { DEFAULT_PAIR_SETTINGS } from '../../../src/model/pair.ts';
import { BOUNDS, checkForm, FIRST_FORM, formOf, SETTING_NAMES, settingsOf } from './pair-form.ts';
import { INTERVALS, RETRIES } from './pair-options.ts';

const STORED = {
  ...settingsOf(FIRST_FORM, FIRST_FORM),
  shopifyLocationId: null,
};

test('the form has every setting of the contract but the location, with its limits and its choices', () => {
  const { rateLimit, stockBuffer, stockCap, syncInterval, retryAttempts, ...others } = PairSettings.properties;
  const rest = Object.keys(others).filter((name) => name !== 'shopifyLocationId');
  const numbers = ['rateLimit', 'stockBuffer', 'stockCap', 'syncInterval', 'retryAttempts'];
  assert.deepEqual([...SETTING_NAMES].sort(), [...rest, ...numbers].sort());
  const limitsOf = (schema: object) => {
    const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
    return { min: minimum, max: maximum };
  };
  assert.deepEqual(BOUNDS, {
    rateLimit: limitsOf(rateLimit),
    stockBuffer: limitsOf(stockBuffer),
    stockCap: limitsOf(stockCap.anyOf[0]),
  });
  assert.deepEqual(
    INTERVALS.map(({ value }) => value),
    syncInterval.enum,
  );
  assert.deepEqual(
    RETRIES.map(({ value }) => value),
    retryAttempts.enum,
  );
});

test('a new pair begins as the server would have it, and asks where both stores changed a field', () => {
  const { weightsHeldFrom: _held, ...defaults } = DEFAULT_PAIR_SETTINGS;
  assert.deepEqual(STORED, { ...defaults, conflictResolution: 'manual' });
});

test('what is stored, shown and sent again is the same', () => {
  const { shopifyLocationId: _location, ...stored } = { ...STORED, stockBuffer: 3, stockCap: 0, rateLimit: 250 };
  const form = formOf({ ...stored, shopifyLocationId: null });
  assert.deepEqual([form.stockBuffer, form.stockCap, form.rateLimit], ['3', '0', '250']);
  assert.deepEqual(settingsOf(form, form), stored);
  assert.equal(settingsOf({ ...form, stockCap: ' ' }, form).stockCap, null);
});

test('a number that can not be is told in words that name what can', () => {
  const told = (name: keyof typeof BOUNDS, typed: string) => checkForm({ ...FIRST_FORM, [name]: typed }, {})[name];
  assert.equal(told('rateLimit', ' '), 'Type a number: 100 to 10,000.');
  assert.equal(told('rateLimit', '99'), 'Too low: 100 at least.');
  assert.equal(told('rateLimit', '10001'), 'Too high: 10,000 at most.');
  assert.equal(told('rateLimit', ' 100 '), undefined);
  assert.equal(told('stockBuffer', '-1'), 'Not below zero: 0 to 1,000,000.');
  for (const typed of ['1.5', '1,000', 'two', '1e3'])
    assert.equal(told('stockBuffer', typed), 'A whole number, in digits alone: 0 to 1,000,000.');
  assert.equal(told('stockBuffer', '9'.repeat(400)), 'Too high: 1,000,000 at most.');
  assert.equal(told('stockCap', ''), undefined);
  assert.equal(told('stockCap', '1000000001'), 'Too high: 1,000,000,000 at most.');
});

test('a wrong number that counts for nothing now is not asked about, and stays as it was', () => {
  const form = { ...FIRST_FORM, stockBuffer: 'two', stockCap: '-3', syncInventory: false };
  assert.deepEqual(checkForm(form, { stockBuffer: 'Stock is off.', stockCap: 'Stock is off.' }), {});
  const { stockBuffer, stockCap } = settingsOf(form, { ...FIRST_FORM, stockBuffer: '4' });
  assert.deepEqual([stockBuffer, stockCap], [4, null]);
});
