import assert from 'node:assert/strict';
import { test } from 'node:test';
import { represent } from '../connectors/shopify/represent.ts';
import { representProduct } from '../connectors/woocommerce/represent.ts';
import { PRODUCT_LIMITS } from '../model/product.ts';
import { product, settings, side, V1, variant } from '../testing/support/products.ts';
import { reconcile } from './reconcile.ts';

const priced = (regularMinor: number | null, saleMinor: number | null = null) =>
  product({}, { [V1]: variant({ price: { regularMinor, saleMinor } }) });

test('[B7] a price that a platform rounds is shown rounded there, kept exact in the hub, and does not come back', () => {
  for (const [currency, exact, shown] of [
    ['KWD', 1_234, 1_230],
    ['KWD', 4, 10],
    ['JPY', 1_234, 1_234],
    ['EUR', 1_234, 1_234],
  ] as const) {
    const onShopify = (whole: typeof level) => represent(whole, currency);
    const level = priced(exact);
    const sides = [
      side('woocommerce', level, level, { represent: representProduct }),
      side('shopify', priced(shown), priced(shown), { represent: onShopify }),
    ];
    const result = reconcile({ hub: level, seen: {}, sides, settings: settings() });
    assert.equal(result.hub.variants[V1]?.price.regularMinor, exact, currency);
    assert.deepEqual([result.sides.woocommerce?.write, result.sides.shopify?.write, result.changes], [null, null, []]);
  }
});

test('[B7] a price that really moved is carried over in every currency', () => {
  for (const currency of ['KWD', 'JPY', 'EUR']) {
    const [before, after] = [priced(1_230), priced(1_500)];
    const sides = [
      side('woocommerce', before, before, { represent: representProduct }),
      side('shopify', before, after, { represent: (whole) => represent(whole, currency) }),
    ];
    const result = reconcile({ hub: before, seen: {}, sides, settings: settings() });
    assert.deepEqual(result.sides.woocommerce?.write?.variants[V1]?.price, { regularMinor: 1_500, saleMinor: null });
  }
});

test('[B7] a sale that is made or ended where prices are rounded leaves the exact regular price as it is', () => {
  const onShopify = (whole: ReturnType<typeof priced>) => represent(whole, 'KWD');
  for (const sale of [1_000, null]) {
    const before = priced(1_234, sale === null ? 1_000 : null);
    const shown = onShopify(before);
    const sides = [
      side('woocommerce', before, before, { represent: representProduct }),
      side('shopify', shown, priced(1_230, sale), { represent: onShopify }),
    ];
    const result = reconcile({ hub: before, seen: {}, sides, settings: settings() });
    assert.deepEqual(result.hub.variants[V1]?.price, { regularMinor: 1_234, saleMinor: sale });
    assert.deepEqual(result.sides.woocommerce?.write?.variants[V1]?.price, { regularMinor: 1_234, saleMinor: sale });
    assert.equal(result.sides.shopify?.write, null);
  }
});

test('[B5] 2,048 variants that all moved are merged in a moment', () => {
  const many = (regularMinor: number) =>
    product(
      { optionNames: ['Number'] },
      Object.fromEntries(
        Array.from({ length: PRODUCT_LIMITS.variantsMax }, (_, i) => [
          `var_${i}`,
          variant({ sku: `RING-${i}`, optionValues: [`No ${i}`], price: { regularMinor, saleMinor: null } }),
        ]),
      ),
    );
  const [before, after] = [many(1_000), many(1_100)];
  const startedAt = performance.now();
  const result = reconcile({
    hub: before,
    seen: {},
    settings: settings(),
    sides: [
      side('woocommerce', before, after, { represent: representProduct }),
      side('shopify', before, before, { represent: (whole) => represent(whole, 'EUR') }),
    ],
  });
  assert.equal(Object.keys(result.sides.shopify?.write?.variants ?? {}).length, 2_048);
  assert.equal(Object.keys(result.seen).length, 2_048);
  assert.ok(performance.now() - startedAt < 3_000, `${performance.now() - startedAt} ms`);
});
