import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../model/refusal.ts';
import { createPasswordHasher } from './password.ts';
import { passwordStrength } from './validate-sign-up.ts';

test('a password opens its own hash and no other, and no hash opens nothing', async () => {
  const passwords = createPasswordHasher();
  const hash = await passwords.hash('Café-Secret-1', 'a');
  assert.match(hash, /^scrypt\$32768\$8\$3\$/);
  assert.ok(await passwords.verify('Cafe\u0301-Secret-1', hash, 'a'), 'the same word in another Unicode form');
  assert.ok(!(await passwords.verify('Café-Secret-2', hash, 'a')));
  assert.ok(!(await passwords.verify('', '', 'a')), "a demo visitor's empty hash");
  assert.notEqual(await passwords.hash('Café-Secret-1', 'a'), hash, 'salted');
});

test('an unknown account costs as much work as a wrong password', async () => {
  const passwords = createPasswordHasher();
  const hash = await passwords.hash('Secret-12', 'a');
  // CPU time of this process, not the clock on the wall: a busy machine must not decide a test.
  const cost = async (stored: string | null) => {
    const from = process.cpuUsage();
    await passwords.verify('Secret-13', stored, 'a');
    const { user, system } = process.cpuUsage(from);
    return user + system;
  };
  await cost(hash);
  const known = await cost(hash);
  const unknown = await cost(null);
  assert.ok(unknown > known / 3 && unknown < known * 3, `${unknown} against ${known}`);
});

test('no source takes more than its share of the queue', async () => {
  const passwords = createPasswordHasher();
  const tries = Array.from({ length: 6 }, () => passwords.verify('x', null, 'one'));
  const other = passwords.verify('x', null, 'two');
  const outcomes = await Promise.allSettled(tries);
  assert.equal(outcomes.filter((outcome) => outcome.status === 'rejected').length, 2);
  const refused = outcomes.find((outcome) => outcome.status === 'rejected');
  assert.ok(refused?.reason instanceof Refusal && refused.reason.code === 'LOGIN_THROTTLED');
  assert.equal(await other, false);
});

test('strength is a point each for length, lower case, upper case, digit and symbol', () => {
  const cases: [string, number][] = [
    ['', 0],
    ['a', 1],
    ['aB', 2],
    ['aB1', 3],
    ['aB1-', 4],
    ['aB1-aB1-', 5],
    ['ÄÖäö1234', 4],
  ];
  for (const [password, strength] of cases) assert.equal(passwordStrength(password), strength, password);
});
