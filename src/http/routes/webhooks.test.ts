import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawDelivery } from '../../ports/connector.ts';
import { makeTestApp } from '../../testing/http/make-test-app.ts';

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
      url: '/api/webhooks/str_1',
      payload,
      headers: { 'content-type': types[n] ?? '', 'X-WC-Webhook-Signature': 'abc=' },
    });
    assert.equal(reply.statusCode, 200);
    assert.deepEqual(Buffer.from(seen[n]?.body ?? []), payload);
    assert.equal(seen[n]?.headers['x-wc-webhook-signature'], 'abc=');
  }
  const empty = await app.server.inject({ method: 'POST', url: '/api/webhooks/str_1' });
  assert.equal(empty.statusCode, 200);
  assert.equal(seen.at(-1)?.body.length, 0);
});

test('each outcome has its status', async () => {
  let outcome: 'stored' | 'duplicate' | 'not_authentic' | 'unknown_store' | 'ping' = 'stored';
  await using app = await makeTestApp({ engine: { acceptDelivery: async () => outcome } });
  const statuses = { stored: 200, duplicate: 200, ping: 200, not_authentic: 401, unknown_store: 404 };
  for (const [name, status] of Object.entries(statuses)) {
    outcome = name as typeof outcome;
    const reply = await app.server.inject({ method: 'POST', url: '/api/webhooks/str_1', payload: '{}' });
    assert.equal(reply.statusCode, status, name);
  }
});

test('five megabytes are taken, more is 413, and the engine never sees it', async () => {
  await using app = await makeTestApp({ engine: { acceptDelivery: async () => 'stored' as const } });
  const post = (size: number) =>
    app.server.inject({
      method: 'POST',
      url: '/api/webhooks/str_1',
      payload: Buffer.alloc(size, 'a'),
      headers: { 'content-type': 'application/json' },
    });
  assert.equal((await post(5 * 1024 * 1024)).statusCode, 200);
  const large = await post(10 * 1024 * 1024);
  assert.equal(large.statusCode, 413);
  assert.equal(large.json().error.code, 'BODY_TOO_LARGE');
  assert.equal(app.calls.length, 1);
});
