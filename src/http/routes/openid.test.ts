import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { totpCode, totpStep } from '../../accounts/totp.ts';
import type { SessionReply } from '../../contracts/auth.ts';
import type { ErrorReply } from '../../contracts/errors.ts';
import { createOpenIdProvider } from '../../system/openid-connect.ts';
import { FORM, lastLink, post, register, signedIn } from '../../testing/http/account-client.ts';
import { type Issuer, startIssuer } from '../../testing/http/identity-issuer.ts';
import { makeTestApp, type TestApp } from '../../testing/http/make-test-app.ts';

const CLIENT = { clientId: 'twinshelf', clientSecret: 'client-secret-of-the-test' };
const ADA = { sub: 'person-1', email: FORM.email, email_verified: true, given_name: 'Ada', family_name: 'Lovelace' };

async function setUp(options: { signup?: 'open' | 'first'; allowsSignUp?: boolean } = {}) {
  const issuer = await startIssuer(CLIENT.clientId, CLIENT.clientSecret);
  const identityProvider = createOpenIdProvider({
    ...CLIENT,
    issuer: issuer.url,
    name: 'Example Login',
    allowsSignUp: options.allowsSignUp ?? false,
  });
  const app = await makeTestApp({ accounts: { signup: options.signup ?? 'open' }, deps: { identityProvider } });
  return { issuer, app };
}

/** Sets off; `headers`: whose account is connected. */
async function depart(app: TestApp, token: string | null = null): Promise<{ address: string; cookie: string }> {
  const reply =
    token === null
      ? await app.server.inject('/api/auth/oidc/start')
      : await app.server.inject({
          method: 'POST',
          url: '/api/auth/oidc/link',
          headers: { authorization: `Bearer ${token}` },
        });
  const address = token === null ? String(reply.headers['location']) : reply.json().url;
  const cookie = reply.cookies.find((one) => one.name === 'twinshelf_openid');
  assert.ok(cookie?.httpOnly && cookie.sameSite === 'Lax' && cookie.path === '/api/auth/oidc/callback');
  return { address, cookie: `${cookie.name}=${cookie.value}` };
}

async function comeBack(app: TestApp, address: string, cookie: string) {
  const { pathname, search } = new URL(address);
  const reply = await app.server.inject({ url: pathname + search, headers: { cookie } });
  const refreshToken = reply.cookies.find((one) => one.name === 'twinshelf_refresh')?.value ?? null;
  return { location: String(reply.headers['location']).replace('https://sync.example.com', ''), refreshToken };
}

async function travel(app: TestApp, issuer: Issuer, token: string | null = null) {
  const { address, cookie } = await depart(app, token);
  return comeBack(app, await issuer.visit(address), cookie);
}

test('an account is never found by its email address: its owner connects it, and is signed in by it from then on', async () => {
  const { app, issuer } = await setUp();
  await using _ = app;
  try {
    const ada = await register(app);
    issuer.claims = ADA;
    const state = async () => (await ada.call('GET', '/api/auth/oidc')).body;
    assert.deepEqual(await state(), { name: 'Example Login', isConnected: false, hasPassword: true });
    assert.deepEqual(await travel(app, issuer), { location: '/login?error=EMAIL_TAKEN', refreshToken: null });
    assert.deepEqual(await travel(app, issuer, ada.accessToken), {
      location: '/settings?tab=security',
      refreshToken: null,
    });
    assert.deepEqual(
      app.mails.slice(-1).map((mail) => [mail.to, mail.kind === 'security_notice' && mail.event]),
      [[FORM.email, 'identity_connected']],
      'who did not do that has to hear of it',
    );
    assert.deepEqual(await state(), { name: 'Example Login', isConnected: true, hasPassword: true });
    const back = await travel(app, issuer);
    assert.equal(back.location, '/login?signedIn=true');
    const fresh = await post<SessionReply>(app, '/api/auth/refresh', { refreshToken: back.refreshToken });
    const headers = { authorization: `Bearer ${fresh.body.accessToken}` };
    const me = await app.server.inject({ url: '/api/auth/me', headers });
    assert.equal(me.json().user.id, ada.user.id);
    issuer.claims = { ...ADA, email: 'changed@example.com' };
    assert.equal((await travel(app, issuer)).location, '/login?signedIn=true', 'the subject counts, not the address');
    const bob = await register(app, { email: 'bob@example.com' });
    assert.equal((await travel(app, issuer, bob.accessToken)).location, '/login?error=IDENTITY_TAKEN');
    assert.equal((await ada.call('POST', '/api/auth/oidc/unlink')).status, 200);
    issuer.claims = ADA;
    assert.equal((await travel(app, issuer)).location, '/login?error=EMAIL_TAKEN');
  } finally {
    issuer.close();
  }
});

