import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totpCode, totpStep } from '../../accounts/totp.ts';
import type { SessionReply } from '../../contracts/auth.ts';
import { FORM, post, register, type SignedInClient, signIn, slowly } from '../../testing/http/account-client.ts';
import { makeTestApp, type TestApp } from '../../testing/http/make-test-app.ts';

async function turnOn(app: TestApp, ada: SignedInClient) {
  const begun = await ada.call<{ secret: string; address: string }>('POST', '/api/auth/two-factor/begin');
  const { secret } = begun.body;
  const code = () => totpCode(secret, totpStep(app.clock.now()));
  const enabled = await ada.call<{ recoveryCodes: string[] }>('POST', '/api/auth/two-factor/enable', { code: code() });
  assert.equal(enabled.status, 200);
  app.clock.advance(30_000);
  return { secret, code, recoveryCodes: enabled.body.recoveryCodes };
}

function login(app: TestApp, change: object = {}) {
  const { email, password } = FORM;
  return post<SessionReply>(app, '/api/auth/login', { email, password, ...change });
}

test('with two-factor sign-in the password alone opens nothing, and a code is good once', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const { code } = await turnOn(app, ada);
  assert.equal((await login(app)).body.error.code, 'TWO_FACTOR_REQUIRED');
  assert.equal(
    (await login(app, { password: 'Wrong-12' })).body.error.code,
    'INVALID_CREDENTIALS',
    'says nothing before',
  );
  assert.equal((await login(app, { password: 'Wrong-12', code: code() })).body.error.code, 'INVALID_CREDENTIALS');
  assert.equal((await login(app, { code: '000000' })).body.error.code, 'INVALID_CODE');
  const once = code();
  const { status, body } = await login(app, { code: once });
  assert.equal(status, 200);
  assert.equal(body.user.hasTwoFactor, true);
  assert.equal((await login(app, { code: once })).body.error.code, 'INVALID_CODE', 'the same code again');
});

test('codes go by the clock on the wall, as the phone does: also while our own time is still coming near it', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  app.clock.setWallAhead(3_600_000);
  const begun = await ada.call<{ secret: string }>('POST', '/api/auth/two-factor/begin');
  const phone = () => totpCode(begun.body.secret, totpStep(app.clock.wallNow()));
  const enable = (code: string) => ada.call('POST', '/api/auth/two-factor/enable', { code });
  assert.equal((await enable(totpCode(begun.body.secret, totpStep(app.clock.now())))).status, 422);
  assert.equal((await enable(phone())).status, 200);
  app.clock.advance(30_000);
  assert.equal((await login(app, { code: phone() })).status, 200);
});

test('a lost phone: a recovery code signs in once, the owner is told, and new ones replace the rest', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const { recoveryCodes } = await turnOn(app, ada);
  assert.equal(new Set(recoveryCodes).size, 10);
  const [first = '', second = ''] = recoveryCodes;
  assert.match(first, /^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/);
  assert.equal((await login(app, { code: first.toUpperCase().replaceAll('-', ' ') })).status, 200, 'as people type it');
  const notice = app.mails.at(-1);
  assert.ok(notice?.kind === 'security_notice' && notice.event === 'recovery_code_used');
  assert.equal((await login(app, { code: first })).body.error.code, 'INVALID_CODE');
  const fresh = await ada.call<{ recoveryCodes: string[] }>('POST', '/api/auth/two-factor/recovery-codes');
  assert.equal(fresh.status, 200);
  assert.equal((await login(app, { code: second })).body.error.code, 'INVALID_CODE', 'replaced');
  const again = await signIn(app, { code: fresh.body.recoveryCodes[0] });
  assert.equal((await again.call('POST', '/api/auth/two-factor/disable')).status, 200);
  assert.equal((await login(app)).status, 200);
});

