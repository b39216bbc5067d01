import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ConnectorError } from '../../model/connector-error.ts';
import type { HttpResponse } from '../shared/transport.ts';
import { openStore, update } from './open-store.test.ts';

/** What plugins, proxies and hosts make of answers that WooCommerce gave as it should. */

type Row = Record<string, unknown>;
type Store = Awaited<ReturnType<typeof openStore>>;

/** Changes the JSON of each answer to a GET of products, and its headers. */
function answering(store: Store, change: (rows: Row[]) => void, headers?: (own: Record<string, string>) => void): void {
  store.hooks.answer = async (path, body, query) => {
    if (body !== undefined || !/\/products(?:\/\d+)?$/.test(path)) return null;
    const response = await store.sandbox.app.inject({
      method: 'GET',
      url: `${path}?${query}`,
      headers: { authorization: `Basic ${Buffer.from('ck_sandbox:cs_sandbox').toString('base64')}` },
    });
    const data = response.json() as Row | Row[];
    change(Array.isArray(data) ? data : [data]);
    const own = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
    headers?.(own);
    const text = new TextEncoder().encode(JSON.stringify(data));
    return { status: response.statusCode, headers: own, body: text } satisfies HttpResponse;
  };
}

async function scanned(store: Store) {
  const titles: string[] = [];
  for await (const { snapshots } of store.connector.scan({ resume: null }))
    titles.push(...snapshots.map(({ fields }) => fields.title));
  return titles;
}

test('a stock that is no number is never read as sold out', async () => {
  const store = await openStore();
  const { productId } = store.controls.addProduct({ title: 'Mug', stock: 1234 });
  for (const told of ['1,234', '1 234', '5 pcs', 'many', '∞']) {
    answering(store, (rows) => {
      for (const row of rows) row['stock_quantity'] = told;
    });
    const [reading] = await store.connector.readStock([`p:${productId}`]);
    assert.ok(
      reading && !reading.ok && reading.error.kind === 'rejected' && reading.error.message.includes(told),
      told,
    );
    assert.equal((await store.read(productId)).unsyncable?.reason, 'fractional_stock', told);
  }
  for (const [told, quantity] of [
    ['1234', 1234],
    [1234.0, 1234],
    ['-3', -3],
    [' 7 ', 7],
    [null, 0],
    ['', 0],
  ] as const) {
    answering(store, (rows) => {
      for (const row of rows) row['stock_quantity'] = told;
    });
    const [reading] = await store.connector.readStock([`p:${productId}`]);
    assert.ok(reading?.ok && reading.value.quantity === quantity, String(told));
  }
});

test('a barcode that comes as a number is one, and a picture without an address takes no product away', async () => {
  const store = await openStore();
  const { productId } = store.controls.addProduct({ title: 'Mug', gtin: '4006381333931' });
  answering(store, (rows) => {
    for (const row of rows) {
      row['global_unique_id'] = 4006381333931;
      row['images'] = [{ id: 3, src: false }];
    }
  });
  const { variants, imageUrl } = await store.read(productId);
  assert.deepEqual([variants[0]?.fields.barcode, imageUrl], ['4006381333931', '']);
  assert.equal((await store.connector.findByKeys(['gtin:04006381333931'])).length, 1);
});

test('[C20] where something takes X-WP-Total away, a list is asked for with it in its body; a list that ends early is still none', async () => {
  const store = await openStore();
  for (const title of ['Mug', 'Cup', 'Bowl']) store.controls.addProduct({ title });
  const without = (own: Record<string, string>) => {
    delete own['x-wp-total'];
    delete own['x-wp-totalpages'];
  };
  answering(store, () => undefined, without);
  assert.deepEqual(await scanned(store), ['Mug', 'Cup', 'Bowl']);
  const { cursor } = await store.connector.listChanged(null);
  assert.equal((await store.connector.listChanged(cursor)).signals.length, 3);
  answering(
    store,
    ([first]) => {
      const body = first?.['body'];
      if (Array.isArray(body)) body.pop();
    },
    without,
  );
  await assert.rejects(
    scanned(store),
    (error) => error instanceof ConnectorError && /then stopped/.test(error.message),
  );
});

test('[C9] what Cloudflare says of a store that it can’t reach passes: a read is repeated', async () => {
  for (const status of [520, 522, 524]) {
    const store = await openStore();
    const { productId } = store.controls.addProduct({ title: 'Mug' });
    let left = 2;
    store.hooks.answer = (path) =>
      /products\/\d/.test(path) && left-- > 0
        ? { status, headers: {}, body: new TextEncoder().encode('<title>shop.example | Web server is down</title>') }
        : null;
    assert.equal((await store.read(productId)).fields.title, 'Mug');
  }
});

test('a fraction of many digits that a plugin keeps with a product takes no other product away, and no write’s answer', async () => {
  const store = await openStore();
  const ids = ['Mug', 'Cup'].map((title) => store.controls.addProduct({ title, stock: 5 }).productId);
  await store.call('PUT', `/products/${ids[0]}`, { meta_data: [{ key: 'share', value: [1 / 3, -2 / 3, 1e-7 / 3] }] });
  const write = await store.connector.writeStock(
    ids.map((id) => ({ stockId: `p:${id}`, expected: 5, to: 4, key: `k${id}` })),
  );
  assert.deepEqual(
    write.map(({ outcome }) => outcome),
    ['applied', 'applied'],
  );
  assert.deepEqual(await scanned(store), ['Mug', 'Cup']);
  const [first, second] = await Promise.all(ids.map((id) => store.read(id)));
  const retitled = [update(first!, { fields: { title: 'Jug' } }), update(second!, { fields: { title: 'Bowl' } })];
  const outcomes = await store.connector.writeProducts(retitled);
  assert.deepEqual(
    outcomes.map((outcome) => outcome.ok && outcome.snapshot.fields.title),
    ['Jug', 'Bowl'],
  );
});

/** Looks at a store with the memory that the server has, in a process of its own: one without memory is ended, and nothing in it can help that. */
const LOOK = `
const { openStore } = await import(${JSON.stringify(new URL('./open-store.test.ts', import.meta.url).href)});
const store = await openStore();
const [, start, part, times] = process.argv;
const body = new TextEncoder().encode(start + part.repeat(Number(times)) + '{}]');
store.hooks.answer = (path) => (path.endsWith('/products') ? { status: 200, headers: {}, body } : null);
const { findings } = await store.connector.inspect();
console.log(JSON.stringify(findings));
process.exit(0);
`;

test('an answer that is little to send and much to hold ends nothing: the store is told to be at fault', async () => {
  for (const [start, part, times] of [
    ['[', '{},', 2_000_000],
    ['[1234567890123456', ' ""', 2_600_000],
  ] as const) {
    const args = ['--max-old-space-size=128', '--input-type=module', '-e', LOOK, start, part, String(times)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const findings = JSON.parse(stdout) as { code: string; level: string; message: string }[];
    assert.deepEqual(
      findings.map(({ code, level }) => [code, level]),
      [['ANSWER_TOO_LARGE', 'error']],
      part,
    );
  }
});
