import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invite } from '../../accounts/invitations.ts';
import { loadConfig } from '../../config/config.ts';
import type { SessionReply } from '../../contracts/auth.ts';
import type { WorkspaceId } from '../../model/ids.ts';
import {
  acceptInvitation,
  FORM,
  lastLink,
  post,
  register,
  type SignedInClient,
  signedIn,
  signIn,
  slowly,
} from '../../testing/http/account-client.ts';
import { insertWorld } from '../../testing/http/insert-world.ts';
import { makeTestApp, type TestApp } from '../../testing/http/make-test-app.ts';

interface Member {
  readonly userId: string;
  readonly email: string;
  readonly role: string;
}

async function inviteAndJoin(
  app: TestApp,
  owner: SignedInClient,
  email: string,
  role: string,
): Promise<SignedInClient> {
  const sent = await owner.call('POST', '/api/workspace/invitations', { email, role });
  assert.equal(sent.status, 201);
  return register(app, { email, firstName: 'Guest', company: '', invitation: lastLink(app, 'invitation') });
}

async function members(client: SignedInClient): Promise<Member[]> {
  return (await client.call<{ members: Member[] }>('GET', '/api/workspace/members')).body.members;
}

test('a colleague who is invited as viewer signs up, sees everything and changes nothing', async () => {
  await using app = await makeTestApp({ accounts: { signup: 'first' } });
  const ada = await register(app);
  const world = insertWorld(app.db, ada.user.workspace._id as WorkspaceId, app.clock.now());
  await assert.rejects(register(app, { email: 'bob@example.com' }), /SIGNUP_CLOSED/);
  await ada.call('POST', '/api/workspace/invitations', { email: 'bob@example.com', role: 'viewer' });
  const token = lastLink(app, 'invitation');
  const preview = await post<{ workspaceName: string; hasAccount: boolean }>(app, '/api/invitations/preview', {
    token,
  });
  assert.equal(preview.body.workspaceName, 'Engines Ltd');
  assert.equal(preview.body.hasAccount, false);
  await assert.rejects(register(app, { email: 'mallory@example.com', invitation: token }), /INVITATION_OTHER_EMAIL/);
  const bob = await register(app, { email: 'Bob@example.com', invitation: token });
  assert.equal(bob.user.workspace.role, 'viewer');
  assert.equal(bob.user.workspace._id, ada.user.workspace._id);
  assert.equal(bob.user.isVerified, true, 'the invitation was mailed to that address');
  assert.equal(bob.user.role, 'user');
  assert.equal((await bob.call('GET', `/api/pairs/${world.pairId}`)).status, 200);
  for (const [method, url] of [
    ['POST', `/api/pairs/${world.pairId}/pause`],
    ['PATCH', `/api/stores/${world.storeIds.shopify}`],
    ['POST', '/api/workspace/invitations'],
    ['PATCH', `/api/workspace/members/${bob.user.id}`],
  ] as const) {
    assert.equal((await bob.call(method, url, {})).status, 403, url);
  }
  // What is asked of a store's health is a look.
  assert.deepEqual(
    app.calls.filter(({ name }) => name !== 'storeHealth'),
    [],
  );
  await assert.rejects(register(app, { email: 'bob@example.com', invitation: token }), /INVITATION_INVALID/);
});

