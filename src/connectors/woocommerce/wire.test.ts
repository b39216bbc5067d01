import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import { createWooSandbox } from '../../sandbox/woocommerce/create-woo-sandbox.ts';
import { SeededRandom, seededRandomPort } from '../../testing/simulator/random.ts';
import { VirtualClock } from '../../testing/simulator/virtual-clock.ts';
import type { HttpRequest, HttpResponse } from '../shared/transport.ts';
import { createUndiciTransport } from '../shared/undici-transport.ts';
import { signedUrl } from './address.ts';
import { createWooConnector, type WooConnectorOptions } from './connector.ts';
import { signOauth } from './oauth.ts';
import { codeOf } from './refused-codes.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const json = (value: unknown, status = 200, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)),
});
const UNKNOWN_KEY = json(
  { code: 'woocommerce_rest_cannot_view', message: 'Sorry, you cannot list resources.', data: { status: 401 } },
  401,
);

function open(answer: (request: HttpRequest, url: URL) => HttpResponse, more: Partial<WooConnectorOptions> = {}) {
  const clock = new VirtualClock();
  clock.autoRun();
  const requests: HttpRequest[] = [];
  const connector = createWooConnector({
    url: 'https://shop.example',
    consumerKey: 'ck_1',
    consumerSecret: 'cs_1',
    webhookSecrets: ['s'],
    clock,
    random: seededRandomPort(new SeededRandom('wire'), clock),
    log: silent,
    info: { currency: 'USD', priceDecimals: 2, weightUnit: 'kg' },
    transport: async (request) => {
      requests.push(request);
      return answer(request, new URL(request.url));
    },
    ...more,
  });
  return { connector, requests };
}

const missing = json(
  { code: 'woocommerce_rest_product_invalid_id', message: 'Invalid ID.', data: { status: 404 } },
  404,
);

test('the key travels in a header; in the address only over TLS, and only when the header seems to be dropped', async () => {
  const dropping = open((_request, url) => (url.searchParams.has('consumer_secret') ? missing : UNKNOWN_KEY));
  await dropping.connector.readProducts(['1']);
  await dropping.connector.readProducts(['2']);
  assert.deepEqual(
    dropping.requests.map(({ url }) => url.includes('consumer_secret')),
    [false, true, true],
  );
  const unknown = open(() => UNKNOWN_KEY);
  await assert.rejects(
    unknown.connector.readProducts(['1']),
    (error) => error instanceof ConnectorError && error.kind === 'unauthorized',
  );
  await assert.rejects(unknown.connector.readProducts(['1']));
  assert.equal(unknown.requests.length, 3, 'the second way is not tried on every call');
});

test('[health] finding out how the key travels is no failure of the store; a key that no way proves is one', async () => {
  for (const url of ['https://shop.example', 'http://127.0.0.1:8080']) {
    const isOther = ({ searchParams }: URL) =>
      searchParams.has('consumer_secret') || searchParams.has('oauth_signature');
    const index = ({ pathname }: URL) => (pathname.includes('wc/v3') ? null : json({ home: url }));
    const answer = (asked: URL) => index(asked) ?? (isOther(asked) ? missing : UNKNOWN_KEY);
    const found = open((_request, asked) => answer(asked), { url }).connector;
    await found.readProducts(['1']);
    const { failureCount, lastErrorKind, callCount } = found.health();
    assert.deepEqual([failureCount, lastErrorKind, callCount >= 2], [0, null, true], url);
    const unknown = open((_request, asked) => index(asked) ?? UNKNOWN_KEY, { url }).connector;
    await assert.rejects(unknown.readProducts(['1']));
    assert.equal(unknown.health().lastErrorKind, 'unauthorized', url);
    const before = unknown.health().failureCount;
    await assert.rejects(unknown.readProducts(['1']));
    assert.equal(unknown.health().failureCount, before + 1, `${url}: sent in one way only`);
  }
});

