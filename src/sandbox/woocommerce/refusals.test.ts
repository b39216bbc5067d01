import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { BASIC, call, createTestStore, sample } from './test-client.ts';

test('error bodies are the recorded ones, to the letter', async () => {
  const { call } = createTestStore({
    imageError: () => "cURL error 7: Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server",
  });
  await call('POST', '/products', { name: 'a', sku: 'SIMPLE-1', global_unique_id: '4006381333931' });
  await call('POST', '/products/categories', { name: 'Shirts' });
  const cases: [string, string, string, unknown, number][] = [
    ['error_404_product', 'GET', '/products/999999', undefined, 404],
    ['error_404_put', 'PUT', '/products/999999', { name: 'x' }, 400],
    ['error_404_route', 'GET', '/nothing-here', undefined, 404],
    ['error_404_route', 'DELETE', '/products', undefined, 404],
    [
      'error_batch_limit',
      'POST',
      '/products/batch',
      { create: Array.from({ length: 101 }, () => ({ name: 'x' })) },
      413,
    ],
    ['error_frac', 'PUT', '/products/11', { stock_quantity: 1.5 }, 400],
    ['error_stock_string', 'PUT', '/products/11', { stock_quantity: 'many' }, 400],
    ['error_global_unique_id_duplicated', 'POST', '/products', { name: 'b', global_unique_id: '4006381333931' }, 400],
    ['error_image_bad', 'POST', '/products', { name: 'b', images: [{ src: 'http://127.0.0.1:1/x.png' }] }, 400],
    ['error_invalid_json', 'POST', '/products', '{"name":', 400],
    ['error_name_int', 'POST', '/products', { name: 12 }, 400],
    ['error_price_number', 'POST', '/products', { name: 'b', regular_price: 12 }, 400],
    ['error_rest_invalid_param', 'GET', '/products?per_page=101', undefined, 400],
    ['error_sku_duplicated', 'POST', '/products', { name: 'b', sku: 'SIMPLE-1' }, 400],
    ['error_status_bad', 'POST', '/products', { name: 'b', status: 'live' }, 400],
    ['error_term_exists', 'POST', '/products/categories', { name: 'Shirts' }, 400],
    ['error_type_bad', 'POST', '/products', { name: 'b', type: 'bundle' }, 400],
    ['error_webhook_topic', 'POST', '/webhooks', { topic: 'no.topic', delivery_url: 'https://example.test/' }, 400],
  ];
  for (const [name, method, path, body, status] of cases) {
    const answer = await call(method, path, body);
    assert.deepEqual(answer.body, sample(name), name);
    assert.equal(answer.status, status, name);
  }
});

test('a nested value of the wrong type is named by its place', async () => {
  const { call } = createTestStore();
  const { body } = await call('POST', '/products', { name: 'x', categories: [{ id: 'abc' }] });
  assert.equal(body.data.params.categories, 'categories[0][id] is not of type integer.');
});

test('missing arguments are listed', async () => {
  const { call } = createTestStore();
  const { status, body } = await call('POST', '/webhooks', {});
  assert.equal(status, 400);
  assert.equal(body.code, 'rest_missing_callback_param');
  assert.deepEqual(body.data.params, ['topic', 'delivery_url']);
});

test('_envelope puts the whole answer, refusals too, into the body of a 200, which a host that replaces each 404 lets through', async () => {
  const { sandbox, call } = createTestStore();
  const get = () => sandbox.app.inject({ url: '/wp-json/wc/v3/products/999999', headers: { authorization: BASIC } });
  const body = sample('error_404_product');
  const enveloped = { body, status: 404, headers: {} };
  assert.deepEqual((await call('GET', '/products/999999?_envelope=1')).body, enveloped);
  for (const pageFor404 of [404, 200]) {
    sandbox.controls.setHost({ pageFor404 });
    const { statusCode, payload } = await get();
    assert.deepEqual([statusCode, payload.startsWith('<!DOCTYPE html>')], [pageFor404, true]);
    assert.deepEqual((await call('GET', '/products/999999?_envelope=1')).body, enveloped);
    assert.equal((await call('GET', '/products')).status, 200);
  }
});

