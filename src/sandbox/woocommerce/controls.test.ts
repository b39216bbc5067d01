import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createWooSandbox } from './create-woo-sandbox.ts';
import { createTestStore } from './test-client.ts';

test('the seed is the agreed catalogue', async () => {
  const { sandbox, call } = createTestStore();
  sandbox.controls.seed(3, 2);
  sandbox.controls.seed(2, 1, 'ONE-');
  const rows = sandbox.controls.listShelf();
  assert.equal(rows.length, 8);
  assert.deepEqual(
    rows
      .filter((row) => row.sku === 'TS-2-2' || row.sku === 'ONE-2')
      .map(({ sku, regular, stock }) => [sku, regular, stock]),
    [
      ['TS-2-2', '11.02', 20 + ((2 * 7 + 2) % 50)],
      ['ONE-2', '10.02', 20 + ((2 * 7 + 1) % 50)],
    ],
  );
  const [simple] = (await call('GET', '/products?sku=ONE-1&context=edit')).body;
  assert.equal(simple.type, 'simple');
  assert.equal(simple.description, '<p>Sample description 1</p>');
  assert.equal(simple.weight, '0.25');
  assert.deepEqual(
    simple.tags.map((tag: { name: string }) => tag.name),
    ['sample'],
  );
  const [parent] = (await call('GET', '/products?search=product+3&type=variable')).body;
  assert.equal(parent.sku, '');
  assert.deepEqual(parent.attributes[0].options, ['Size 1', 'Size 2']);
  assert.equal(parent.stock_status, 'instock');
  const settings = (await call('GET', '/settings/products')).body;
  assert.equal(settings.find((item: { id: string }) => item.id === 'woocommerce_weight_unit').value, 'kg');
});

test('what a merchant does by hand', async () => {
  const { sandbox, call } = createTestStore();
  const { controls } = sandbox;
  const { productId } = controls.addProduct({
    title: 'Mug',
    sku: 'MUG',
    regularPrice: '8.00',
    stock: 5,
    tags: ['kitchen'],
  });
  controls.setPrice('MUG', '9.00', '7.50');
  controls.restock('MUG', 3);
  controls.placeOrder([{ ref: 'MUG', quantity: 2 }]);
  controls.updateProduct('MUG', {
    title: 'Cup',
    tags: ['kitchen', 'new'],
    status: 'draft',
    description: '<script>a</script>',
  });
  controls.setSku('MUG', 'CUP');
  const product = (await call('GET', `/products/${productId}?context=edit`)).body;
  assert.deepEqual(
    [
      product.name,
      product.sku,
      product.price,
      product.stock_quantity,
      product.status,
      product.total_sales,
      product.description,
    ],
    ['Cup', 'CUP', '7.50', 6, 'draft', 2, '<script>a</script>'],
  );
  controls.recount('CUP', 1);
  assert.equal(controls.listShelf()[0]?.stock, 1);
  controls.trashProduct('CUP');
  assert.equal(controls.listShelf().length, 0);
  controls.restoreProduct('CUP');
  assert.equal(controls.listShelf()[0]?.status, 'draft');
  controls.deleteProduct('CUP', true);
  assert.equal((await call('GET', `/products/${productId}`)).status, 404);
});

test('variations are added and removed by hand', () => {
  const { sandbox } = createTestStore();
  const { controls } = sandbox;
  const { productId } = controls.addProduct({
    title: 'T',
    variations: [{ options: { Size: 'S' }, sku: 'T-S', regularPrice: '3' }],
  });
  const { variationId } = controls.addVariation(productId, {
    options: { Size: 'M' },
    sku: 'T-M',
    regularPrice: '4',
    stock: 2,
  });
  assert.deepEqual(
    controls.listShelf().map(({ sku, title }) => [sku, title]),
    [
      ['T-S', 'T - S'],
      ['T-M', 'T - M'],
    ],
  );
  controls.removeVariation(variationId);
  assert.equal(controls.listShelf().length, 1);
  controls.updateProduct(productId, { title: 'Shirt' });
  assert.equal(controls.listShelf()[0]?.title, 'Shirt - S');
});

test('over sockets: listen, deliver for real, control routes on loopback, times', async () => {
  const received: { headers: Record<string, unknown>; body: string }[] = [];
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.end('ok');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const sandbox = createWooSandbox({ basePath: '/shop', controlRoutes: true });
  const { origin, url } = await sandbox.listen();
  try {
    assert.equal(url, `${origin}/shop`);
    const headers = { authorization: `Basic ${btoa('ck_sandbox:cs_sandbox')}`, 'content-type': 'application/json' };
    const post = (address: string, body: unknown) =>
      fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
    await post(`${origin}/__sandbox/record`, []);
    const hook = await post(`${url}/wp-json/wc/v3/webhooks`, { topic: 'product.created', delivery_url: target });
    assert.equal(hook.status, 201);
    const added = await post(`${origin}/__sandbox/addProduct`, [{ title: 'by hand', sku: 'H' }]);
    assert.equal(added.status, 200);
    await sandbox.controls.settle();
    assert.deepEqual(
      received.map(({ body }) => body.slice(0, 9)),
      ['webhook_i', '{"id":11,'],
    );
    assert.equal(received[1]?.headers['x-wc-webhook-source'], `${url}/`);
    assert.equal((await post(`${origin}/__sandbox/constructor`, [])).status, 400);
    const stats = (await (await fetch(`${origin}/__sandbox/stats`)).json()) as {
      calls: object;
      times: { answeredAtMs: number; receivedAtMs: number }[];
    };
    assert.deepEqual(stats.calls, { 'POST /wc/v3/webhooks': 1 });
    assert.ok(stats.times[0]!.answeredAtMs >= stats.times[0]!.receivedAtMs);
  } finally {
    await sandbox.close();
    receiver.close();
  }
});

test('a product that PHP dies over ends every answer that shows its prices, and a batch behind what it saved before', async () => {
  const { sandbox, call } = createTestStore();
  const { controls } = sandbox;
  const ids = ['A', 'B', 'C'].map((sku) => controls.addProduct({ title: sku, sku, regularPrice: '3' }).productId);
  controls.setCrash('B', 'read');
  assert.deepEqual(
    [(await call('GET', '/products')).status, (await call('GET', `/products/${ids[1]}`)).status],
    [500, 500],
  );
  assert.equal((await call('GET', '/products?_fields=id,name')).status, 200);
  assert.equal((await call('GET', `/products/${ids[0]}`)).status, 200);
  controls.setCrash('B', 'save');
  const update = ids.map((id) => ({ id, regular_price: '4' }));
  const answer = await call('POST', '/products/batch', { update });
  assert.deepEqual([answer.status, answer.body.code], [500, 'internal_server_error']);
  controls.setCrash('B', null);
  assert.deepEqual(
    controls.listShelf().map(({ regular }) => regular),
    ['4', '3', '3'],
  );
});
