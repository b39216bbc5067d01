import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { transact } from '../db/database.ts';
import { insertWorld } from '../testing/http/insert-world.ts';
import { makeTestApp } from '../testing/http/make-test-app.ts';
import { makeTempDir } from '../testing/support/temp-dir.ts';
import { answerTo } from './error-handler.ts';
import { findMisspelt } from './misspelt.ts';

test('health is 503 until ready, then 200 with the version', async () => {
  let isReady = false;
  await using app = await makeTestApp({ deps: { isReady: () => isReady } });
  const before = await app.server.inject('/api/health');
  assert.deepEqual([before.statusCode, before.json().status], [503, 'starting']);
  isReady = true;
  const after = await app.server.inject('/api/health');
  assert.equal(after.statusCode, 200);
  assert.deepEqual(after.json(), { status: 'ok', version: '0.0.0-test' });
});

test('health is 503 while the disk takes nothing', async () => {
  await using app = await makeTestApp();
  const health = async () => {
    const { statusCode, body } = await app.server.inject('/api/health');
    return [statusCode, JSON.parse(body).status];
  };
  const fail = (code: string) =>
    assert.throws(() =>
      transact(app.db, () => {
        throw Object.assign(new Error(code), { code });
      }),
    );
  fail('SQLITE_CONSTRAINT');
  assert.deepEqual(await health(), [200, 'ok']);
  fail('SQLITE_FULL');
  assert.deepEqual(await health(), [503, 'storage_failed']);
  app.db.disk.failedAtMs = performance.now() - 61_000;
  assert.deepEqual(await health(), [200, 'ok']);
});

test('every answer carries strict headers and a request id', async () => {
  await using app = await makeTestApp();
  const { headers } = await app.server.inject('/api/health');
  const csp = String(headers['content-security-policy']);
  assert.match(csp, /default-src 'none'/);
  assert.doesNotMatch(csp, /unsafe|upgrade-insecure/);
  assert.match(csp, /frame-ancestors 'none'/);
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['strict-transport-security'], undefined, 'not over plain http');
  assert.match(String(headers['x-request-id']), /^req_/);
  assert.equal(headers['access-control-allow-origin'], undefined);
  await using https = await makeTestApp({ deps: { publicUrl: 'https://sync.example.com' } });
  const reply = await https.server.inject('/api/health');
  assert.match(String(reply.headers['strict-transport-security']), /max-age=31536000/);
});

test('with a public address of https nothing is forced to https for who comes by another one', async () => {
  await using app = await makeTestApp({
    deps: { publicUrl: 'https://sync.example.com', trustedProxies: ['127.0.0.1'] },
  });
  const policy = async (headers: Record<string, string>) =>
    String((await app.server.inject({ url: '/api/health', headers })).headers['content-security-policy']);
  assert.match(await policy({ host: 'Sync.example.com' }), /;upgrade-insecure-requests$/);
  assert.match(await policy({ host: 'nas:8080', 'x-forwarded-proto': 'https' }), /;upgrade-insecure-requests$/);
  for (const host of ['nas:8080', '192.168.1.5:8080', '127.0.0.1:8080'])
    assert.match(await policy({ host }), /^default-src 'none';.*;frame-ancestors 'none'$/, host);
});

