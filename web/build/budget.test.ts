import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertWithinBudget, budgetOf } from './budget.ts';

const fits = { page: 'landing-page', jsBytes: 90_000, cssBytes: 8_000, htmlBytes: 9_000 };

test('a page over one of its budgets fails the build, by name and number', () => {
  assert.doesNotThrow(() => assertWithinBudget([fits]));
  assert.throws(() => assertWithinBudget([{ ...fits, jsBytes: 96_001 }]), /landing-page: 96001 bytes of JavaScript/);
  assert.throws(() => assertWithinBudget([{ ...fits, cssBytes: 12_501 }]), /landing-page: 12501 bytes of CSS/);
  assert.throws(() => assertWithinBudget([{ ...fits, htmlBytes: 20_000 }]), /landing-page: 118000 bytes in all/);
  // Too near: another processor's zlib makes a few bytes more of it.
  assert.throws(
    () => assertWithinBudget([{ ...fits, htmlBytes: 16_990 }]),
    /landing-page: 114990 bytes in all, 115000 allowed less 0\.1 %/,
  );
  assert.doesNotThrow(() => assertWithinBudget([{ ...fits, htmlBytes: 16_880 }]));
});

test('landing 96 K, signing in 110 K, the app 175 K of JavaScript', () => {
  assert.deepEqual(
    ['landing-page', 'login-page', 'plan-page'].map((page) => budgetOf(page).js),
    [96_000, 110_000, 175_000],
  );
});