test('calls that leave together while it is not known yet how to ask are all answered', async () => {
  for (const url of ['https://shop.example', 'http://127.0.0.1:8090']) {
    const isHeard = ({ searchParams }: URL) =>
      searchParams.has('consumer_secret') || searchParams.has('oauth_signature');
    // The first answer leads the first call to the other way, which has proved the key before the second answer comes.
    let hasProof = () => {};
    const proof = new Promise<void>((resolve) => {
      hasProof = resolve;
    });
    let unheard = 0;
    const { connector } = open(() => UNKNOWN_KEY, {
      url,
      transport: async (request) => {
        const asked = new URL(request.url);
        if (!asked.pathname.includes('wc/v3')) return json({ home: url });
        if (isHeard(asked)) {
          setImmediate(hasProof);
          return json([], 200, { 'x-wp-total': '0' });
        }
        unheard += 1;
        if (unheard > 1) await proof;
        return UNKNOWN_KEY;
      },
    });
    const scan = async () => {
      for await (const _page of connector.scan({ resume: null }));
    };
    await Promise.all([scan(), scan()]);
    assert.equal(unheard, 2, `${url}: both left before the way was known`);
  }
});

test('calls that leave together for a store with plain permalinks are all answered', async () => {
  let hasAnswer = () => {};
  const answer = new Promise<void>((resolve) => {
    hasAnswer = resolve;
  });
  let pretty = 0;
  const { connector } = open(() => missing, {
    transport: async (request) => {
      if (new URL(request.url).searchParams.has('rest_route')) {
        setImmediate(hasAnswer);
        return json([], 200, { 'x-wp-total': '0' });
      }
      pretty += 1;
      if (pretty > 1) await answer;
      return json('<html>Not found</html>', 404, { 'content-type': 'text/html' });
    },
  });
  const scan = async () => {
    for await (const _page of connector.scan({ resume: null }));
  };
  await Promise.all([scan(), scan()]);
  assert.equal(pretty, 2, 'neither knew of the detour when it left');
});

test('a key that has worked is not sent another way when it is revoked', async () => {
  let isRevoked = false;
  const { connector, requests } = open(() => (isRevoked ? UNKNOWN_KEY : json([], 200, { 'x-wp-total': '0' })));
  for await (const _page of connector.scan({ resume: null }));
  isRevoked = true;
  await assert.rejects(connector.readProducts(['1']));
  assert.ok(requests.every(({ url }) => !url.includes('cs_1')));
});

test('without TLS requests are signed and the secret stays here', async () => {
  const { connector, requests } = open(() => missing, { url: 'http://shop.lan:8080' });
  await connector.readProducts(['1']);
  assert.equal(requests.length, 2, 'the index, for the address that is signed, and the call');
  const request = requests.at(-1);
  const url = new URL(request!.url);
  assert.ok(requests.every(({ headers }) => headers['authorization'] === undefined));
  assert.equal(url.searchParams.get('oauth_signature_method'), 'HMAC-SHA256');
  assert.ok(!request?.url.includes('cs_1'));
});

test('a signed read that is repeated is signed anew: WooCommerce takes each nonce once', async () => {
  const strained = json('<html>Bad gateway</html>', 502);
  const reused = json(
    { code: 'woocommerce_rest_authentication_error', message: 'Invalid nonce', data: { status: 401 } },
    401,
  );
  const nonces = new Set<string>();
  const signatures = new Set<string>();
  let failures = 2;
  const { connector } = open(
    (_request, url) => {
      const nonce = url.searchParams.get('oauth_nonce');
      if (nonce === null) return json({ home: 'http://shop.lan' });
      if (nonces.has(nonce)) return reused;
      nonces.add(nonce);
      signatures.add(url.searchParams.get('oauth_signature') ?? '');
      failures -= 1;
      return failures >= 0 ? strained : missing;
    },
    { url: 'http://shop.lan' },
  );
  const [outcome] = await connector.readProducts(['1']);
  assert.ok(outcome && !outcome.ok && outcome.error.kind === 'not_found');
  assert.deepEqual([nonces.size, signatures.size], [3, 3]);
});

