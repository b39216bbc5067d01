import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CONFLICT_POLICIES } from '../model/pair.ts';
import type { CanonicalProduct } from '../model/product.ts';
import { level, merge, priced, titled } from '../testing/support/merge.ts';
import { product, settings, side, V1, V2, variant } from '../testing/support/products.ts';
import { isAreaOn, mayFollow, mayLead } from './direction.ts';
import { reconcile } from './reconcile.ts';

describe('direction and areas', () => {
  test('[R9] who may lead and who may follow', () => {
    const rows = [
      ['bidirectional', [true, true], [true, true]],
      ['woocommerce_to_shopify', [true, false], [false, true]],
      ['shopify_to_woocommerce', [false, true], [true, false]],
    ] as const;
    for (const [syncDirection, leads, follows] of rows) {
      const sides = ['woocommerce', 'shopify'] as const;
      assert.deepEqual(
        sides.map((each) => mayLead(each, settings({ syncDirection }))),
        leads,
        syncDirection,
      );
      assert.deepEqual(
        sides.map((each) => mayFollow(each, settings({ syncDirection }))),
        follows,
        syncDirection,
      );
    }
  });

  test('[R9] one way: the target never changes the hub, the source is never written', () => {
    const result = merge(
      { syncDirection: 'woocommerce_to_shopify', conflictResolution: 'newest' },
      {
        woocommerce: { remote: product({ descriptionHtml: '<p>Source</p>' }) },
        shopify: { remote: product({ title: 'Beaker', descriptionHtml: '<p>Target</p>', tags: ['x'] }) },
      },
    );
    assert.equal(result.hub.fields.title, 'Mug');
    assert.deepEqual(result.hub.fields.tags, ['kitchen']);
    assert.equal(result.sides.woocommerce?.write, null);
    assert.equal(result.sides.shopify?.write, null, 'both moved the description: drift, and left alone');
  });

  test('[R10] an area that is switched off is neither read nor written, and its base waits', () => {
    for (const [off, remote, path] of [
      [{ syncPrices: false }, priced(1200), 'price'],
      [{ syncProducts: false }, titled('Cup'), 'title'],
    ] as const) {
      const result = merge(off, { woocommerce: { remote } });
      assert.deepEqual(result.hub, level, path);
      assert.deepEqual(result.changes, []);
      assert.equal(result.sides.shopify?.write, null);
      assert.deepEqual(result.sides.woocommerce?.base, level);
    }
    assert.ok(!isAreaOn('inventory', settings({ syncInventory: false })));
  });

  test('[R10] switched on again, what moved meanwhile is merged as if it had moved now', () => {
    const off = merge({ syncPrices: false }, { woocommerce: { remote: priced(1200) } });
    const on = reconcile({
      hub: off.hub,
      seen: off.seen,
      settings: settings(),
      sides: [
        side('woocommerce', off.sides.woocommerce?.base ?? level, priced(1200)),
        side('shopify', off.sides.shopify?.base ?? level, level),
      ],
    });
    assert.deepEqual(on.sides.shopify?.write?.variants[V1], { price: { regularMinor: 1200, saleMinor: null } });
  });

  test('[R11] drift of a target is shown and left alone; with "enforce" it is written over, and the value stands in the history', () => {
    const change = { syncDirection: 'woocommerce_to_shopify' } as const;
    const shopify = { remote: titled('Beaker') };
    const left = merge(change, { shopify });
    assert.deepEqual(left.sides.shopify?.drift, [{ path: 'title', base: 'Mug', hub: 'Mug', remote: 'Beaker' }]);
    assert.equal(left.sides.shopify?.write, null);
    const enforced = merge({ ...change, enforce: true }, { shopify });
    assert.deepEqual(enforced.sides.shopify?.write?.fields, { title: 'Mug' });
    assert.deepEqual(enforced.changes, [
      { path: 'title', from: 'Beaker', to: 'Mug', origin: 'shopify', cause: 'enforced' },
    ]);
  });
});

