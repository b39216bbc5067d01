import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { createApiToken } from '../accounts/api-tokens.ts';
import { invite } from '../accounts/invitations.ts';
import { PROOF_MS } from '../accounts/prove-identity.ts';
import { isAllowed, WORKSPACE_ROLES } from '../model/role.ts';
import { createEndpoint } from '../notify/webhooks/manage-endpoints.ts';
import { insertWorld, type World } from '../testing/http/insert-world.ts';
import { makeTestApp, type TestApp, type TestPerson } from '../testing/http/make-test-app.ts';
import type { AccessTokens } from './access-token.ts';
import type { HttpDeps } from './deps.ts';
import { addAuthentication, type KnownRoute } from './plugins/authentication.ts';
import { POLICIES } from './policy.ts';
import type { Server } from './types.ts';

const DEVICE = { ip: '127.0.0.1', userAgent: 'test', isLocal: true };

/** Ids of one of everything that an address can name. */
interface Owned {
  readonly person: TestPerson;
  readonly world: World;
  readonly invitationId: string;
  readonly tokenId: string;
  readonly endpointId: string;
}

function insertOwned(app: TestApp): Owned {
  const person = app.person();
  const world = insertWorld(app.db, person.workspace.id, app.clock.now());
  const invitation = invite(
    app.accounts,
    person,
    { email: `guest-of-${person.user.id}@example.com`, role: 'viewer' },
    DEVICE,
  );
  const form = { name: 'script', scope: 'read', expiresInDays: 1 } as const;
  const { row } = createApiToken(app.accounts, person, form, DEVICE);
  const hook = { kind: 'events' as const, url: 'https://hooks.example', description: '', events: [] };
  const { endpoint } = createEndpoint(app.notify, person.workspace.id, hook);
  return { person, world, invitationId: invitation.id, tokenId: row.id, endpointId: endpoint.id };
}

/** By the folder that an id stands in. A route with an id of a new kind fails until it is listed here. */
const IDS: Readonly<Record<string, (owned: Owned) => string>> = {
  '/api/stores': ({ world }) => world.storeIds.woocommerce,
  '/api/pairs': ({ world }) => world.pairId,
  '/api/plans': ({ world }) => world.planId,
  '/api/sync/status': ({ world }) => world.runId,
  '/api/sync/cancel': ({ world }) => world.runId,
  '/api/runs': ({ world }) => world.runId,
  '/api/records': ({ world }) => world.productId,
  '/api/conflicts': ({ world }) => world.conflictId,
  '/api/problems': ({ world }) => world.problemId,
  '/api/auth/sessions': ({ person }) => person.session.id,
  '/api/workspaces': ({ person }) => person.workspace.id,
  '/api/workspace/members': ({ person }) => person.user.id,
  '/api/workspace/invitations': ({ invitationId }) => invitationId,
  '/api/workspace/tokens': ({ tokenId }) => tokenId,
  '/api/webhook-endpoints': ({ endpointId }) => endpointId,
};

/** Ids that belong to the instance and not to a workspace. */
const INSTANCE_IDS = ['/api/instance/users', '/api/instance/outbox'];

function fill(url: string, owned: Owned): string {
  if (!url.includes('/:')) return url;
  const folder = url.slice(0, url.indexOf('/:'));
  if (folder === '/api/webhooks') return url.replace(':storeId', owned.world.storeIds.woocommerce);
  if (INSTANCE_IDS.includes(folder)) return url.replace(':id', 'unknown');
  const id = IDS[folder];
  assert.ok(id, `${url}: say in IDS what its id names`);
  return url.replace(':id', id(owned)).replace(':messageId', 'msg_1');
}

function keyOf({ method, url }: KnownRoute): string {
  return `${method} ${url}`;
}

/** Bodies that get past validation, so that the answer is about the id. */
const BODIES: Readonly<Record<string, object>> = {
  'POST /api/plans/:id/apply': { hash: 'h1' },
  'POST /api/conflicts/:id/resolution': { choice: 'hub', expectedVersion: 3 },
  'POST /api/records/:id/count': { variantId: 'var_1', quantity: 1 },
  'PATCH /api/stores/:id': { name: 'Mine now' },
  'PATCH /api/workspace/members/:id': { role: 'viewer' },
};

