import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { updateStore } from '../../db/writers/stores.ts';
import type { StoreId } from '../../model/ids.ts';
import type { RawDelivery } from '../../ports/connector.ts';
import { insertWorld } from '../../testing/http/insert-world.ts';
import { makeTestApp } from '../../testing/http/make-test-app.ts';

type TestApp = Awaited<ReturnType<typeof makeTestApp>>;

const urls = new WeakMap<TestApp, string>();

/** Where a store of this app delivers to. */
function urlOf(app: TestApp): string {
  let url = urls.get(app);
  if (url === undefined) {
    url = `/api/webhooks/${insertWorld(app.db, app.person().workspace.id, app.clock.now()).storeIds.woocommerce}`;
    urls.set(app, url);
  }
  return url;
}

test('a webhook reaches the engine as the very bytes that were sent', async () => {
  const seen: RawDelivery[] = [];
  await using app = await makeTestApp({
    engine: {
      acceptDelivery: async (_storeId, delivery) => {
        seen.push(delivery);
        return 'stored';
      },
    },
  });
  const bodies = [Buffer.from('{ "id" : 1 }\n'), Buffer.from([0xff, 0, 0xfe]), Buffer.from('webhook_id=12')];
  const types = ['application/json', 'application/octet-stream', 'application/x-www-form-urlencoded'];
  for (const [n, payload] of bodies.entries()) {
    const reply = await app.server.inject({
      method: 'POST',
      url: urlOf(app),
      payload,
      headers: { 'content-type': types[n] ?? '', 'X-WC-Webhook-Signature': 'abc=' },
    });
    assert.equal(reply.statusCode, 200);
    assert.deepEqual(Buffer.from(seen[n]?.body ?? []), payload);
    assert.equal(seen[n]?.headers['x-wc-webhook-signature'], 'abc=');
  }
  const empty = await app.server.inject({ method: 'POST', url: urlOf(app) });
  assert.equal(empty.statusCode, 200);
  assert.equal(seen.at(-1)?.body.length, 0);
});

test('each outcome has its status', async () => {
  let outcome: 'stored' | 'duplicate' | 'not_authentic' | 'unknown_store' | 'ping' = 'stored';
  await using app = await makeTestApp({ engine: { acceptDelivery: async () => outcome } });
  const statuses = { stored: 200, duplicate: 200, ping: 200, not_authentic: 401, unknown_store: 404 };
  for (const [name, status] of Object.entries(statuses)) {
    outcome = name as typeof outcome;
    const reply = await app.server.inject({ method: 'POST', url: urlOf(app), payload: '{}' });
    assert.equal(reply.statusCode, status, name);
    // Of what is answered to a shop no browser makes a page.
    assert.match(String(reply.headers['content-security-policy']), /^default-src 'none'/, name);
    assert.equal(reply.headers['x-content-type-options'], 'nosniff', name);
    assert.equal(reply.headers['cache-control'], 'no-store', name);
  }
});

test('five megabytes are taken, more is 413: the engine sees nothing of it, and hears for which store it came', async () => {
  await using app = await makeTestApp({ engine: { acceptDelivery: async () => 'stored' as const } });
  const post = (size: number) =>
    app.server.inject({
      method: 'POST',
      url: urlOf(app),
      payload: Buffer.alloc(size, 'a'),
      headers: { 'content-type': 'application/json' },
    });
  assert.equal((await post(5 * 1024 * 1024)).statusCode, 200);
  const large = await post(10 * 1024 * 1024);
  assert.equal(large.statusCode, 413);
  assert.equal(large.json().error.code, 'BODY_TOO_LARGE');
  assert.equal(large.json().error.message, 'The body is too large: send at most 5 MB.');
  const storeId = urlOf(app).split('/').at(-1);
  assert.deepEqual(
    app.calls.map(({ name, args }) => [name, args[0], args.length]),
    [
      ['acceptDelivery', storeId, 2],
      ['noteLargeDelivery', storeId, 1],
    ],
  );
});