test('new accounts by it: where sign-up is open, with a verified address, and never the first of an instance', async () => {
  const { app, issuer } = await setUp({ signup: 'first', allowsSignUp: true });
  await using _ = app;
  try {
    issuer.claims = { ...ADA, sub: 'person-2', email: 'new@example.com' };
    assert.equal((await travel(app, issuer)).location, '/login?error=SIGNUP_CLOSED');
    await register(app);
    issuer.claims = { ...issuer.claims, email_verified: false };
    assert.equal((await travel(app, issuer)).location, '/login?error=EMAIL_UNVERIFIED');
    issuer.claims = { ...issuer.claims, email_verified: true };
    const { refreshToken } = await travel(app, issuer);
    const { body } = await post<SessionReply>(app, '/api/auth/refresh', { refreshToken });
    const headers = { authorization: `Bearer ${body.accessToken}` };
    const { user } = (await app.server.inject({ url: '/api/auth/me', headers })).json();
    assert.deepEqual([user.email, user.role, user.isVerified], ['new@example.com', 'user', true]);
    const unlink = await app.server.inject({ method: 'POST', url: '/api/auth/oidc/unlink', headers });
    assert.equal(unlink.json().error.code, 'PASSWORD_MISSING');
    const state = await app.server.inject({ url: '/api/auth/oidc', headers });
    assert.deepEqual(state.json(), { name: 'Example Login', isConnected: true, hasPassword: false });
    const guess = await post(app, '/api/auth/login', { email: 'new@example.com', password: 'plain ' });
    assert.equal(guess.status, 401, 'no password opens it');
  } finally {
    issuer.close();
  }
  const closed = await setUp({ signup: 'first' });
  await using __ = closed.app;
  await register(closed.app);
  closed.issuer.claims = { ...ADA, email: 'other@example.com' };
  assert.equal((await travel(closed.app, closed.issuer)).location, '/login?error=SIGNUP_CLOSED');
  closed.issuer.close();
});

test('an answer counts in the browser that asked, once, within ten minutes, and with everything that binds it', async () => {
  const { app, issuer } = await setUp({ allowsSignUp: true });
  await using _ = app;
  try {
    await register(app, { email: 'owner@example.com' });
    issuer.claims = ADA;
    const failed = { location: '/login?error=SIGN_IN_FAILED', refreshToken: null };
    const first = await depart(app);
    const other = await depart(app);
    const answer = await issuer.visit(first.address);
    assert.deepEqual(await comeBack(app, answer, ''), failed, 'no ticket');
    assert.deepEqual(await comeBack(app, answer, other.cookie), failed, "another trip's ticket");
    assert.deepEqual(await comeBack(app, answer, 'twinshelf_openid=v1.00000000.forged'), failed);
    assert.deepEqual(await comeBack(app, answer.replace(/code=[\w-]+/, 'code=other'), first.cookie), failed);
    assert.equal((await comeBack(app, answer, first.cookie)).location, '/login?signedIn=true');
    assert.deepEqual(await comeBack(app, answer, first.cookie), failed, 'a code is good once');
    for (const wrong of [{ nonce: 'other' }, { aud: 'somebody' }, { iss: 'http://evil' }, { exp: 1 }]) {
      issuer.claims = { ...ADA, ...wrong };
      assert.deepEqual(await travel(app, issuer), failed, JSON.stringify(wrong));
    }
    issuer.claims = ADA;
    const late = await depart(app);
    app.clock.advance(10 * 60_000 + 1);
    assert.deepEqual(await comeBack(app, await issuer.visit(late.address), late.cookie), failed, 'too late');
    assert.doesNotMatch(app.log.text(), /client-secret|code-\d|ada@/);
  } finally {
    issuer.close();
  }
});

