// Shops keep prices with more decimals than money has: net prices of gross ones. Who does not touch a price does not round it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, openStore, SIZES, update } from './open-store.test.ts';

const SALES = [
  { saleMinor: 700, sale: '7.00' },
  { saleMinor: null, sale: '' },
] as const;

for (const kind of ['simple', 'variable'] as const)
  test(`a sale that begins and ends leaves the regular price of a ${kind} product exact, and the other way round`, async () => {
    const { connector, read, call } = await openStore();
    const [made] = await connector.writeProducts([
      kind === 'simple' ? create({}, SIZES.slice(0, 1).map(plain)) : create({ optionNames: ['Size'] }, SIZES),
    ]);
    if (!made?.ok) throw made?.error;
    const { externalId } = made.snapshot;
    const variantId = made.snapshot.variants[0]?.externalId ?? '';
    const path = kind === 'simple' ? `/products/${externalId}` : `/products/${externalId}/variations/${variantId}`;
    const priced = async (regularMinor: number, saleMinor: number | null) => {
      const variants = [{ externalId: variantId, fields: { price: { regularMinor, saleMinor } } }];
      const [outcome] = await connector.writeProducts([update(await read(externalId), { variants })]);
      assert.deepEqual(outcome?.ok && outcome.snapshot.variants[0]?.fields.price, { regularMinor, saleMinor });
      const { regular_price, sale_price } = await call('GET', path);
      return [regular_price, sale_price];
    };
    await call('PUT', path, { regular_price: '8.4034' });
    for (const { saleMinor, sale } of SALES) assert.deepEqual(await priced(840, saleMinor), ['8.4034', sale]);
    await call('PUT', path, { sale_price: '7.5631' });
    assert.deepEqual(await priced(900, 756), ['9.00', '7.5631']);
    const dates = { date_on_sale_from_gmt: '2020-01-01T00:00:00', date_on_sale_to_gmt: '2020-01-31T00:00:00' };
    await call('PUT', path, { regular_price: '8.4034', ...dates });
    assert.deepEqual(await priced(840, 756), ['8.4034', '7.5631'], 'a sale that was over begins anew');
  });

function plain(variant: (typeof SIZES)[number]): (typeof SIZES)[number] {
  return { ...variant, fields: { ...variant.fields, optionValues: [] } };
}
