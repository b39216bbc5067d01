import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { claimRequest, DEMO_REPLIES_MAX, keepReply, REPLIES_MAX } from '../accounts/idempotency.ts';
import type { Principal } from '../accounts/open-session.ts';
import { INSTANCE_BYTES_MAX } from '../accounts/reply-room.ts';
import { RESOLUTIONS_MAX } from '../contracts/conflicts.ts';
import type { ErrorReply } from '../contracts/errors.ts';
import { OPERATIONS } from '../contracts/operations.ts';
import { DAY_MS, MINUTE_MS } from '../lib/time.ts';
import { Refusal } from '../model/refusal.ts';
import { WORKSPACE_ROLES } from '../model/role.ts';
import { post, register } from '../testing/http/account-client.ts';
import { insertWorld } from '../testing/http/insert-world.ts';
import { makeTestApp, type TestApp, type TestPerson } from '../testing/http/make-test-app.ts';

interface Described {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly 'x-error-codes': Record<string, unknown>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Record<string, { readonly content: Record<string, { readonly schema: object }> }>;
}

test('the description names every route of the router, with words, parameters and shapes', async () => {
  await using app = await makeTestApp();
  const described = (await app.server.inject('/api/openapi.json')).json() as Described;
  assert.equal(described.openapi, '3.1.0');
  const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      key: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      path,
      operation,
    })),
  );
  const known = app.server.knownRoutes
    .map(({ method, url }) => `${method} ${url}`)
    .filter((key) => key !== 'GET /api/ws' && key !== 'GET /*');
  assert.deepEqual(operations.map(({ key }) => key).sort(), known.sort());
  assert.deepEqual(Object.keys(OPERATIONS).sort(), known.sort(), 'say in contracts/operations.ts what each route does');
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length, 'operationId is unique');
  for (const { key, path, operation } of operations) {
    assert.notEqual(operation.summary, '', key);
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    assert.deepEqual(
      operation.parameters.filter((one) => one.in === 'path').map((one) => one.name),
      names,
      key,
    );
    const statuses = Object.keys(operation.responses);
    assert.ok(statuses.some((status) => /^[23]\d\d$/.test(status)) && statuses.includes('4XX'), key);
    for (const { content } of Object.values(operation.responses)) {
      for (const { schema } of Object.values(content)) assert.equal(typeof schema, 'object', key);
    }
  }
  assert.ok('VALIDATION' in described['x-error-codes']);
  assert.match(JSON.stringify(described), new RegExp(`"enum":\\["${WORKSPACE_ROLES.join('","')}"\\]`));
});

test('the descriptions are made when somebody first asks, and not for each who does', async () => {
  await using app = await makeTestApp();
  let looks = 0;
  for (const route of app.server.knownRoutes) {
    const { schemaOf } = route;
    Object.assign(route, {
      schemaOf() {
        looks += 1;
        return schemaOf();
      },
    });
  }
  const urls = ['/api/openapi.json', '/api/client.ts', '/api/docs', '/api/docs/'];
  const read = async () => {
    const replies = [];
    for (const url of urls) replies.push(await app.server.inject(url));
    return replies.map(({ headers, body }) => [headers['content-type'], body]);
  };
  const first = await read();
  const made = looks;
  assert.ok(made > 0);
  assert.deepEqual(await read(), first);
  assert.equal(looks, made);
});

test('shapes that have a name stand once, and every reference leads to one', async () => {
  await using app = await makeTestApp();
  const text = (await app.server.inject('/api/openapi.json')).body;
  const { components } = JSON.parse(text) as { components: { schemas: Record<string, object> } };
  const used = new Set([...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name));
  assert.deepEqual([...used].sort(), Object.keys(components.schemas).sort());
  for (const name of ['Store', 'Pair', 'RecordSummary', 'ErrorReply']) assert.ok(used.has(name), name);
  const shapes = Object.values(components.schemas).map((shape) => JSON.stringify(shape));
  assert.equal(new Set(shapes).size, shapes.length, 'no shape has two names');
});

