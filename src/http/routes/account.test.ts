import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openBreachedPasswords } from '../../accounts/breached-passwords.ts';
import { listRecipients } from '../../accounts/list-recipients.ts';
import type { PasswordHasher } from '../../accounts/password.ts';
import { listContactMessages } from '../../db/readers/contact-messages.ts';
import { listOutboxMails } from '../../db/readers/outbox.ts';
import type { WorkspaceId } from '../../model/ids.ts';
import {
  FORM,
  lastLink,
  post,
  register,
  type SignedInClient,
  signIn,
  slowly,
} from '../../testing/http/account-client.ts';
import { makeTestApp, type TestApp } from '../../testing/http/make-test-app.ts';
import { makeTempDir } from '../../testing/support/temp-dir.ts';

async function forgot(app: TestApp, email: string) {
  const answer = await post(app, '/api/auth/forgot-password', { email });
  await turn();
  return answer;
}

test('the mailed link verifies the address, once, and signs nobody in', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  assert.equal(ada.user.isVerified, false);
  const token = lastLink(app, 'verify_email');
  assert.deepEqual((await post(app, '/api/auth/verify-email', { token })).body, { ok: true });
  const me = await ada.call<{ user: { isVerified: boolean } }>('GET', '/api/auth/me');
  assert.equal(me.body.user.isVerified, true);
  assert.equal((await post(app, '/api/auth/verify-email', { token })).body.error.code, 'TOKEN_INVALID');
  assert.equal((await ada.call('POST', '/api/auth/resend-verification')).body.error.code, 'ALREADY_VERIFIED');
});

test('verification links expire, and nobody can have more than a few an hour sent', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const token = lastLink(app, 'verify_email');
  for (let n = 0; n < 4; n++) assert.equal((await ada.call('POST', '/api/auth/resend-verification')).status, 200);
  assert.equal((await ada.call('POST', '/api/auth/resend-verification')).body.error.code, 'MAIL_THROTTLED');
  app.clock.advance(3 * 86_400_000 + 1);
  assert.equal((await post(app, '/api/auth/verify-email', { token })).status, 422);
});

test('a forgotten password: the same answer for known and unknown, one link, one use, everything else ends', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const made = await ada.call<{ secret: string }>('POST', '/api/workspace/tokens', { name: 'script', scope: 'read' });
  const before = app.mails.length;
  const unknown = await forgot(app, 'nobody@example.com');
  assert.equal(app.mails.length, before);
  const known = await forgot(app, ' ADA@example.com');
  assert.deepEqual(unknown, known);
  const token = lastLink(app, 'reset_password');
  const weak = await post(app, '/api/auth/reset-password', { token, password: 'short' });
  assert.equal(weak.body.error.message, 'Password must be at least 8 characters long');
  assert.deepEqual((await post(app, '/api/auth/reset-password', { token, password: 'Secret-99' })).body, { ok: true });
  assert.equal(
    (await post(app, '/api/auth/reset-password', { token, password: 'Secret-98' })).body.error.code,
    'TOKEN_INVALID',
  );
  assert.equal((await ada.call('GET', '/api/auth/me')).status, 401, 'sessions ended');
  assert.equal((await post(app, '/api/auth/refresh', { refreshToken: ada.refreshToken })).status, 401);
  const headers = { authorization: `Bearer ${made.body.secret}` };
  assert.equal((await app.server.inject({ url: '/api/stores', headers })).statusCode, 401, 'API tokens are revoked');
  await assert.rejects(signIn(app), /INVALID_CREDENTIALS/);
  const again = await signIn(app, { password: 'Secret-99' });
  assert.equal(again.user.isVerified, true, 'who has the link has the mailbox');
  assert.equal(app.mails.at(-1)?.kind, 'security_notice');
});