test('the way that looks at the key is kept, also when it refuses the key', async () => {
  const refused = json({ code: 'woocommerce_rest_authentication_error', message: 'Not yours.', data: null }, 401);
  const { connector, requests } = open(
    (_request, url) => (url.searchParams.has('oauth_signature') ? refused : UNKNOWN_KEY),
    { url: 'http://127.0.0.1:8080' },
  );
  for (let call = 0; call < 2; call += 1) {
    await assert.rejects(connector.readProducts(['1']), (error) => {
      return error instanceof ConnectorError && error.details.platformMessage === 'Not yours.';
    });
  }
  const isSigned = requests.map(({ url }) => url.includes('oauth_signature'));
  assert.deepEqual(
    isSigned,
    [false, false, true, true],
    'a header, the index for the home address, a signature, a signature',
  );
});

test('signatures are over the address that the site has for itself', () => {
  const route = '/wp-json/wc/v3/products';
  assert.equal(signedUrl(`http://127.0.0.1:80${route}`, 'http://localhost:8000'), `http://localhost:8000${route}`);
  assert.equal(signedUrl(`http://127.0.0.1/sub${route}`, 'http://localhost/sub'), `http://localhost/sub${route}`);
  assert.equal(
    signedUrl('http://127.0.0.1/', 'http://localhost'),
    'http://localhost',
    'no slash at the end of the home page',
  );
  assert.equal(signedUrl('http://127.0.0.1/sub/', 'http://localhost/sub/'), 'http://localhost/sub');
  assert.equal(
    signedUrl('http://127.0.0.1/shop/', 'https://localhost'),
    'http://localhost/shop/',
    'the scheme is ours',
  );
  assert.equal(signedUrl('http://127.0.0.1/shop/', null), 'http://127.0.0.1/shop/');
});

test('plain permalinks: whatever page comes in place of the API, ?rest_route= is tried, named so that keys count', async () => {
  const page = (status: number, headers: Record<string, string> = {}): HttpResponse => ({
    status,
    headers: { 'content-type': 'text/html', ...headers },
    body: new TextEncoder().encode('<!doctype html><title>Shop</title>'),
  });
  for (const first of [page(404), page(200), page(301, { location: 'https://shop.example/wp-json/wc/v3/products/' })]) {
    const { connector, requests } = open((_request, url) => (url.searchParams.has('rest_route') ? missing : first));
    const [outcome] = await connector.readProducts(['1']);
    assert.ok(outcome && !outcome.ok && outcome.error.kind === 'not_found', String(first.status));
    assert.match(requests[1]?.url ?? '', /\/\?rest_route=\/wc\/v3\/products\/1&via=wp-json\/wc\/&/);
  }
  const moved = open(() => page(301, { location: 'https://www.shop.example/' }));
  await assert.rejects(moved.connector.readProducts(['1']), /www\.shop\.example/);
  assert.equal(moved.requests.length, 1);
});

test('a store that loses its pretty permalinks later is asked by the detour from then on; one that is only away is not asked twice', async () => {
  const page: HttpResponse = { status: 404, headers: {}, body: new TextEncoder().encode('<!doctype html>') };
  let isLost = false;
  let isAway = false;
  const { connector, requests } = open((_request, url) =>
    isAway || (isLost && !url.searchParams.has('rest_route')) ? page : missing,
  );
  const read = () => connector.readProducts(['1']);
  await read();
  isAway = true;
  requests.length = 0;
  await assert.rejects(read);
  await assert.rejects(read);
  assert.equal(requests.length, 4, 'the detour and the envelope are looked for once');
  const other = open((_request, url) => (isLost && !url.searchParams.has('rest_route') ? page : missing));
  await other.connector.readProducts(['1']);
  isLost = true;
  for (const count of [3, 4]) {
    const [outcome] = await other.connector.readProducts(['1']);
    assert.ok(outcome && !outcome.ok && outcome.error.kind === 'not_found');
    assert.equal(other.requests.length, count);
  }
});

