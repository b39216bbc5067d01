// The generated client, as a stranger uses it: fetched from the running server, and against it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ApiError, type Client, createClient, paginate } from '../../../web/api/client.gen.ts';
import type { RecordSummary } from '../../contracts/records.ts';
import type { Store } from '../../contracts/stores.ts';
import { ROOT } from '../source-files.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { startLinkedApp } from './start-linked-app.ts';

test('the generated client lists, acts once, and fails with a code; the server serves the very file', async () => {
  using dir = makeTempDir();
  const products = ['Vase', 'Bowl', 'Mug'].map((title) => ({ title, sku: title.toUpperCase() }));
  await using app = await startLinkedApp(dir.path, products);
  const { url } = app.running.app;
  const client = createClient({ baseUrl: `${url}/`, token: () => app.makeToken('operate') });

  const served = await fetch(`${url}/api/client.ts`);
  assert.equal(served.headers.get('content-type'), 'text/plain; charset=utf-8');
  const file = join(ROOT, 'web/api/client.gen.ts');
  const remedy = 'run: node scripts/generate-client.ts';
  assert.ok((await served.text()) === readFileSync(file, 'utf8'), remedy);

  // Held by the compiler: what the contracts say and what the client says is one thing.
  const stores: Store[] = (await client.listStores()).stores;
  assert.deepEqual(stores.map(({ name }) => name).sort(), ['Garden Shop', 'Garden Studio']);
  const found: RecordSummary[] = [];
  let pages = 0;
  for await (const page of paginate(client.listRecords, { query: { limit: 2, state: 'level' } })) {
    found.push(...page.records);
    pages += 1;
  }
  assert.equal(pages, 2);
  assert.deepEqual(found.map(({ sku }) => sku).sort(), ['BOWL', 'MUG', 'VASE']);

  const start = () => client.startSync({ body: { pairId: app.pairId }, idempotencyKey: 'once' });
  assert.equal((await start()).run._id, (await start()).run._id);

  await fails(client.getStore({ params: { id: 'str_unknown' } }), 404, 'NOT_FOUND');
  await fails(client.updatePair({ params: { id: app.pairId }, body: {} }), 403, 'FORBIDDEN');
  await fails(createClient({ baseUrl: url }).listPairs(), 401, 'UNAUTHORIZED');
  await fails(createClient({ baseUrl: 'http://127.0.0.1:9' }).getHealth(), 0, 'NO_ANSWER');
  await fails(client.getRecord({ params: { id: '../stores' } }), 422, 'VALIDATION');
  const stopped = AbortSignal.abort(new Error('changed my mind'));
  await assert.rejects(client.getHealth({ signal: stopped }), /changed my mind/);
});

async function fails(call: Promise<unknown>, status: number, code: ApiError['code']): Promise<void> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ApiError, String(error));
  assert.deepEqual([error.status, error.code], [status, code]);
  if (status > 0) assert.match(error.requestId, /^req_/);
}

/** Never run: that these are refused is what the compiler checks. */
export async function mistakes(client: Client): Promise<void> {
  // @ts-expect-error an id is missing
  await client.getStore({});
  // @ts-expect-error there is no such state
  await client.listRecords({ query: { state: 'lost' } });
  // @ts-expect-error nor here
  void paginate(client.listRecords, { query: { state: 'lost' } });
  // @ts-expect-error a plan has no pages of its own
  void paginate(client.getPlan, { params: { id: 'x' } });
  // @ts-expect-error a hash is missing
  await client.applyPlan({ params: { id: 'x' }, body: {} });
  // @ts-expect-error there is no such field
  (await client.listPairs()).pears;
  // @ts-expect-error there is no such route
  await client.getPears();
}