test('no mailbox is flooded with resets, and links die with a changed password or after an hour', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const before = app.mails.length;
  for (let n = 0; n < 6; n++) await forgot(app, FORM.email);
  assert.equal(app.mails.length - before, 3);
  const token = lastLink(app, 'reset_password');
  const change = { currentPassword: FORM.password, newPassword: 'Secret-77' };
  assert.equal((await ada.call('POST', '/api/user/change-password', change)).status, 200);
  assert.equal((await post(app, '/api/auth/reset-password', { token, password: 'Secret-66' })).status, 422);
  app.clock.advance(3_600_001);
  await forgot(app, FORM.email);
  const late = lastLink(app, 'reset_password');
  app.clock.advance(3_600_001);
  assert.equal((await post(app, '/api/auth/reset-password', { token: late, password: 'Secret-66' })).status, 422);
});

test('no mailbox is flooded with confirmations, whatever became of the links and from how many accounts', async () => {
  await using app = await makeTestApp();
  const eve = await register(app, { email: 'eve@example.com' });
  const mailed = () => app.mails.filter((mail) => mail.to === 'victim@example.com').length;
  const ask = (client: SignedInClient) => client.call('PATCH', '/api/user/settings', { email: 'victim@example.com' });
  const answers: string[] = [];
  let currentPassword = FORM.password;
  for (const newPassword of ['Secret-77', 'Secret-78', 'Secret-79']) {
    // The links that were ordered go with the old password, and lie in the mailbox all the same.
    for (let n = 0; n < 2; n += 1) answers.push(`${(await ask(eve)).status}`);
    await eve.call('POST', '/api/user/change-password', { currentPassword, newPassword });
    currentPassword = newPassword;
  }
  // One of five an hour was for the account itself.
  assert.equal(answers.join(' '), '200 200 200 200 429 429');
  assert.equal((await ask(await register(app, { email: 'mallory@example.com' }))).status, 200);
  const late = await ask(await register(app, { email: 'trudy@example.com' }));
  assert.deepEqual([late.body.error.code, mailed()], ['MAIL_THROTTLED', 5]);
  const form = { ...FORM, email: 'victim@example.com' };
  await register(app, form);
  assert.equal(mailed(), 5, 'whose address it is signs up all the same, and has the link later');
  app.clock.advance(3_600_000);
  const own = await signIn(app, { email: form.email });
  assert.equal((await own.call('POST', '/api/auth/resend-verification')).status, 200);
  assert.equal(mailed(), 6);
});

test('who is signed in asks of few addresses an hour whether they have an account, and then hears the same of all', async () => {
  await using app = await makeTestApp();
  const eve = await register(app, { email: 'eve@example.com' });
  await register(app, { email: 'ada@example.com' });
  const ask = async (email: string) => {
    const { status, body } = await eve.call('PATCH', '/api/user/settings', { email });
    return status === 200 ? 'mailed' : body.error.code;
  };
  // One of five an hour was the link to her own address.
  assert.deepEqual([await ask('ada@example.com'), await ask('nobody@example.com')], ['EMAIL_TAKEN', 'mailed']);
  assert.deepEqual([await ask('ADA@example.com'), await ask('ada@example.com')], ['EMAIL_TAKEN', 'EMAIL_TAKEN']);
  assert.deepEqual(
    [await ask('ada@example.com'), await ask('other@example.com')],
    ['MAIL_THROTTLED', 'MAIL_THROTTLED'],
  );
  assert.equal((await eve.call('PATCH', '/api/user/settings', { firstName: 'Eve' })).status, 200);
  app.clock.advance(3_600_000);
  const again = await signIn(app, { email: 'eve@example.com' });
  assert.equal((await again.call('PATCH', '/api/user/settings', { email: 'other@example.com' })).status, 200);
});