test('whoever set off to connect another sign-in is not on the way any more once the password was changed', async () => {
  const { app, issuer } = await setUp();
  await using _ = app;
  try {
    const ada = await register(app);
    issuer.claims = { ...ADA, sub: 'thief' };
    const { email, password } = FORM;
    const thief = await post<SessionReply>(app, '/api/auth/login', { email, password });
    const { address, cookie } = await depart(app, thief.body.accessToken);
    const change = { currentPassword: password, newPassword: 'Secret-77' };
    assert.equal((await ada.call('POST', '/api/user/change-password', change)).status, 200);
    const { location } = await comeBack(app, await issuer.visit(address), cookie);
    assert.equal(location, '/login?error=SESSION_EXPIRED');
    assert.notEqual((await travel(app, issuer)).location, '/login?signedIn=true');
  } finally {
    issuer.close();
  }
});

test('a forgotten password that is set anew shuts out another sign-in too: whoever had the account before may have connected it', async () => {
  const { app, issuer } = await setUp({ allowsSignUp: true });
  await using _ = app;
  const reset = async (email: string) => {
    await post(app, '/api/auth/forgot-password', { email });
    await turn();
    const form = { token: lastLink(app, 'reset_password'), password: 'Secret-77' };
    assert.equal((await post(app, '/api/auth/reset-password', form)).status, 200);
  };
  try {
    const squatter = await register(app);
    issuer.claims = { ...ADA, sub: 'squatter', email: 'squatter@example.com' };
    assert.equal((await travel(app, issuer, squatter.accessToken)).location, '/settings?tab=security');
    await reset(FORM.email);
    issuer.claims = { ...issuer.claims, email: FORM.email };
    assert.equal((await travel(app, issuer)).location, '/login?error=EMAIL_TAKEN', 'it opens this account no more');

    issuer.claims = { ...ADA, sub: 'bob', email: 'bob@example.com' };
    assert.equal((await travel(app, issuer)).location, '/login?signedIn=true');
    const { refreshToken } = await travel(app, issuer);
    const bob = await post<SessionReply>(app, '/api/auth/refresh', { refreshToken });
    const second = { ...ADA, sub: 'thief', email: 'thief@example.com' };
    const own = issuer.claims;
    issuer.claims = second;
    assert.equal((await travel(app, issuer, bob.body.accessToken)).location, '/settings?tab=security');
    await reset('bob@example.com');
    issuer.claims = own;
    assert.equal((await travel(app, issuer)).location, '/login?signedIn=true', 'the account was made by this sign-in');
    issuer.claims = { ...second, email: 'bob@example.com' };
    assert.equal((await travel(app, issuer)).location, '/login?error=EMAIL_TAKEN', 'and not by one that came later');
  } finally {
    issuer.close();
  }
});

/** Turns two-factor sign-in on; gives its recovery codes, each of them good for one sign-in. */
async function turnOn(app: TestApp, ada: Awaited<ReturnType<typeof register>>): Promise<readonly string[]> {
  const { body } = await ada.call<{ secret: string }>('POST', '/api/auth/two-factor/begin');
  const code = totpCode(body.secret, totpStep(app.clock.now()));
  return (await ada.call<{ recoveryCodes: string[] }>('POST', '/api/auth/two-factor/enable', { code })).body
    .recoveryCodes;
}

