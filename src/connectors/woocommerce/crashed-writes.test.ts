// One product whose saving PHP dies of, and what waits behind it in its batch.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProductWrite } from '../../ports/connector.ts';
import { create, openStore, update, variant } from './open-store.test.ts';

/** So many products `P-0`, `P-1`, …, and what is sent for them, by how many are in each batch. */
async function openShelf(count: number) {
  const store = await openStore();
  const skus = Array.from({ length: count }, (_, index) => `P-${index}`);
  const ids = skus.map((sku) =>
    String(store.controls.addProduct({ title: sku, sku, regularPrice: '3', stock: 5 }).productId),
  );
  const sizes = () =>
    store.sent
      .splice(0)
      .flatMap(({ path, body }) => (path.endsWith('/batch') ? [(body.create ?? body.update).length] : []));
  const edits = async (title: string, which = ids): Promise<ProductWrite[]> => {
    const reads = await store.connector.readProducts(which);
    return reads.map((read) => {
      assert.ok(read.ok);
      return update(read.value, { fields: { title: `${read.value.fields.title} ${title}` } });
    });
  };
  const write = async (writes: readonly ProductWrite[]) =>
    (await store.connector.writeProducts(writes)).map((one) => (one.ok ? 'ok' : one.error.kind));
  return { ...store, skus, ids, sizes, edits, write };
}

const indices = (kinds: readonly string[], kind: string) =>
  kinds.flatMap((one, index) => (one === kind ? [index] : []));

test('a product whose saving crashes PHP is found by the next try of its batch, and the others go on without it', async () => {
  const { controls, edits, write, sizes, ids } = await openShelf(60);
  controls.setCrash('P-2', 'save');
  const writes = await edits('new');
  sizes();
  const first = await write(writes);
  assert.deepEqual(
    indices(first, 'unknown_outcome'),
    Array.from({ length: 25 }, (_, index) => index),
  );
  assert.deepEqual(new Set(first.slice(25)), new Set(['ok']), 'what was not sent with it goes on at once');
  assert.deepEqual(sizes(), [25, 25, 10]);
  const titles = controls.listShelf().map(({ title }) => title);
  assert.deepEqual(titles.slice(0, 4), ['P-0 new', 'P-1 new', 'P-2', 'P-3']);
  const again = await write(writes.slice(2, 25));
  assert.deepEqual(
    indices(again, 'ok'),
    Array.from({ length: 22 }, (_, index) => index + 1),
  );
  assert.equal(again[0], 'unknown_outcome');
  assert.deepEqual(sizes(), Array(23).fill(1));
  const third = await write(await edits('newer'));
  assert.deepEqual(indices(third, 'unknown_outcome'), [2]);
  assert.deepEqual(sizes(), [1, 1, 1, 50, 7], 'what its batch had saved before it, and it, alone');
  controls.setCrash('P-2', null);
  assert.deepEqual(new Set(await write(await edits('last'))), new Set(['ok']));
  assert.deepEqual(sizes(), [2, 1, 57]);
  assert.deepEqual(new Set(await write(await edits('end', ids.slice(0, 40)))), new Set(['ok']));
  assert.deepEqual(sizes(), [40], 'and with the others again once it is saved');
});

test('of a hundred new products one of which crashes PHP the others are made by a few dozen requests, none twice', async () => {
  const { connector, controls, sizes } = await openShelf(0);
  const news = Array.from({ length: 100 }, (_, index) =>
    create({ title: `N-${index}`, handle: `n-${index}` }, [variant({ sku: `N-${index}` })], `prd_${index}`),
  );
  controls.setCrash('N-60', 'save');
  let due = news;
  for (let round = 0; round < 2; round += 1) {
    const outcomes = await connector.writeProducts(due);
    // As the engine does: what is not known is looked for by its mark.
    const made = await Promise.all(
      due.map(async (write, index) => {
        const outcome = outcomes[index];
        if (outcome?.ok) return true;
        assert.ok(write.type === 'create');
        assert.equal(outcome?.error.kind, 'unknown_outcome');
        return (await connector.findByMark(write.mark, 0)) !== null;
      }),
    );
    due = due.filter((_, index) => !made[index]);
  }
  assert.deepEqual(due, [news[60]]);
  const titles = controls.listShelf().map(({ title }) => title);
  assert.equal(titles.length, 99);
  assert.equal(new Set(titles).size, 99);
  const calls = sizes();
  assert.ok(calls.length <= 45, calls.join());
});

test('stock of what stood behind it in its batch is set at once: a reading shows what was not done', async () => {
  const { connector, controls, ids, sizes } = await openShelf(40);
  controls.setCrash('P-2', 'save');
  const writes = ids.map((stockId, index) => ({
    ...{ stockId: `p:${stockId}`, expected: 5, to: 4, key: `key-${index}` },
  }));
  const outcomes = await connector.writeStock(writes);
  assert.deepEqual(
    indices(
      outcomes.map(({ outcome }) => outcome),
      'failed',
    ),
    [0, 1, 2],
    'the first two bear their stamp: the engine sees it',
  );
  assert.deepEqual(sizes(), [25, 15, ...Array(23).fill(1)]);
  const shelf = controls.listShelf().map(({ stock }) => stock);
  assert.deepEqual(indices(shelf.map(String), '5'), [2]);
  const next = await connector.writeStock(
    writes.map((write) => ({ ...write, expected: 4, to: 3, key: `${write.key}-b` })),
  );
  assert.deepEqual(
    indices(
      next.map(({ outcome }) => outcome),
      'failed',
    ),
    [2],
  );
  assert.deepEqual(sizes(), [1, 1, 1, 25, 12]);
});

test('a store that crashes over each batch is not given one after the other', async () => {
  const { connector, hooks, edits, write, sizes } = await openShelf(100);
  const writes = await edits('new');
  hooks.answer = (_path, body) =>
    body === undefined
      ? null
      : {
          status: 500,
          headers: {},
          body: Buffer.from('{"code":"internal_server_error","message":"critical","data":{"status":500}}'),
        };
  sizes();
  for (let round = 0; round < 4; round += 1) {
    const kinds = await write(writes);
    assert.ok(kinds.includes('unavailable'));
    assert.equal(sizes().length, 2);
  }
  await connector.close();
});