test("a password is changed in the specification's words, and other devices are signed out", async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const phone = await signIn(app);
  const cases: [object, string, string][] = [
    [{ newPassword: 'Ab1-' }, 'newPassword', 'Password must be at least 8 characters long.'],
    [{ confirmPassword: 'other' }, 'confirmPassword', 'Passwords do not match.'],
    [{ newPassword: FORM.password }, 'newPassword', 'New password must be different from current password.'],
    [{ currentPassword: 'Wrong-12' }, 'currentPassword', 'This is not your current password.'],
  ];
  for (const [change, field, message] of cases) {
    const form = { currentPassword: FORM.password, newPassword: 'Secret-13', ...change };
    const { status, body } = await ada.call('POST', '/api/user/change-password', form);
    assert.equal(status, 422, message);
    assert.deepEqual(body.error.details['fields'], [{ field, message }]);
  }
  const form = { currentPassword: FORM.password, newPassword: 'Secret-13', confirmPassword: 'Secret-13' };
  assert.equal((await ada.call('POST', '/api/user/change-password', form)).status, 200);
  assert.equal((await ada.call('GET', '/api/auth/me')).status, 200);
  assert.equal((await phone.call('GET', '/api/auth/me')).status, 401);
});

test('a change of the password that was under way while it was reset changes nothing any more', async () => {
  let meanwhile: (() => Promise<void>) | undefined;
  const passwords: PasswordHasher = {
    hash: async (password) => password,
    async verify(password, stored) {
      await meanwhile?.();
      return password === stored;
    },
  };
  await using app = await makeTestApp({ accounts: { passwords } });
  const thief = await register(app);
  meanwhile = async () => {
    meanwhile = undefined;
    await forgot(app, FORM.email);
    const form = { token: lastLink(app, 'reset_password'), password: 'Secret-99' };
    assert.equal((await post(app, '/api/auth/reset-password', form)).status, 200);
  };
  const change = { currentPassword: FORM.password, newPassword: 'Thief-123' };
  const late = await thief.call('POST', '/api/user/change-password', change);
  assert.deepEqual([late.status, late.body.error?.code], [401, 'SESSION_EXPIRED']);
  await assert.rejects(signIn(app, { password: 'Thief-123' }), /INVALID_CREDENTIALS/);
  await signIn(app, { password: 'Secret-99' });
});

test('a new email address counts after its link was followed; the old one is told, and its links are worthless', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  await register(app, { email: 'taken@example.com' });
  assert.equal(
    (await ada.call('PATCH', '/api/user/settings', { email: 'taken@example.com' })).body.error.code,
    'EMAIL_TAKEN',
  );
  app.clock.advance(11 * 60_000);
  const late = await ada.call('PATCH', '/api/user/settings', { email: 'new@example.com' });
  assert.equal(late.body.error.code, 'PROOF_REQUIRED');
  await ada.call('POST', '/api/auth/prove', { password: FORM.password });
  const pending = await ada.call<{ user: { email: string }; isEmailPending: boolean }>('PATCH', '/api/user/settings', {
    email: 'new@example.com',
    timezone: 'Europe/Paris',
    notifications: { weeklyReports: true },
  });
  assert.equal(pending.body.isEmailPending, true);
  assert.equal(pending.body.user.email, FORM.email);
  await forgot(app, FORM.email);
  const oldReset = lastLink(app, 'reset_password');
  assert.equal((await post(app, '/api/auth/verify-email', { token: lastLink(app, 'verify_email') })).status, 200);
  assert.deepEqual(
    app.mails.slice(-1).map((mail) => [mail.kind, mail.to]),
    [['security_notice', FORM.email]],
  );
  assert.equal((await post(app, '/api/auth/reset-password', { token: oldReset, password: 'Secret-66' })).status, 422);
  const again = await signIn(app, { email: 'new@example.com' });
  assert.equal(again.user.isVerified, true);
  assert.equal(again.user.timezone, 'Europe/Paris');
  assert.deepEqual(again.user.notifications, {
    email: true,
    syncAlerts: true,
    billingAlerts: true,
    weeklyReports: true,
  });
  await assert.rejects(signIn(app), /INVALID_CREDENTIALS/);
});