async function arriveForCode(app: TestApp, issuer: Issuer) {
  const { address, cookie } = await depart(app);
  const { pathname, search } = new URL(await issuer.visit(address));
  const reply = await app.server.inject({ url: pathname + search, headers: { cookie } });
  assert.equal(reply.headers['location'], 'https://sync.example.com/login?codeAsked=true');
  assert.ok(!reply.cookies.some((one) => one.name === 'twinshelf_refresh'), 'nobody is signed in yet');
  const step = reply.cookies.find((one) => one.name === 'twinshelf_openid_code');
  assert.ok(step?.httpOnly && step.sameSite === 'Strict' && step.path === '/api/auth/oidc/code');
  return `${step.name}=${step.value}`;
}

async function giveCode(app: TestApp, cookie: string, code: string | undefined, headers: Record<string, string> = {}) {
  const url = '/api/auth/oidc/code';
  const reply = await app.server.inject({ method: 'POST', url, headers: { cookie, ...headers }, payload: { code } });
  return { status: reply.statusCode, body: reply.json<SessionReply & ErrorReply>() };
}

test('whose account has two-factor sign-in on is asked for a code also after a sign-in elsewhere', async () => {
  const { app, issuer } = await setUp();
  await using _ = app;
  try {
    const ada = await register(app);
    issuer.claims = { ...ADA, amr: ['mfa'] };
    assert.equal((await travel(app, issuer, ada.accessToken)).location, '/settings?tab=security');
    const codes = await turnOn(app, ada);
    const cookie = await arriveForCode(app, issuer);
    const wrong = await giveCode(app, cookie, 'wrong');
    assert.deepEqual([wrong.status, wrong.body.error.code], [401, 'INVALID_CODE']);
    assert.equal((await giveCode(app, '', codes[0])).body.error.code, 'TOKEN_INVALID', 'another browser');
    assert.equal((await giveCode(app, 'twinshelf_openid_code=v1.00000000.forged', codes[0])).status, 422);
    const foreign = await giveCode(app, cookie, codes[0], { origin: 'https://evil.example' });
    assert.equal(foreign.body.error.code, 'ORIGIN_REFUSED');
    const right = await giveCode(app, cookie, codes[0]);
    assert.deepEqual([right.status, right.body.user.id], [200, ada.user.id]);
    const { call } = signedIn(app, right.body);
    assert.equal((await call('POST', '/api/auth/two-factor/recovery-codes')).status, 200, 'the code is a fresh proof');
    assert.equal((await giveCode(app, cookie, codes[0])).body.error.code, 'INVALID_CODE', 'a code is good once');
  } finally {
    issuer.close();
  }
});

test('a code is waited for ten minutes, not after the sign-in was disconnected, and guessing is bounded', async () => {
  const { app, issuer } = await setUp();
  await using _ = app;
  try {
    const ada = await register(app);
    issuer.claims = ADA;
    await travel(app, issuer, ada.accessToken);
    const codes = await turnOn(app, ada);
    const late = await arriveForCode(app, issuer);
    app.clock.advance(10 * 60_000 + 1);
    assert.equal((await giveCode(app, late, codes[0])).body.error.code, 'TOKEN_INVALID');
    const guesser = await arriveForCode(app, issuer);
    for (let n = 0; n < 8; n++) assert.equal((await giveCode(app, guesser, `${n}`)).body.error.code, 'INVALID_CODE');
    assert.equal((await giveCode(app, guesser, codes[0])).body.error.code, 'LOGIN_THROTTLED');
    app.clock.advance(15 * 60_000 + 1);
    const gone = await arriveForCode(app, issuer);
    const proof = { password: FORM.password, code: codes[0] };
    const again = await post<SessionReply>(app, '/api/auth/refresh', { refreshToken: ada.refreshToken });
    const { call } = signedIn(app, { ...again.body, user: ada.user });
    assert.equal((await call('POST', '/api/auth/prove', proof)).status, 200);
    assert.equal((await call('POST', '/api/auth/oidc/unlink')).status, 200);
    assert.equal((await giveCode(app, gone, codes[1])).body.error.code, 'TOKEN_INVALID');
  } finally {
    issuer.close();
  }
});

