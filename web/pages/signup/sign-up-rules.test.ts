import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strengthOf } from '../../hooks/password-strength.ts';
import { checkAccount, checkSecurity, EMPTY_FORM } from './sign-up-rules.ts';

test('[spec 5] one point each for length, small, capital, digit, symbol', () => {
  const scores: readonly (readonly [string, number])[] = [
    ['', 0],
    ['abc', 1],
    ['abcdefgh', 2],
    ['Abcdefgh', 3],
    ['Abcdefg1', 4],
    ['Abcdef1!', 5],
    ['ÄÖÜ', 1],
  ];
  for (const [password, score] of scores) assert.equal(strengthOf(password), score, password);
});

test('[spec 5] names and email are required after trimming', () => {
  assert.deepEqual(Object.keys(checkAccount({ ...EMPTY_FORM, firstName: '  ' })), ['firstName', 'lastName', 'email']);
  const form = { ...EMPTY_FORM, firstName: 'Ida', lastName: 'Berg' };
  assert.equal(checkAccount({ ...form, email: 'ida@example' }).email, 'Please enter a valid email address');
  assert.deepEqual(checkAccount({ ...form, email: ' ida@example.com ' }), {});
});

test('[spec 5] a good password, twice, and the agreement', () => {
  const form = { ...EMPTY_FORM, password: 'Abcdef1!', confirmPassword: 'Abcdef1!', agreeToTerms: true };
  assert.deepEqual(checkSecurity(form), {});
  assert.equal(checkSecurity({ ...form, confirmPassword: 'x' }).confirmPassword, 'Passwords do not match');
});