test('a detour that ends leads back to the usual way', async () => {
  const page: HttpResponse = { status: 404, headers: {}, body: new TextEncoder().encode('<!doctype html>') };
  let isMended = false;
  const { connector, requests } = open((_request, url) =>
    url.searchParams.has('rest_route') === isMended ? page : missing,
  );
  const read = async () => {
    const [outcome] = await connector.readProducts(['1']);
    assert.ok(outcome && !outcome.ok && outcome.error.kind === 'not_found');
  };
  await read();
  assert.equal(requests.length, 2);
  isMended = true;
  await read();
  await read();
  assert.deepEqual(
    requests.slice(2).map(({ url }) => new URL(url).searchParams.has('rest_route')),
    [true, false, false],
  );
});

test('a cache in front of the store, which keeps answers by their address, shows no old number', async () => {
  let stock = 4;
  const kept = new Map<string, ReturnType<typeof json>>();
  const { connector } = open((request, url) => {
    assert.equal(request.method, 'GET');
    const old = kept.get(url.href);
    if (old !== undefined) return old;
    const fresh = json(
      `{"id":7,"type":"simple","manage_stock":true,"stock_quantity":${stock},"meta_data":[],"date_created_gmt":"2026-01-02T00:00:00"}`,
    );
    kept.set(url.href, fresh);
    return fresh;
  });
  const read = async () => {
    const [outcome] = await connector.readStock(['p:7']);
    return outcome?.ok === true ? outcome.value : outcome;
  };
  const madeAt = Date.parse('2026-01-02T00:00:00Z');
  assert.deepEqual(await read(), { tracked: true, quantity: 4, stamp: null, madeAt });
  stock = 3;
  assert.deepEqual(await read(), { tracked: true, quantity: 3, stamp: null, madeAt });
});

test('OAuth signatures agree with a computation by hand of RFC 5849', () => {
  const signed = signOauth({
    method: 'get',
    url: 'http://shop.lan/wp-json/wc/v3/products',
    query: [
      ['per_page', '2'],
      ['include', '3,1'],
      ['search', "a b!'()*"],
    ],
    consumerKey: 'ck',
    consumerSecret: 'cs',
    nonce: 'n1',
    timestampS: 1_700_000_000,
  });
  // Computed with another language's library over the same base string.
  assert.equal(Object.fromEntries(signed)['oauth_signature'], EXPECTED_SIGNATURE);
});

const EXPECTED_SIGNATURE = 'PLmsL7WNah/6Wcww9HDEjTRnB5anCdcN56PAkTtRtS0=';

test('[C11] ids beyond 2^53 come and go exactly', async () => {
  const id = '9007199254740993';
  const child = '9007199254740995';
  const sellable =
    '"sku":"","regular_price":"1","sale_price":"","on_sale":false,"manage_stock":true,"stock_quantity":4,"backorders":"no","weight":"","meta_data":[],"status":"publish"';
  const product = `{"id":${id},"type":"variable","name":"Huge","slug":"h","description":"","catalog_visibility":"visible","tags":[],"images":[],"attributes":[{"id":0,"name":"Size","variation":true,"options":["S"]}],"variations":[${child}],${sellable}}`;
  const variation = `{"id":${child},"parent_id":${id},"attributes":[{"id":0,"name":"Size","option":"S"}],${sellable}}`;
  const bodies: string[] = [];
  const { connector } = open((request, url) => {
    const total = { 'x-wp-total': '1' };
    if (request.method !== 'GET') {
      bodies.push(String(request.body));
      return json(`{"update":[${variation}]}`);
    }
    if (url.pathname.endsWith('/variations')) return json(`[${variation}]`, 200, total);
    return url.pathname.endsWith('/products') ? json(`[${product}]`, 200, total) : json(product);
  });
  const [outcome] = await connector.readProducts([id]);
  assert.ok(outcome?.ok);
  assert.equal(outcome.value.externalId, id);
  assert.equal(outcome.value.variants[0]?.stockId, `v:${id}:${child}`);
  for await (const page of connector.scan({ resume: null })) assert.equal(page.snapshots[0]?.externalId, id);
  const { cursor } = await connector.listChanged(null);
  assert.equal((await connector.listChanged(cursor)).signals[0]?.externalId, id);
  await connector.writeStock([{ stockId: `v:${id}:${child}`, expected: 4, to: 3, key: 'k' }]);
  assert.match(bodies[0] ?? '', new RegExp(`"id":"${child}"`));
  const near = await connector.readProducts(['9007199254740992']);
  assert.equal(near[0]?.ok, false, 'another record than asked for is never taken for it');
});

