import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailError, withoutMarks } from './typed-text.ts';

test('[spec 5] an email address is required and must look like one; spaces and unseen marks around it do no harm', () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ['', 'Email is required'],
    [' \u200f ', 'Email is required'],
    ['ida', 'Please enter a valid email address'],
    ['ida@example', 'Please enter a valid email address'],
    ['ida b@example.com', 'Please enter a valid email address'],
    [`${'x'.repeat(250)}@example.com`, 'Please enter a valid email address'],
    ['\u202bida@example.com\u202c \n', null],
    ['עידה@דוגמה.example', null],
    ['ida+\u{1F4DA}@example.com', null],
  ];
  for (const [text, error] of cases) assert.equal(emailError(text), error, JSON.stringify(text));
});

test('marks go, letters of every direction stay', () => {
  assert.equal(withoutMarks('\u2067 مرحبا \u2069'), 'مرحبا');
  assert.equal(withoutMarks('\ufeff123 456\u200e'), '123 456');
});
