import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { FastifySchema } from 'fastify';
import { makeTestApp, type TestApp } from '../testing/http/make-test-app.ts';
import type { KnownRoute } from './plugins/authentication.ts';

/** Speaks websocket; and the files of the web app. */
const NO_CONTRACT = new Set(['GET /api/ws', 'GET /*']);

function described(app: TestApp): { key: string; route: KnownRoute; schema: FastifySchema }[] {
  return app.server.knownRoutes
    .map((route) => ({ key: `${route.method} ${route.url}`, route, schema: route.schemaOf() }))
    .filter(({ key }) => !NO_CONTRACT.has(key));
}

test('every route has a contract for its replies, its errors and the ids in its address', async () => {
  await using app = await makeTestApp();
  for (const { key, route, schema } of described(app)) {
    const statuses = Object.keys((schema.response ?? {}) as object);
    assert.ok(
      statuses.some((status) => /^[23]/.test(status)),
      `${key}: no contract for its reply`,
    );
    assert.ok(statuses.includes('4xx') && statuses.includes('5xx'), `${key}: no contract for its errors`);
    const names = [...route.url.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
    const { properties = {} } = (schema.params ?? {}) as { properties?: Record<string, unknown> };
    assert.deepEqual(Object.keys(properties), names, `${key}: no contract for its address`);
  }
});

test('every input is bounded: no text, list or number without an end', async () => {
  await using app = await makeTestApp();
  const unbounded = (schema: unknown, path: string): string[] => {
    const one = schema as Record<string, unknown>;
    if (Array.isArray(one['anyOf'])) return one['anyOf'].flatMap((part) => unbounded(part, path));
    if ('const' in one || 'enum' in one) return [];
    switch (one['type']) {
      case 'string':
        return 'maxLength' in one ? [] : [path];
      case 'array':
        return 'maxItems' in one ? unbounded(one['items'], `${path}[]`) : [path];
      case 'object':
        return Object.entries((one['properties'] ?? {}) as object).flatMap(([name, part]) =>
          unbounded(part, `${path}.${name}`),
        );
      default:
        return [];
    }
  };
  for (const { key, schema } of described(app)) {
    for (const part of [schema.body, schema.querystring, schema.params]) {
      if (part !== undefined) assert.deepEqual(unbounded(part, key), []);
    }
  }
});

test('a route without a schema for its body or query never sees one', async () => {
  await using app = await makeTestApp();
  const { headers } = app.person();
  for (const { key, route, schema } of described(app)) {
    if (schema.body !== undefined || route.method === 'GET' || route.url.includes('webhooks')) continue;
    const url = route.url.replace(':id', 'none');
    const call = (payload: object) =>
      app.server.inject({ method: route.method as 'POST', url, headers: app.person().headers, payload });
    const [plain, loaded] = [await call({}), await call({ role: 'owner', id: 7, x: ['y'] })];
    assert.equal(loaded.statusCode, plain.statusCode, key);
  }
  const me = await app.server.inject({ url: '/api/auth/me?x[]=1&__proto__[a]=1', headers });
  assert.equal(me.statusCode, 200);
});

test('every answer carries the security headers: pages, replies, errors, and what does not exist', async () => {
  await using app = await makeTestApp({ deps: { publicUrl: 'https://sync.example.com' } });
  for (const url of ['/api/health', '/api/docs', '/api/stores', '/api/none', '/%ff', '/none']) {
    const { headers } = await app.server.inject(url);
    const csp = String(headers['content-security-policy']);
    if (url === '/%ff') continue;
    assert.match(csp, /default-src 'none'/, url);
    assert.match(csp, /frame-ancestors 'none'/, url);
    assert.doesNotMatch(csp, /unsafe|\*|http:/, url);
    assert.equal(headers['x-content-type-options'], 'nosniff', url);
    assert.equal(headers['referrer-policy'], 'no-referrer', url);
    assert.match(String(headers['strict-transport-security']), /max-age=31536000/, url);
    assert.match(String(headers['permissions-policy']), /camera=\(\)/, url);
    assert.equal(headers['x-powered-by'], undefined, url);
    assert.equal(headers['server'], undefined, url);
  }
});

test('no other origin is let in: no CORS headers, no preflight, no cookie for the API', async () => {
  await using app = await makeTestApp();
  const origin = 'https://evil.example';
  for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
    const reply = await app.server.inject({
      method,
      url: '/api/auth/login',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
      ...(method === 'POST' ? { payload: { email: 'a@b.cd', password: 'x' } } : {}),
    });
    const names = Object.keys(reply.headers).filter((name) => name.startsWith('access-control'));
    assert.deepEqual(names, [], method);
    if (method === 'OPTIONS') assert.equal(reply.statusCode, 405);
  }
  // What a page of another origin can send without a preflight is not JSON, and is refused.
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const headers = { 'content-type': type, origin };
    const reply = await app.server.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers,
      payload: '{"email":"a"}',
    });
    assert.equal(reply.statusCode, 415, type);
  }
});