test('byte order marks before an answer, lists that a plugin took something out of, and numbers that were text do no harm', async () => {
  const sellable = { sku: 4711, regular_price: 2, sale_price: 1, on_sale: '1', backorders: 'no', weight: 0.5 };
  const product = {
    ...{ id: 7, type: 'simple', status: 'publish', name: 'Mug', slug: 'm', description: '' },
    ...{ catalog_visibility: 'visible', images: [], attributes: [], variations: [], ...sellable },
    ...{ manage_stock: true, stock_quantity: 4, tags: { 1: { id: 3, name: 'Blue' } } },
    meta_data: { 0: { key: 'a', value: 1 }, 2: { key: '_twinshelf_stock', value: 'k' } },
  };
  const body = (value: unknown) => json(`\ufeff\n\ufeff${JSON.stringify(value)}`, 200, { 'x-wp-total': '1' });
  const { connector } = open(({ method }, { pathname }) =>
    body(method === 'POST' ? { update: [product] } : pathname.endsWith('/products') ? [product] : product),
  );
  const [outcome] = await connector.readProducts(['7']);
  assert.ok(outcome?.ok, JSON.stringify(outcome));
  assert.deepEqual(outcome.value.fields.tags, ['Blue']);
  const [own] = outcome.value.variants;
  const { sku, price, weightMg } = own!.fields;
  assert.deepEqual(
    { sku, price, weightMg },
    { sku: '4711', price: { regularMinor: 200, saleMinor: 100 }, weightMg: 500_000 },
  );
  assert.equal(own?.stock.stamp, 'k');
  const [stock] = await connector.readStock(['p:7']);
  assert.equal(stock?.ok && stock.value.stamp, 'k');
  const [written] = await connector.writeStock([{ stockId: 'p:7', expected: 4, to: 3, key: 'k' }]);
  assert.equal(written?.outcome, 'applied');
  assert.deepEqual([...(await connector.listBin())], [['sku:4711', { externalId: '7', title: 'Mug' }]]);
  assert.equal(codeOf({ sku: 4711 }, 'sku'), codeOf({ sku: '4711' }, 'sku'));
});