test('an address that was ordered with the old password does not become the account’s once there is a new one', async () => {
  const orders = async (app: TestApp, client: SignedInClient) => {
    assert.equal((await client.call('PATCH', '/api/user/settings', { email: 'thief@example.com' })).status, 200);
    return lastLink(app, 'verify_email');
  };
  const refused = async (app: TestApp, token: string) => {
    assert.equal((await post(app, '/api/auth/verify-email', { token })).body.error?.code, 'TOKEN_INVALID');
    assert.equal((await signIn(app, { password: 'Secret-99' })).user.email, FORM.email);
  };
  await using changed = await makeTestApp();
  const ada = await register(changed);
  const own = lastLink(changed, 'verify_email');
  const token = await orders(changed, await signIn(changed));
  const change = { currentPassword: FORM.password, newPassword: 'Secret-99' };
  assert.equal((await ada.call('POST', '/api/user/change-password', change)).status, 200);
  await refused(changed, token);
  assert.equal(
    (await post(changed, '/api/auth/verify-email', { token: own })).status,
    200,
    'the account’s own address',
  );

  await using reset = await makeTestApp();
  const late = await orders(reset, await register(reset));
  await forgot(reset, FORM.email);
  const form = { token: lastLink(reset, 'reset_password'), password: 'Secret-99' };
  assert.equal((await post(reset, '/api/auth/reset-password', form)).status, 200);
  await refused(reset, late);
});

test('each choice of emails steers its own: alerts, usage and the weekly report, and one for them all', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  assert.equal((await post(app, '/api/auth/verify-email', { token: lastLink(app, 'verify_email') })).status, 200);
  const workspaceId = app.db.connection.prepare('SELECT workspace_id FROM membership').pluck().get() as WorkspaceId;
  const wanted = async (notifications: object) => {
    assert.equal((await ada.call('PATCH', '/api/user/settings', { notifications })).status, 200);
    const all = ['alerts', 'usage', 'weekly_report'] as const;
    return all.filter((what) => listRecipients(app.accounts, workspaceId, what).length > 0);
  };
  assert.deepEqual(await wanted({}), ['alerts', 'usage'], 'as it is without a choice');
  assert.deepEqual(await wanted({ syncAlerts: false }), ['usage']);
  assert.deepEqual(await wanted({ billingAlerts: false, weeklyReports: true }), ['weekly_report']);
  assert.deepEqual(await wanted({ syncAlerts: true }), ['alerts', 'weekly_report']);
  assert.deepEqual(await wanted({ email: false }), []);
});

test('settings are checked, and consent to the newsletter can be withdrawn', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  for (const bad of [{ firstName: ' ' }, { timezone: 'Mars/Base' }, { email: 'no' }]) {
    assert.equal((await ada.call('PATCH', '/api/user/settings', bad)).status, 422, JSON.stringify(bad));
  }
  assert.equal(ada.user.isSubscribedToNewsletter, true);
  const reply = await ada.call<{ user: typeof ada.user }>('PATCH', '/api/user/settings', {
    subscribeToNewsletter: false,
    company: 'Difference Ltd',
  });
  assert.equal(reply.body.user.isSubscribedToNewsletter, false);
  assert.equal(reply.body.user.company, 'Difference Ltd');
  assert.equal(reply.body.user.firstName, 'Ada');
});

test('settings that were long on their way take back nothing that happened meanwhile', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  assert.equal((await ada.call('PATCH', '/api/user/settings', { email: 'new@example.com' })).status, 200);
  const token = lastLink(app, 'verify_email');
  const { status } = await slowly(app, ada, 'PATCH', '/api/user/settings', { company: 'Difference Ltd' }, async () => {
    assert.equal((await post(app, '/api/auth/verify-email', { token })).status, 200);
  });
  assert.equal(status, 200);
  const { user } = await signIn(app, { email: 'new@example.com' });
  assert.deepEqual([user.email, user.company], ['new@example.com', 'Difference Ltd']);

  await using other = await makeTestApp();
  const client = await register(other);
  const late = await slowly(other, client, 'PATCH', '/api/user/settings', { email: 'thief@example.com' }, () =>
    client.call('POST', '/api/auth/logout'),
  );
  assert.deepEqual([late.status, late.body.error?.code], [401, 'SESSION_EXPIRED']);
});

