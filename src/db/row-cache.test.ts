import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PairId, ProblemId, ProductId, StoreId, VariantId, WorkspaceId } from '../model/ids.ts';
import { openMemoryDatabase } from '../testing/support/memory-database.ts';
import { type Db, step, type Tx, transact } from './database.ts';
import { findHubRows, findVariant, listBindingsOfVariant } from './readers/hub-rows.ts';
import { findProductByExternal, listBindingsByStock, listVariantsByStock } from './readers/products.ts';
import { rowCache } from './row-cache.ts';
import { closeProblemsBySubject, isProblemOpen, listOpenProblems, raiseProblem } from './writers/history.ts';
import {
  addToQuantity,
  deleteProductBinding,
  insertProduct,
  insertVariant,
  settleStockBase,
  updateProduct,
  upsertProductBinding,
  upsertVariantBinding,
} from './writers/products.ts';

const PAIR = 'pair_1' as PairId;
const STORE = 'str_1' as StoreId;
const PRODUCT = 'prd_1' as ProductId;
const VARIANT = 'var_1' as VariantId;

const FIELDS = {
  title: 'Mug',
  descriptionHtml: '',
  status: 'active',
  tags: [],
  optionNames: [],
  handle: 'mug',
} as const;

function openWithProduct(): Db {
  const db = openMemoryDatabase();
  transact(db, (tx) => {
    insertProduct(tx, {
      id: PRODUCT,
      pairId: PAIR,
      data: { fields: FIELDS, variants: {} },
      seen: {},
      state: 'live',
      deletedOn: null,
      priorStatus: null,
      title: 'Mug',
      titleKey: 'mug',
      imageUrl: '',
      createdAt: 1,
      updatedAt: 1,
    });
    insertVariant(tx, {
      id: VARIANT,
      productId: PRODUCT,
      pairId: PAIR,
      quantity: 5,
      stockState: 'live',
      keptBack: null,
      removedBase: null,
      sku: 'A',
      barcode: '',
    });
    bind(tx, '101');
    upsertVariantBinding(tx, {
      variantId: VARIANT,
      side: 'shopify',
      productId: PRODUCT,
      pairId: PAIR,
      storeId: STORE,
      externalId: 'v1',
      stockId: 's1',
      baseQuantity: 5,
      baseTracked: true,
      intentFrom: null,
      intentTo: null,
      intentKey: null,
      intentSentAt: null,
      fencedUntil: null,
      provisional: 0,
    });
  });
  return db;
}

function bind(tx: Parameters<typeof upsertProductBinding>[0], externalId: string): void {
  upsertProductBinding(tx, {
    productId: PRODUCT,
    side: 'shopify',
    pairId: PAIR,
    storeId: STORE,
    externalId,
    base: null,
    intent: null,
    fencedUntil: null,
    adminUrl: '',
    madeAt: null,
    seenInScan: 0,
  });
}

test('what nothing moved is the very same object, and counts as unchanged', () => {
  const db = openWithProduct();
  assert.ok(findHubRows(db, PRODUCT) !== null);
  assert.equal(findHubRows(db, PRODUCT), findHubRows(db, PRODUCT));
  assert.equal(findVariant(db, VARIANT), findVariant(db, VARIANT));
});

test('every writer, and SQL that nobody knows of, is seen by the next reader', () => {
  const db = openWithProduct();
  assert.equal(findHubRows(db, PRODUCT)?.variants.get(VARIANT)?.quantity, 5);
  transact(db, (tx) => {
    addToQuantity(tx, VARIANT, -2);
    assert.equal(findVariant(tx, VARIANT)?.quantity, 3);
  });
  assert.equal(findHubRows(db, PRODUCT)?.variants.get(VARIANT)?.quantity, 3);
  transact(db, (tx) => updateProduct(tx, PRODUCT, { title: 'Cup' }));
  assert.equal(findHubRows(db, PRODUCT)?.row.title, 'Cup');
  transact(db, (tx) => settleStockBase(tx, VARIANT, 'shopify', 3, true));
  assert.equal(findHubRows(db, PRODUCT)?.variantBindings.shopify.get(VARIANT)?.baseQuantity, 3);
  assert.equal(listBindingsByStock(db, STORE, 's1')[0]?.baseQuantity, 3);
  transact(db, (tx) => bind(tx, '102'));
  assert.equal(findProductByExternal(db, PAIR, 'shopify', '101'), null);
  assert.equal(findProductByExternal(db, PAIR, 'shopify', '102'), PRODUCT);
  transact(db, (tx) => deleteProductBinding(tx, PRODUCT, 'shopify'));
  assert.equal(findHubRows(db, PRODUCT)?.bindings.shopify, undefined);
  db.connection.exec("UPDATE variant_binding SET fenced_until = 7; DELETE FROM variant WHERE id = 'var_1'");
  assert.equal(listBindingsOfVariant(db, VARIANT)[0]?.fencedUntil, 7);
  assert.equal(findVariant(db, VARIANT), null);
  assert.equal(findHubRows(db, PRODUCT)?.variants.size, 0);
});