test('bodies, headers and addresses have an end', async () => {
  await using app = await makeTestApp();
  const body = await app.server.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: 'x'.repeat(300_000), password: 'x' },
  });
  assert.equal(body.statusCode, 413);
  const { headers } = app.person();
  const long = await app.server.inject({ url: `/api/stores/${'a'.repeat(200)}`, headers });
  assert.ok([400, 404, 414, 422].includes(long.statusCode), String(long.statusCode));
  const address = await app.server.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  const answer = new Promise<string>((resolve, reject) => {
    socket.on('data', (chunk) => resolve(chunk.toString()));
    socket.on('error', reject);
  });
  socket.write(`GET /api/health HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(20_000)}\r\n\r\n`);
  assert.match(await answer, /^HTTP\/1\.1 431/);
  socket.destroy();
});

test('a proxy that is not declared is told of once, and a stranger who claims to be one never', async () => {
  const told = async (remoteAddress: string, headers: Record<string, string>, trustedProxies: string[] = []) => {
    await using app = await makeTestApp({ deps: { trustedProxies } });
    for (const url of ['/api/health', '/api/health', '/api/webhooks/none'])
      await app.server.inject({ method: 'GET', url, remoteAddress, headers });
    return app.log.lines.filter(({ level }) => level === 'warn');
  };
  const forwarded = { 'x-forwarded-for': '203.0.113.9' };
  const [warning, ...more] = await told('172.18.0.1', forwarded);
  assert.match(JSON.stringify(warning), /"proxy":"172\.18\.0\.1".*Set TRUSTED_PROXIES/);
  assert.deepEqual(more, []);
  assert.equal((await told('::ffff:127.0.0.1', { forwarded: 'for=203.0.113.9' })).length, 1);
  assert.deepEqual(await told('172.18.0.1', forwarded, ['172.16.0.0/12']), []);
  assert.deepEqual(await told('198.51.100.7', forwarded), [], 'anybody can send that');
  assert.deepEqual(await told('127.0.0.1', {}), []);
});

test('addresses that are not there are counted like others, and nothing that is sent to them is taken in', async () => {
  await using app = await makeTestApp();
  const send = (url: string, payload: string) =>
    app.server.inject({ method: 'POST', url, headers: { 'content-type': 'application/json' }, payload });
  const statuses = new Map<number, number>();
  for (let n = 0; n < 6_010; n += 1) {
    const { statusCode } = await send(n % 2 === 0 ? '/api/nothing' : '/api/health', '{"no": json');
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
  }
  assert.deepEqual(
    [...statuses],
    [
      [404, 3_000],
      [405, 3_000],
      [429, 10],
    ],
  );
  assert.equal((await send('/api/nothing', '{}')).json().error.code, 'RATE_LIMITED');
});

