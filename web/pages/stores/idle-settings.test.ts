import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idleSettings, isMadeOn, shownTick } from './idle-settings.ts';
import { FIRST_FORM, type PairForm } from './pair-form.ts';

const idleIn = (change: Partial<PairForm>) => idleSettings({ ...FIRST_FORM, ...change });
const namesIn = (change: Partial<PairForm>) => Object.keys(idleIn(change)).sort();

test('where both stores lead, what is about one that follows counts for nothing', () => {
  assert.deepEqual(namesIn({ conflictResolution: 'newest' }), ['enforce', 'stockTwoWay']);
});

test('[R6, L1] the preferred side counts where an order is asked for, or only blanks are filled', () => {
  for (const change of [{ conflictResolution: 'oldest' }, { linkRule: 'fill_blanks' }] as const)
    assert.equal(idleIn(change).preferredSide, undefined);
  for (const conflictResolution of ['manual', 'woocommerce'] as const)
    assert.notEqual(idleIn({ conflictResolution }).preferredSide, undefined);
});

test('[L4, R9] in a one-way pair there is nothing to decide between the two', () => {
  const oneWay = { syncDirection: 'shopify_to_woocommerce' } as const;
  assert.deepEqual(namesIn(oneWay), ['conflictResolution', 'linkRule', 'preferredSide']);
  assert.equal(idleIn(oneWay).conflictResolution, 'Counts only where both stores lead: here Shopify does.');
  assert.equal(
    idleIn({ ...oneWay, stockTwoWay: false }).stockLinkRule,
    'Stock goes one way: the number of Shopify is taken.',
  );
});

test('[R10, R11] what a one-way pair would enforce has to be kept the same', () => {
  const off = { syncDirection: 'woocommerce_to_shopify', syncProducts: false, syncPrices: false } as const;
  assert.notEqual(idleIn(off).enforce, undefined);
  assert.equal(idleIn({ ...off, syncPrices: true }).enforce, undefined);
  assert.equal(idleIn({ ...off, stockTwoWay: false }).enforce, undefined);
});

test('[R10] where neither products nor prices are kept the same, there is no field to decide about', () => {
  const off = { syncProducts: false, syncPrices: false, conflictResolution: 'newest' } as const;
  for (const name of ['conflictResolution', 'linkRule', 'preferredSide'] as const) {
    assert.notEqual(idleIn(off)[name], undefined, name);
    assert.equal(idleIn({ ...off, syncPrices: true })[name], undefined, name);
  }
});

test('[T2, G8] without stock or products, what is about them counts for nothing', () => {
  const stock = ['allowZeroStockLink', 'stockBuffer', 'stockCap', 'stockLinkRule', 'stockTwoWay'];
  const isStock = (name: string) => stock.includes(name);
  assert.deepEqual(namesIn({ syncInventory: false }).filter(isStock), stock);
  assert.equal(namesIn({ syncProducts: false }).join(' '), 'createOn deletePolicy enforce preferredSide stockTwoWay');
});

test('a tick that has no effect shows what holds, and what is stored stays for when it has', () => {
  const shown = (name: 'stockTwoWay' | 'enforce' | 'allowZeroStockLink', change: Partial<PairForm>) => {
    const form = { ...FIRST_FORM, ...change };
    return shownTick(form, idleSettings(form), name);
  };
  const oneWay = { syncDirection: 'woocommerce_to_shopify' } as const;
  assert.equal(shown('enforce', { enforce: true }), false, 'both lead: nothing is written over');
  assert.equal(shown('enforce', { ...oneWay, enforce: true }), true);
  assert.equal(shown('stockTwoWay', { stockTwoWay: false }), true, 'both lead: stock goes both ways');
  assert.equal(shown('stockTwoWay', { ...oneWay, stockTwoWay: false }), false);
  assert.equal(shown('stockTwoWay', { syncInventory: false, stockTwoWay: true }), false, 'no stock goes anywhere');
  assert.equal(shown('allowZeroStockLink', { syncInventory: false, allowZeroStockLink: true }), false);
  const made = (change: Partial<PairForm>) => {
    const form = { ...FIRST_FORM, createOn: { woocommerce: true, shopify: true }, ...change };
    return [isMadeOn(form, idleSettings(form), 'woocommerce'), isMadeOn(form, idleSettings(form), 'shopify')];
  };
  assert.deepEqual(made({}), [true, true]);
  assert.deepEqual(made(oneWay), [false, true], 'nothing is made in the store that leads');
  assert.deepEqual(made({ syncProducts: false }), [false, false]);
});

test('the interval counts in real time', () => {
  assert.notEqual(idleIn({ syncSchedule: 'daily' }).syncInterval, undefined);
});
