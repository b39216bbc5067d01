import assert from 'node:assert/strict';
import { gtinKey, skuKey } from '../../../lib/record-keys.ts';
import type { SearchKey } from '../../../model/search-key.ts';
import {
  createOf,
  failure,
  gtin,
  mark,
  readOne,
  simpleProduct,
  sizedProduct,
  unique,
  updateOf,
  written,
} from '../fixtures.ts';
import type { Rule } from '../rule.ts';

const MINUTES_MS = 60_000;

/** SKUs that search syntaxes, list separators and collations are known to trip over. */
const ODD_SKUS = [
  (token: string) => `A/B "C" (${token})`,
  (token: string) => `${token},x`,
  (token: string) => `${token}:y OR sku:*`,
  (token: string) => `${token} two words`,
  (token: string) => `${token}-'q'\\z`,
  (token: string) => `${token}-é-日本-😀`,
  (token: string) => `${token}%_*`,
  (token: string) => `000${token}`,
];

const skuOf = (sku: string): SearchKey => `sku:${skuKey(sku)}`;
const TYPED = { abilities: ['barcodes'] } as const;
const gtinOf = (barcode: string): SearchKey => `gtin:${gtinKey(barcode) ?? assert.fail(barcode)}`;

/** [C18] [C33] and findByKeys: looking for records without knowing their id. */
export function findingRules(rule: Rule): void {
  rule('[C18] a record is found by its mark as soon as its create has landed', {}, async ({ connector, now }) => {
    const startedAt = now();
    const bearing = mark();
    const { snapshot } = await written(connector, createOf(simpleProduct(), bearing));
    const found = await connector.findByMark(bearing, startedAt - 5 * MINUTES_MS);
    assert.equal(found?.externalId, snapshot.externalId);
    assert.deepEqual(found?.marks, [bearing]);
    assert.deepEqual(found, await readOne(connector, snapshot.externalId));
  });

  rule('[C18] null when no record bears the mark: marks are compared whole', {}, async ({ connector, now }) => {
    const startedAt = now() - 5 * MINUTES_MS;
    const bearing = mark('pair_one');
    assert.equal(await connector.findByMark(bearing, startedAt), null);
    await written(connector, createOf(simpleProduct(), bearing));
    for (const other of [
      { ...bearing, pairId: 'pair_on' },
      { ...bearing, pairId: 'pair_one1' },
      { ...bearing, hubId: `${bearing.hubId}0` },
      { ...bearing, hubId: bearing.hubId.slice(0, -1) },
      { ...bearing, hubId: bearing.hubId.toUpperCase() },
    ]) {
      assert.equal(await connector.findByMark(other, startedAt), null, JSON.stringify(other));
    }
    assert.notEqual(await connector.findByMark(bearing, startedAt), null);
  });

  rule(
    '[C18] a mark is found between pages full of older and younger records',
    { pageSize: 3 },
    async ({ connector, now, pageSize, shop }) => {
      const startedAt = now() - 5 * MINUTES_MS;
      const others = async () => {
        for (let index = 0; index < pageSize * 2 + 1; index += 1) await shop.addProduct(simpleProduct());
      };
      await others();
      const bearing = mark();
      const { snapshot } = await written(connector, createOf(simpleProduct(), bearing));
      await others();
      assert.equal((await connector.findByMark(bearing, startedAt))?.externalId, snapshot.externalId);
    },
  );

  rule('[C18] a marked record is found in the bin too', { abilities: ['bin'] }, async ({ connector, now, shop }) => {
    const startedAt = now() - 5 * MINUTES_MS;
    const bearing = mark();
    const { snapshot } = await written(connector, createOf(simpleProduct(), bearing));
    await shop.trash(snapshot.externalId);
    const found = await connector.findByMark(bearing, startedAt);
    assert.equal(found?.externalId, snapshot.externalId);
    assert.equal(found?.trashed, true);
  });

  rule('[C18] a draft is found by its mark; a record deleted for good is not', {}, async ({ connector, now, shop }) => {
    const startedAt = now() - 5 * MINUTES_MS;
    const bearing = mark();
    const { snapshot } = await written(connector, createOf(simpleProduct({ status: 'draft' }), bearing));
    assert.equal((await connector.findByMark(bearing, startedAt))?.externalId, snapshot.externalId);
    await shop.destroy(snapshot.externalId);
    assert.equal(await connector.findByMark(bearing, startedAt), null);
  });

  rule('[C18] a record that is known to be another one is passed over', {}, async ({ connector, now }) => {
    const startedAt = now() - 5 * MINUTES_MS;
    const bearing = mark();
    const { snapshot } = await written(connector, createOf(simpleProduct(), bearing));
    const isOther = (id: string) => id === snapshot.externalId;
    assert.equal(await connector.findByMark(bearing, startedAt, undefined, isOther), null);
    assert.notEqual(await connector.findByMark(bearing, startedAt, undefined, (id) => !isOther(id)), null);
  });

  rule('[C18] a record bears the marks of two pairs and is found by each', {}, async ({ connector, now }) => {
    const startedAt = now() - 5 * MINUTES_MS;
    const first = mark('pair_one');
    const second = mark('pair_two');
    const { snapshot } = await written(connector, createOf(simpleProduct(), first));
    await written(connector, updateOf(snapshot, { mark: second }));
    assert.equal((await connector.findByMark(first, startedAt))?.externalId, snapshot.externalId);
    assert.equal((await connector.findByMark(second, startedAt))?.externalId, snapshot.externalId);
  });

  for (const clockSkewMs of [-3_600_000, 3_600_000]) {
    rule(
      `[C18] createdAfter is our time, also when the store’s clock is ${clockSkewMs / 3_600_000} h off`,
      { clockSkewMs },
      async ({ connector, now }) => {
        const startedAt = now() - 5 * MINUTES_MS;
        // The doctor is what tells a connector of the store's clock; it has run before any write.
        await connector.inspect();
        const bearing = mark();
        const { snapshot } = await written(connector, createOf(simpleProduct(), bearing));
        assert.equal((await connector.findByMark(bearing, startedAt))?.externalId, snapshot.externalId);
      },
    );
  }

  rule(
    '[findByKeys] SKUs are compared whole and without letter case, on any variant, and products come complete',
    {},
    async (harness) => {
      const { connector, shop } = harness;
      const product = sizedProduct(3);
      const wanted = product.variants[1]!.fields.sku;
      const record = await shop.addProduct(product);
      const near = [
        `${wanted}-X`,
        `X${wanted}`,
        wanted.toLowerCase() === wanted ? wanted.toUpperCase() : wanted.toLowerCase(),
      ];
      // A SKU that differs only in letter case may be refused as taken; it is enough that the others exist.
      for (const sku of near.slice(0, 2)) await shop.addProduct(simpleProduct({}, { sku }));
      await harness.settleSearch();
      const found = await connector.findByKeys([skuOf(wanted)]);
      assert.deepEqual(
        found.map((snapshot) => snapshot.externalId),
        [record.externalId],
      );
      assert.deepEqual(found[0], await readOne(connector, record.externalId));
      assert.deepEqual(await connector.findByKeys([skuOf(near[2]!)]), found, 'in another letter case');
      assert.deepEqual(await connector.findByKeys([skuOf(wanted.slice(0, -1))]), []);
    },
  );

  rule('[findByKeys] several SKUs in one call, each product once', {}, async (harness) => {
    const { connector, shop } = harness;
    const sized = sizedProduct(3);
    const simple = simpleProduct();
    const a = await shop.addProduct(sized);
    const b = await shop.addProduct(simple);
    await shop.addProduct(simpleProduct());
    await harness.settleSearch();
    const skus = [
      sized.variants[0]!.fields.sku,
      sized.variants[2]!.fields.sku,
      simple.variants[0]!.fields.sku,
      'none-such',
    ];
    const found = await connector.findByKeys(skus.map(skuOf));
    assert.deepEqual(found.map((snapshot) => snapshot.externalId).toSorted(), [a.externalId, b.externalId].toSorted());
    assert.deepEqual(await connector.findByKeys([]), []);
    assert.deepEqual(await connector.findByKeys([skuOf(`none-${unique()}`)]), []);
  });

  rule('[findByKeys] every product that bears a SKU is named', { abilities: ['duplicate_skus'] }, async (harness) => {
    const { connector, shop } = harness;
    const sku = `DUP-${unique()}`;
    const a = await shop.addProduct(simpleProduct({}, { sku }));
    const b = await shop.addProduct(simpleProduct({}, { sku }));
    await harness.settleSearch();
    const found = await connector.findByKeys([skuOf(sku)]);
    assert.deepEqual(found.map((snapshot) => snapshot.externalId).toSorted(), [a.externalId, b.externalId].toSorted());
  });

  rule('[findByKeys] [C10] SKUs with separators, quotes, wildcards and letters of any script', {}, async (harness) => {
    const { connector, shop } = harness;
    for (const make of ODD_SKUS) {
      const sku = make(unique());
      const record = await shop.addProduct(simpleProduct({}, { sku }));
      await shop.addProduct(simpleProduct());
      await harness.settleSearch();
      assert.equal((await readOne(connector, record.externalId)).variants[0]!.fields.sku, sku);
      const found = await connector.findByKeys([skuOf(sku)]);
      assert.deepEqual(
        found.map((snapshot) => snapshot.externalId),
        [record.externalId],
        sku,
      );
    }
  });

  rule('[findByKeys] a GTIN is found on any variant, however many zeros stand before it', TYPED, async (harness) => {
    const { connector, shop } = harness;
    const sized = sizedProduct(3);
    const upc = gtin(12);
    const ean = gtin(13, '4');
    const near = gtin(13, '4');
    const [first, second, ...rest] = sized.variants;
    const barcode = { ...second!, fields: { ...second!.fields, barcode: upc } };
    const short = await shop.addProduct({ ...sized, variants: [first!, barcode, ...rest] });
    const plain = await shop.addProduct(simpleProduct({}, { barcode: ean }));
    await shop.addProduct(simpleProduct({}, { barcode: near }));
    await harness.settleSearch();
    const found = await connector.findByKeys([gtinOf(upc)]);
    assert.deepEqual(
      found.map((snapshot) => snapshot.externalId),
      [short.externalId],
    );
    assert.deepEqual(found[0], await readOne(connector, short.externalId));
    const both = await connector.findByKeys([gtinOf(ean), gtinOf(`0${upc}`), gtinOf(gtin())]);
    assert.deepEqual(
      both.map((snapshot) => snapshot.externalId).toSorted(),
      [short.externalId, plain.externalId].toSorted(),
    );
  });

  rule('[findByKeys] one record that bears a SKU and a GTIN of a call is named once', TYPED, async (harness) => {
    const { connector, shop } = harness;
    const fields = { sku: `BOTH-${unique()}`, barcode: gtin() };
    const one = await shop.addProduct(simpleProduct({}, fields));
    const another = { sku: `OTHER-${unique()}` };
    const other = await shop.addProduct(simpleProduct({}, another));
    await harness.settleSearch();
    const found = await connector.findByKeys([skuOf(fields.sku), gtinOf(fields.barcode), skuOf(another.sku)]);
    assert.deepEqual(
      found.map((snapshot) => snapshot.externalId).toSorted(),
      [one.externalId, other.externalId].toSorted(),
    );
  });

  rule('[findByKeys] a hundred keys in one call', TYPED, async (harness) => {
    const { connector, shop } = harness;
    const fields = { sku: `MANY-${unique()}`, barcode: gtin() };
    const record = await shop.addProduct(simpleProduct({}, fields));
    await harness.settleSearch();
    const none = Array.from({ length: 49 }, () => [skuOf(`none-${unique()}`), gtinOf(gtin())]).flat();
    for (const key of [skuOf(fields.sku), gtinOf(fields.barcode)]) {
      const found = await connector.findByKeys([...none, key]);
      assert.deepEqual(
        found.map((snapshot) => snapshot.externalId),
        [record.externalId],
      );
    }
  });

  rule(
    '[C33] a key that can’t be searched for is named, and without it the others are searched for',
    { abilities: ['shut_skus'] },
    async ({ connector, shop, faults, settleSearch }) => {
      const sku = `OPEN-${unique()}`;
      const record = await shop.addProduct(simpleProduct({}, { sku }));
      await settleSearch();
      const shut = [`SHUT-${unique()}`, `SHUT-${unique()}`];
      for (const one of shut) faults.shutSku(one);
      let keys = [skuOf(sku), ...Array.from({ length: 40 }, () => skuOf(`none-${unique()}`))].toSpliced(
        ...([20, 0, ...shut.map(skuOf)] as const),
      );
      const named: SearchKey[] = [];
      for (let tries = 0; tries < shut.length; tries += 1) {
        const { details } = await failure(() => connector.findByKeys(keys), ['rejected']);
        assert.ok(details.unsearched !== undefined);
        assert.ok((details.platformMessage ?? '') !== '', 'in words for people');
        named.push(details.unsearched);
        keys = keys.filter((key) => key !== details.unsearched);
      }
      assert.deepEqual(named.toSorted(), shut.map(skuOf).toSorted());
      const found = await connector.findByKeys(keys);
      assert.deepEqual(
        found.map(({ externalId }) => externalId),
        [record.externalId],
      );
      const alone = await failure(() => connector.findByKeys(named.slice(0, 1)), ['rejected']);
      assert.equal(alone.details.unsearched, named[0]);
    },
  );
}