test('keys: unknown, wrong secret, read-only, write-only', async () => {
  const { sandbox } = createTestStore({
    keys: [
      { key: 'ck_r', secret: 's', permissions: 'read' },
      { key: 'ck_w', secret: 's', permissions: 'write' },
    ],
  });
  const as = async (method: 'GET' | 'POST', key: string, secret: string, payload?: object) => {
    const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
    return sandbox.app.inject({
      method,
      url: '/wp-json/wc/v3/products',
      headers: { authorization },
      ...(payload ? { payload } : {}),
    });
  };
  const unknown = await as('GET', 'ck_x', 's');
  assert.equal(unknown.statusCode, 401);
  assert.deepEqual(unknown.json(), sample('error_401_unknown_key'));
  const wrong = await as('GET', 'ck_r', 'x');
  assert.deepEqual(wrong.json(), sample('error_401_bad_secret'));
  assert.match(String(wrong.headers['www-authenticate']), /^Basic realm/);
  assert.deepEqual((await as('POST', 'ck_r', 's', { name: 'x' })).json(), sample('error_401_read_only_key'));
  assert.equal((await as('GET', 'ck_r', 's')).statusCode, 200);
  assert.equal((await as('POST', 'ck_w', 's', { name: 'x' })).statusCode, 201);
  assert.match((await as('GET', 'ck_w', 's')).json().message, /does not have read permissions/);
});

test('keys in the query work too', async () => {
  const { sandbox } = createTestStore({ stripAuthorization: true });
  const get = (query: string) =>
    sandbox.app.inject({ url: `/wp-json/wc/v3/products${query}`, headers: { authorization: BASIC } });
  assert.equal((await get('')).statusCode, 401, 'the host strips the header');
  assert.equal((await get('?consumer_key=ck_sandbox&consumer_secret=cs_sandbox')).statusCode, 200);
});

test('with requireHttps keys in clear text go unread', async () => {
  const { sandbox } = createTestStore({ requireHttps: true });
  const get = (headers: Record<string, string>) =>
    sandbox.app.inject({ url: '/wp-json/wc/v3/products', headers: { authorization: BASIC, ...headers } });
  const plain = await get({});
  assert.equal(plain.statusCode, 401);
  assert.equal(plain.json().code, 'woocommerce_rest_cannot_view');
  assert.equal((await get({ 'x-forwarded-proto': 'https' })).statusCode, 200);
});

test('parameters are checked before an anonymous request is refused', async () => {
  const { sandbox } = createTestStore();
  const bad = await sandbox.app.inject({ url: '/wp-json/wc/v3/products?per_page=0' });
  assert.equal(bad.json().code, 'rest_invalid_param');
  const put = await sandbox.app.inject({ method: 'PUT', url: '/wp-json/wc/v3/products/1', payload: { name: 'x' } });
  assert.equal(put.json().code, 'woocommerce_rest_cannot_edit');
});

test('host quirks: redirect, maintenance page, base path, plain permalinks', async () => {
  const { sandbox } = createTestStore({ basePath: '/shop', siteUrl: 'https://example.test/shop' });
  const get = (url: string) => sandbox.app.inject({ url, headers: { authorization: BASIC } });
  assert.equal((await get('/shop/wp-json/wc/v3/products')).statusCode, 200);
  assert.equal((await get('/shop/?rest_route=/wc/v3/products&via=wp-json/wc/')).statusCode, 200);
  assert.match(String((await get('/wp-json/wc/v3/products')).headers['content-type']), /text\/html/);
  const index = (await get('/shop/wp-json/')).json();
  assert.equal(index.url, 'https://example.test/shop');
  assert.equal(index.timezone_string, 'America/New_York');
  assert.ok(index.namespaces.includes('wc/v3'));
  sandbox.controls.setHost({ redirectTo: 'https://www.example.test' });
  const moved = await get('/shop/wp-json/?a=1');
  assert.equal(moved.statusCode, 301);
  assert.equal(moved.headers['location'], 'https://www.example.test/shop/wp-json/?a=1');
  sandbox.controls.setHost({ redirectTo: null, maintenance: true });
  const down = await get('/shop/wp-json/wc/v3/products');
  assert.equal(down.statusCode, 503);
  assert.equal(down.headers['retry-after'], '600');
  assert.match(down.body, /scheduled maintenance/);
  const url = '/shop/wp-json/wc/v3/products';
  const asData = await sandbox.app.inject({ method: 'GET', url, headers: { accept: 'application/json' } });
  assert.deepEqual([asData.statusCode, asData.headers['retry-after'], asData.json().code], [503, '600', 'wp_die']);
});

test('without pretty permalinks only ?rest_route= answers', async () => {
  const { sandbox } = createTestStore({ prettyPermalinks: false });
  const get = (url: string) => sandbox.app.inject({ url, headers: { authorization: BASIC } });
  assert.equal((await get('/wp-json/wc/v3/products')).statusCode, 404);
  const plain = await get('/?rest_route=/wc/v3/products&per_page=1&via=wp-json/wc/');
  assert.equal(plain.statusCode, 200);
  assert.match(String(plain.headers['link']), /index\.php\?rest_route=/);
});