test('requests of nobody are counted like others, each once, before anybody is looked up; what is free stays free', async () => {
  await using app = await makeTestApp();
  const { headers } = app.person();
  const ask = (method: 'GET' | 'POST', url: string, how: object = {}) => app.server.inject({ method, url, ...how });
  const count = async (times: number, work: () => ReturnType<typeof ask>) => {
    const statuses: Record<number, number> = {};
    for (let n = 0; n < times; n += 1) {
      const { statusCode } = await work();
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
    }
    return statuses;
  };
  // A route with a limit of its own has it for strangers as well, and a count of its own.
  assert.deepEqual(await count(61, () => ask('POST', '/api/auth/prove', { payload: {} })), { 401: 60, 429: 1 });
  const stranger = { headers: { authorization: 'Bearer ts_nobody' } };
  assert.deepEqual(await count(3_000, () => ask('GET', '/api/pairs', stranger)), { 401: 3_000 });
  assert.deepEqual(await count(3_000, () => ask('GET', '/api/auth/me', { headers })), { 200: 3_000 });
  assert.deepEqual(await count(2, () => ask('GET', '/api/pairs', stranger)), { 429: 2 });
  assert.equal((await ask('GET', '/api/pairs', { headers })).json().error.code, 'RATE_LIMITED');
  assert.equal((await ask('GET', '/api/health')).statusCode, 200);
  assert.equal((await ask('POST', '/api/webhooks/str_none', { payload: 'x' })).statusCode, 404);
});

test('what is open to everyone takes no more than it needs', async () => {
  await using app = await makeTestApp();
  for (const { method, url, policy } of app.server.knownRoutes) {
    if (policy.role !== 'public' || method === 'GET' || url.startsWith('/api/webhooks/')) continue;
    const reply = await app.server.inject({
      method: method as 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      payload: `"${'x'.repeat(url === '/api/contact' ? 256 * 1024 : 16 * 1024)}"`,
    });
    assert.equal(reply.statusCode, 413, url);
  }
});

test('a source is slowed down without harm to others; a forwarded address counts from a trusted proxy only', async () => {
  await using open = await makeTestApp();
  await using proxied = await makeTestApp({ deps: { trustedProxies: ['127.0.0.1', '10.0.0.0/8'] } });
  const tries = async (app: TestApp, forwarded: (n: number) => string) => {
    let refused = 0;
    for (let n = 0; n < 30; n++) {
      const headers = { 'x-forwarded-for': forwarded(n) };
      const reply = await app.server.inject({ method: 'POST', url: '/api/auth/signup', headers, payload: {} });
      if (reply.statusCode === 429) refused += 1;
    }
    return refused;
  };
  assert.equal(await tries(open, (n) => `203.0.113.${n}`), 10, 'nobody trusted: the header is a mere claim');
  assert.equal(await tries(proxied, (n) => `203.0.113.${n}`), 0, 'each its own');
  await using azure = await makeTestApp({ deps: { trustedProxies: ['127.0.0.1'] } });
  assert.equal(
    await tries(azure, (n) => `203.0.113.9:${50_000 + n}`),
    10,
    'the port that some proxies add is no source',
  );
  assert.equal(await tries(azure, (n) => `[2001:db8::${n}]:443`), 10);
  const refused = await open.server.inject({ method: 'POST', url: '/api/auth/signup', payload: {} });
  const { code, details } = refused.json().error;
  assert.deepEqual([refused.statusCode, code], [429, 'RATE_LIMITED']);
  assert.ok(details.retryAfterMs > 0 && details.retryAfterMs <= 60_000, 'the body says how long to wait, too');
  assert.equal(Number(refused.headers['retry-after']) * 1000, details.retryAfterMs);
  // The rightmost address that is no proxy of ours is who called; what stands left of it anyone can write.
  assert.equal(await tries(proxied, (n) => `198.51.100.${n}, 192.0.2.7, 10.1.2.3`), 10);
});

test('messages that somebody has sent at will are bounded: the receiver may be a stranger', async () => {
  await using app = await makeTestApp();
  const { headers } = app.person();
  const post = async (url: string, payload?: object) => {
    const reply = await app.server.inject({ method: 'POST', url, headers, ...(payload ? { payload } : {}) });
    return { status: reply.statusCode, body: reply.json() };
  };
  const { body } = await post('/api/webhook-endpoints', { url: 'https://example.com/hooks' });
  const path = `/api/webhook-endpoints/${body.endpoint._id}`;
  const first = await post(`${path}/test`);
  const again = `${path}/messages/${first.body.messageId}/replay`;
  for (let n = 1; n < 60; n += 1) assert.equal((await post(`${path}/test`)).status, 202);
  assert.equal((await post(`${path}/test`)).status, 429);
  for (let n = 0; n < 60; n += 1) assert.equal((await post(again)).status, 202);
  assert.equal((await post(again)).status, 429);
});