test('the page shows every route, runs no script and loads nothing from elsewhere', async () => {
  await using app = await makeTestApp();
  const { body, headers } = await app.server.inject('/api/docs');
  assert.match(String(headers['content-type']), /text\/html/);
  for (const { url } of app.server.knownRoutes.filter((route) => route.url !== '/api/ws'))
    assert.ok(body.includes(url), url);
  assert.doesNotMatch(body, /<script|<[^>]*\s(style|on\w+)=|(src|href)="(https?:)?\/\//i);
  for (const url of ['/api/docs', '/api/docs/', '/api/docs/?x=/']) {
    const html = (await app.server.inject(url)).body;
    const links = [...html.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, link = '']) => link);
    assert.deepEqual(
      links.map((link) => new URL(link, `https://example.com/shelf${url}`).pathname),
      ['/shelf/api/docs/style.css', '/shelf/api/openapi.json', '/shelf/api/client.ts'],
      `${url} under a sub-path`,
    );
  }
  const style = await app.server.inject('/api/docs/style.css');
  assert.match(String(style.headers['content-type']), /text\/css/);
});

test('an unchanged read is not sent again; a changed one is, and what is about people never says how old it is', async () => {
  await using app = await makeTestApp({ engine: { renameStore: () => undefined } });
  const me = app.person();
  const world = insertWorld(app.db, me.workspace.id, app.clock.now());
  const read = (etag = '') =>
    app.server.inject({
      url: '/api/stores',
      headers: { ...me.headers, ...(etag === '' ? {} : { 'if-none-match': etag }) },
    });
  const first = await read();
  const etag = String(first.headers['etag']);
  assert.match(etag, /^W\/"[\w-]{27}"$/);
  const second = await read(etag);
  assert.deepEqual([second.statusCode, second.body, second.headers['etag']], [304, '', etag]);
  app.db.connection.prepare('UPDATE store SET name = ? WHERE id = ?').run('Renamed', world.storeIds.shopify);
  const third = await read(etag);
  assert.equal(third.statusCode, 200);
  assert.notEqual(third.headers['etag'], etag);
  const account = await app.server.inject({ url: '/api/auth/me', headers: me.headers });
  assert.equal(account.headers['etag'], undefined);
  assert.equal(account.headers['cache-control'], 'no-store');
});

test('a POST with an Idempotency-Key happens once, and its answer is given again', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const bob = await register(app, { email: 'bob@example.com' });
  const create = (token: string, key: string, name: string) =>
    app.server.inject({
      method: 'POST',
      url: '/api/workspaces',
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
      payload: { name },
    });
  const first = await create(ada.accessToken, 'k-1', 'Second');
  const again = await create(ada.accessToken, 'k-1', 'Second');
  assert.equal(first.statusCode, 201);
  assert.deepEqual([again.statusCode, again.body], [201, first.body]);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.match(String(again.headers['content-type']), /application\/json/);
  assert.equal((await create(ada.accessToken, 'k-1', 'Third')).json().error.code, 'IDEMPOTENCY_KEY_REUSED');
  assert.notEqual(
    (await create(bob.accessToken, 'k-1', 'Second')).body,
    first.body,
    "another person's key is another key",
  );
  assert.equal((await create(ada.accessToken, 'k 2', 'Fourth')).statusCode, 422);
  const list = await ada.call<{ workspaces: unknown[] }>('GET', '/api/workspaces');
  assert.equal(list.body.workspaces.length, 2);
  const stored = app.db.connection.prepare('SELECT body FROM idempotent_reply').pluck().all();
  assert.ok(
    stored.every((body) => body === null || /^v1\./.test(String(body))),
    'sealed: a reply may carry a secret',
  );
});

/** A key of a workspace that was used now, and whose answer takes `bytes`. */
function spendKey({ db, clock }: TestApp, workspaceId: string, bytes: number): void {
  const sql = 'INSERT INTO idempotent_reply (id, workspace_id, fingerprint, bytes, created_at) VALUES (?, ?, ?, ?, ?)';
  db.connection.prepare(sql).run(randomUUID(), workspaceId, '', bytes, clock.now());
}

