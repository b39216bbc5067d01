import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestStore } from './test-client.ts';

async function shop() {
  const store = createTestStore();
  const { id } = (
    await store.call('POST', '/products', {
      name: 'p',
      sku: 'P',
      regular_price: '4.50',
      manage_stock: true,
      stock_quantity: 10,
    })
  ).body;
  const stock = async (): Promise<number> => (await store.call('GET', `/products/${id}`)).body.stock_quantity;
  const order = async (fields: object) =>
    (await store.call('POST', '/orders', { line_items: [{ product_id: id, quantity: 3 }], ...fields })).body;
  const put = async (orderId: number, fields: object) => (await store.call('PUT', `/orders/${orderId}`, fields)).body;
  return { ...store, id, stock, order, put };
}

test('which statuses reduce stock', async () => {
  const cases: [object, number][] = [
    [{ status: 'processing' }, 7],
    [{ status: 'on-hold' }, 7],
    [{ status: 'completed' }, 7],
    [{ set_paid: true }, 7],
    [{}, 10],
    [{ status: 'pending' }, 10],
    [{ status: 'failed' }, 10],
    [{ status: 'cancelled' }, 10],
    [{ status: 'checkout-draft' }, 10],
  ];
  for (const [fields, expected] of cases) {
    const { order, stock } = await shop();
    const placed = await order(fields);
    assert.equal(await stock(), expected, JSON.stringify(fields));
    assert.equal(placed.total, '13.50');
  }
});

test('cancelling restores, reprocessing reduces again, a change of status in between does not', async () => {
  const { order, put, stock } = await shop();
  const { id } = await order({ status: 'on-hold' });
  await put(id, { status: 'processing' });
  assert.equal(await stock(), 7);
  await put(id, { status: 'cancelled' });
  assert.equal(await stock(), 10);
  await put(id, { status: 'processing' });
  assert.equal(await stock(), 7);
});

test('editing a quantity moves stock but not the totals; quantity 0 removes; no id adds', async () => {
  const { order, put, stock, id: productId } = await shop();
  const placed = await order({ status: 'processing' });
  const [line] = placed.line_items;
  assert.equal(line.meta_data[0].key, '_reduced_stock');
  const edited = await put(placed.id, { line_items: [{ id: line.id, quantity: 5 }] });
  assert.equal(await stock(), 5);
  assert.equal(edited.line_items[0].total, '13.50');
  await put(placed.id, { line_items: [{ product_id: productId, quantity: 1 }] });
  assert.equal(await stock(), 4);
  const removed = await put(placed.id, { line_items: [{ id: line.id, quantity: 0 }] });
  assert.equal(await stock(), 9);
  assert.equal(removed.line_items.length, 1);
});

test('trash and delete never give stock back', async () => {
  const { order, stock, call } = await shop();
  const first = await order({ status: 'processing' });
  await call('DELETE', `/orders/${first.id}`);
  assert.equal((await call('GET', '/orders')).body.length, 0);
  assert.equal((await call('GET', '/orders?status=trash')).body.length, 1);
  await call('DELETE', `/orders/${first.id}?force=true`);
  assert.equal(await stock(), 7);
  assert.equal((await call('GET', `/orders/${first.id}`)).status, 404);
  assert.equal((await call('PUT', `/orders/${first.id}`, {})).status, 400);
});

test('a copied order marked _order_stock_reduced takes nothing, until it is cancelled and processed again', async () => {
  const { order, put, stock } = await shop();
  const mark = { meta_data: [{ key: '_order_stock_reduced', value: 'yes' }] };
  const placed = await order({ status: 'processing', ...mark });
  assert.equal(await stock(), 10);
  assert.deepEqual(placed.meta_data, [], 'never echoed');
  await put(placed.id, { status: 'cancelled' });
  assert.equal(await stock(), 10, 'nothing was taken, nothing comes back');
  await put(placed.id, { status: 'processing', ...mark });
  assert.equal(await stock(), 10);
  await put(placed.id, { status: 'cancelled' });
  await put(placed.id, { status: 'processing' });
  assert.equal(await stock(), 7, 'the mark has to be sent again');
  const later = await order({});
  await put(later.id, { status: 'processing', ...mark });
  assert.equal(await stock(), 7);
});

test('products that do not exist are accepted and shown as 0, gone ones too; an unknown SKU makes a free-text line', async () => {
  const { call } = await shop();
  const { body: product } = await call('POST', '/products', { name: 'To be gone', regular_price: '3' });
  const ordered = await call('POST', '/orders', { line_items: [{ product_id: product.id, quantity: 1 }] });
  const shown = async () => (await call('GET', `/orders/${ordered.body.id}`)).body.line_items[0].product_id;
  await call('DELETE', `/products/${product.id}`);
  assert.equal(await shown(), product.id, 'in the bin');
  await call('DELETE', `/products/${product.id}?force=true`);
  assert.equal(await shown(), 0);
  const { status, body } = await call('POST', '/orders', {
    line_items: [
      { product_id: 4711, quantity: 1 },
      { sku: 'NO-SUCH', name: 'By hand', quantity: 2, total: '3' },
    ],
  });
  assert.equal(status, 201);
  assert.equal(body.line_items[0].product_id, 0);
  assert.deepEqual(
    [body.line_items[1].product_id, body.line_items[1].name, body.line_items[1].total],
    [0, 'By hand', '3.00'],
  );
  const fraction = await call('POST', '/orders', { line_items: [{ product_id: 11, quantity: 1.5 }] });
  assert.equal(fraction.status, 400);
});

test('orders by date: a fraction with Z and without the flag finds nothing', async () => {
  const { order, call, clock } = await shop();
  await order({});
  const since = new Date(clock.nowMs - 60_000).toISOString();
  assert.equal((await call('GET', `/orders?modified_after=${since}`)).body.length, 0);
  assert.equal((await call('GET', `/orders?modified_after=${since.slice(0, 19)}&dates_are_gmt=true`)).body.length, 1);
  assert.equal((await call('GET', `/orders?modified_after=${since.slice(0, 19)}Z`)).body.length, 1);
  assert.equal((await call('GET', '/orders?number=27&meta_key=x')).body.length, 1);
});

test('a variation of a parent that counts takes from the parent', async () => {
  const { call } = createTestStore();
  const parent = (
    await call('POST', '/products', {
      name: 'v',
      type: 'variable',
      manage_stock: true,
      stock_quantity: 8,
      attributes: [{ name: 'Size', variation: true, options: ['S'] }],
    })
  ).body;
  const child = (
    await call('POST', `/products/${parent.id}/variations`, { attributes: [{ name: 'Size', option: 'S' }] })
  ).body;
  await call('POST', '/orders', {
    status: 'processing',
    line_items: [{ product_id: parent.id, variation_id: child.id, quantity: 2 }],
  });
  assert.equal((await call('GET', `/products/${parent.id}`)).body.stock_quantity, 6);
});
