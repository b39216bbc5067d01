import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { totpCode, totpStep } from '../../accounts/totp.ts';
import { transact } from '../../db/database.ts';
import { insertMembership } from '../../db/writers/workspaces.ts';
import type { UserId, WorkspaceId } from '../../model/ids.ts';
import type { WorkspaceRole } from '../../model/role.ts';
import {
  acceptInvitation,
  FORM,
  lastLink,
  post,
  register,
  type SignedInClient,
  signIn,
} from '../../testing/http/account-client.ts';
import { makeTestApp, type TestApp } from '../../testing/http/make-test-app.ts';

const VICTIM = { email: 'vic@example.com' };
const NEW = { ...VICTIM, password: 'Secret-99' };

/** The owner of the address takes the account back. */
async function reset(app: TestApp, email: string): Promise<void> {
  await post(app, '/api/auth/forgot-password', { email });
  await turn();
  const form = { token: lastLink(app, 'reset_password'), password: NEW.password };
  assert.equal((await post(app, '/api/auth/reset-password', form)).status, 200);
}

async function turnOn(app: TestApp, person: SignedInClient): Promise<readonly string[]> {
  const { body } = await person.call<{ secret: string }>('POST', '/api/auth/two-factor/begin');
  const code = totpCode(body.secret, totpStep(app.clock.now()));
  const on = await person.call<{ recoveryCodes: string[] }>('POST', '/api/auth/two-factor/enable', { code });
  assert.equal(on.status, 200);
  return on.body.recoveryCodes;
}

function join(app: TestApp, workspace: SignedInClient, person: SignedInClient, role: WorkspaceRole): void {
  const [workspaceId, userId] = [workspace.user.workspace._id as WorkspaceId, person.user.id as UserId];
  transact(app.db, (tx) => insertMembership(tx, { workspaceId, userId, role, createdAt: app.clock.now() }));
}

async function memberEmails(person: SignedInClient): Promise<string[]> {
  const { body } = await person.call<{ members: { email: string }[] }>('GET', '/api/workspace/members');
  return body.members.map(({ email }) => email);
}

async function workspaceIds(person: SignedInClient): Promise<string[]> {
  const { body } = await person.call<{ workspaces: { _id: string }[] }>('GET', '/api/workspaces');
  return body.workspaces.map(({ _id }) => _id);
}

test('who signs up with an address of another keeps nothing of the account once its owner has set a password', async () => {
  await using app = await makeTestApp();
  await register(app, { email: 'operator@example.com' });
  const squatter = await register(app, VICTIM);
  const helper = await register(app, { email: 'helper@example.com' });
  app.clock.advance(1000);
  join(app, squatter, helper, 'owner');
  join(app, helper, squatter, 'member');
  assert.equal(
    (await squatter.call('POST', '/api/workspace/invitations', { email: 'eve@example.com', role: 'owner' })).status,
    201,
  );
  const invitation = lastLink(app, 'invitation');
  const made = await squatter.call<{ secret: string }>(
    ...(['POST', '/api/workspace/tokens', { name: 'script', scope: 'operate' }] as const),
  );
  assert.equal(made.status, 201);
  const hook = { url: 'https://squatter.example/hook' };
  assert.equal((await squatter.call('POST', '/api/webhook-endpoints', hook)).status, 201);
  const switched = await helper.call<{ accessToken: string }>(
    ...(['POST', `/api/workspaces/${squatter.user.workspace._id}/switch`] as const),
  );
  assert.equal(switched.status, 200);
  const codes = await turnOn(app, squatter);

  await reset(app, VICTIM.email);
  const owner = await signIn(app, NEW);
  assert.equal(owner.user.workspace._id, squatter.user.workspace._id, 'its own workspace, with what is in it');
  assert.deepEqual(await memberEmails(owner), [VICTIM.email]);
  assert.deepEqual(await workspaceIds(owner), [owner.user.workspace._id], 'none of others');
  assert.equal(
    (await post(app, '/api/invitations/preview', { token: invitation })).body.error.code,
    'INVITATION_INVALID',
  );
  const listed = await owner.call<{ invitations: unknown[] }>('GET', '/api/workspace/invitations');
  assert.deepEqual(listed.body.invitations, []);
  const headers = { authorization: `Bearer ${made.body.secret}` };
  assert.equal((await app.server.inject({ url: '/api/stores', headers })).statusCode, 401);
  const { endpoints } = (
    await owner.call<{ endpoints: { status: string; statusReason: string }[] }>('GET', '/api/webhook-endpoints')
  ).body;
  assert.deepEqual(
    endpoints.map(({ status }) => status),
    ['disabled'],
  );
  assert.match(endpoints[0]?.statusReason ?? '', /Switch it on if you know it/);
  const again = await helper.call('POST', `/api/workspaces/${squatter.user.workspace._id}/switch`);
  assert.notEqual(again.status, 200, 'the helper is out');
  const me = await helper.call<{ user: SignedInClient['user'] }>('GET', '/api/auth/me');
  assert.equal(me.body.user.workspace._id, helper.user.workspace._id, 'and goes on in their own');
  const mail = app.mails.at(-1);
  assert.deepEqual(
    [mail?.to, mail?.kind === 'security_notice' && mail.event],
    [VICTIM.email, 'unconfirmed_cleared'],
    'and the owner is told what has gone',
  );
  const late = await post(app, '/api/auth/login', { ...NEW, code: codes[0] });
  assert.equal(late.status, 200, 'no code is asked for');
  const fresh = await turnOn(app, owner);
  const spent = await post(app, '/api/auth/login', { ...NEW, code: codes[1] });
  assert.equal(spent.body.error.code, 'INVALID_CODE', 'the squatter’s recovery codes open nothing');
  assert.equal((await post(app, '/api/auth/login', { ...NEW, code: fresh[0] })).status, 200);
});