describe('the source of a one-way pair', () => {
  const oneWay = { syncDirection: 'shopify_to_woocommerce' } as const;

  test('[R9] it wins over what the hub holds against it, by whatever policy and whoever moved when', () => {
    for (const conflictResolution of CONFLICT_POLICIES)
      for (const own of ['Beaker', 'Mug']) {
        const result = merge(
          { ...oneWay, conflictResolution, preferredSide: 'woocommerce' },
          {
            hub: titled('Cup'),
            seen: { title: { side: 'woocommerce', at: 500 } },
            woocommerce: { base: titled('Cup'), remote: titled('Cup') },
            shopify: { base: level, remote: titled(own) },
          },
        );
        assert.equal(result.hub.fields.title, own);
        assert.deepEqual(result.sides.woocommerce?.write?.fields, { title: own });
        assert.deepEqual([result.sides.woocommerce?.drift, result.sides.shopify?.conflicts], [[], []]);
        assert.deepEqual(result.changes, [
          { path: 'title', from: 'Cup', to: own, origin: 'shopify', cause: 'conflict_remote' },
        ]);
      }
  });

  test('[R9, L2] a value that it lacks is not taken from the hub', () => {
    const blank = product({ descriptionHtml: '' });
    const full = product({ descriptionHtml: '<p>Text</p>' });
    const result = merge(oneWay, {
      hub: full,
      woocommerce: { base: full, remote: full },
      shopify: { base: blank, remote: blank },
    });
    assert.equal(result.hub.fields.descriptionHtml, '<p>Text</p>');
    assert.equal(result.sides.woocommerce?.write, null);
  });

  test('[R9] what it shows otherwise than the hub holds it, since it can not hold more, is the hub already', () => {
    const represent = (shown: CanonicalProduct) => ({
      ...shown,
      fields: { ...shown.fields, title: shown.fields.title.slice(0, 3) },
    });
    const film = { base: titled('Mug and more'), remote: titled('Mug and more'), represent };
    const result = merge(oneWay, { hub: titled('Mug and more'), woocommerce: { remote: null }, shopify: film });
    assert.deepEqual(result.changes, []);
  });
});

test('[R11] a target that shows what the source moves to in the same pass has not drifted', () => {
  const result = merge(
    { syncDirection: 'shopify_to_woocommerce' },
    { woocommerce: { remote: titled('Cup') }, shopify: { remote: titled('Cup') } },
  );
  assert.deepEqual(result.sides.woocommerce?.drift, []);
  assert.equal(result.sides.woocommerce?.base.fields.title, 'Cup');
});