test('who has an account accepts with it, if the invitation is for its address, and goes on in that workspace', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const eve = await register(app, { email: 'eve@example.com', company: 'Eve Ltd' });
  const bob = await register(app, { email: 'bob@example.com', company: 'Bob Ltd' });
  app.clock.advance(1000);
  await ada.call('POST', '/api/workspace/invitations', { email: 'bob@example.com', role: 'member' });
  const token = lastLink(app, 'invitation');
  assert.equal(
    (await eve.call('POST', '/api/invitations/accept', { token })).body.error.code,
    'INVITATION_OTHER_EMAIL',
  );
  const there = await acceptInvitation(app, bob);
  assert.equal(there.user.workspace._id, ada.user.workspace._id);
  assert.equal(
    (await ada.call('POST', '/api/workspace/invitations', { email: 'bob@example.com', role: 'admin' })).body.error.code,
    'ALREADY_MEMBER',
  );
  const list = await bob.call<{ workspaces: { name: string; role: string; isCurrent: boolean }[] }>(
    'GET',
    '/api/workspaces',
  );
  assert.deepEqual(
    list.body.workspaces.map((one) => [one.name, one.role, one.isCurrent]),
    [
      ['Bob Ltd', 'owner', false],
      ['Engines Ltd', 'member', true],
    ],
  );
  const back = await there.call<SessionReply>('POST', `/api/workspaces/${bob.user.workspace._id}/switch`);
  assert.equal(back.body.user.workspace.name, 'Bob Ltd');
  assert.equal((await bob.call('GET', '/api/workspace/invitations')).status, 200, 'owner again');
});

test('invitations expire, are replaced and revoked, and nobody invites above themselves', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const admin = await inviteAndJoin(app, ada, 'admin@example.com', 'admin');
  const above = await admin.call('POST', '/api/workspace/invitations', { email: 'x@example.com', role: 'owner' });
  assert.equal(above.body.error.code, 'FORBIDDEN');
  await ada.call('POST', '/api/workspace/invitations', { email: 'x@example.com', role: 'viewer' });
  const first = lastLink(app, 'invitation');
  const sent = await ada.call<{ invitation: { _id: string } }>('POST', '/api/workspace/invitations', {
    email: 'X@example.com',
    role: 'member',
  });
  const preview = async (token: string) => (await post(app, '/api/invitations/preview', { token })).status;
  assert.equal(await preview(first), 422, 'replaced');
  const second = lastLink(app, 'invitation');
  assert.equal(await preview(second), 200);
  await admin.call('DELETE', `/api/workspace/invitations/${sent.body.invitation._id}`);
  assert.equal(await preview(second), 422, 'revoked');
  await ada.call('POST', '/api/workspace/invitations', { email: 'x@example.com', role: 'viewer' });
  app.clock.advance(7 * 86_400_000 + 1);
  assert.equal(await preview(lastLink(app, 'invitation')), 422, 'expired');
});

test('an invitation ends with the right of its sender to send it: nobody comes back by one to themselves', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const members = () => ada.call<{ members: { userId: string }[] }>('GET', '/api/workspace/members');
  for (const end of ['removed', 'demoted'] as const) {
    const bob = await inviteAndJoin(app, ada, `${end}@example.com`, 'admin');
    const email = `${end}.again@example.com`;
    await bob.call('POST', '/api/workspace/invitations', { email, role: 'admin' });
    const token = lastLink(app, 'invitation');
    assert.equal((await post(app, '/api/invitations/preview', { token })).status, 200);
    const { status } =
      end === 'removed'
        ? await ada.call('DELETE', `/api/workspace/members/${bob.user.id}`)
        : await ada.call('PATCH', `/api/workspace/members/${bob.user.id}`, { role: 'member' });
    assert.equal(status, 200);
    const before = (await members()).body.members.length;
    assert.equal((await post(app, '/api/invitations/preview', { token })).body.error.code, 'INVITATION_INVALID');
    await assert.rejects(register(app, { email, invitation: token }), /INVITATION_INVALID/);
    assert.equal((await members()).body.members.length, before);
  }
});

