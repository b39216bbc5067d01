import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import type { HttpRequest, HttpResponse } from '../shared/transport.ts';
import { createTokenSource } from './auth.ts';
import { createTestClock, jsonResponse } from './test-support.ts';

const SECRET = 'client-secret-of-the-app';

function setUp(respond: (count: number) => HttpResponse) {
  const clock = createTestClock();
  const requests: HttpRequest[] = [];
  const source = createTokenSource({
    auth: { type: 'client_credentials', clientId: 'id', clientSecret: SECRET },
    origin: 'https://my-shop.myshopify.com',
    clock,
    transport: async (request) => {
      requests.push(request);
      await Promise.resolve();
      return respond(requests.length);
    },
  });
  return { clock, requests, source };
}

const grant = (count: number) =>
  jsonResponse({ access_token: `token-${count}`, scope: 'write_products', expires_in: 86_399 });

test('a grant is asked for once, whoever waits, and renewed before it runs out', async () => {
  const { clock, requests, source } = setUp(grant);
  assert.deepEqual(await Promise.all([source.token(), source.token(), source.token()]), [
    'token-1',
    'token-1',
    'token-1',
  ]);
  assert.equal(requests.length, 1);
  assert.equal(requests[0]?.url, 'https://my-shop.myshopify.com/admin/oauth/access_token');
  assert.equal(requests[0]?.headers['content-type'], 'application/x-www-form-urlencoded');
  assert.deepEqual(Object.fromEntries(new URLSearchParams(String(requests[0]?.body))), {
    client_id: 'id',
    client_secret: SECRET,
    grant_type: 'client_credentials',
  });
  clock.advance(86_399_000 - 6 * 60_000);
  assert.equal(await source.token(), 'token-1');
  clock.advance(60_000);
  assert.equal(await source.token(), 'token-2', 'five minutes before it runs out');
});

test('who is told to end does not wait for a grant that does not come; the others still get it', async () => {
  let give: (response: HttpResponse) => void = () => undefined;
  const source = createTokenSource({
    auth: { type: 'client_credentials', clientId: 'id', clientSecret: SECRET },
    origin: 'https://my-shop.myshopify.com',
    clock: createTestClock(),
    transport: () => new Promise((resolve) => (give = resolve)),
  });
  const stop = new AbortController();
  const stopped = source.token(stop.signal);
  const other = source.token();
  stop.abort(new Error('the server is stopping'));
  await assert.rejects(stopped, /stopping/);
  give(grant(1));
  assert.equal(await other, 'token-1');
});

test('a refused token is replaced; one that was replaced meanwhile is not replaced again', async () => {
  const { requests, source } = setUp(grant);
  const token = await source.token();
  assert.equal(source.refuse(token), true);
  assert.ok(source.secrets().includes(token), '[C12] others may be under way with it');
  assert.equal(await source.token(), 'token-2');
  assert.ok(source.secrets().includes(token));
  assert.equal(source.refuse(token), true);
  assert.equal(await source.token(), 'token-2');
  assert.equal(requests.length, 2);
});

test('shop_not_permitted names the way out; other refusals are unauthorized too, and no secret is told', async () => {
  for (const [body, status, words] of [
    [
      { error: 'shop_not_permitted', error_description: 'Client credentials cannot be performed on this shop.' },
      400,
      /organisation that owns this shop, or use the Admin API token of a custom app/,
    ],
    [{ error: 'invalid_client' }, 401, /client ID and client secret/],
    [{ error: 'app_not_installed' }, 400, /not installed/],
    [{ error: 'something_else' }, 403, /something_else/],
  ] as const) {
    const { source } = setUp(() => jsonResponse(body, status));
    await assert.rejects(source.token(), (error) => {
      assert.ok(error instanceof ConnectorError);
      assert.equal(error.kind, 'unauthorized');
      assert.match(error.message, words);
      assert.ok(!JSON.stringify([error.message, error.details]).includes(SECRET));
      return true;
    });
  }
});

test('a shop that is frozen, locked, has moved or is asked too much keeps its credentials: they are not what is wrong', async () => {
  for (const [status, kind, words] of [
    [402, 'unavailable', /frozen until its owner/],
    [423, 'unavailable', /locked/],
    [404, 'unavailable', /no Shopify shop/],
    [301, 'unavailable', /another address/],
    [502, 'unavailable', /HTTP 502/],
    [429, 'rate_limited', /slow down/],
    [430, 'rate_limited', /slow down/],
  ] as const) {
    const { source, requests } = setUp(() => jsonResponse({ errors: `no, ${SECRET}` }, status));
    await assert.rejects(source.token(), (error) => {
      assert.ok(error instanceof ConnectorError);
      assert.equal(error.kind, kind, String(status));
      assert.match(error.message, words);
      assert.ok(!JSON.stringify([error.message, error.details]).includes(SECRET), '[C12]');
      return true;
    });
    assert.equal(requests.length, 3, 'and it is asked again');
  }
});

test('[C9] a shop that asks for patience before it gives a token gets it, and is left alone where it asks for more than a moment', async () => {
  const strained = (seconds: string) => jsonResponse('', 429, { 'retry-after': seconds });
  const { source, clock } = setUp((count) => (count === 1 ? strained('4') : grant(count)));
  assert.equal(await source.token(), 'token-2');
  assert.deepEqual(clock.slept, [4_000]);
  const long = setUp(() => strained('90'));
  await assert.rejects(
    long.source.token(),
    (error) => error instanceof ConnectorError && error.details.retryAfterMs === 90_000,
  );
  assert.equal(long.requests.length, 1);
});

test('a passing fault is asked through; a failure is not remembered', async () => {
  const { source, requests } = setUp((count) => (count === 1 ? jsonResponse('', 503) : grant(count)));
  assert.equal(await source.token(), 'token-2');
  assert.equal(requests.length, 2);
  const broken = setUp((count) => (count <= 3 ? jsonResponse('<html>') : grant(count)));
  await assert.rejects(broken.source.token(), (error) => error instanceof ConnectorError && error.kind === 'malformed');
  await assert.rejects(broken.source.token());
});

test('a token that never expires is what it is', async () => {
  const source = createTokenSource({
    auth: { type: 'token', accessToken: 'shpat_x', apiSecret: 'api-secret' },
    origin: 'https://my-shop.myshopify.com',
    clock: createTestClock(),
    transport: () => Promise.reject(new Error('never called')),
  });
  assert.equal(await source.token(), 'shpat_x');
  assert.equal(source.refuse('shpat_x'), false);
  assert.deepEqual(source.secrets(), ['shpat_x', 'api-secret']);
});