test('dates go as naive UTC with dates_are_gmt, never with a zone', async () => {
  const { connector, requests } = open(() =>
    json([], 200, { 'x-wp-total': '0', date: 'Sat, 21 Nov 2026 12:00:00 GMT' }),
  );
  await connector.findByMark({ pairId: 'p', hubId: 'h' }, Date.UTC(2026, 10, 21, 12));
  const { cursor } = await connector.listChanged(null);
  await connector.listChanged(cursor);
  const dated = requests.map(({ url }) => new URL(url).searchParams).filter((query) => query.has('modified_after'));
  assert.ok(dated.length >= 3);
  for (const query of dated) {
    assert.match(query.get('modified_after') ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    assert.equal(query.get('dates_are_gmt'), 'true');
  }
  assert.equal(dated.at(-1)?.get('modified_after'), '2026-11-21T11:58:00');
});

test('a redirect is never followed and says where to', async () => {
  const { connector, requests } = open(() => ({
    status: 301,
    headers: { location: 'https://www.shop.example/wp-json/wc/v3/products/1?x=1' },
    body: new Uint8Array(),
  }));
  await assert.rejects(connector.readProducts(['1']), (error) => {
    assert.ok(error instanceof ConnectorError && error.kind === 'unavailable');
    assert.match(error.message, /https:\/\/www\.shop\.example/);
    return true;
  });
  assert.equal(requests.length, 1);
});

test('a server that lets no PUT and no DELETE through is asked by POST, and at once from then on', async () => {
  const callback = 'https://twinshelf.example/webhooks/1';
  const topics = ['product.created', 'product.updated', 'product.deleted', 'product.restored'];
  for (const status of [403, 405, 501]) {
    const hooks = topics.map((topic, index) => ({
      ...{ id: index + 1, name: `old ${topic}`, topic, delivery_url: callback },
      status: index === 0 ? 'disabled' : 'active',
    }));
    const { connector, requests } = open(({ method }) => {
      if (method === 'PUT' || method === 'DELETE') return { ...json('<h1>Not allowed</h1>'), status };
      return method === 'GET' ? json(hooks, 200, { 'x-wp-totalpages': '1' }) : json(hooks[0]);
    });
    assert.deepEqual(await connector.ensureWebhooks(callback), { active: 4, repaired: 1 });
    const sent = requests.slice(1).map(({ method, url }) => {
      const { pathname, searchParams } = new URL(url);
      return `${method} ${pathname.slice('/wp-json/wc/v3'.length)} ${searchParams.get('_method') ?? ''}`.trim();
    });
    assert.deepEqual(sent, [
      ...['DELETE /webhooks/1', 'POST /webhooks/1 DELETE', 'POST /webhooks'],
      ...[2, 3, 4].map((id) => `POST /webhooks/${id} PUT`),
    ]);
  }
  const page = json('<h1>No robots</h1>');
  const shut = open(({ method }) => (method === 'GET' ? json([], 200) : { ...page, status: 403 }));
  await assert.rejects(shut.connector.ensureWebhooks(callback), { kind: 'unavailable' });
});

test('a closed connector and a cancelled call fail as ConnectorErrors', async () => {
  const { connector, requests } = open(() => missing);
  await assert.rejects(connector.readProducts(['1'], AbortSignal.abort()), ConnectorError);
  await connector.close();
  await assert.rejects(connector.readProducts(['1']), ConnectorError);
  assert.equal(requests.length, 0);
});

test('over real sockets: create, read, sell, write, scan, poll', async () => {
  const sandbox = createWooSandbox({});
  const { url } = await sandbox.listen();
  const { transport, close } = createUndiciTransport({ allowLocal: true });
  try {
    const connector = createWooConnector({
      url,
      consumerKey: 'ck_sandbox',
      consumerSecret: 'cs_sandbox',
      webhookSecrets: ['s'],
      clock: {
        now: () => Date.now(),
        brokenAt: () => 0,
        slowedAt: () => 0,
        wallNow: () => Date.now(),
        sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      },
      random: { id: (prefix) => `${prefix}${Math.random().toString(36).slice(2)}`, unit: () => Math.random() },
      log: silent,
      transport,
      requestsPerSecond: 200,
    });
    sandbox.controls.seed(150, 2);
    const { info, findings } = await connector.inspect();
    assert.equal(info?.productCount, 150);
    assert.deepEqual(
      findings.filter((finding) => finding.level === 'error'),
      [],
    );
    let count = 0;
    for await (const page of connector.scan({ resume: null })) count += page.snapshots.length;
    assert.equal(count, 150);
    const { cursor } = await connector.listChanged(null);
    const row = sandbox.controls.listShelf()[0]!;
    const stockId = `v:${row.productId}:${row.variationId}`;
    const [outcome] = await connector.writeStock([{ stockId, expected: 0, to: 77, key: 'key-1' }]);
    assert.equal(outcome?.outcome, 'applied');
    const [read] = await connector.readStock([stockId]);
    assert.deepEqual(read?.ok === true ? read.value : read, { tracked: true, quantity: 77, stamp: 'key-1' });
    const changed = await connector.listChanged(cursor);
    assert.ok(changed.signals.some(({ externalId }) => externalId === String(row.productId)));
    const health = connector.health();
    assert.equal(health.failureCount, 0);
    assert.ok((health.latencyP99Ms ?? -1) >= 0);
    await connector.close();
  } finally {
    await close();
    await sandbox.close();
  }
});