test('no mailbox is flooded with invitations, by one workspace or by several', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const eve = await register(app, { email: 'eve@example.com', company: 'Eve Ltd' });
  const ask = (client: SignedInClient, email: string) =>
    client.call<{ invitation: { _id: string } }>('POST', '/api/workspace/invitations', { email, role: 'viewer' });
  const mailed = () => app.mails.filter((mail) => mail.kind === 'invitation').length;
  assert.equal((await ask(ada, 'victim@example.com')).status, 201);
  const second = await ask(ada, 'Victim@example.com');
  await ada.call('DELETE', `/api/workspace/invitations/${second.body.invitation._id}`);
  app.clock.advance(60_000);
  assert.equal((await ask(eve, 'victim@example.com')).status, 201);
  const last = lastLink(app, 'invitation');
  for (const client of [ada, eve]) {
    const { status, body } = await ask(client, 'victim@example.com');
    assert.equal(`${status} ${body.error.code}`, '429 MAIL_THROTTLED');
    assert.equal(body.error.details['retryAfterMs'], 59 * 60_000);
  }
  assert.equal(mailed(), 3);
  assert.equal((await post(app, '/api/invitations/preview', { token: last })).status, 200, 'the last one still counts');
  assert.equal((await ask(ada, 'somebody@example.com')).status, 201, 'others are invited');
  app.clock.advance(59 * 60_000);
  assert.equal((await ask(await signIn(app), 'victim@example.com')).status, 201);
});

test('one person sends at most thirty invitations an hour', async () => {
  await using app = await makeTestApp();
  const ada = app.person();
  const device = { ip: '127.0.0.1', userAgent: '', isLocal: true };
  const ask = (n: number) => invite(app.accounts, ada, { email: `p${n}@example.com`, role: 'viewer' }, device);
  for (let n = 0; n < 30; n += 1) ask(n);
  assert.throws(() => ask(30), { code: 'MAIL_THROTTLED' });
  assert.equal(app.mails.length, 30);
  app.clock.advance(3_600_000);
  ask(30);
});

test('with SIGNUP=first only administrators of the instance bring new people in', async () => {
  await using app = await makeTestApp({ accounts: { signup: 'first' } });
  const ada = await register(app);
  const bob = await inviteAndJoin(app, ada, 'bob@example.com', 'admin');
  await bob.call('POST', '/api/workspace/invitations', { email: 'carl@example.com', role: 'viewer' });
  await assert.rejects(
    register(app, { email: 'carl@example.com', invitation: lastLink(app, 'invitation') }),
    /SIGNUP_CLOSED/,
  );
});

test('an invitation makes no account any more once whoever sent it no longer runs the instance', async () => {
  await using app = await makeTestApp({ accounts: { signup: 'first' } });
  const ada = await register(app);
  const bob = await inviteAndJoin(app, ada, 'bob@example.com', 'admin');
  const role = (of: SignedInClient, to: string) => ada.call('PATCH', `/api/instance/users/${of.user.id}`, { role: to });
  assert.equal((await role(bob, 'admin')).status, 200);
  await bob.call('POST', '/api/workspace/invitations', { email: 'carl@example.com', role: 'viewer' });
  const invitation = lastLink(app, 'invitation');
  assert.equal((await role(bob, 'user')).status, 200);
  await assert.rejects(register(app, { email: 'carl@example.com', invitation }), /SIGNUP_CLOSED/);
  await role(bob, 'admin');
  assert.equal((await register(app, { email: 'carl@example.com', invitation })).user.email, 'carl@example.com');
});

test('a workspace keeps an owner: the last one can not step down, be removed, leave or be erased', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const bob = await inviteAndJoin(app, ada, 'bob@example.com', 'admin');
  const role = (client: SignedInClient, id: string, to: string) =>
    client.call('PATCH', `/api/workspace/members/${id}`, { role: to });
  assert.equal((await role(ada, ada.user.id, 'admin')).body.error.code, 'LAST_OWNER');
  assert.equal((await ada.call('DELETE', `/api/workspace/members/${ada.user.id}`)).body.error.code, 'LAST_OWNER');
  assert.equal((await ada.call('POST', '/api/workspace/leave')).body.error.code, 'LAST_OWNER');
  const erased = await ada.call('DELETE', '/api/user/account', { password: FORM.password });
  assert.equal(erased.body.error.code, 'LAST_OWNER');
  assert.equal(
    (await role(bob, ada.user.id, 'viewer')).body.error.code,
    'FORBIDDEN',
    'an admin does not touch an owner',
  );
  assert.equal((await role(bob, bob.user.id, 'owner')).body.error.code, 'FORBIDDEN', 'nor make themselves one');
  assert.equal((await role(ada, bob.user.id, 'owner')).status, 200);
  assert.equal((await ada.call('POST', '/api/workspace/leave')).status, 200);
  assert.deepEqual(
    (await members(bob)).map((one) => [one.email, one.role]),
    [['bob@example.com', 'owner']],
  );
  assert.equal((await ada.call('GET', '/api/auth/me')).status, 401, 'no other workspace takes the session over');
  const again = await post<SessionReply>(app, '/api/auth/login', { email: FORM.email, password: FORM.password });
  assert.equal(again.body.user.workspace.role, 'owner', 'and the next sign-in gives one of their own');
  assert.notEqual(again.body.user.workspace._id, bob.user.workspace._id);
});