test('what is too large and comes from an address that a store does not hear is told to nobody', async () => {
  await using app = await makeTestApp();
  const me = app.person();
  const { shopify } = insertWorld(app.db, me.workspace.id, app.clock.now()).storeIds;
  const allowed = { method: 'PATCH', url: `/api/stores/${shopify}`, headers: me.headers } as const;
  await app.server.inject({ ...allowed, payload: { webhookSources: ['203.0.113.0/24'] } });
  const before = app.calls.length;
  const payload = Buffer.alloc(10 * 1024 * 1024, 'a');
  const reply = await app.server.inject({ method: 'POST', url: `/api/webhooks/${shopify}`, payload });
  assert.equal(reply.statusCode, 403);
  assert.equal(app.calls.length, before);
});

test('for a store that there is not, nothing of the body is taken in', async () => {
  await using app = await makeTestApp({ engine: { acceptDelivery: async () => 'stored' as const } });
  const payload = Buffer.alloc(10 * 1024 * 1024, 'a');
  const reply = await app.server.inject({ method: 'POST', url: '/api/webhooks/str_none', payload });
  assert.equal(reply.statusCode, 404, 'and not that it is too large');
  assert.equal(app.calls.length, 0);
});

test("a store's list of sources keeps other addresses out, signed or not; the proxy's own address counts for nothing", async () => {
  await using app = await makeTestApp({
    engine: { acceptDelivery: async () => 'stored' as const },
    deps: { trustedProxies: ['127.0.0.1'] },
  });
  const me = app.person();
  const world = insertWorld(app.db, me.workspace.id, app.clock.now());
  const { shopify, woocommerce } = world.storeIds;
  const allow = (webhookSources: string[] | null) =>
    app.server.inject({
      method: 'PATCH',
      url: `/api/stores/${shopify}`,
      headers: me.headers,
      payload: { webhookSources },
    });
  const deliver = async (storeId: string, from: string) => {
    const headers = { 'x-forwarded-for': from };
    const reply = await app.server.inject({ method: 'POST', url: `/api/webhooks/${storeId}`, headers, payload: '{}' });
    return reply.statusCode;
  };
  assert.equal(await deliver(shopify, '198.51.100.7'), 200);
  assert.equal((await allow(['not an address'])).statusCode, 422);
  const both = { name: 'Another name', webhookSources: ['not an address'] };
  const url = `/api/stores/${shopify}`;
  const half = await app.server.inject({ method: 'PATCH', url, headers: me.headers, payload: both });
  assert.equal(half.statusCode, 422);
  assert.deepEqual(
    app.calls.filter(({ name }) => name === 'renameStore'),
    [],
    'of a change that is refused nothing is done',
  );
  const set = await allow(['203.0.113.0/24', '2001:db8::/32']);
  assert.deepEqual(set.json().store.webhookSources, ['203.0.113.0/24', '2001:db8::/32']);
  assert.equal(await deliver(shopify, '203.0.113.200'), 200);
  assert.equal(await deliver(shopify, '2001:db8::5'), 200);
  for (const withPort of ['203.0.113.200:51234', '[2001:db8::5]:443', '[2001:db8::5]'])
    assert.equal(await deliver(shopify, withPort), 200, 'as Azure and IIS forward it');
  const before = app.calls.length;
  assert.equal(await deliver(shopify, '198.51.100.7'), 403);
  assert.equal(await deliver(shopify, '203.0.113.9, 198.51.100.7'), 403, 'what a caller claims before the proxy');
  assert.equal(app.calls.length, before, 'the engine never sees it');
  assert.equal(await deliver(woocommerce, '198.51.100.7'), 200, 'each store has its own list');
  assert.equal((await allow([])).statusCode, 200);
  assert.equal(await deliver(shopify, '198.51.100.7'), 200);
});

test('webhooks of the made-up stores come from this machine alone', async () => {
  await using app = await makeTestApp({ engine: { acceptDelivery: async () => 'stored' as const } });
  const url = urlOf(app);
  const from = async (remoteAddress: string) => {
    const reply = await app.server.inject({ method: 'POST', url, remoteAddress, payload: '{}' });
    return reply.statusCode;
  };
  assert.equal(await from('198.51.100.7'), 200);
  transact(app.db, (tx) => updateStore(tx, url.split('/').at(-1) as StoreId, { isSandbox: true }));
  assert.equal(await from('198.51.100.7'), 403);
  for (const own of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) assert.equal(await from(own), 200, own);
});