test('one workspace can use 10,000 keys within a day, and a day later others', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const bob = await register(app, { email: 'bob@example.com' });
  const create = (key: string, { accessToken } = ada) =>
    app.server.inject({
      method: 'POST',
      url: '/api/workspaces',
      headers: { authorization: `Bearer ${accessToken}`, 'idempotency-key': key },
      payload: { name: 'Second' },
    });
  const first = await create('k-1');
  for (let n = 1; n < REPLIES_MAX.keys; n += 1) spendKey(app, ada.user.workspace._id, 0);
  const refused = await create('k-2');
  const { code, message } = refused.json().error;
  assert.deepEqual([refused.statusCode, code, refused.headers['retry-after']], [429, 'RATE_LIMITED', '86400']);
  assert.match(message, /10,000 Idempotency-Keys/);
  assert.equal((await create('k-1')).body, first.body, 'what was done is answered for');
  assert.equal((await create('k-2', bob)).statusCode, 201, "another workspace's are its own");
  app.db.connection
    .prepare('UPDATE idempotent_reply SET created_at = created_at - ? WHERE status IS NOT NULL')
    .run(DAY_MS);
  assert.equal((await create('k-2')).statusCode, 201);
});

/** A hundred conflicts that there are not: an answer of 17 KB that changes nothing. */
async function settle(app: TestApp, { headers }: TestPerson, key: string) {
  const conflictId = 'x'.repeat(64);
  const choices = Array.from({ length: RESOLUTIONS_MAX }, () => ({ conflictId, version: 0, choice: 'hub' }));
  const reply = await app.server.inject({
    method: 'POST',
    url: '/api/conflicts/resolutions',
    headers: { ...headers, 'idempotency-key': key },
    payload: { choices },
  });
  return { status: reply.statusCode, error: reply.json<Partial<ErrorReply>>().error };
}

test('what is kept of answers to a visitor of the demo takes little room, in keys and in bytes', async () => {
  await using app = await makeTestApp();
  const [visitor, other] = [app.person({ isDemo: true }), app.person({ isDemo: true })];
  const bytesOf = ({ workspace }: TestPerson) =>
    app.db.connection
      .prepare<[string], number>('SELECT sum(length(body)) FROM idempotent_reply WHERE workspace_id = ?')
      .pluck()
      .get(workspace.id) ?? 0;
  let last = await settle(app, visitor, 'k-0');
  for (let n = 1; n < 100 && last.status === 200; n += 1) last = await settle(app, visitor, `k-${n}`);
  assert.equal(last.error?.code, 'RATE_LIMITED');
  assert.match(last.error?.message ?? '', /^The kept answers of this workspace take up 1 MB, the most there may be\./);
  assert.ok(bytesOf(visitor) > 900_000 && bytesOf(visitor) < 1_100_000, `${bytesOf(visitor)} bytes`);
  assert.equal((await settle(app, visitor, 'k-0')).status, 200, 'what was done is answered for');
  assert.equal((await settle(app, other, 'k-0')).status, 200, "another visitor's are their own");
  for (let n = 1; n < DEMO_REPLIES_MAX.keys; n += 1) spendKey(app, other.workspace.id, 0);
  assert.match((await settle(app, other, 'k-1')).error?.message ?? '', /^This workspace has used 300 Idempotency-Keys/);
});

test('what is kept of answers takes bounded room: of a workspace, and of all together', async () => {
  await using app = await makeTestApp();
  const [ada, bob] = [app.person(), app.person()];
  spendKey(app, ada.workspace.id, REPLIES_MAX.bytes - 500);
  assert.equal((await settle(app, ada, 'k-1')).status, 200);
  const { error } = await settle(app, ada, 'k-2');
  assert.match(error?.message ?? '', /^The kept answers of this workspace take up 20 MB/);
  assert.equal(error?.details['retryAfterMs'], DAY_MS);

  // Room for one answer and a half, of one who has had a megabyte.
  spendKey(app, bob.workspace.id, 1_000_000);
  const { total, answer } = app.db.connection
    .prepare('SELECT sum(bytes) AS total, min(bytes) AS answer FROM idempotent_reply')
    .get() as { total: number; answer: number };
  spendKey(app, 'ws_others', INSTANCE_BYTES_MAX - total - Math.round(1.5 * answer));
  app.clock.advance(MINUTE_MS);
  assert.equal((await settle(app, bob, 'k-1')).status, 200);
  assert.equal((await settle(app, bob, 'k-2')).status, 200, 'it is counted once a minute, and each answer at once');
  const full = await settle(app, bob, 'k-3');
  assert.match(full.error?.message ?? '', /^The kept answers of all workspaces take up 100 MB/);
  assert.equal(full.error?.details['retryAfterMs'], DAY_MS - MINUTE_MS);
  assert.equal((await settle(app, bob, 'k-1')).status, 200, 'what was done is answered for');
  assert.equal((await settle(app, app.person(), 'k-1')).status, 200, 'who has had little is not shut out by others');
  app.db.connection.exec("DELETE FROM idempotent_reply WHERE workspace_id = 'ws_others'");
  app.clock.advance(MINUTE_MS);
  assert.equal((await settle(app, bob, 'k-3')).status, 200);
});