test('who is removed loses access at once, with their tokens for this workspace and no others', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const bob = await register(app, { email: 'bob@example.com', company: 'Bob Ltd' });
  const own = await bob.call<{ secret: string }>('POST', '/api/workspace/tokens', { name: 'own', scope: 'read' });
  await ada.call('POST', '/api/workspace/invitations', { email: 'bob@example.com', role: 'member' });
  const joined = await acceptInvitation(app, bob);
  const there = await joined.call<{ secret: string }>('POST', '/api/workspace/tokens', {
    name: 'there',
    scope: 'operate',
  });
  const status = async (secret: string) =>
    (await app.server.inject({ url: '/api/stores', headers: { authorization: `Bearer ${secret}` } })).statusCode;
  assert.equal(await status(there.body.secret), 200);
  assert.equal((await ada.call('DELETE', `/api/workspace/members/${bob.user.id}`)).status, 200);
  assert.equal(await status(there.body.secret), 401);
  assert.equal(await status(own.body.secret), 200);
  const me = await bob.call<SessionReply>('GET', '/api/auth/me');
  assert.equal(me.body.user.workspace.name, 'Bob Ltd', 'the session goes on at home');
});

test('an access token changes nothing in a workspace that it was not given for: who was taken out is sent to renew it first', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const bob = await register(app, { email: 'bob@example.com', company: 'Bob Ltd' });
  await ada.call('POST', '/api/workspace/invitations', { email: 'bob@example.com', role: 'admin' });
  const there = await acceptInvitation(app, bob);
  const rename = (client: SignedInClient) => client.call('PATCH', '/api/workspace', { name: 'Renamed' });
  // The body of his request is on its way while he is taken out.
  const late = await slowly(app, there, 'PATCH', '/api/workspace', { name: 'Renamed' }, async () => {
    assert.equal((await ada.call('DELETE', `/api/workspace/members/${bob.user.id}`)).status, 200);
  });
  assert.deepEqual([late.status, late.body.error?.code], [401, 'TOKEN_EXPIRED']);
  assert.deepEqual((await rename(there)).body.error?.code, 'TOKEN_EXPIRED');
  const renewed = await post<SessionReply>(app, '/api/auth/refresh', { refreshToken: bob.refreshToken });
  assert.equal(renewed.body.user.workspace.name, 'Bob Ltd', 'nothing was renamed, and he is told where he is');
  assert.equal((await rename(signedIn(app, renewed.body))).status, 200);
});

test('nobody takes more than a share of the API tokens that a workspace has', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const eve = await inviteAndJoin(app, ada, 'eve@example.com', 'viewer');
  const make = (person: SignedInClient) => person.call('POST', '/api/workspace/tokens', { name: 'x', scope: 'read' });
  for (let n = 0; n < 10; n += 1) assert.equal((await make(eve)).status, 201);
  const { status, body } = await make(eve);
  assert.deepEqual([status, body.error.code], [409, 'LIMIT_REACHED']);
  assert.match(body.error.message, /^You have 10 API tokens in this workspace\./);
  assert.equal((await make(ada)).status, 201, 'others still get theirs');
});