test('guessing codes is bounded by account, from everywhere together, and harms nobody who has no password', async () => {
  await using app = await makeTestApp({ deps: { trustedProxies: ['127.0.0.1'] } });
  const ada = await register(app);
  const { code } = await turnOn(app, ada);
  const from = (n: number, payload: object) =>
    app.server.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'x-forwarded-for': `203.0.113.${n}` },
      payload: { email: FORM.email, password: FORM.password, ...payload },
    });
  for (let n = 0; n < 50; n++) await from(n, { password: 'Wrong-12', code: '123456' });
  assert.equal((await from(60, { code: code() })).statusCode, 200, 'wrong passwords count for nothing here');
  app.clock.advance(30_000);
  for (let n = 100; n < 108; n++) assert.equal((await from(n, { code: '000000' })).json().error.code, 'INVALID_CODE');
  const blocked = await from(120, { code: code() });
  assert.equal(blocked.json().error.code, 'LOGIN_THROTTLED');
  assert.ok(Number(blocked.headers['retry-after']) > 0);
  app.clock.advance(15 * 60_000);
  assert.equal((await from(121, { code: code() })).statusCode, 200);
});

test('nothing is asked for before a first code was given, and a second app needs the first turned off', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  assert.equal(
    (await ada.call('POST', '/api/auth/two-factor/enable', { code: '123456' })).body.error.code,
    'TWO_FACTOR_NOT_BEGUN',
  );
  await ada.call('POST', '/api/auth/two-factor/begin');
  assert.equal(
    (await ada.call('POST', '/api/auth/two-factor/enable', { code: '000000' })).body.error.code,
    'WRONG_CODE',
  );
  assert.equal((await login(app)).status, 200);
  await turnOn(app, ada);
  assert.equal((await ada.call('POST', '/api/auth/two-factor/begin')).body.error.code, 'TWO_FACTOR_ON');
});

test('a second app that was asked for before the first was turned on does not take its place', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  let code = (): string => '';
  const late = await slowly(app, ada, 'POST', '/api/auth/two-factor/begin', {}, async () => {
    ({ code } = await turnOn(app, ada));
  });
  assert.equal(late.body.error?.code, 'TWO_FACTOR_ON');
  assert.equal((await login(app, { code: code() })).status, 200);
});

test('protected actions ask for a code too; a password that was seen over a shoulder is not enough', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const { code } = await turnOn(app, ada);
  app.clock.advance(11 * 60_000);
  const disable = () => ada.call('POST', '/api/auth/two-factor/disable');
  assert.equal((await disable()).body.error.code, 'PROOF_REQUIRED');
  const prove = (payload: object) => ada.call('POST', '/api/auth/prove', payload);
  assert.equal((await prove({ password: FORM.password })).body.error.code, 'CODE_REQUIRED');
  assert.equal((await prove({ password: FORM.password, code: '000000' })).body.error.code, 'WRONG_CODE');
  assert.equal((await disable()).body.error.code, 'PROOF_REQUIRED');
  assert.equal(
    (await ada.call('DELETE', '/api/user/account', { password: FORM.password })).body.error.code,
    'CODE_REQUIRED',
  );
  const newPassword = 'Secret-34';
  const change = { currentPassword: FORM.password, newPassword, confirmPassword: newPassword };
  assert.equal((await ada.call('POST', '/api/user/change-password', change)).status, 200);
  assert.equal((await disable()).body.error.code, 'PROOF_REQUIRED', 'nor by changing it');
  assert.equal((await prove({ password: newPassword, code: code() })).status, 200);
  assert.equal((await disable()).status, 200);
});

test('what is off can not be turned off: nobody is told that it was', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const mailCount = app.mails.length;
  assert.equal((await ada.call('POST', '/api/auth/two-factor/disable')).body.error.code, 'TWO_FACTOR_OFF');
  assert.equal(app.mails.length, mailCount);
});

test('a reset password does not get around the second factor', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const { code } = await turnOn(app, ada);
  await post(app, '/api/auth/forgot-password', { email: FORM.email });
  await new Promise((resolve) => setImmediate(resolve));
  const mail = app.mails.findLast((one) => one.kind === 'reset_password');
  const token = mail !== undefined && 'link' in mail ? (mail.link.split('#token=')[1] ?? '') : '';
  assert.equal((await post(app, '/api/auth/reset-password', { token, password: 'Secret-99' })).status, 200);
  assert.equal((await login(app, { password: 'Secret-99' })).body.error.code, 'TWO_FACTOR_REQUIRED');
  assert.equal((await login(app, { password: 'Secret-99', code: code() })).status, 200);
});
