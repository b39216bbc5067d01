import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, errorFrom } from './api-error.ts';
import { failureWords, refusedFields, wordsOf } from './error-words.ts';

function refused(status: number, code: string, details: Readonly<Record<string, unknown>>, retryAfter?: string) {
  return errorFrom(status, { error: { code, message: 'In words.', details, requestId: 'req_1' } }, retryAfter);
}

test('[spec 7, 8] words come from error.message, else they are "HTTP {status}"', () => {
  assert.equal(wordsOf(refused(409, 'EMAIL_TAKEN', {}), 'Fallback.'), 'In words.');
  assert.equal(wordsOf(errorFrom(418, null), 'Fallback.'), 'HTTP 418');
  assert.equal(wordsOf(errorFrom(502, '<html>'), 'Fallback.'), 'Fallback.');
  assert.equal(wordsOf(refused(500, 'INTERNAL', {}), 'Fallback.'), 'Fallback.');
  assert.equal(wordsOf(refused(503, 'STORAGE_FAILED', {}), 'Fallback.'), 'In words.', 'it names the remedy');
  assert.equal(wordsOf(new TypeError('x is undefined'), 'Fallback.'), 'Fallback.');
});

test('what went wrong inside is not told; what people can do something about is', () => {
  assert.equal(wordsOf(refused(500, 'INTERNAL', {}), 'Fallback.'), 'Fallback.');
  for (const code of ['STORAGE_FAILED', 'TIMEOUT', 'NOT_READY'])
    assert.equal(wordsOf(refused(503, code, {}), 'Fallback.'), 'In words.', code);
});

test('what a role does not allow says which one does, and whom to ask', () => {
  const forbidden = (neededRole?: string) => refused(403, 'FORBIDDEN', neededRole ? { neededRole } : {}).message;
  assert.equal(forbidden('admin'), 'In words. It takes an administrator or owner: ask one.');
  assert.equal(forbidden('owner'), 'In words. It takes an owner: ask one.');
  assert.equal(forbidden('member'), 'In words. It takes a member: ask an administrator for that role.');
  assert.equal(forbidden(), 'In words.');
});

test('how long to wait is said once: by the server’s words, or after them', () => {
  assert.equal(wordsOf(refused(429, 'RATE_LIMITED', {}, '42'), ''), 'Too many requests. Wait 42 s, then try again.');
  assert.equal(wordsOf(refused(429, 'LOGIN_THROTTLED', { retryAfterMs: 4_000 }, '4'), ''), 'In words.');
});

test('refused fields: only those that the form has, without the name that their label says', () => {
  const fields = [
    { field: 'email', message: 'email: must have at most 9 characters' },
    { field: 'password', message: 'Password is required' },
    { field: 'token', message: 'token: is not valid' },
  ];
  assert.deepEqual(refusedFields(refused(422, 'VALIDATION', { fields }), ['email', 'password', 'code']), {
    email: 'Must have at most 9 characters.',
    password: 'Password is required',
  });
  assert.deepEqual(refusedFields(new Error('offline'), ['email']), {});
});

test('beside a field a clause is a sentence, and an address in it is written as it is', () => {
  const said = (message: string) =>
    refusedFields(refused(422, 'VALIDATION', { fields: [{ field: 'url', message }] }), ['url']).url;
  assert.equal(said('url: an address has no spaces'), 'An address has no spaces.');
  assert.equal(
    said('localhost is not a name of the public internet'),
    'localhost is not a name of the public internet.',
  );
  assert.equal(said('http://127.0.0.1:8399 is not encrypted.'), 'http://127.0.0.1:8399 is not encrypted.');
  assert.equal(said('Email is required'), 'Email is required');
});

test('what was tried, and then the words of the server; where it has none, what to do', () => {
  const refused = new ApiError(422, { code: 'STORE_AWAY', message: 'The store is away.', details: {}, requestId: 'r' });
  assert.equal(failureWords('Could not pause Harbour.', refused), 'Could not pause Harbour. The store is away.');
  const broken = new ApiError(500, { code: 'INTERNAL', message: 'Internal', details: {}, requestId: 'r' });
  assert.equal(failureWords('Could not pause Harbour.', broken), 'Could not pause Harbour. Please try again.');
  assert.equal(failureWords('Could not sync.', broken, 'The specification has it so.'), 'The specification has it so.');
});
