import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoginThrottle } from '../../accounts/login-throttle.ts';
import { createSetupToken } from '../../accounts/setup-token.ts';
import type { SessionReply } from '../../contracts/auth.ts';
import type { ErrorReply } from '../../contracts/errors.ts';
import { transact } from '../../db/database.ts';
import { session } from '../../db/schema/session.ts';
import { insertRefreshToken } from '../../db/writers/sessions.ts';
import { makeTestApp, type TestApp } from '../../testing/http/make-test-app.ts';

const FORM = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'Ada@Example.com ',
  company: 'Engines Ltd',
  password: 'Secret-12',
  confirmPassword: 'Secret-12',
  agreeToTerms: true,
  subscribeToNewsletter: true,
};

async function post(app: TestApp, url: string, payload: object, headers: Record<string, string> = {}) {
  const reply = await app.server.inject({ method: 'POST', url, payload, headers });
  return { reply, status: reply.statusCode, body: reply.json() as SessionReply & ErrorReply };
}

async function signUp(app: TestApp, change: object = {}) {
  return post(app, '/api/auth/signup', { ...FORM, ...change });
}

test('signing up creates a person with a workspace and signs them in', async () => {
  await using app = await makeTestApp();
  const { status, body, reply } = await signUp(app);
  assert.equal(status, 201);
  assert.equal(body.user.email, 'Ada@Example.com');
  assert.equal(body.user.name, 'Ada Lovelace');
  assert.equal(body.user.role, 'admin', 'the first account owns the instance');
  assert.deepEqual(body.user.workspace.name, 'Engines Ltd');
  assert.equal(body.user.workspace.role, 'owner');
  assert.equal(body.user.isVerified, false);
  const cookie = reply.cookies[0];
  assert.equal(cookie?.value, body.refreshToken);
  assert.ok(cookie?.httpOnly && cookie.sameSite === 'Strict' && cookie.path === '/api/auth');
  const me = await app.server.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${body.accessToken}` } });
  assert.deepEqual(me.json(), { user: body.user });
  assert.equal((await signUp(app, { email: 'second@example.com' })).body.user.role, 'user');
});

test('a sign-up form is refused in the words of the specification, field by field', async () => {
  await using app = await makeTestApp();
  const cases: [object, string, string][] = [
    [{ firstName: '  ' }, 'firstName', 'First name is required'],
    [{ lastName: undefined }, 'lastName', 'Last name is required'],
    [{ email: '' }, 'email', 'Email is required'],
    [{ email: 'ada@example' }, 'email', 'Please enter a valid email address'],
    [{ email: 'a b@example.com' }, 'email', 'Please enter a valid email address'],
    [{ password: '', confirmPassword: '' }, 'password', 'Password is required'],
    [{ password: 'Ab1-' }, 'password', 'Password must be at least 8 characters long'],
    [
      { password: 'alllowercase' },
      'password',
      'Password is too weak. Include uppercase, lowercase, numbers, and symbols.',
    ],
    [{ confirmPassword: '' }, 'confirmPassword', 'Please confirm your password'],
    [{ confirmPassword: 'Secret-13' }, 'confirmPassword', 'Passwords do not match'],
    [{ agreeToTerms: false }, 'agreeToTerms', 'You must agree to the Terms of Service and Privacy Policy'],
  ];
  for (const [change, field, message] of cases) {
    const { status, body } = await signUp(app, change);
    assert.equal(status, 422, message);
    assert.equal(body.error.code, 'VALIDATION');
    const fields = body.error.details['fields'] as { field: string; message: string }[];
    assert.deepEqual(
      fields.find((one) => one.field === field),
      { field, message },
    );
  }
});

test('an email is taken in any spelling', async () => {
  await using app = await makeTestApp();
  await signUp(app);
  const { status, body } = await signUp(app, { email: 'ADA@EXAMPLE.COM' });
  assert.equal(status, 409);
  assert.equal(body.error.code, 'EMAIL_TAKEN');
});

test('SIGNUP=first takes one account, and that one only with the set-up token where there is one', async () => {
  await using app = await makeTestApp({
    accounts: {
      signup: 'first',
      setup: createSetupToken({ given: 'token-of-the-log', isPublished: false, show: () => undefined }),
    },
  });
  assert.equal((await signUp(app)).body.error.code, 'SETUP_TOKEN_REQUIRED');
  assert.equal((await signUp(app, { setupToken: 'wrong' })).body.error.code, 'SETUP_TOKEN_REQUIRED');
  assert.equal((await signUp(app, { setupToken: 'token-of-the-log' })).status, 201);
  const second = await signUp(app, { email: 'b@example.com', setupToken: 'token-of-the-log' });
  assert.equal(second.status, 403);
  assert.equal(second.body.error.code, 'SIGNUP_CLOSED');
  const instance = await app.server.inject('/api/instance');
  assert.equal(instance.json().isSignupOpen, false);
});

test('login takes the email as email or username, at both paths', async () => {
  await using app = await makeTestApp();
  await signUp(app);
  for (const url of ['/api/auth/login', '/api/api/auth/login']) {
    for (const name of ['email', 'username']) {
      const { status, body } = await post(app, url, { [name]: ' ada@example.COM', password: 'Secret-12' });
      assert.equal(status, 200);
      assert.ok(body.accessToken !== '' && body.refreshToken !== '' && body.user.email === 'Ada@Example.com');
    }
  }
  const { status, body } = await post(app, '/api/auth/login', { email: 'ada@example.com' });
  assert.equal(status, 422);
  assert.equal(body.error.message, 'Please fill in all fields');
});

test('an unknown email and a wrong password are answered alike', async () => {
  await using app = await makeTestApp();
  await signUp(app);
  const wrong = await post(app, '/api/auth/login', { email: 'ada@example.com', password: 'Secret-13' });
  const unknown = await post(app, '/api/auth/login', { email: 'bob@example.com', password: 'Secret-13' });
  assert.equal(wrong.status, 401);
  const { requestId: a, ...first } = wrong.body.error;
  const { requestId: b, ...second } = unknown.body.error;
  assert.ok(a !== b);
  assert.deepEqual(first, second);
});

test('what is typed as an email is not what is remembered of an attempt: a long one takes no more room than another', async () => {
  const asked: string[] = [];
  const throttle: LoginThrottle = {
    waitMs: () => 0,
    attempted: (account) => void asked.push(account),
    succeeded: () => undefined,
  };
  await using app = await makeTestApp({ accounts: { throttle } });
  await signUp(app);
  // U+FDFA is eighteen characters once it is made comparable.
  const emails = ['\ufdfa'.repeat(1_000), 'no address', 'ada@example.com', 'ADA@example.com'];
  for (const email of emails) {
    const { status, body } = await post(app, '/api/auth/login', { email, password: 'Secret-13' });
    assert.deepEqual([status, body.error.code], [401, 'INVALID_CREDENTIALS']);
  }
  assert.deepEqual(new Set(asked.map(({ length }) => length)), new Set([43]));
  assert.equal(new Set(asked).size, 3, 'each is counted by itself, in any spelling');
});

test('guessing is slowed down for the guesser, and for nobody else', async () => {
  await using app = await makeTestApp({ deps: { trustedProxies: ['127.0.0.1'] } });
  await signUp(app);
  const login = (ip: string, email: string, password: string) =>
    post(app, '/api/auth/login', { email, password }, { 'x-forwarded-for': ip });
  for (let n = 0; n < 5; n += 1) assert.equal((await login('9.9.9.9', 'ada@example.com', 'no')).status, 401);
  const stopped = await login('9.9.9.9', 'ada@example.com', 'Secret-12');
  assert.equal(stopped.status, 429);
  assert.equal(stopped.body.error.code, 'LOGIN_THROTTLED');
  assert.ok(Number(stopped.reply.headers['retry-after']) >= 1);
  assert.equal((await login('8.8.8.8', 'ada@example.com', 'Secret-12')).status, 200, 'the owner, from elsewhere');
  app.clock.advance(3_000);
  assert.equal((await login('9.9.9.9', 'ada@example.com', 'Secret-12')).status, 200, 'after the wait');
});

test('a refresh token is good once; shown twice, it ends the whole family', async () => {
  await using app = await makeTestApp();
  const { body: first } = await signUp(app);
  const second = await post(app, '/api/auth/refresh', { refreshToken: first.refreshToken });
  assert.equal(second.status, 200);
  assert.notEqual(second.body.refreshToken, first.refreshToken);
  const again = await post(app, '/api/auth/refresh', { refreshToken: first.refreshToken });
  assert.equal(again.status, 401);
  assert.equal(again.body.error.message, 'Session expired. Please log in again.');
  const successor = await post(app, '/api/auth/refresh', { refreshToken: second.body.refreshToken });
  assert.equal(successor.status, 401, 'the thief and the owner are both out');
  const me = await app.server.inject({
    url: '/api/auth/me',
    headers: { authorization: `Bearer ${second.body.accessToken}` },
  });
  assert.equal(me.statusCode, 401);
});

test('a session that is refreshed without end ends: its tokens are kept, and must not fill the disk', async () => {
  await using app = await makeTestApp();
  const me = app.person();
  const refresh = (refreshToken: string) => post(app, '/api/auth/refresh', { refreshToken });
  const keep = (count: number) =>
    transact(app.db, (tx) => {
      for (let n = 0; n < count; n += 1) {
        const hash = `${me.session.id} ${n}`;
        insertRefreshToken(tx, { hash, sessionId: me.session.id, createdAt: 0, rotatedAt: app.clock.now() });
      }
    });
  keep(9_998);
  const last = await refresh(me.refreshToken);
  assert.equal(last.status, 200);
  const over = await refresh(last.body.refreshToken);
  assert.deepEqual([over.status, over.body.error.code], [401, 'SESSION_EXPIRED']);
  assert.equal((await app.server.inject({ url: '/api/auth/me', headers: me.headers })).statusCode, 401);
  assert.match(app.log.text(), /refreshed too often/);
});

test('the cookie refreshes from our own pages only', async () => {
  await using app = await makeTestApp();
  const { body } = await signUp(app);
  const refresh = (headers: Record<string, string>) =>
    app.server.inject({
      method: 'POST',
      url: '/api/auth/refresh',
      cookies: { twinshelf_refresh: body.refreshToken },
      headers: { host: 'shelf.example', ...headers },
    });
  assert.equal((await refresh({ origin: 'https://evil.example' })).statusCode, 403);
  assert.equal((await refresh({ origin: 'null' })).statusCode, 403);
  const ours = { origin: 'https://sync.example.com' };
  const hidden = [await refresh(ours), await refresh(ours)].map((reply) => reply.json().error)[0];
  assert.match(
    hidden.message,
    /^Requests from https:\/\/sync\.example\.com are not accepted\..* set PUBLIC_URL .*Host/,
  );
  assert.equal(app.log.text().split('from https://sync.example.com are').length - 1, 1, 'told in the log, once');
  const reply = await refresh({ origin: 'http://shelf.example', 'content-type': 'application/json' });
  assert.equal(reply.statusCode, 200);
  assert.notEqual(reply.cookies[0]?.value, body.refreshToken);
});

test("an expired access token says 'Token expired'; sessions end after 12 hours, or 30 days when remembered", async () => {
  await using app = await makeTestApp();
  await signUp(app);
  const hours = (n: number) => n * 3_600_000;
  const login = (rememberMe: boolean) =>
    post(app, '/api/auth/login', { email: 'ada@example.com', password: 'Secret-12', rememberMe });
  const short = await login(false);
  const long = await login(true);
  assert.equal(short.reply.cookies[0]?.expires, undefined);
  assert.ok(long.reply.cookies[0]?.expires !== undefined);
  app.clock.advance(15 * 60_000);
  const me = await app.server.inject({
    url: '/api/auth/me',
    headers: { authorization: `Bearer ${short.body.accessToken}` },
  });
  assert.equal(me.statusCode, 401);
  assert.equal((me.json() as ErrorReply).error.message, 'Token expired');
  app.clock.advance(hours(12));
  const refresh = (refreshToken: string) => post(app, '/api/auth/refresh', { refreshToken });
  assert.equal((await refresh(short.body.refreshToken)).status, 401);
  assert.equal((await refresh(long.body.refreshToken)).status, 200);
});

test('a session that is used all the time ends for all that: after 7 days, or 90 where it is remembered', async () => {
  await using app = await makeTestApp();
  await signUp(app);
  const hour = 3_600_000;
  const live = async (rememberMe: boolean, stepHours: number, days: number) => {
    const { body } = await post(app, '/api/auth/login', {
      email: 'ada@example.com',
      password: 'Secret-12',
      rememberMe,
    });
    const begun = app.clock.now();
    let newest = body;
    while (app.clock.now() + stepHours * hour < begun + days * 24 * hour) {
      app.clock.advance(stepHours * hour);
      const next = await post(app, '/api/auth/refresh', { refreshToken: newest.refreshToken });
      assert.equal(next.status, 200, `after ${(app.clock.now() - begun) / hour} hours`);
      newest = next.body;
    }
    const listed = await app.server.inject({
      url: '/api/auth/sessions',
      headers: { authorization: `Bearer ${newest.accessToken}` },
    });
    const { sessions } = listed.json<{ sessions: { isCurrent: boolean; expiresAt: string }[] }>();
    const current = sessions.find((one) => one.isCurrent);
    assert.equal(Date.parse(current?.expiresAt ?? ''), begun + days * 24 * hour, 'its owner is told when');
    app.clock.advance(begun + days * 24 * hour - app.clock.now());
    const over = await post(app, '/api/auth/refresh', { refreshToken: newest.refreshToken });
    assert.deepEqual([over.status, over.body.error.code], [401, 'SESSION_EXPIRED']);
  };
  await live(false, 11, 7);
  await live(true, 29 * 24, 90);
});

test('a session from before there was an end to it ends at its next refresh, and is listed no more', async () => {
  await using app = await makeTestApp();
  await signUp(app);
  const login = () =>
    post(app, '/api/auth/login', { email: 'ada@example.com', password: 'Secret-12', rememberMe: true });
  const old = (await login()).body;
  app.clock.advance(91 * 86_400_000);
  transact(app.db, (tx) => tx.connection.exec(`UPDATE session SET expires_at = ${app.clock.now() + 86_400_000}`));
  assert.equal((await post(app, '/api/auth/refresh', { refreshToken: old.refreshToken })).status, 401);
  const now = (await login()).body;
  const headers = { authorization: `Bearer ${now.accessToken}` };
  const listed = await app.server.inject({ url: '/api/auth/sessions', headers });
  const open = app.db.query.select().from(session).all();
  assert.equal(open.find((one) => one.revokedAt !== null)?.revokedReason, 'life_over');
  assert.equal(listed.json<{ sessions: unknown[] }>().sessions.length, 2, 'the sign-up’s and the new one');
});

test('signing out ends the session at once, for both tokens', async () => {
  await using app = await makeTestApp();
  const { body } = await signUp(app);
  const headers = { authorization: `Bearer ${body.accessToken}` };
  const reply = await app.server.inject({ method: 'POST', url: '/api/auth/logout', headers });
  assert.deepEqual(reply.json(), { ok: true });
  assert.equal((await app.server.inject({ url: '/api/auth/me', headers })).statusCode, 401);
  assert.equal((await post(app, '/api/auth/refresh', { refreshToken: body.refreshToken })).status, 401);
});

test('a demo token opens its demo only, and a real token is no demo token', async () => {
  await using app = await makeTestApp();
  const real = app.person();
  const demo = app.person({ isDemo: true });
  const me = (token: string) =>
    app.server.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } });
  assert.match(demo.token, /^mock_/);
  assert.equal((await me(demo.token)).json().user.isDemo, true);
  assert.equal((await me(demo.token.slice('mock_'.length))).statusCode, 401);
  assert.equal((await me(`mock_${real.token}`)).statusCode, 401);
  const connect = await app.server.inject({
    method: 'POST',
    url: '/api/stores/connect',
    headers: demo.headers,
    payload: {},
  });
  assert.equal(connect.statusCode, 403);
});

test('neither passwords nor tokens reach the log', async () => {
  await using app = await makeTestApp();
  const { body } = await signUp(app);
  await post(app, '/api/auth/login', { email: 'ada@example.com', password: 'Wrong-word-1' });
  await post(app, '/api/auth/refresh', { refreshToken: body.refreshToken });
  const text = app.log.text();
  for (const secret of ['Secret-12', 'Wrong-word-1', body.accessToken, body.refreshToken, 'Ada@Example.com']) {
    assert.ok(!text.includes(secret), secret);
  }
});