test('a sign-in elsewhere is no proof for protected actions, where the account has a proof of its own', async () => {
  const { app, issuer } = await setUp({ allowsSignUp: true });
  await using _ = app;
  const enter = async () => {
    const { refreshToken } = await travel(app, issuer);
    const { body } = await post<SessionReply>(app, '/api/auth/refresh', { refreshToken });
    return signedIn(app, body);
  };
  try {
    const ada = await register(app);
    issuer.claims = ADA;
    await travel(app, issuer, ada.accessToken);
    const elsewhere = await enter();
    assert.equal((await elsewhere.call('POST', '/api/auth/oidc/unlink')).body.error.code, 'PROOF_REQUIRED');
    const { password } = FORM;
    assert.equal((await elsewhere.call('POST', '/api/auth/prove', { password })).status, 200);
    assert.equal((await elsewhere.call('POST', '/api/auth/oidc/unlink')).status, 200);
    issuer.claims = { ...ADA, sub: 'person-2', email: 'new@example.com' };
    const bare = await enter();
    assert.equal((await bare.call('POST', '/api/auth/two-factor/begin')).status, 200, 'it has none of its own');
  } finally {
    issuer.close();
  }
});

const FAILED_START = [302, 'https://sync.example.com/login?error=PROVIDER_FAILED'];

async function start(app: TestApp) {
  const reply = await app.server.inject('/api/auth/oidc/start');
  return [reply.statusCode, reply.headers['location']];
}

test('a provider that is down is told by the sign-in page; who connects an account is told by the API, with a remedy', async () => {
  const { app, issuer } = await setUp();
  await using _ = app;
  const ada = await register(app);
  issuer.close();
  assert.deepEqual(await start(app), FAILED_START);
  const { status, body } = await ada.call('POST', '/api/auth/oidc/link');
  assert.deepEqual([status, body.error.code], [422, 'PROVIDER_FAILED']);
  assert.match(body.error.message, /Try again .*administrator/);
  assert.match(app.log.text(), /OpenID Connect/, 'the reason is for who runs the instance');
});

test('a provider that answers rubbish is as good as down, until it answers rightly', async () => {
  const { app, issuer } = await setUp();
  await using _ = app;
  try {
    const ada = await register(app);
    const bare = { issuer: issuer.url, token_endpoint: `${issuer.url}/token`, jwks_uri: `${issuer.url}/keys` };
    const answers: readonly unknown[] = [
      ...['<html>', [], {}, null, { ...bare, issuer: 'https://evil.example' }],
      ...[bare, { ...bare, authorization_endpoint: 7 }, { ...bare, authorization_endpoint: 'over there' }],
      ...[
        { ...bare, authorization_endpoint: 'javascript:alert(1)' },
        { ...bare, authorization_endpoint: 'ftp://127.0.0.1/' },
      ],
    ];
    for (const answer of answers) {
      issuer.rubbish = JSON.stringify(answer);
      assert.deepEqual(await start(app), FAILED_START, issuer.rubbish);
      assert.equal((await ada.call('POST', '/api/auth/oidc/link')).status, 422, issuer.rubbish);
    }
    issuer.rubbish = null;
    issuer.claims = ADA;
    assert.equal((await travel(app, issuer, ada.accessToken)).location, '/settings?tab=security');
  } finally {
    issuer.close();
  }
});

test('a provider that breaks down on the way back is told by the sign-in page', async () => {
  const { app, issuer } = await setUp({ allowsSignUp: true });
  await using _ = app;
  try {
    await register(app, { email: 'owner@example.com' });
    issuer.claims = ADA;
    const { address, cookie } = await depart(app);
    const answer = await issuer.visit(address);
    for (const rubbish of ['<html>', '[]', '{}', '{"access_token":7}']) {
      issuer.rubbish = rubbish;
      const { location } = await comeBack(app, answer, cookie);
      assert.match(location, /^\/login\?error=(SIGN_IN|PROVIDER)_FAILED$/, rubbish);
    }
  } finally {
    issuer.close();
  }
});