test('a token never outlives the role of its maker', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const bob = await inviteAndJoin(app, ada, 'bob@example.com', 'member');
  const above = await bob.call('POST', '/api/workspace/tokens', { name: 'x', scope: 'manage' });
  assert.equal(above.body.error.code, 'FORBIDDEN');
  const { body } = await bob.call<{ secret: string; token: { _id: string } }>('POST', '/api/workspace/tokens', {
    name: 'x',
    scope: 'operate',
  });
  const retry = async () =>
    (
      await app.server.inject({
        method: 'POST',
        url: '/api/problems/none/retry',
        headers: { authorization: `Bearer ${body.secret}` },
      })
    ).statusCode;
  assert.equal(await retry(), 404);
  await ada.call('PATCH', `/api/workspace/members/${bob.user.id}`, { role: 'viewer' });
  assert.equal(await retry(), 403);
  const theirs = await ada.call('POST', `/api/workspace/tokens/${body.token._id}/regenerate`);
  assert.equal(theirs.status, 404, "nobody gets another person's token");
  const fresh = await bob.call<{ secret: string }>('POST', `/api/workspace/tokens/${body.token._id}/regenerate`);
  assert.equal(await retry(), 401, 'the old secret is worthless');
  assert.match(fresh.body.secret, /^ts_[\w-]{43}$/);
  app.clock.advance(91 * 86_400_000);
  const late = await app.server.inject({
    url: '/api/stores',
    headers: { authorization: `Bearer ${fresh.body.secret}` },
  });
  assert.equal(late.statusCode, 401, 'expired');
});

test('a program that only looks is answered while the disk takes nothing: it may be the one that watches', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const { body } = await ada.call<{ secret: string }>('POST', '/api/workspace/tokens', { name: 'x', scope: 'read' });
  app.db.hooks.beforeCommit = () => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  };
  const headers = { authorization: `Bearer ${body.secret}` };
  assert.equal((await app.server.inject({ url: '/api/problems', headers })).statusCode, 200);
  assert.equal((await app.server.inject('/api/health')).statusCode, 503, 'and the disk is told of');
  app.db.hooks.beforeCommit = null;
});

test('who loses their role while a body of theirs is on its way does nothing by it', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const eve = await inviteAndJoin(app, ada, 'eve@example.com', 'admin');
  const friend = await inviteAndJoin(app, ada, 'friend@example.com', 'viewer');
  const roles = (id: string, role: string) => ada.call('PATCH', `/api/workspace/members/${id}`, { role });
  const late = await slowly(
    app,
    eve,
    'PATCH',
    `/api/workspace/members/${friend.user.id}`,
    { role: 'admin' },
    async () => assert.equal((await roles(eve.user.id, 'viewer')).status, 200),
  );
  assert.deepEqual([late.status, late.body.error?.code], [403, 'FORBIDDEN']);
});

test('a name of spaces alone is none, and those around one are not kept', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const fields = [{ field: 'name', message: 'name: must not be empty' }];
  const token = { scope: 'read' };
  for (const [method, url, form] of [
    ['POST', '/api/workspaces', {}],
    ['PATCH', '/api/workspace', {}],
    ['POST', '/api/workspace/tokens', token],
  ] as const) {
    const { status, body } = await ada.call(method, url, { ...form, name: '  ' });
    assert.deepEqual([status, body.error?.details['fields']], [422, fields], url);
  }
  const made = await ada.call<{ workspace: { name: string } }>('POST', '/api/workspaces', { name: ' Second ' });
  const renamed = await ada.call<{ workspace: { name: string } }>('PATCH', '/api/workspace', { name: ' First ' });
  const secret = await ada.call<{ token: { name: string } }>('POST', '/api/workspace/tokens', {
    ...token,
    name: ' CI ',
  });
  const names = [made.body.workspace.name, renamed.body.workspace.name, secret.body.token.name];
  assert.deepEqual(names, ['Second', 'First', 'CI']);
});