test('sessions are listed, and ended one by one or all', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const phone = await signIn(app, { rememberMe: true });
  const tablet = await signIn(app);
  const list = async () => {
    const { body } = await ada.call<{
      sessions: { _id: string; isCurrent: boolean; isRemembered: boolean; ip: string }[];
    }>('GET', '/api/auth/sessions');
    return body.sessions;
  };
  const sessions = await list();
  assert.equal(sessions.length, 3);
  assert.equal(sessions.filter((one) => one.isCurrent).length, 1);
  assert.ok(sessions.every((one) => one.ip === '127.0.0.1'));
  const phoneId = sessions.find((one) => one.isRemembered)?._id ?? '';
  assert.equal((await ada.call('DELETE', `/api/auth/sessions/${phoneId}`)).status, 200);
  assert.equal((await phone.call('GET', '/api/auth/me')).status, 401);
  assert.deepEqual((await ada.call('POST', '/api/auth/sessions/end-others')).body, { count: 1 });
  assert.equal((await tablet.call('GET', '/api/auth/me')).status, 401);
  assert.equal((await list()).length, 1);
});

test('letters from an address go with the account that has confirmed it, and not with one that only says so', async () => {
  await using app = await makeTestApp();
  for (const email of [FORM.email.toUpperCase(), 'ida@example.com']) {
    const payload = { name: 'A', email, subject: 'technical', message: 'Two shelves' };
    assert.equal((await app.server.inject({ method: 'POST', url: '/api/contact', payload })).statusCode, 201);
  }
  const leave = async (isConfirmed: boolean) => {
    const person = await register(app);
    const token = lastLink(app, 'verify_email');
    if (isConfirmed) assert.equal((await post(app, '/api/auth/verify-email', { token })).status, 200);
    const { status } = await person.call('DELETE', '/api/user/account', { password: FORM.password });
    assert.equal(status, 200);
    return listContactMessages(app.db, 10).length;
  };
  assert.deepEqual([await leave(false), await leave(true)], [2, 1]);
});

test('waiting emails to an address go with the account that has confirmed it; with one that only says so, those about itself', async () => {
  await using app = await makeTestApp();
  const operator = await register(app, { email: 'operator@example.com' });
  const waiting = () =>
    listOutboxMails(app.db, { limit: 50 })
      .rows.map(({ kind }) => kind)
      .toSorted();
  const leave = async (isConfirmed: boolean) => {
    const person = await register(app);
    if (isConfirmed) await post(app, '/api/auth/verify-email', { token: lastLink(app, 'verify_email') });
    await forgot(app, ' ADA@example.com');
    const { status } = await person.call('DELETE', '/api/user/account', { password: FORM.password });
    assert.equal(status, 200);
    return waiting();
  };
  await operator.call('POST', '/api/workspace/invitations', { email: 'Ada@Example.com', role: 'viewer' });
  assert.deepEqual(waiting(), ['invitation', 'verify_email'], 'the second is the operator’s own');
  assert.deepEqual(await leave(false), ['invitation', 'verify_email'], 'an invitation to whoever has the mailbox');
  assert.deepEqual(await leave(true), ['verify_email']);
});

test('an account is exported without secrets, and erased with what was only its own', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const exported = await ada.call<{ account: Record<string, unknown>; actions: { action: string }[] }>(
    'GET',
    '/api/user/export',
  );
  assert.equal(exported.body.account['email'], FORM.email);
  assert.deepEqual(
    exported.body.actions.map((one) => one.action),
    ['account.created'],
  );
  assert.doesNotMatch(JSON.stringify(exported.body), /plain Secret|passwordHash|totp|hash/i);
  const plan = await ada.call<{ deletedWorkspaces: { name: string }[] }>('GET', '/api/user/account/erasure');
  assert.deepEqual(
    plan.body.deletedWorkspaces.map((one) => one.name),
    ['Engines Ltd'],
  );
  assert.equal(
    (await ada.call('DELETE', '/api/user/account', { password: 'wrong' })).body.error.code,
    'WRONG_PASSWORD',
  );
  assert.equal((await ada.call('DELETE', '/api/user/account', { password: FORM.password })).status, 200);
  assert.equal((await ada.call('GET', '/api/auth/me')).status, 401);
  await assert.rejects(signIn(app), /INVALID_CREDENTIALS/);
  for (const table of [
    'user',
    'session',
    'refresh_token',
    'workspace',
    'membership',
    'mailed_token',
    'api_token',
    'outbox_mail',
  ]) {
    assert.equal(app.db.connection.prepare(`SELECT count(*) FROM "${table}"`).pluck().get(), 0, table);
  }
  const traces = app.db.connection
    .prepare('SELECT action, actor_id, details FROM audit_entry WHERE actor_id IS NOT NULL')
    .all();
  assert.deepEqual(traces, []);
});

