import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPasswords, placeRefusals } from './password-rules.ts';

const FORM = { currentPassword: 'Good-shelf-7', password: 'Better-shelf-8', confirmPassword: 'Better-shelf-8' };

test("what is wrong with a new password is said in the specification's words, each beside its field", () => {
  assert.deepEqual(checkPasswords(FORM), {});
  const cases = [
    [{ currentPassword: '' }, { currentPassword: 'Please enter your current password' }],
    [{ password: 'Ab1-', confirmPassword: 'Ab1-' }, { password: 'Password must be at least 8 characters long.' }],
    [{ confirmPassword: 'other' }, { confirmPassword: 'Passwords do not match.' }],
    [
      { password: 'Good-shelf-7', confirmPassword: 'Good-shelf-7' },
      { password: 'New password must be different from current password.' },
    ],
    [
      { password: 'abcdefgh', confirmPassword: 'abcdefgh' },
      { password: 'Password is too weak. Include uppercase, lowercase, numbers, and symbols.' },
    ],
  ] as const;
  for (const [change, wrong] of cases) assert.deepEqual(checkPasswords({ ...FORM, ...change }), wrong);
});

test('a refusal of the server stands beside the field that it is about', () => {
  assert.deepEqual(placeRefusals({ currentPassword: 'This is not your current password.' }), {
    currentPassword: 'This is not your current password.',
  });
  assert.deepEqual(placeRefusals({ newPassword: 'Stolen.' }), { password: 'Stolen.' });
  assert.deepEqual(placeRefusals({}), {});
});