test('faults: status, dropped connections before and after, revoked keys', async () => {
  const store = createTestStore();
  const { sandbox } = store;
  sandbox.controls.setFault({ fault: { kind: 'status', status: 429, retryAfterS: 7 }, times: 1, method: 'GET' });
  const limited = await sandbox.app.inject({ url: '/wp-json/wc/v3/products', headers: { authorization: BASIC } });
  assert.equal(limited.statusCode, 429);
  assert.equal(limited.headers['retry-after'], '7');
  assert.equal((await store.call('GET', '/products')).status, 200, 'once only');
  sandbox.controls.setFault(({ method }) => (method === 'POST' ? { kind: 'drop', when: 'after' } : undefined));
  await assert.rejects(call(sandbox, 'POST', '/products', { name: 'landed', sku: 'L' }));
  assert.equal((await store.call('GET', '/products?sku=L')).body.length, 1, 'the write had taken effect');
  sandbox.controls.setFault(() => ({ kind: 'drop', when: 'before' }));
  await assert.rejects(call(sandbox, 'POST', '/products', { name: 'lost', sku: 'M' }));
  sandbox.controls.setFault(() => ({ kind: 'key_revoked' }));
  assert.equal((await store.call('GET', '/products')).status, 401);
  sandbox.controls.setFault(null);
  assert.equal((await store.call('GET', '/products?sku=M')).body.length, 0);
  assert.equal(sandbox.stats.calls['POST /wc/v3/products'], 2);
});

test('OAuth 1.0a: the signature is over the site’s own address, in time, and once', async () => {
  const { sandbox, clock } = createTestStore({
    siteUrl: 'http://localhost:8000/shop',
    basePath: '/shop',
    requireHttps: true,
  });
  const nowS = Math.floor(clock.nowMs / 1000);
  const sign = (url: string, query: Record<string, string>, secret: string) => {
    const enc = (text: string) => encodeURIComponent(text).replaceAll('*', '%2A');
    const pairs = Object.entries(query).map(([name, value]) => `${enc(name)}=${enc(value)}`);
    const text = ['GET', enc(url), enc(pairs.sort().join('&'))].join('&');
    return createHmac('sha256', `${secret}&`).update(text).digest('base64');
  };
  let nonce = 0;
  const ask = async (
    path: string,
    { over = `http://localhost:8000${path}`, secret = 'cs_sandbox', ...changes }: Record<string, string> = {},
  ) => {
    nonce += 1;
    const query: Record<string, string> = {
      per_page: '2',
      oauth_consumer_key: 'ck_sandbox',
      oauth_nonce: `n${nonce}`,
      oauth_signature_method: 'HMAC-SHA256',
      oauth_timestamp: String(nowS),
      ...changes,
    };
    const search = new URLSearchParams({ ...query, oauth_signature: sign(over, query, secret) });
    const answer = await sandbox.app.inject({ url: `${path}?${search.toString().replaceAll('%2F', '/')}` });
    return answer.statusCode === 200 ? 200 : answer.json().message;
  };
  const path = '/shop/wp-json/wc/v3/products';
  assert.equal(await ask(path), 200);
  const mismatch = 'Invalid signature - provided signature does not match.';
  assert.equal(await ask(path, { over: `http://127.0.0.1:8000${path}` }), mismatch, 'not the one that was asked by');
  assert.equal(await ask(path, { secret: 'cs_wrong' }), mismatch);
  assert.equal(await ask(path, { oauth_consumer_key: 'ck_unknown' }), 'Consumer key is invalid.');
  assert.equal(await ask(path, { oauth_timestamp: String(nowS - 901) }), 'Invalid timestamp.');
  assert.equal(await ask(path, { oauth_timestamp: String(nowS + 901) }), 'Invalid timestamp.');
  assert.equal(await ask(path, { oauth_nonce: 'n1' }), 'Invalid nonce - nonce has already been used.');
  assert.equal(await ask(path, { oauth_nonce: '' }), 'Missing OAuth parameter oauth_nonce');
  const plain = { rest_route: '/wc/v3/products', over: 'http://localhost:8000/shop' };
  assert.equal(await ask('/shop/', plain), 'Sorry, you cannot list resources.', 'no key is looked for');
  assert.equal(await ask('/shop/', { ...plain, via: 'wp-json/wc/' }), 200);
});

test('without pretty permalinks keys count only where the address names the API all the same', async () => {
  const { sandbox } = createTestStore({ prettyPermalinks: false });
  const get = async (url: string) => (await sandbox.app.inject({ url, headers: { authorization: BASIC } })).statusCode;
  assert.equal(await get('/?rest_route=/wc/v3/products'), 401);
  assert.equal(await get('/?rest_route=/wc/v3/products&via=wp-json%2Fwc%2F'), 401);
  assert.equal(await get('/?rest_route=/wc/v3/products&via=wp-json/wc/'), 200);
});