test('what is open and what is bound to what is asked once, and again after it changed', () => {
  const db = openWithProduct();
  assert.equal(isProblemOpen(db, PAIR, 'OVERSOLD', VARIANT), false);
  assert.deepEqual(listOpenProblems(db, PRODUCT), []);
  assert.equal(listBindingsByStock(db, STORE, 's2').length, 0);
  assert.throws(() =>
    transact(db, (tx) => {
      raise(tx);
      assert.equal(isProblemOpen(tx, PAIR, 'OVERSOLD', VARIANT), true);
      throw new Error('no');
    }),
  );
  assert.equal(isProblemOpen(db, PAIR, 'OVERSOLD', VARIANT), false);
  transact(db, raise);
  assert.equal(listOpenProblems(db, PRODUCT).length, 1);
  transact(db, (tx) => closeProblemsBySubject(tx, PAIR, 'OVERSOLD', VARIANT, 2));
  assert.deepEqual(listOpenProblems(db, PRODUCT), []);
  db.connection.exec("UPDATE problem SET state = 'open'");
  assert.equal(isProblemOpen(db, PAIR, 'OVERSOLD', VARIANT), true);
  db.connection.exec("UPDATE variant_binding SET stock_id = 's2'");
  assert.equal(listBindingsByStock(db, STORE, 's2').length, 1);
  assert.equal(listBindingsByStock(db, STORE, 's1').length, 0);
});

test('what moves about one product is no reason to ask about another, and what moves from one to the other is seen by both', () => {
  const db = openWithProduct();
  const other = 'prd_2' as ProductId;
  const kept = listOpenProblems(db, other);
  const stock = listBindingsByStock(db, STORE, 's2');
  transact(db, raise);
  assert.equal(listOpenProblems(db, PRODUCT).length, 1);
  assert.equal(listOpenProblems(db, other), kept);
  db.connection.exec("UPDATE problem SET product_id = 'prd_2'");
  assert.deepEqual(listOpenProblems(db, PRODUCT), []);
  assert.equal(listOpenProblems(db, other).length, 1);
  assert.equal(stock.length, 0);
  db.connection.exec("UPDATE variant_binding SET stock_id = 's2', variant_id = 'var_2'");
  assert.equal(listBindingsByStock(db, STORE, 's1').length, 0);
  assert.deepEqual(listVariantsByStock(db, PAIR, STORE, 's2'), ['var_2']);
});

function raise(tx: Tx): void {
  raiseProblem(
    tx,
    'prb_1' as ProblemId,
    {
      workspaceId: 'ws_1' as WorkspaceId,
      pairId: PAIR,
      storeId: null,
      productId: PRODUCT,
      side: null,
      subject: VARIANT,
      code: 'OVERSOLD',
      level: 'warning',
      message: '',
      remedy: '',
      details: null,
    },
    1,
  );
}

test('what was read inside a transaction that is rolled back is forgotten', () => {
  const db = openWithProduct();
  findHubRows(db, PRODUCT);
  assert.throws(
    () =>
      transact(db, (tx) => {
        addToQuantity(tx, VARIANT, -2);
        assert.equal(findHubRows(tx, PRODUCT)?.variants.get(VARIANT)?.quantity, 3);
        throw new Error('rolled back');
      }),
    /rolled back/,
  );
  assert.equal(findHubRows(db, PRODUCT)?.variants.get(VARIANT)?.quantity, 5);
  assert.equal(findVariant(db, VARIANT)?.quantity, 5);
});

test('a rollback leaves alone what its transaction did not move', () => {
  const db = openWithProduct();
  const kept = findHubRows(db, PRODUCT);
  assert.throws(() =>
    transact(db, () => {
      throw new Error('no');
    }),
  );
  assert.equal(findHubRows(db, PRODUCT), kept);
});

test('a step that is undone is forgotten, what went before it in the transaction is not, and a later rollback forgets both', () => {
  const db = openWithProduct();
  findHubRows(db, PRODUCT);
  const quantity = (from: Db) => findHubRows(from, PRODUCT)?.variants.get(VARIANT)?.quantity;
  assert.throws(
    () =>
      transact(db, (tx) => {
        addToQuantity(tx, VARIANT, -1);
        assert.throws(
          () =>
            step(tx, () => {
              addToQuantity(tx, VARIANT, -2);
              assert.equal(quantity(tx), 2);
              throw new Error('undone');
            }),
          /undone/,
        );
        assert.equal(quantity(tx), 4);
        throw new Error('rolled back');
      }),
    /rolled back/,
  );
  assert.equal(quantity(db), 5);
});

test('a transaction that moves more than can be named is forgotten as well', () => {
  const db = openWithProduct();
  findHubRows(db, PRODUCT);
  assert.throws(
    () =>
      transact(db, (tx) => {
        for (let count = 0; count < 10_001; count += 1) updateProduct(tx, PRODUCT, { title: `Mug ${count}` });
        addToQuantity(tx, VARIANT, -1);
        assert.equal(findHubRows(tx, PRODUCT)?.variants.get(VARIANT)?.quantity, 4);
        throw new Error('rolled back');
      }),
    /rolled back/,
  );
  assert.equal(findHubRows(db, PRODUCT)?.variants.get(VARIANT)?.quantity, 5);
});

test('inside a transaction that begins before anything was read there is no cache, and none of its triggers can be lost', () => {
  const db = openWithProduct();
  transact(db, (tx) => {
    assert.equal(rowCache(tx), null);
    assert.equal(findVariant(tx, VARIANT)?.quantity, 5);
  });
  assert.notEqual(rowCache(db), null);
});

test('a product that is not there is looked up again once it is', () => {
  const db = openMemoryDatabase();
  assert.equal(findHubRows(db, PRODUCT), null);
  transact(db, (tx) => {
    insertProduct(tx, {
      id: PRODUCT,
      pairId: PAIR,
      data: { fields: FIELDS, variants: {} },
      seen: {},
      state: 'live',
      deletedOn: null,
      priorStatus: null,
      title: 'Mug',
      titleKey: 'mug',
      imageUrl: '',
      createdAt: 1,
      updatedAt: 1,
    });
  });
  assert.equal(findHubRows(db, PRODUCT)?.row.title, 'Mug');
});