test('a reset takes nothing of that from an account whose address was confirmed, by a link or an invitation', async () => {
  await using app = await makeTestApp();
  const operator = await register(app, { email: 'operator@example.com' });
  const byLink = await register(app, { email: 'ida@example.com' });
  assert.equal((await post(app, '/api/auth/verify-email', { token: lastLink(app, 'verify_email') })).status, 200);
  const bob = await register(app, { email: 'bob@example.com' });
  await operator.call('POST', '/api/workspace/invitations', { email: 'bob@example.com', role: 'viewer' });
  const invited = { ...(await acceptInvitation(app, bob)), user: bob.user };
  for (const person of [byLink, invited]) {
    const { email } = person.user;
    join(app, person, operator, 'viewer');
    const codes = await turnOn(app, person);
    const before = await workspaceIds(person);
    await reset(app, email);
    const form = { email, password: NEW.password };
    assert.equal((await post(app, '/api/auth/login', form)).body.error.code, 'TWO_FACTOR_REQUIRED', email);
    const back = await signIn(app, { ...form, code: codes[0] });
    assert.deepEqual(await workspaceIds(back), before);
    const mail = app.mails.findLast((one) => one.kind === 'security_notice' && one.event !== 'recovery_code_used');
    assert.equal(mail?.kind === 'security_notice' && mail.event, 'password_changed');
  }
});

test('a reset gives nobody a workspace that others have by now, and leaves the administrator of the instance as they are', async () => {
  await using app = await makeTestApp();
  const operator = await register(app);
  const founder = await register(app, VICTIM);
  const heir = await register(app, { email: 'heir@example.com' });
  app.clock.advance(1000);
  join(app, founder, heir, 'owner');
  const heirs = await heir.call<{ accessToken: string }>(
    ...(['POST', `/api/workspaces/${founder.user.workspace._id}/switch`] as const),
  );
  assert.equal(heirs.status, 200);
  const demoted = await app.server.inject({
    method: 'PATCH',
    url: `/api/workspace/members/${founder.user.id}`,
    headers: { authorization: `Bearer ${heirs.body.accessToken}` },
    payload: { role: 'viewer' },
  });
  assert.equal(demoted.statusCode, 200);
  await reset(app, VICTIM.email);
  const back = await signIn(app, NEW);
  assert.notEqual(back.user.workspace._id, founder.user.workspace._id, 'one of their own, and empty');
  assert.equal(back.user.workspace.role, 'owner');

  join(app, operator, heir, 'viewer');
  const codes = await turnOn(app, operator);
  await reset(app, FORM.email);
  const form = { email: FORM.email, password: NEW.password };
  assert.equal((await post(app, '/api/auth/login', form)).body.error.code, 'TWO_FACTOR_REQUIRED');
  const kept = await signIn(app, { ...form, code: codes[0] });
  assert.deepEqual((await memberEmails(kept)).toSorted(), [FORM.email, 'heir@example.com']);
});