async function call(app: TestApp, route: KnownRoute, url: string, headers: Record<string, string>) {
  const payload = route.method === 'GET' ? {} : { payload: BODIES[keyOf(route)] ?? {} };
  return app.server.inject({ method: route.method as 'GET', url, headers, ...payload });
}

test('a route that is not in the policy table can not be registered', async () => {
  const server: Server = Fastify();
  addAuthentication(server, {} as HttpDeps, {} as AccessTokens);
  assert.throws(() => server.get('/api/secret', async () => 'open'), /policy\.ts/);
  await server.close();
});

test('the table names no route that the router does not have', async () => {
  await using app = await makeTestApp();
  const known = new Set(app.server.knownRoutes.map(keyOf));
  // Only there when the web app is built.
  known.add('GET /*');
  assert.deepEqual(
    Object.keys(POLICIES).filter((key) => !known.has(key)),
    [],
  );
});

test('every route that changes something says how the audit log calls it', async () => {
  await using app = await makeTestApp();
  const silent = app.server.knownRoutes.filter(({ method, policy }) => method !== 'GET' && policy.audit === undefined);
  assert.deepEqual(silent.map(keyOf), []);
});

test('every route needs a signed-in person, unless the table says public', async () => {
  await using app = await makeTestApp();
  const owned = insertOwned(app);
  for (const route of app.server.knownRoutes) {
    if (route.policy.role === 'public') continue;
    const strangers = [{}, ...['nonsense', 'mock_nonsense', 'ts_nonsense'].map((token) => bearer(token))];
    for (const headers of strangers) {
      const reply = await call(app, route, fill(route.url, owned), headers);
      assert.equal(reply.statusCode, 401, keyOf(route));
    }
  }
});

test('every route refuses every role below the one in the table, and no other', async () => {
  for (const role of WORKSPACE_ROLES) {
    await using app = await makeTestApp();
    const owned = insertOwned(app);
    for (const route of app.server.knownRoutes) {
      const { policy } = route;
      if (policy.role === 'public') continue;
      // A fresh one each time: some routes end the session or the membership.
      const { headers } = app.person({ role, workspaceId: owned.person.workspace.id, isInstanceAdmin: true });
      const reply = await call(app, route, fill(route.url, owned), headers);
      const isRoleRefused = reply.statusCode === 403 && 'neededRole' in reply.json().error.details;
      assert.equal(isRoleRefused, !isAllowed(role, policy.role), `${keyOf(route)} as ${role}: ${reply.statusCode}`);
    }
  }
});

test('routes of the instance are for its administrators, whatever the role in the workspace', async () => {
  await using app = await makeTestApp();
  const owned = insertOwned(app);
  for (const route of app.server.knownRoutes.filter(({ policy }) => policy.instance === true)) {
    const reply = await call(app, route, fill(route.url, owned), owned.person.headers);
    assert.equal(reply.statusCode, 403, keyOf(route));
    const { headers } = app.person({ isInstanceAdmin: true });
    assert.notEqual((await call(app, route, fill(route.url, owned), headers)).statusCode, 403, keyOf(route));
  }
});

/** Accounts, the team, tokens, the audit log, the instance. */
const ABOUT_PEOPLE =
  /^\/api\/(auth|user|workspaces|invitations|instance)(\/|$)|^\/api\/workspace(\/(members|invitations|tokens|audit)|$)/;

test('an API token reaches what its scope allows and nothing that is about a person', async () => {
  await using app = await makeTestApp();
  const owned = insertOwned(app);
  const reach = { read: 'viewer', operate: 'member', manage: 'admin' } as const;
  for (const scope of ['read', 'operate', 'manage'] as const) {
    const form = { name: scope, scope, expiresInDays: null };
    const { secret } = createApiToken(app.accounts, owned.person, form, DEVICE);
    for (const route of app.server.knownRoutes) {
      const { role, session } = route.policy;
      if (role === 'public') continue;
      const reply = await call(app, route, fill(route.url, owned), bearer(secret));
      // Not by the table alone: a line of it that forgets the session would be taken at its word.
      const isOpen = session !== true && !ABOUT_PEOPLE.test(route.url) && isAllowed(reach[scope], role);
      assert.equal(reply.statusCode !== 403, isOpen, `${keyOf(route)} with ${scope}: ${reply.statusCode}`);
    }
  }
});