test('an administrator who has read an email that was kept leaves no address of it in the audit log', async () => {
  await using app = await makeTestApp();
  const admin = await register(app, { email: 'admin@example.com' });
  const ada = await register(app);
  type Outbox = { mails: { _id: string; to: string }[] };
  const { body } = await admin.call<Outbox>('GET', '/api/instance/outbox');
  const mail = body.mails.find(({ to }) => to === FORM.email);
  assert.equal((await admin.call('GET', `/api/instance/outbox/${mail?._id}`)).status, 200);
  assert.equal((await ada.call('DELETE', '/api/user/account', { password: FORM.password })).status, 200);
  const log = await admin.call<{ entries: { action: string; change: unknown }[] }>('GET', '/api/instance/audit');
  const read = log.body.entries.find(({ action }) => action === 'instance.email_read');
  assert.deepEqual(read?.change, { email: 'a…@example.com', kind: 'verify_email' });
  assert.doesNotMatch(JSON.stringify(log.body), new RegExp(FORM.email, 'i'));
});

test('a password of the given list is refused wherever one is set', async () => {
  using dir = makeTempDir();
  const stolen = 'Passw0rd!';
  const hashes = [stolen, '123456', 'qwerty'].map((word) =>
    createHash('sha1').update(word).digest('hex').toUpperCase(),
  );
  writeFileSync(dir.join('list.txt'), `${hashes.sort().join(':7\r\n')}:7\r\n`);
  const breached = await openBreachedPasswords(dir.join('list.txt'));
  await using app = await makeTestApp({ accounts: { breached } });
  const refused = (
    answer: { status: number; body: { error: { message: string; details: object } } },
    field: string,
  ) => {
    assert.equal(answer.status, 422);
    assert.match(answer.body.error.message, /stolen somewhere.*Choose another one/);
    assert.deepEqual(answer.body.error.details, { fields: [{ field, message: answer.body.error.message }] });
  };
  const form = { ...FORM, password: stolen, confirmPassword: stolen };
  refused(await post(app, '/api/auth/signup', form), 'password');
  const ada = await register(app);
  const change = { currentPassword: FORM.password, newPassword: stolen };
  refused(await ada.call('POST', '/api/user/change-password', change), 'newPassword');
  await forgot(app, FORM.email);
  const token = lastLink(app, 'reset_password');
  refused(await post(app, '/api/auth/reset-password', { token, password: stolen }), 'password');
  assert.equal((await post(app, '/api/auth/reset-password', { token, password: 'Secret-99' })).status, 200);
  const again = await signIn(app, { password: 'Secret-99' });
  const guest = { email: 'bob@example.com', role: 'viewer' };
  assert.equal((await again.call('POST', '/api/workspace/invitations', guest)).status, 201);
  const invitation = lastLink(app, 'invitation');
  refused(await post(app, '/api/auth/signup', { ...form, email: guest.email, invitation }), 'password');
  assert.equal((await post(app, '/api/auth/signup', { ...FORM, email: guest.email, invitation })).status, 201);

  // The disk with the list is gone: nobody is kept out, and the log says so.
  await breached.close();
  const late = await again.call('POST', '/api/user/change-password', {
    currentPassword: 'Secret-99',
    newPassword: stolen,
  });
  assert.equal(late.status, 200);
  assert.match(app.log.text(), /list of breached passwords can not be read/);
});