test('an answer that is kept is not given up when sending it fails', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const principal = { user: ada.user, workspace: { id: ada.user.workspace._id } } as unknown as Principal;
  const request = { principal, route: 'POST /api/x', key: 'k-1', body: null };
  const first = claimRequest(app.accounts, request);
  assert.equal(first.type, 'first');
  const id = first.type === 'first' ? first.id : '';
  keepReply(app.accounts, id, 201, '{"made":1}');
  keepReply(app.accounts, id, 503, '{}');
  assert.deepEqual(claimRequest(app.accounts, request), { type: 'again', status: 201, body: '{"made":1}' });
});

test('what failed on our side is tried anew under the same key, and one at work is waited for', async () => {
  let attempts = 0;
  let release: (() => void) | null = null;
  await using app = await makeTestApp({
    engine: {
      connectStore: async () => {
        attempts += 1;
        if (attempts === 1) throw new Error('disk full');
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        throw new Error('never mind');
      },
    },
  });
  const me = app.person();
  const connect = () =>
    app.server.inject({
      method: 'POST',
      url: '/api/stores/connect',
      headers: { ...me.headers, 'idempotency-key': 'c-1' },
      payload: {
        name: 'Woo',
        platform: 'woocommerce',
        url: 'https://x.example',
        consumerKey: 'ck',
        consumerSecret: 'cs',
      },
    });
  assert.equal((await connect()).statusCode, 500);
  const slow = connect();
  while (release === null) await new Promise((resolve) => setImmediate(resolve));
  assert.equal((await connect()).json().error.code, 'IDEMPOTENCY_IN_PROGRESS');
  (release as () => void)();
  assert.equal((await slow).statusCode, 500);
  assert.equal(attempts, 2);
});

test('a refusal keeps no key: once its reason is gone, the same request is done', async () => {
  let isPaused = true;
  await using app = await makeTestApp({
    engine: {
      discardPlan() {
        if (isPaused) throw new Refusal('PAIR_PAUSED', 'This pair is paused. Resume it first.');
      },
    },
  });
  const me = app.person();
  const { planId } = insertWorld(app.db, me.workspace.id, app.clock.now());
  const discard = () =>
    app.server.inject({
      method: 'POST',
      url: `/api/plans/${planId}/discard`,
      headers: { ...me.headers, 'idempotency-key': 'd-1' },
    });
  assert.equal((await discard()).json().error.code, 'PAIR_PAUSED');
  isPaused = false;
  const done = await discard();
  assert.deepEqual([done.statusCode, done.headers['idempotent-replayed']], [200, undefined]);
  assert.equal((await discard()).headers['idempotent-replayed'], 'true');
  assert.equal(app.calls.filter(({ name }) => name === 'discardPlan').length, 2);
});

test('every list with pages refuses a cursor that is none, and a page without end', async () => {
  await using app = await makeTestApp();
  const ada = await register(app);
  const paged = app.server.knownRoutes.filter(({ url, schemaOf }) => {
    const { properties = {} } = (schemaOf().querystring ?? {}) as { properties?: Record<string, unknown> };
    return 'cursor' in properties && !url.includes(':');
  });
  assert.ok(paged.length >= 8);
  for (const { url } of paged) {
    assert.equal((await ada.call('GET', `${url}?cursor=nonsense`)).status, 422, url);
    assert.equal((await ada.call('GET', `${url}?limit=100000`)).status, 422, url);
  }
});

test('unknown routes under /api answer in the shape of every error', async () => {
  await using app = await makeTestApp();
  const { status, body } = await post(app, '/api/nothing/here', {});
  assert.equal(status, 404);
  assert.equal(body.error.code, 'NOT_FOUND');
});
