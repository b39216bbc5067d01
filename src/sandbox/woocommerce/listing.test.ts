import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BASIC, createTestStore, type TestStore } from './test-client.ts';

async function storeWith(products: number, variants = 1): Promise<TestStore> {
  const store = createTestStore();
  store.sandbox.controls.seed(products, variants);
  return store;
}
const ids = (body: { id: number }[]): number[] => body.map((item) => item.id);
const skus = (body: { sku: string }[]): string[] => body.map((item) => item.sku);

test('pages carry totals and links; past the end comes an empty page with true totals', async () => {
  const { call } = await storeWith(25);
  const second = await call('GET', '/products?per_page=10&page=2&status=any');
  assert.equal(second.body.length, 10);
  assert.equal(second.headers['x-wp-total'], '25');
  assert.equal(second.headers['x-wp-totalpages'], '3');
  const links = (second.headers['link'] as string[]).join(' ');
  assert.match(links, /page=1&status=any>; rel="prev"/);
  assert.match(
    links,
    /<https:\/\/127\.0\.0\.1:18443\/wp-json\/wc\/v3\/products\?per_page=10&page=3&status=any>; rel="next"/,
  );
  const past = await call('GET', '/products?per_page=10&page=9');
  assert.deepEqual(past.body, []);
  assert.equal(past.headers['x-wp-total'], '25');
  const offset = await call('GET', '/products?offset=30');
  assert.equal(offset.headers['x-wp-total'], '0');
  assert.equal((await call('GET', '/products?offset=20&per_page=10')).body.length, 5);
});

test('newest first by default; order, orderby, include, exclude, search', async () => {
  const { call } = await storeWith(12);
  assert.equal((await call('GET', '/products?per_page=1')).body[0].sku, 'TS-12');
  assert.equal((await call('GET', '/products?per_page=1&orderby=id&order=asc')).body[0].sku, 'TS-1');
  assert.equal((await call('GET', '/products?per_page=1&orderby=title&order=asc')).body[0].name, 'Sample product 1');
  assert.deepEqual(ids((await call('GET', '/products?include=13,11&orderby=include')).body), [13, 11]);
  assert.deepEqual(ids((await call('GET', '/products?include[]=13&include[]=11&order=asc')).body), [11, 13]);
  assert.equal((await call('GET', '/products?exclude=11,12')).headers['x-wp-total'], '10');
  assert.deepEqual(skus((await call('GET', '/products?search=product+12')).body), ['TS-12']);
});

test('unknown parameters are ignored', async () => {
  const { call } = await storeWith(3);
  assert.equal((await call('GET', '/products?number=27&meta_key=x')).body.length, 3);
});

test('listings show parents only; sku and global_unique_id find variations, flat /variations lists them all', async () => {
  const { call, sandbox } = await storeWith(4, 3);
  assert.equal((await call('GET', '/products')).headers['x-wp-total'], '4');
  const found = (await call('GET', '/products?sku=TS-1-2,ts-3-1')).body;
  assert.deepEqual(skus(found).sort(), ['TS-1-2', 'TS-3-1']);
  assert.equal(found[0].type, 'variation');
  sandbox.controls.updateProduct('TS-2-2', { gtin: '4006381333931' });
  assert.deepEqual(skus((await call('GET', '/products?global_unique_id=4006381333931')).body), ['TS-2-2']);
  assert.deepEqual((await call('GET', `/products?include=${found[0].id}`)).body, [], 'not by its id');
  const flat = await call('GET', '/variations?per_page=5');
  assert.equal(flat.headers['x-wp-total'], '12');
  assert.equal(flat.body[0].type, 'variation');
  const old = createTestStore({ version: '10.2.0' });
  assert.equal((await old.call('GET', '/variations')).body.code, 'rest_no_route');
});

test('statuses: drafts and private ones are listed, the trash is not, unless asked for', async () => {
  const { call } = createTestStore();
  for (const status of ['publish', 'draft', 'private', 'pending'])
    await call('POST', '/products', { name: status, status });
  const { id } = (await call('POST', '/products', { name: 'gone' })).body;
  await call('DELETE', `/products/${id}`);
  assert.equal((await call('GET', '/products')).body.length, 4);
  assert.deepEqual(ids((await call('GET', '/products?status=trash')).body), [id]);
  assert.equal((await call('GET', '/products?status=draft')).body[0].name, 'draft');
  assert.equal((await call('GET', '/products?include_status=draft,private')).body.length, 2);
  assert.equal((await call('DELETE', `/products/${id}`)).status, 410);
});