test('bad requests are answered in one form, and name what is wrong', async () => {
  await using app = await makeTestApp();
  const post = (payload: string | Buffer, type = 'application/json') =>
    app.server.inject({ method: 'POST', url: '/api/auth/login', payload, headers: { 'content-type': type } });
  const cases: [Awaited<ReturnType<typeof post>>, number, string][] = [
    [await post('{"a":'), 400, 'INVALID_JSON'],
    [await post('{"__proto__":{"x":1}}'), 400, 'INVALID_JSON'],
    [await post('a=1', 'application/x-www-form-urlencoded'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [await post('[]'), 422, 'VALIDATION'],
    [await post(''), 422, 'VALIDATION'],
    [await post(Buffer.alloc(300 * 1024, ' ')), 413, 'BODY_TOO_LARGE'],
    [await post('{"email":7}'), 422, 'VALIDATION'],
    [await app.server.inject('/api/nothing'), 404, 'NOT_FOUND'],
    [await app.server.inject('/api/auth/login'), 405, 'METHOD_NOT_ALLOWED'],
    [
      await app.server.inject({ method: 'DELETE', url: '/api/stores/sto_1/test-connection' }),
      405,
      'METHOD_NOT_ALLOWED',
    ],
    [await app.server.inject('/%zz'), 400, 'BAD_REQUEST'],
  ];
  for (const [reply, status, code] of cases) {
    const { error } = reply.json();
    assert.deepEqual([reply.statusCode, error.code], [status, code]);
    assert.ok(typeof error.message === 'string' && typeof error.requestId === 'string' && error.details !== undefined);
  }
  assert.equal((await app.server.inject('/api/auth/login')).headers.allow, 'POST');
  assert.match((await app.server.inject('/api/auth/login')).json().error.message, /^GET .* use POST\.$/);
  const saying = async (text: string) => (await post(text)).json().error.message;
  assert.equal(await saying('{\n"email": "a" "b"}'), 'The body is not valid JSON at position 15 (line 2 column 14).');
  assert.equal(await saying('{"a":"secret'), 'The body is not valid JSON at position 12 (line 1 column 13).');
  assert.match(await saying('{"__proto__":{"x":1}}'), /a key that is not allowed/);
  const nested = (depth: number) => `{"x":${'['.repeat(depth - 1)}"]["${']'.repeat(depth - 1)}}`;
  assert.equal(await saying(nested(64)), 'Please fill in all fields');
  assert.equal(await saying(nested(65)), 'The body is nested too deeply: at most 64 levels are read.');
  assert.equal((await post(nested(8_000))).statusCode, 400);
  assert.deepEqual((await post('{"email":7}')).json().error.details.fields, [
    { field: 'email', message: 'email: must be a string' },
  ]);
});

test('of strange names a hundred are compared with those that are known: no body costs more', () => {
  const strange = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x${n}`, 0]));
  const schema = Type.Object({
    syncDirection: Type.Optional(Type.String()),
    syncPrices: Type.Optional(Type.Object({})),
  });
  const looked = (count: number) => findMisspelt(schema, { ...strange(count), syncDirecton: '' });
  assert.deepEqual(looked(99), [{ instancePath: '/syncDirecton', meant: 'syncDirection' }]);
  assert.deepEqual(looked(100), []);
});

test('a name that is misspelt is told with the one that was meant; what nothing is near to is ignored', async () => {
  await using app = await makeTestApp();
  const { headers } = app.person();
  const stores = { woocommerceStoreId: 'str_1', shopifyStoreId: 'str_2' };
  const make = async (settings: object) =>
    (
      await app.server.inject({ method: 'POST', url: '/api/pairs', headers, payload: { ...stores, ...settings } })
    ).json().error;

  const misspelt = [
    [{ syncDirecton: 'woocommerce_to_shopify' }, 'syncDirecton', 'syncDirection'],
    [{ sync_direction: 'woocommerce_to_shopify' }, 'sync_direction', 'syncDirection'],
    [{ stockbuffer: 2 }, 'stockbuffer', 'stockBuffer'],
    [{ fieldMapping: { syncInventry: false } }, 'fieldMapping.syncInventry', 'syncInventory'],
  ] as const;
  for (const [settings, field, meant] of misspelt) {
    const { code, details } = await make(settings);
    assert.equal(code, 'VALIDATION');
    assert.deepEqual(details.fields, [{ field, message: `${field}: is not known here: did you mean ${meant}?` }]);
  }
  assert.equal((await make({ colour: 'green', syncDirection: 'woocommerce_to_shopify' })).code, 'NOT_FOUND');
  const runs = await app.server.inject({ url: '/api/sync/history?limt=1', headers });
  assert.match(runs.json().error.message, /^limt: .* limit\?$/);
  const record = await app.server.inject({ url: '/api/records/a.b', headers });
  assert.equal(record.json().error.message, 'id: is no id: take one as a list or a reply gives it');
});

test('a slash too many asks for the same; a method that is answered is never called another', async () => {
  await using app = await makeTestApp();
  const me = app.person();
  for (const url of ['/api/health/', '/api//health', '//api/health', '/api/health/?x=/']) {
    const reply = await app.server.inject(url);
    assert.deepEqual([reply.statusCode, reply.headers['cache-control']], [200, 'no-store'], url);
  }
  const login = { method: 'POST', url: '/api/auth/login/', payload: { email: 7 } } as const;
  assert.equal((await app.server.inject(login)).statusCode, 422);
  assert.equal((await app.server.inject('/api/auth/login/')).statusCode, 405);
  assert.equal((await app.server.inject('//api/stores')).statusCode, 401, 'as closed as without');
  assert.equal((await app.server.inject({ url: '/api//stores/', headers: me.headers })).statusCode, 200);
  using dir = makeTempDir();
  writeFileSync(dir.join('index.html'), '<!doctype html>shelf');
  await using built = await makeTestApp({ deps: { webDir: dir.path } });
  for (const { server } of [app, built])
    for (const method of ['GET', 'HEAD', 'DELETE'] as const) {
      const reply = await server.inject({ method, url: `/api/stores/${'a'.repeat(200)}` });
      assert.deepEqual([reply.statusCode, reply.headers.allow], [404, undefined], method);
    }
});

test('headers that are too large and what is no HTTP are refused in the same form', async () => {
  await using app = await makeTestApp();
  await app.server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.server.address() as { port: number };
  const say = async (text: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(text);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    return { status: Number(head.split(' ')[1]), error: JSON.parse(body).error };
  };
  const large = await say(`GET /api/health HTTP/1.1\r\nhost: x\r\nx-a: ${'x'.repeat(17_000)}\r\n\r\n`);
  assert.deepEqual([large.status, large.error.code], [431, 'HEADERS_TOO_LARGE']);
  const nonsense = await say('good day\r\n\r\n');
  assert.deepEqual([nonsense.status, nonsense.error.code], [400, 'BAD_REQUEST']);
  assert.match(nonsense.error.requestId, /^req_/);
});

test('a disk that takes nothing is told as such, with what to do', async () => {
  for (const code of ['SQLITE_FULL', 'SQLITE_READONLY_DBMOVED', 'SQLITE_IOERR_WRITE', 'ENOSPC', 'EROFS']) {
    const answer = answerTo(Object.assign(new Error(`${code} /var/lib/x`), { code }));
    assert.deepEqual([answer.status, answer.code, answer.details], [503, 'STORAGE_FAILED', {}]);
    assert.match(answer.message, /Free some space/);
  }
  assert.equal(answerTo(Object.assign(new Error('no such table'), { code: 'SQLITE_ERROR' })).code, 'INTERNAL');
});

test('what went wrong inside stays inside', async () => {
  await using app = await makeTestApp({
    engine: {
      acceptDelivery: async () => {
        throw new Error('secret path /var/lib/x');
      },
    },
  });
  const { storeIds } = insertWorld(app.db, app.person().workspace.id, app.clock.now());
  const url = `/api/webhooks/${storeIds.shopify}`;
  const reply = await app.server.inject({ method: 'POST', url, payload: '{}' });
  assert.equal(reply.statusCode, 500);
  assert.equal(reply.json().error.code, 'INTERNAL');
  assert.doesNotMatch(reply.body, /secret|stack|\.ts/);
  assert.match(app.log.text(), /secret path/);
});

test('the web app answers for pages, pre-compressed, and not for the API or missing files', async () => {
  using dir = makeTempDir();
  mkdirSync(dir.join('assets'));
  writeFileSync(dir.join('index.html'), '<!doctype html>shelf');
  writeFileSync(dir.join('assets', 'app-ABCDEF12.js'), 'let a = 1;');
  writeFileSync(dir.join('assets', 'app-ABCDEF12.js.gz'), gzipSync('let a = 1;'));
  await using app = await makeTestApp({ deps: { webDir: dir.path } });
  for (const url of ['/', '/dashboard', '/dashboard/', '//dashboard', '/plans/plan_1?action=create']) {
    const reply = await app.server.inject(url);
    assert.equal(reply.statusCode, 200, url);
    assert.match(reply.body, /shelf/);
    assert.equal(reply.headers['cache-control'], 'no-cache');
    assert.match(String(reply.headers['content-type']), /text\/html/);
  }
  const script = await app.server.inject({ url: '/assets/app-ABCDEF12.js', headers: { 'accept-encoding': 'gzip' } });
  assert.equal(script.headers['content-encoding'], 'gzip');
  assert.match(String(script.headers['cache-control']), /immutable/);
  assert.equal((await app.server.inject('/assets/missing.js')).statusCode, 404);
  assert.equal((await app.server.inject('/api/missing')).json().error.code, 'NOT_FOUND');
  for (const url of ['/../package.json', '/assets/..%2f..%2fpackage.json', '/assets/%2e%2e/%2e%2e/package.json']) {
    const reply = await app.server.inject(url);
    assert.ok([400, 404].includes(reply.statusCode), `${url}: ${reply.statusCode}`);
  }
});