test('a workspace is deleted by its owner, who types its name, after its stores were disconnected', async () => {
  const cleared: string[] = [];
  await using app = await makeTestApp({ accounts: { clearWorkspace: async (id) => void cleared.push(id) } });
  const ada = await register(app);
  const bob = await inviteAndJoin(app, ada, 'bob@example.com', 'admin');
  insertWorld(app.db, ada.user.workspace._id as WorkspaceId, app.clock.now());
  assert.equal((await bob.call('DELETE', '/api/workspace', { name: 'Engines Ltd' })).status, 403);
  assert.equal((await ada.call('DELETE', '/api/workspace', { name: 'Engines' })).status, 422);
  assert.deepEqual(cleared, []);
  const made = await ada.call<{ workspace: { _id: string } }>('POST', '/api/workspaces', { name: 'Second' });
  assert.equal((await ada.call('DELETE', '/api/workspace', { name: 'Engines Ltd' })).status, 200);
  assert.deepEqual(cleared, [ada.user.workspace._id]);
  const me = await ada.call<SessionReply>('GET', '/api/auth/me');
  assert.equal(me.body.user.workspace._id, made.body.workspace._id);
  assert.equal((await bob.call('GET', '/api/auth/me')).status, 401);
  for (const table of ['store', 'pair', 'product', 'problem', 'event', 'invitation']) {
    assert.equal(app.db.connection.prepare(`SELECT count(*) FROM "${table}"`).pluck().get(), 0, table);
  }
});

test('the audit log tells who did what from where, page by page and as a file', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const world = insertWorld(app.db, ada.user.workspace._id as WorkspaceId, app.clock.now());
  const bob = await inviteAndJoin(app, ada, 'bob@example.com', 'viewer');
  await ada.call('PATCH', `/api/workspace/members/${bob.user.id}`, { role: 'member' });
  await bob.call('POST', `/api/pairs/${world.pairId}/pause`);
  await ada.call('POST', '/api/pairs/unknown/pause');
  type Page = {
    entries: { action: string; actorName: string; target: string; ip: string; change: object }[];
    nextCursor: string | null;
  };
  const actions: string[] = [];
  let cursor = '';
  do {
    const { body } = await ada.call<Page>('GET', `/api/workspace/audit?limit=2${cursor}`);
    for (const entry of body.entries) actions.push(`${entry.actorName}: ${entry.action}`);
    cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
  } while (cursor !== '');
  assert.deepEqual(actions, [
    'Guest Lovelace: pair.paused',
    'Ada Lovelace: member.role_changed',
    'Guest Lovelace: account.created',
    'Guest Lovelace: invitation.accepted',
    'Ada Lovelace: invitation.sent',
    'Ada Lovelace: account.created',
  ]);
  const { body } = await ada.call<Page>('GET', '/api/workspace/audit?limit=2');
  assert.deepEqual(body.entries[0]?.target, world.pairId);
  assert.deepEqual(body.entries[1]?.change, { from: 'viewer', to: 'member' });
  assert.equal(body.entries[1]?.ip, '127.0.0.1');
  const file = await ada.call<{ text: string }>('GET', '/api/workspace/audit/export');
  const lines = file.body.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map((line) => line.action),
    actions.map((text) => text.split(': ')[1]),
  );
});

