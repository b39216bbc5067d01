import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestStore, readOperation, type TestStore } from './test-store.ts';

function stocked() {
  const store = createTestStore({ locations: [{ name: 'Home' }, { name: 'Shed' }] });
  store.sandbox.controls.addProduct({ title: 'Mug', sku: 'MUG', stock: 5 });
  const row = store.sandbox.controls.listShelf()[0];
  assert.ok(row);
  return {
    store,
    inventoryItemId: row.inventoryItemId,
    locationId: store.locationId(),
    available: () => store.sandbox.controls.levelsOf('MUG')[0]?.available,
  };
}

let keys = 0;
async function setQuantities(
  store: TestStore,
  quantities: Record<string, unknown>[],
  extra: Record<string, unknown> = {},
  idempotencyKey = `key-${keys++}`,
) {
  const { body } = await store.run('inventory-set-quantities', {
    idempotencyKey,
    input: { name: 'available', reason: 'correction', quantities, ...extra },
  });
  return body;
}

const codes = (body: { data: { inventorySetQuantities: { userErrors: { code: string }[] } } }) =>
  body.data.inventorySetQuantities.userErrors.map((error) => error.code);

test('set writes through a matching compare and refuses a stale one', async () => {
  const { store, inventoryItemId, locationId, available } = stocked();
  const body = await setQuantities(store, [{ inventoryItemId, locationId, quantity: 7, changeFromQuantity: 5 }]);
  assert.deepEqual(codes(body), []);
  assert.deepEqual(
    body.data.inventorySetQuantities.inventoryAdjustmentGroup.changes.map(
      (change: { name: string; delta: number; quantityAfterChange: null }) => [
        change.name,
        change.delta,
        change.quantityAfterChange,
      ],
    ),
    [
      ['available', 2, null],
      ['on_hand', 2, null],
    ],
  );
  assert.equal(available(), 7);
  assert.deepEqual(
    codes(await setQuantities(store, [{ inventoryItemId, locationId, quantity: 9, changeFromQuantity: 5 }])),
    ['CHANGE_FROM_QUANTITY_STALE'],
  );
  assert.equal(available(), 7);
  assert.deepEqual(
    codes(await setQuantities(store, [{ inventoryItemId, locationId, quantity: 9, changeFromQuantity: null }])),
    [],
  );
});

test('changeFromQuantity must be written out, @idempotent must be there', async () => {
  const { store, inventoryItemId, locationId } = stocked();
  const missing = await setQuantities(store, [{ inventoryItemId, locationId, quantity: 7 }]);
  assert.equal(
    (missing as { errors?: { extensions: { code: string } }[] } & typeof missing).errors?.[0]?.extensions.code,
    'INVALID_FIELD_ARGUMENTS',
  );
  assert.deepEqual(missing.data, { inventorySetQuantities: null });
  const text = readOperation('inventory-set-quantities')
    .replace('@idempotent(key: $idempotencyKey)', '')
    .replace(', $idempotencyKey: String!', '');
  const { body } = await store.call(text, {
    input: {
      name: 'available',
      reason: 'correction',
      quantities: [{ inventoryItemId, locationId, quantity: 7, changeFromQuantity: 5 }],
    },
  });
  assert.equal(body.errors[0].extensions.code, 'BAD_REQUEST');
  assert.equal(body.errors[0].message, 'The @idempotent directive is required for this mutation but was not provided.');
  assert.deepEqual(body.data, { inventorySetQuantities: null });
});

