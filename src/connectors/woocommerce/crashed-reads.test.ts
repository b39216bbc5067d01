// One record that PHP dies over as it is read, and all that stand beside it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Connector } from '../../ports/connector.ts';
import { openStore } from './open-store.test.ts';

const CRASH = {
  status: 500,
  headers: {},
  body: Buffer.from('{"code":"internal_server_error","message":"critical","data":{"status":500}}'),
};

async function scanAll({ scan }: Connector) {
  const pages = [];
  for await (const page of scan({ resume: null })) pages.push(page);
  assert.deepEqual(
    pages.map(({ isComplete }) => isComplete),
    pages.map((_, index) => index === pages.length - 1),
  );
  return pages.flatMap(({ snapshots }) => snapshots);
}

/** Simple products `S-0`, `S-1`, …, and how many requests were made since it was last asked. */
async function openShelf(count: number, { version = '10.5.0' } = {}) {
  const store = await openStore({ version });
  const ids = Array.from({ length: count }, (_, index) =>
    String(
      store.controls.addProduct({ title: `S-${index}`, sku: `S-${index}`, regularPrice: '3', stock: 5 }).productId,
    ),
  );
  let calls = 0;
  store.hooks.onSent = () => {
    calls += 1;
  };
  const callsSince = () => {
    const since = calls;
    calls = 0;
    return since;
  };
  return { ...store, ids, callsSince };
}

const variable = (name: string) => ({
  title: name,
  variations: ['S', 'M'].map((size) => ({
    options: { Size: size },
    sku: `${name}-${size}`,
    regularPrice: '3',
    stock: 5,
  })),
});

test('a product whose reading crashes PHP is listed with its reason, wherever it stands, and all others as ever', async () => {
  for (const places of [[0], [99], [100], [140], [249], [17, 18, 19, 120]]) {
    const { connector, controls, callsSince } = await openShelf(250);
    for (const place of places) controls.setCrash(`S-${place}`, 'read');
    const listed = await scanAll(connector);
    assert.deepEqual(
      listed.map(({ fields }) => fields.title),
      Array.from({ length: 250 }, (_, index) => `S-${index}`),
    );
    assert.deepEqual(
      listed.flatMap(({ unsyncable }, index) => (unsyncable === null ? [] : [index])),
      places,
    );
    assert.match(listed[places[0] ?? 0]?.unsyncable?.detail ?? '', /critical error.*fatal errors.*plugin/);
    callsSince();
    await scanAll(connector);
    const calls = callsSince();
    assert.ok(calls <= 3 + places.length * 14, `${calls} calls`);
    for (const place of places) controls.setCrash(`S-${place}`, null);
    assert.ok((await scanAll(connector)).every(({ unsyncable }) => unsyncable === null));
    callsSince();
    await scanAll(connector);
    assert.equal(callsSince(), 3, 'a hundred at a time again');
  }
});

test('[C5] a product whose reading crashes PHP is refused by itself, and those that are asked for with it are read', async () => {
  const { connector, controls, ids, callsSince } = await openShelf(100);
  controls.setCrash('S-42', 'read');
  for (const most of [60, 8]) {
    callsSince();
    const read = await connector.readProducts(ids);
    assert.deepEqual(
      read.flatMap(({ ok }, index) => (ok ? [] : [index])),
      [42],
    );
    const [, , , , refused] = read.slice(38);
    assert.ok(
      refused?.ok === false && refused.error.kind === 'rejected' && /critical error/.test(refused.error.message),
    );
    const calls = callsSince();
    assert.ok(calls <= most, `${calls} calls`);
  }
  const [alone] = await connector.readProducts([ids[42] ?? '']);
  assert.ok(alone?.ok === false && alone.error.kind === 'rejected');
  controls.setCrash('S-42', null);
  assert.ok((await connector.readProducts(ids)).every(({ ok }) => ok));
  callsSince();
  assert.ok((await connector.readProducts(ids)).every(({ ok }) => ok));
  assert.equal(callsSince(), 1);
});