test('_fields picks, objects by a dot; a list below a dot comes back empty', async () => {
  const { call } = await storeWith(1, 2);
  const [product] = (await call('GET', '/products?_fields=id,dimensions.width,attributes.name')).body;
  assert.deepEqual(product, { id: product.id, dimensions: { width: '' }, attributes: [] });
  const one = (await call('GET', `/products/${product.id}?_fields=sku,_links`)).body;
  assert.deepEqual(Object.keys(one), ['sku', '_links']);
});

test('query keys come back in the links of a page', async () => {
  const { sandbox } = await storeWith(3);
  const { headers } = await sandbox.app.inject({
    url: '/wp-json/wc/v3/products?per_page=1&consumer_key=ck_sandbox&consumer_secret=cs_sandbox',
  });
  assert.match(String(headers['link']), /consumer_secret=cs_sandbox/);
});

test('dates: naive UTC with the flag is right, strictly later, by the second', async () => {
  const { call, clock } = createTestStore();
  await call('POST', '/products', { name: 'old' });
  clock.nowMs += 3_600_000;
  const { date_modified_gmt: at, date_modified: local } = (await call('POST', '/products', { name: 'new' })).body;
  const names = async (query: string) =>
    (await call('GET', `/products?${query}`)).body.map((item: { name: string }) => item.name);
  const before = new Date(Date.parse(`${at}Z`) - 1000).toISOString();
  assert.deepEqual(await names(`modified_after=${before.slice(0, 19)}&dates_are_gmt=true`), ['new']);
  assert.deepEqual(await names(`modified_after=${at}&dates_are_gmt=true`), [], 'not the boundary itself');
  assert.deepEqual(await names(`modified_after=${before.slice(0, 19)}Z`), ['new'], 'Z alone is understood');
  assert.deepEqual(await names(`modified_after=${before}`), ['new'], 'a fraction too, for products');
  assert.deepEqual(
    await names(`modified_after=${before.slice(0, 19)}Z&dates_are_gmt=true`),
    ['new', 'old'],
    'both are off by five hours',
  );
  assert.deepEqual(
    await names(`modified_after=${local.slice(0, 11)}00:00:00`),
    ['new', 'old'],
    'a naive one alone is site-local',
  );
  assert.deepEqual(await names(`modified_after=${at}`), []);
  const invalid = await call('GET', '/products?modified_after=2026-11-21');
  assert.equal(invalid.body.data.params.modified_after, 'Invalid date.');
});

test('local dates follow the clock changes of the site', async () => {
  const { call, clock } = createTestStore({ timezone: 'Europe/Berlin' });
  const at = async (ms: number) => {
    clock.nowMs = ms;
    const { date_created, date_created_gmt } = (await call('POST', '/products', { name: 'p' })).body;
    return [date_created, date_created_gmt];
  };
  assert.deepEqual(await at(Date.UTC(2026, 2, 29, 0, 59, 59)), ['2026-03-29T01:59:59', '2026-03-29T00:59:59']);
  assert.deepEqual(await at(Date.UTC(2026, 2, 29, 1, 0, 0)), ['2026-03-29T03:00:00', '2026-03-29T01:00:00']);
  assert.deepEqual(await at(Date.UTC(2026, 9, 25, 1, 0, 0)), ['2026-10-25T02:00:00', '2026-10-25T01:00:00']);
});

test('HEAD answers like GET without a body; the method override is understood', async () => {
  const { sandbox, call } = await storeWith(2);
  const head = await sandbox.app.inject({
    method: 'HEAD',
    url: '/wp-json/wc/v3/products',
    headers: { authorization: BASIC },
  });
  assert.equal(head.headers['x-wp-total'], '2');
  assert.equal(head.body, '');
  const [product] = (await call('GET', '/products?sku=TS-1')).body;
  const put = await sandbox.app.inject({
    method: 'POST',
    url: `/wp-json/wc/v3/products/${product.id}`,
    headers: { authorization: BASIC, 'x-http-method-override': 'DELETE' },
  });
  assert.equal(put.statusCode, 200);
  assert.equal((await call('GET', '/products')).headers['x-wp-total'], '1');
});