test('the same key: stale after a compare, replayed without one, refused with other parameters, forgotten after a day', async () => {
  const { store, inventoryItemId, locationId, available } = stocked();
  const compare = [{ inventoryItemId, locationId, quantity: 7, changeFromQuantity: 5 }];
  await setQuantities(store, compare, {}, 'one');
  assert.deepEqual(codes(await setQuantities(store, compare, {}, 'one')), ['CHANGE_FROM_QUANTITY_STALE']);

  const adjust = { inventoryItemId, locationId, delta: -2, changeFromQuantity: null };
  const run = async (idempotencyKey: string, delta = -2) =>
    (
      await store.run('inventory-adjust-quantities', {
        idempotencyKey,
        input: { name: 'available', reason: 'correction', changes: [{ ...adjust, delta }] },
      })
    ).body.data.inventoryAdjustQuantities;
  const first = await run('two');
  const second = await run('two');
  assert.equal(available(), 5, 'applied once');
  assert.equal(second.inventoryAdjustmentGroup.id, first.inventoryAdjustmentGroup.id);
  assert.equal((await run('two', -3)).userErrors[0].code, 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH');
  assert.deepEqual(
    codes(
      await setQuantities(
        store,
        compare.map((row) => ({ ...row, changeFromQuantity: 99 })),
        {},
        'three',
      ),
    ),
    ['CHANGE_FROM_QUANTITY_STALE'],
  );
  assert.deepEqual(
    codes(
      await setQuantities(
        store,
        compare.map((row) => ({ ...row, changeFromQuantity: 99 })),
        {},
        'three',
      ),
    ),
    ['IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED'],
  );
  await store.advance(25 * 3_600_000);
  await run('two');
  assert.equal(available(), 3);
});

test('set refuses bad names, reasons, bounds, places and repeated rows, and then changes nothing', async () => {
  const { store, inventoryItemId, locationId, available } = stocked();
  const row = { inventoryItemId, locationId, quantity: 1, changeFromQuantity: null };
  assert.deepEqual(codes(await setQuantities(store, [row], { name: 'committed' })), ['INVALID_NAME']);
  assert.deepEqual(codes(await setQuantities(store, [row], { reason: 'because' })), ['INVALID_REASON']);
  assert.deepEqual(codes(await setQuantities(store, [{ ...row, quantity: 1_000_000_001 }])), [
    'INVALID_QUANTITY_TOO_HIGH',
  ]);
  assert.deepEqual(codes(await setQuantities(store, [{ ...row, quantity: -1_000_000_001 }])), [
    'INVALID_QUANTITY_TOO_LOW',
  ]);
  assert.deepEqual(codes(await setQuantities(store, [{ ...row, quantity: -1 }], { name: 'on_hand' })), [
    'INVALID_QUANTITY_NEGATIVE',
  ]);
  assert.deepEqual(codes(await setQuantities(store, [{ ...row, inventoryItemId: 'gid://shopify/InventoryItem/1' }])), [
    'INVALID_INVENTORY_ITEM',
  ]);
  assert.deepEqual(codes(await setQuantities(store, [{ ...row, locationId: 'gid://shopify/Location/1' }])), [
    'INVALID_LOCATION',
  ]);
  assert.deepEqual(codes(await setQuantities(store, [row, row])), [
    'NO_DUPLICATE_INVENTORY_ITEM_ID_GROUP_ID_PAIR',
    'NO_DUPLICATE_INVENTORY_ITEM_ID_GROUP_ID_PAIR',
  ]);
  assert.equal(available(), 5);
  assert.deepEqual(
    codes(await setQuantities(store, [{ ...row, quantity: -3 }], { referenceDocumentUri: 'logistics://twinshelf/1' })),
    [],
  );
  assert.equal(available(), -3);
});

test('a purchase moves available to committed; on_hand falls only when it leaves', async () => {
  const { store } = stocked();
  const { orderId } = store.sandbox.controls.placeOrder([{ variant: 'MUG', quantity: 2 }]);
  const level = () => store.sandbox.controls.levelsOf('MUG')[0];
  assert.deepEqual([level()?.available, level()?.committed, level()?.onHand], [3, 2, 5]);
  store.sandbox.controls.fulfillOrder(orderId);
  assert.deepEqual([level()?.available, level()?.committed, level()?.onHand], [3, 0, 3]);
  assert.throws(() => store.sandbox.controls.placeOrder([{ variant: 'MUG', quantity: 9 }]), /sold out/);
});

test('activate ignores an available seed, takes onHand, keeps the last level active', async () => {
  const { store, inventoryItemId } = stocked();
  const shed = store.sandbox.controls.snapshot().locations[1]?.id;
  const activate = async (extra: Record<string, unknown>, key: string) =>
    (
      await store.call(
        'mutation ($i: ID!, $l: ID!, $k: String!, $available: Int, $onHand: Int) { inventoryActivate(inventoryItemId: $i, locationId: $l, available: $available, onHand: $onHand) @idempotent(key: $k) { inventoryLevel { id quantities(names: ["available", "on_hand"]) { quantity } } userErrors { field message } } }',
        { i: inventoryItemId, l: shed, k: key, ...extra },
      )
    ).body.data.inventoryActivate;
  const seeded = await activate({ available: 9 }, 'a');
  assert.deepEqual(seeded.inventoryLevel.quantities, [{ quantity: 0 }, { quantity: 0 }]);
  assert.match((await activate({ onHand: 5 }, 'b')).userErrors[0].message, /already active/);
  const deactivate = async (id: string, key: string) =>
    (
      await store.call(
        'mutation ($id: ID!, $k: String!) { inventoryDeactivate(inventoryLevelId: $id) @idempotent(key: $k) { userErrors { message } } }',
        { id, k: key },
      )
    ).body.data.inventoryDeactivate.userErrors;
  assert.deepEqual(await deactivate(seeded.inventoryLevel.id, 'c'), []);
  const again = await activate({ onHand: 50 }, 'd');
  assert.equal(again.inventoryLevel.id, seeded.inventoryLevel.id);
  assert.deepEqual(again.inventoryLevel.quantities, [{ quantity: 50 }, { quantity: 50 }]);
  await deactivate(seeded.inventoryLevel.id, 'e');
  const home = (
    await store.call('query ($id: ID!) { inventoryItem(id: $id) { inventoryLevels(first: 5) { nodes { id } } } }', {
      id: inventoryItemId,
    })
  ).body.data.inventoryItem.inventoryLevels.nodes;
  assert.equal(home.length, 1);
  assert.match((await deactivate(home[0].id, 'f'))[0].message, /minimum of 1 location/);
});