test('the instance keeps an administrator, and only administrators read the outbox', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const bob = await register(app, { email: 'bob@example.com' });
  assert.equal((await bob.call('GET', '/api/instance/audit')).status, 403);
  assert.equal((await bob.call('GET', '/api/instance/outbox')).status, 403);
  const role = (id: string, to: string) => ada.call('PATCH', `/api/instance/users/${id}`, { role: to });
  assert.equal((await role(ada.user.id, 'user')).body.error.code, 'LAST_ADMIN');
  type Outbox = { mails: { _id: string; to: string; state: string; subject: string }[] };
  const { body } = await ada.call<Outbox>('GET', '/api/instance/outbox?state=held');
  assert.deepEqual(body.mails.map((mail) => mail.to).sort(), [FORM.email, 'bob@example.com']);
  const read = await ada.call<{ text: string }>('GET', `/api/instance/outbox/${body.mails[0]?._id}`);
  assert.match(read.body.text, /https:\/\/sync\.example\.com\/verify-email#token=vfy_/);
  assert.equal((await role(bob.user.id, 'admin')).status, 200);
  assert.equal((await bob.call('GET', '/api/instance/users')).status, 200);
  assert.equal((await role(ada.user.id, 'user')).status, 200);
  assert.equal((await ada.call('GET', '/api/instance/users')).status, 403);
  const log = await bob.call<{ entries: { action: string; target: string }[] }>('GET', '/api/instance/audit?limit=3');
  assert.deepEqual(
    log.body.entries.map(({ action, target }) => [action, target]),
    [
      ['instance.role_changed', ada.user.id],
      ['instance.role_changed', bob.user.id],
      ['instance.email_read', body.mails[0]?._id],
    ],
  );
});

test('the administrator sees who has an account, in how many workspaces, and when they were last there', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  app.clock.advance(60_000);
  const bob = await register(app, { email: 'bob@example.com' });
  await bob.call('POST', '/api/workspaces', { name: 'Second' });
  type People = { users: { _id: string; workspaceCount: number; lastActiveAt: string | null; createdAt: string }[] };
  const look = async () => (await ada.call<People>('GET', '/api/instance/users')).body.users;
  const [first, second] = await look();
  assert.deepEqual([first?._id, first?.workspaceCount], [ada.user.id, 1]);
  assert.deepEqual([second?.workspaceCount, second?.lastActiveAt], [2, second?.createdAt]);
  // The session is over and deleted when somebody else signs in: that they were there is still known.
  app.clock.advance(40 * 24 * 3_600_000);
  const { email, password } = FORM;
  const again = signedIn(app, (await post<SessionReply>(app, '/api/auth/login', { email, password })).body);
  const { users } = (await again.call<People>('GET', '/api/instance/users')).body;
  assert.equal(users[1]?.lastActiveAt, second?.lastActiveAt);
  assert.equal(users[0]?.lastActiveAt, new Date(app.clock.now()).toISOString());
  const changed = await again.call<{ user: People['users'][0] }>('PATCH', `/api/instance/users/${bob.user.id}`, {
    role: 'admin',
  });
  assert.equal(changed.body.user.workspaceCount, 2);
});

test("the instance's log can be read by what it is about, page by page", async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const bob = await register(app, { email: 'bob@example.com' });
  await ada.call('PATCH', '/api/user/settings', { company: 'Northfold' });
  await ada.call('PATCH', `/api/instance/users/${bob.user.id}`, { role: 'admin' });
  await bob.call('PATCH', '/api/user/settings', { company: 'Elsewhere' });
  type Log = { entries: { action: string; actorId: string }[]; nextCursor: string | null };
  const read = async (query: string) => (await ada.call<Log>('GET', `/api/instance/audit?${query}`)).body;
  const accounts = await read('about=account&limit=1');
  assert.deepEqual(
    accounts.entries.map(({ action, actorId }) => [action, actorId]),
    [['account.updated', bob.user.id]],
  );
  const rest = await read(`about=account&limit=1&cursor=${accounts.nextCursor}`);
  assert.equal(rest.entries[0]?.actorId, ada.user.id);
  assert.deepEqual(
    (await read('about=instance')).entries.map(({ action }) => action),
    ['instance.role_changed'],
  );
  assert.equal((await ada.call('GET', '/api/instance/audit?about=pair')).status, 422);
});

test('the outbox says whether anything in it is sent at all', async () => {
  await using held = await makeTestApp();
  type Outbox = { isMailSent: boolean };
  const first = await (await register(held)).call<Outbox>('GET', '/api/instance/outbox');
  assert.equal(first.body.isMailSent, false);
  const outbox = { ...held.outbox, send: async () => undefined };
  await using sending = await makeTestApp({ deps: { outbox } });
  const second = await (await register(sending)).call<Outbox>('GET', '/api/instance/outbox');
  assert.equal(second.body.isMailSent, true);
});