describe('writes', () => {
  test('[R12] a write holds exactly what the side lacks, and the plan after it is empty', () => {
    const hub = product({ title: 'Cup', tags: ['gift'] }, { [V1]: variant({ sku: 'CUP' }) });
    const first = merge({}, { hub });
    assert.deepEqual(first.sides.shopify?.write, {
      fields: { title: 'Cup', tags: ['gift'] },
      variants: { [V1]: { sku: 'CUP' } },
      newVariants: [],
    });
    const second = merge({}, { hub, woocommerce: { base: hub, remote: hub }, shopify: { base: hub, remote: hub } });
    assert.deepEqual([second.sides.woocommerce?.write, second.sides.shopify?.write], [null, null]);
  });

  test('[R12] what a side holds of its own and can not be given by us goes over, and stays where it is', () => {
    const film = product({ descriptionHtml: '<p>See</p><iframe src="https://film.example"></iframe>' });
    const represent = (shown: typeof film) => ({
      ...shown,
      fields: { ...shown.fields, descriptionHtml: shown.fields.descriptionHtml.replace(/<iframe.*iframe>/, '') },
    });
    const first = merge({}, { woocommerce: { remote: film, represent } });
    assert.equal(first.sides.woocommerce?.write, null);
    assert.deepEqual(first.sides.shopify?.write?.fields, { descriptionHtml: film.fields.descriptionHtml });
    const { hub } = first;
    const woocommerce = { base: first.sides.woocommerce?.base ?? level, remote: film, represent };
    const second = merge({}, { hub, woocommerce, shopify: { base: film, remote: film } });
    assert.deepEqual([second.sides.woocommerce?.write, second.sides.shopify?.write], [null, null]);
    const edited = product({ descriptionHtml: '<p>Look</p>' });
    const third = merge({}, { hub, woocommerce, shopify: { base: film, remote: edited } });
    assert.deepEqual(third.sides.woocommerce?.write?.fields, { descriptionHtml: '<p>Look</p>' });
  });

  test('[R12] a side that was not read says what it lacks, and proves nothing', () => {
    const result = merge({}, { shopify: { remote: titled('Cup') }, woocommerce: { remote: null } });
    assert.equal(result.sides.woocommerce?.wasRead, false);
    assert.deepEqual(result.sides.woocommerce?.write?.fields, { title: 'Cup' });
  });

  test('[R12] a variant that the reading does not show is not written', () => {
    const hub = product({}, { [V1]: variant(), [V2]: variant({ sku: 'CUP' }) });
    const both = product({}, { [V1]: variant(), [V2]: variant({ sku: 'OLD' }) });
    const result = merge({}, { hub, shopify: { base: both, remote: level }, woocommerce: { base: hub, remote: hub } });
    assert.equal(result.sides.shopify?.write, null);
  });

  test('[R7, R11, R12] while the names of options are held, their values are as well; other fields are written', () => {
    const shown = (optionNames: string[], optionValues: string[], minor = 1000) =>
      product({ optionNames }, { [V1]: variant({ optionValues, price: { regularMinor: minor, saleMinor: null } }) });
    const base = shown(['Size'], ['S']);
    const price = { price: { regularMinor: 1200, saleMinor: null } };
    const drifted = merge(
      { syncDirection: 'shopify_to_woocommerce' },
      {
        hub: base,
        woocommerce: { base, remote: shown(['Size', 'Colour'], ['S', 'Red']) },
        shopify: { base, remote: shown(['Size'], ['M'], 1200) },
      },
    );
    assert.deepEqual(drifted.sides.woocommerce?.write, { fields: {}, variants: { [V1]: price }, newVariants: [] });
    const asked = merge(
      { conflictResolution: 'manual' },
      {
        hub: base,
        woocommerce: { base, remote: shown(['Width'], ['S']) },
        shopify: { base, remote: shown(['Size', 'Colour'], ['M', 'Red'], 1200) },
      },
    );
    assert.deepEqual(asked.sides.woocommerce?.write, { fields: {}, variants: { [V1]: price }, newVariants: [] });
    assert.equal(asked.sides.shopify?.write, null);
  });

  test('[R12, V3] a hub variant that the side has no base for is new there', () => {
    const hub = product({}, { [V1]: variant(), [V2]: variant({ sku: 'CUP' }) });
    const result = merge({}, { hub, woocommerce: { base: hub, remote: hub } });
    assert.deepEqual(result.sides.shopify?.write?.newVariants, [V2]);
    const off = merge({ syncProducts: false }, { hub, woocommerce: { base: hub, remote: hub } });
    assert.equal(off.sides.shopify?.write, null);
  });

  test('[R15] a variant without a price is written without one, never as 0', () => {
    const none = { regularMinor: null, saleMinor: null };
    const result = merge({}, { woocommerce: { remote: product({}, { [V1]: variant({ price: none }) }) } });
    assert.deepEqual(result.sides.shopify?.write?.variants[V1], { price: none });
  });

  test('[R16] a handle moves no hub and is written to nobody', () => {
    const result = merge({}, { woocommerce: { remote: product({ handle: 'cup' }) } });
    assert.equal(result.hub.fields.handle, 'mug');
    assert.equal(result.sides.shopify?.write, null);
    assert.equal(result.sides.woocommerce?.base.fields.handle, 'cup');
  });

  test('the inputs are left as they are', () => {
    const frozen = deepFreeze({
      hub: product(),
      seen: {},
      settings: settings({ conflictResolution: 'woocommerce' }),
      sides: [side('woocommerce', product(), titled('Cup')), side('shopify', product(), product({ tags: [] }))],
    });
    reconcile(frozen);
  });
});

function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object') {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