test('a token that is too narrow is told so, and which one would do; a role that is too low is told as a role', async () => {
  await using app = await makeTestApp();
  const owned = insertOwned(app);
  const form = { name: 'narrow', scope: 'read', expiresInDays: null } as const;
  const { secret } = createApiToken(app.accounts, owned.person, form, DEVICE);
  const url = '/api/pairs';
  const byToken = await app.server.inject({ method: 'POST', url, headers: bearer(secret) });
  assert.match(byToken.json().error.message, /scope of this token \("read"\) .* use a token with "manage"\.$/);
  const { headers } = app.person({ role: 'viewer' });
  const byRole = await app.server.inject({ method: 'POST', url, headers });
  assert.match(byRole.json().error.message, /^Your role in this workspace/);
});

test('a demo visitor reaches no route that the table keeps from the demo', async () => {
  await using app = await makeTestApp();
  const owned = insertOwned(app);
  for (const route of app.server.knownRoutes.filter(({ policy }) => policy.demo === false)) {
    const { headers } = app.person({ isDemo: true, isInstanceAdmin: true });
    assert.equal((await call(app, route, fill(route.url, owned), headers)).statusCode, 403, keyOf(route));
  }
});

test('protected actions ask again who is there, once the last proof is old', async () => {
  await using app = await makeTestApp();
  const owned = insertOwned(app);
  const { headers } = app.person({ workspaceId: owned.person.workspace.id, isInstanceAdmin: true });
  app.clock.advance(PROOF_MS + 1);
  const guarded = app.server.knownRoutes.filter(({ policy }) => policy.proved === true);
  assert.ok(guarded.length >= 12);
  for (const route of guarded) {
    const reply = await call(app, route, fill(route.url, owned), headers);
    assert.equal(reply.json().error.code, 'PROOF_REQUIRED', keyOf(route));
  }
  const wrong = await app.server.inject({
    method: 'POST',
    url: '/api/auth/prove',
    headers,
    payload: { password: 'no' },
  });
  assert.equal(wrong.json().error.code, 'WRONG_PASSWORD');
  const payload = { password: 'Secret-12' };
  assert.equal((await app.server.inject({ method: 'POST', url: '/api/auth/prove', headers, payload })).statusCode, 200);
  const form = { name: 'script', scope: 'read' };
  const made = await app.server.inject({ method: 'POST', url: '/api/workspace/tokens', headers, payload: form });
  assert.equal(made.statusCode, 201);
});

test("another workspace's ids are unknown on every route, and nothing is asked of the engine", async () => {
  await using app = await makeTestApp();
  const theirs = insertOwned(app);
  for (const route of app.server.knownRoutes) {
    const { url, policy } = route;
    if (!url.includes('/:id') || policy.instance === true) continue;
    const reply = await call(app, route, fill(url, theirs), app.person().headers);
    assert.equal(reply.statusCode, 404, keyOf(route));
  }
  const { world } = theirs;
  const { headers } = app.person();
  const bodies: [string, object][] = [
    ['/api/pairs', { woocommerceStoreId: world.storeIds.woocommerce, shopifyStoreId: world.storeIds.shopify }],
    ['/api/sync/manual', { pairId: world.pairId }],
    ['/api/sync/manual', { storeId: world.storeIds.shopify }],
  ];
  for (const [url, payload] of bodies) {
    const reply = await app.server.inject({ method: 'POST', url, headers, payload });
    assert.equal(reply.statusCode, 404, url);
  }
  assert.deepEqual(app.calls, []);
});

test('no list shows anything of another workspace, whatever it is filtered by', async () => {
  await using app = await makeTestApp();
  const theirs = insertOwned(app);
  const ids = [...Object.values(IDS).map((id) => id(theirs)), theirs.world.storeIds.shopify];
  for (const { method, url, policy } of app.server.knownRoutes) {
    if (method !== 'GET' || url.includes(':') || policy.role === 'public' || policy.instance === true) continue;
    const filters = ids.flatMap((id) => ['pairId', 'storeId', 'recordId', 'runId'].map((name) => `${name}=${id}`));
    for (const query of ['', ...filters]) {
      const reply = await app.server.inject({ url: `${url}?${query}`, headers: app.person().headers });
      for (const id of ids) assert.ok(!reply.body.includes(id), `${url}?${query} shows ${id}`);
    }
  }
});

function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}
