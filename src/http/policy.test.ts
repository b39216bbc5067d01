import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { insertWorld, type World } from '../testing/http/insert-world.ts';
import { makeTestApp } from '../testing/http/make-test-app.ts';
import type { AccessTokens } from './access-token.ts';
import type { HttpDeps } from './deps.ts';
import { addAuthentication } from './plugins/authentication.ts';
import { isAllowed, POLICIES, type WorkspaceRole } from './policy.ts';
import type { Server } from './types.ts';

const ROLES: readonly WorkspaceRole[] = ['owner', 'admin', 'member', 'viewer'];
const IDS: Readonly<Record<string, keyof World | 'store'>> = {
  stores: 'store',
  pairs: 'pairId',
  plans: 'planId',
  sync: 'runId',
  runs: 'runId',
  records: 'productId',
  conflicts: 'conflictId',
  problems: 'problemId',
};

/** Every route that the router itself knows. */
function listRoutes(server: Server): { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; url: string; key: string }[] {
  return Object.keys(POLICIES).map((key) => {
    const [method, url] = key.split(' ') as ['GET', string];
    assert.ok(key === 'GET /*' || server.hasRoute({ method, url }), `${key} is in the policy table but not registered`);
    return { method, url, key };
  });
}

function fill(url: string, world: World): string {
  const resource = url.split('/')[2] ?? '';
  const key = IDS[resource];
  const id = key === undefined || key === 'store' ? world.storeIds.woocommerce : String(world[key]);
  return url.replace(':storeId', world.storeIds.woocommerce).replace(':id', id);
}

test('a route that is not in the policy table can not be registered', async () => {
  const server: Server = Fastify();
  addAuthentication(server, {} as HttpDeps, {} as AccessTokens);
  assert.throws(() => server.get('/api/secret', async () => 'open'), /policy\.ts/);
  await server.close();
});

test('every route needs a signed-in person, unless the table says public', async () => {
  await using app = await makeTestApp();
  const world = insertWorld(app.db, app.person().workspace.id, app.clock.now());
  for (const { method, url, key } of listRoutes(app.server)) {
    if (POLICIES[key]?.role === 'public') continue;
    for (const headers of [{}, { authorization: 'Bearer nonsense' }, { authorization: 'Bearer mock_nonsense' }]) {
      const reply = await app.server.inject({ method, url: fill(url, world), headers });
      assert.equal(reply.statusCode, 401, key);
    }
  }
});

test('every route refuses every role below the one in the table, and no other', async () => {
  await using app = await makeTestApp();
  const { id: workspaceId } = app.person().workspace;
  const world = insertWorld(app.db, workspaceId, app.clock.now());
  for (const role of ROLES) {
    const { headers } = app.person({ role, workspaceId });
    for (const { method, url, key } of listRoutes(app.server)) {
      const needed = POLICIES[key]?.role ?? 'public';
      if (needed === 'public') continue;
      const body = method === 'GET' || method === 'DELETE' ? {} : { payload: {} };
      const reply = await app.server.inject({ method, url: fill(url, world), headers, ...body });
      assert.equal(reply.statusCode === 403, !isAllowed(role, needed), `${key} as ${role}: ${reply.statusCode}`);
    }
  }
});

test("another workspace's ids are unknown on every route, and nothing is asked of the engine", async () => {
  await using app = await makeTestApp();
  const mine = app.person();
  const theirs = insertWorld(app.db, app.person().workspace.id, app.clock.now());
  const BODIES: Readonly<Record<string, unknown>> = {
    'POST /api/plans/:id/apply': { hash: 'h1' },
    'POST /api/conflicts/:id/resolution': { choice: 'hub', expectedVersion: 3 },
    'POST /api/records/:id/count': { variantId: 'var_1', quantity: 1 },
    'PATCH /api/stores/:id': { name: 'Mine now' },
  };
  for (const { method, url, key } of listRoutes(app.server)) {
    if (!url.includes(':id')) continue;
    const payload = method === 'GET' || method === 'DELETE' ? {} : { payload: BODIES[key] ?? {} };
    const reply = await app.server.inject({ method, url: fill(url, theirs), headers: mine.headers, ...payload });
    assert.equal(reply.statusCode, 404, key);
  }
  const bodies: [string, object][] = [
    ['/api/pairs', { woocommerceStoreId: theirs.storeIds.woocommerce, shopifyStoreId: theirs.storeIds.shopify }],
    ['/api/sync/manual', { pairId: theirs.pairId }],
    ['/api/sync/manual', { storeId: theirs.storeIds.shopify }],
  ];
  for (const [url, payload] of bodies) {
    const reply = await app.server.inject({ method: 'POST', url, headers: mine.headers, payload });
    assert.equal(reply.statusCode, 404, url);
  }
  for (const url of [
    '/api/stores',
    '/api/pairs',
    '/api/sync/history',
    '/api/records',
    '/api/conflicts',
    '/api/problems',
    '/api/activity',
    '/api/dashboard/overview',
  ]) {
    const reply = await app.server.inject({ url, headers: mine.headers });
    assert.equal(reply.statusCode, 200, url);
    assert.doesNotMatch(reply.body, new RegExp(theirs.pairId), url);
  }
  assert.deepEqual(app.calls, []);
});