for (const version of ['10.5.0', '9.9.5'])
  test(`a variation whose reading crashes PHP leaves out its product alone, and no other stock (${version})`, async () => {
    const { connector, controls, callsSince } = await openShelf(3, { version });
    const made = Array.from({ length: 30 }, (_, index) => controls.addProduct(variable(`V${index}`)));
    const whole = await scanAll(connector);
    controls.setCrash('V7-M', 'read');
    for (let round = 0; round < 2; round += 1) {
      callsSince();
      const listed = await scanAll(connector);
      assert.equal(listed.length, 33);
      assert.deepEqual(
        listed.flatMap(({ unsyncable, fields }) => (unsyncable === null ? [] : [fields.title])),
        ['V7'],
      );
      const read = await connector.readProducts(listed.map(({ externalId }) => externalId));
      assert.deepEqual(
        read.flatMap((one, index) => (one.ok ? [] : [listed[index]?.fields.title, one.error.kind])),
        ['V7', 'rejected'],
      );
      const stockIds = whole.flatMap(({ variants }) => variants.map(({ stockId }) => stockId ?? ''));
      const stock = await connector.readStock(stockIds);
      assert.deepEqual(
        stock.flatMap((one, index) => (one.ok ? [] : [stockIds[index]])),
        [`v:${made[7]?.productId}:${made[7]?.variationIds[1]}`],
      );
    }
    assert.ok(callsSince() < (version === '9.9.5' ? 150 : 30));
    controls.setCrash('V7-M', null);
    assert.ok((await scanAll(connector)).every(({ unsyncable }) => unsyncable === null));
  });

test('a variation whose reading crashes PHP stops no poll: what becomes of its product is named by that', async () => {
  const { connector, controls } = await openShelf(1);
  const made = controls.addProduct(variable('V'));
  const begin = await connector.listChanged(null);
  controls.setPrice('V-S', '4');
  controls.setCrash('V-M', 'read');
  controls.setPrice('V-M', '4');
  let { cursor } = begin;
  for (let round = 0; round < 2; round += 1) {
    const named: string[] = [];
    for (let hasMore = true; hasMore; ) {
      const page = await connector.listChanged(cursor);
      ({ cursor, hasMore } = page);
      named.push(...page.signals.map(({ externalId }) => externalId));
    }
    assert.ok(named.includes(String(made.productId)));
  }
});

test('of more products that crash than are asked for again at once each has its turn: one that was mended is read', async () => {
  const { connector, controls, ids } = await openShelf(45);
  const places = Array.from({ length: 15 }, (_, index) => index * 3);
  for (const place of places) controls.setCrash(`S-${place}`, 'read');
  const refused = async () => (await connector.readProducts(ids)).flatMap(({ ok }, place) => (ok ? [] : [place]));
  assert.deepEqual(await refused(), places);
  controls.setCrash('S-42', null);
  await refused();
  assert.deepEqual(await refused(), places.slice(0, -1));
});

test('a store that crashes over every record is not asked for one after the other', async () => {
  const { connector, controls, hooks, ids, callsSince } = await openShelf(200);
  for (let index = 0; index < 200; index += 1) controls.addProduct(variable(`V${index}`));
  hooks.answer = (path, _body, query) =>
    path.includes('/variations') || (query?.get('_fields') ?? '').length > 20 ? CRASH : null;
  for (let round = 0; round < 2; round += 1) {
    callsSince();
    await assert.rejects(scanAll(connector), { kind: 'unavailable' });
    await assert.rejects(connector.readProducts(ids.slice(0, 100)), { kind: 'unavailable' });
    const calls = callsSince();
    assert.ok(calls < 250, `${calls} calls`);
  }
  hooks.answer = (path) => (path.includes('/variations') ? CRASH : null);
  callsSince();
  await assert.rejects(scanAll(connector), { kind: 'unavailable' });
  assert.ok(callsSince() < 150);
  hooks.answer = () => CRASH;
  callsSince();
  await assert.rejects(connector.readProducts([ids[0] ?? '']), { kind: 'unavailable' });
  await assert.rejects(connector.readProducts(ids.slice(0, 100)), { kind: 'unavailable' });
  await assert.rejects(scanAll(connector), { kind: 'unavailable' });
  const calls = callsSince();
  assert.ok(calls < 60, `${calls} calls`);
});