test('the first account needs the set-up token unless it comes from this very machine', async () => {
  const shown: string[] = [];
  const { createSetupToken } = await import('../../accounts/setup-token.ts');
  const setup = createSetupToken({ given: null, isPublished: false, show: (token) => shown.push(token) });
  await using app = await makeTestApp({
    accounts: { signup: 'first', setup },
    deps: { trustedProxies: ['10.0.0.0/8'] },
  });
  const from = (remoteAddress: string, headers: Record<string, string>, form: object = {}) =>
    app.server.inject({
      method: 'POST',
      url: '/api/auth/signup',
      remoteAddress,
      headers,
      payload: { ...FORM, ...form },
    });
  const strangers: [string, Record<string, string>][] = [
    ['203.0.113.5', { host: 'sync.example.com' }],
    ['203.0.113.5', { host: 'localhost:8080' }],
    ['127.0.0.1', { host: 'sync.example.com' }],
    ['127.0.0.1', { host: 'localhost:8080', 'x-forwarded-for': '127.0.0.1' }],
    ['10.0.0.2', { host: 'localhost', 'x-forwarded-for': '127.0.0.1' }],
  ];
  for (const [address, headers] of strangers) {
    const reply = await from(address, headers);
    assert.equal(reply.json().error.code, 'SETUP_TOKEN_REQUIRED', `${address} ${JSON.stringify(headers)}`);
  }
  assert.equal(shown.length, 1, 'shown once');
  const wrong = await from('203.0.113.5', { host: 'sync.example.com' }, { setupToken: 'guess' });
  assert.equal(wrong.statusCode, 403);
  const right = await from('203.0.113.5', { host: 'sync.example.com' }, { setupToken: shown[0] });
  assert.equal(right.statusCode, 201);
  assert.equal(signedIn(app, right.json()).user.role, 'admin');
  const second = await from('127.0.0.1', { host: 'localhost' }, { email: 'b@example.com', setupToken: shown[0] });
  assert.equal(second.json().error.code, 'SIGNUP_CLOSED', 'once');
});

test('on an instance with a public address the first account needs the set-up token, whatever the request looks like', async () => {
  const { createSetupToken } = await import('../../accounts/setup-token.ts');
  const { isOpenToNetwork, isPublished } = await import('../../config/reach.ts');
  const shown: string[] = [];
  await using app = await makeTestApp({
    accounts: {
      signup: 'first',
      setup: createSetupToken({ given: null, isPublished: true, show: (token) => shown.push(token) }),
    },
  });
  // nginx with a bare `proxy_pass http://127.0.0.1:8080` sends its own address and no header of whom it carries in.
  const throughProxy = (form: object = {}) =>
    app.server.inject({
      method: 'POST',
      url: '/api/auth/signup',
      remoteAddress: '127.0.0.1',
      headers: { host: '127.0.0.1:8080' },
      payload: { ...FORM, ...form },
    });
  assert.equal((await throughProxy()).json().error.code, 'SETUP_TOKEN_REQUIRED');
  assert.equal((await throughProxy({ setupToken: shown[0] })).statusCode, 201);

  const { server } = loadConfig({});
  const at = (publicUrl: string | null, allowLocalStores = false, host = '127.0.0.1') => {
    const config = { server: { ...server, host, publicUrl }, allowLocalStores };
    return [isPublished(config), isOpenToNetwork(config)];
  };
  assert.deepEqual(at('https://sync.example.com'), [true, true]);
  assert.deepEqual(at('https://sync.example.com', true), [false, false], 'a trial with stores of this machine');
  assert.deepEqual(at('http://localhost:8080'), [false, false]);
  assert.deepEqual(at(null), [false, false]);
  assert.deepEqual(at(null, false, '0.0.0.0'), [false, true]);
});
