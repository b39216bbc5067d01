import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PairSettings } from '../model/pair.ts';
import type { CanonicalProduct } from '../model/product.ts';
import { product, settings, side, V1, V2, variant } from '../testing/support/products.ts';
import { isAreaOn, mayFollow, mayLead } from './direction.ts';
import { variantPath } from './fields.ts';
import { reconcile } from './reconcile.ts';
import type { ReconcileInput, SideInput } from './reconciliation.ts';

const level = product();
const titled = (title: string) => product({ title });
const priced = (regularMinor: number) => product({}, { [V1]: variant({ price: { regularMinor, saleMinor: null } }) });

/** Both sides level but for what is given: base, hub and the two readings. */
function merge(
  change: Partial<PairSettings>,
  values: {
    readonly hub?: CanonicalProduct;
    readonly woocommerce?: Partial<SideInput>;
    readonly shopify?: Partial<SideInput>;
    readonly seen?: ReconcileInput['seen'];
  },
) {
  return reconcile({
    hub: values.hub ?? level,
    seen: values.seen ?? {},
    settings: settings(change),
    sides: [side('woocommerce', level, level, values.woocommerce), side('shopify', level, level, values.shopify)],
  });
}

describe('fields of one product', () => {
  test('[R1] a side that shows what the hub holds has agreed; nothing is written, and its spelling becomes the base', () => {
    const remote = titled(' Mug ');
    const result = merge({}, { shopify: { base: titled('Old mug'), remote } });
    assert.equal(result.sides.shopify?.write, null);
    assert.equal(result.sides.shopify?.base.fields.title, ' Mug ');
    assert.deepEqual(result.changes, []);
  });

  test('[R1] both sides changed to the same value: agreed', () => {
    const result = merge({}, { woocommerce: { remote: titled('Cup') }, shopify: { remote: titled('Cup') } });
    assert.equal(result.hub.fields.title, 'Cup');
    assert.deepEqual([result.sides.woocommerce?.write, result.sides.shopify?.write], [null, null]);
    assert.equal(result.changes.length, 1);
  });

  test('[R1] a side that agreed with the hub is not held against what the other does to it in the same pass', () => {
    // Both typed "Cup"; only WooCommerce's was read, and it has taken that back since.
    const result = merge(
      { conflictResolution: 'manual' },
      {
        hub: titled('Cup'),
        woocommerce: { base: titled('Cup'), remote: level },
        shopify: { base: level, remote: titled('Cup') },
      },
    );
    assert.equal(result.hub.fields.title, 'Mug');
    assert.deepEqual(result.sides.shopify?.conflicts, []);
    assert.deepEqual(result.sides.shopify?.write?.fields, { title: 'Mug' });
  });

  test('[R2] a side that did not move is written what the hub holds', () => {
    const result = merge({}, { hub: titled('Cup') });
    for (const name of ['woocommerce', 'shopify'] as const)
      assert.deepEqual(result.sides[name]?.write, { fields: { title: 'Cup' }, variants: {}, newVariants: [] });
    assert.deepEqual(result.changes, []);
  });

  test('[R3] a side that moved alone moves the hub, and the other side is written', () => {
    const result = merge({}, { shopify: { remote: titled('Cup') } });
    assert.equal(result.hub.fields.title, 'Cup');
    assert.equal(result.sides.shopify?.write, null);
    assert.deepEqual(result.sides.woocommerce?.write?.fields, { title: 'Cup' });
    assert.deepEqual(result.changes, [
      { path: 'title', from: 'Mug', to: 'Cup', origin: 'shopify', cause: 'outside_change' },
    ]);
    assert.deepEqual(result.seen, { title: { side: 'shopify', at: 1_000 } });
  });

  test('[R3] the same for each field of a variant', () => {
    const path = variantPath(V1, 'price');
    const result = merge({}, { woocommerce: { remote: priced(1200) } });
    assert.deepEqual(result.sides.shopify?.write?.variants, {
      [V1]: { price: { regularMinor: 1200, saleMinor: null } },
    });
    assert.equal(result.changes[0]?.path, path);
  });

  test('[R4] both moved one field: the policy decides over it alone, everything else goes through', () => {
    const result = merge(
      { conflictResolution: 'manual' },
      {
        woocommerce: { remote: product({ title: 'Cup', status: 'draft' }) },
        shopify: { remote: product({ title: 'Beaker', descriptionHtml: '<p>New</p>' }) },
      },
    );
    assert.deepEqual(result.sides.shopify?.conflicts, [{ path: 'title', base: 'Mug', hub: 'Cup', remote: 'Beaker' }]);
    assert.deepEqual(result.sides.shopify?.write?.fields, { status: 'draft' });
    assert.deepEqual(result.sides.woocommerce?.write?.fields, { descriptionHtml: '<p>New</p>' });
  });

  test('[R4] the hub is taken as that side would show it: what it cannot show is no conflict', () => {
    const asDraft = (whole: CanonicalProduct): CanonicalProduct => ({
      ...whole,
      fields: { ...whole.fields, status: whole.fields.status === 'archived' ? 'draft' : whole.fields.status },
    });
    const archived = product({ status: 'archived' });
    const draft = product({ status: 'draft' });
    const kept = merge(
      {},
      {
        hub: archived,
        woocommerce: { base: draft, remote: draft, represent: asDraft },
        shopify: { base: archived, remote: archived },
      },
    );
    assert.equal(kept.hub.fields.status, 'archived', 'a value that one side cannot hold is not wiped there and back');
    assert.equal(kept.sides.woocommerce?.write ?? kept.sides.shopify?.write ?? null, null);
  });

  test('[R5] a side wins; the losing value stands in the history', () => {
    for (const [winner, loser] of [
      ['woocommerce', 'Beaker'],
      ['shopify', 'Cup'],
    ] as const) {
      const result = merge(
        { conflictResolution: winner },
        { woocommerce: { remote: titled('Cup') }, shopify: { remote: titled('Beaker') } },
      );
      assert.equal(result.hub.fields.title, winner === 'woocommerce' ? 'Cup' : 'Beaker');
      assert.deepEqual(result.sides[winner]?.write, null);
      const last = result.changes.at(-1);
      assert.ok(last?.from === loser, `${loser} is in the history`);
      assert.equal(last?.cause, winner === 'woocommerce' ? 'kept_hub' : 'conflict_remote');
    }
  });

  test('[R6] newest and oldest go by when we saw each value; seen in one pass, the preferred side wins', () => {
    const rows = [
      ['newest', 500, 'shopify', 'Beaker'],
      ['oldest', 500, 'shopify', 'Cup'],
      ['newest', 1_000, 'woocommerce', 'Cup'],
      ['newest', 1_000, 'shopify', 'Beaker'],
      ['oldest', 1_000, 'woocommerce', 'Cup'],
    ] as const;
    for (const [conflictResolution, at, preferredSide, title] of rows) {
      // WooCommerce's "Cup" was seen at `at` and is still on its way; Shopify says "Beaker" now.
      const result = merge(
        { conflictResolution, preferredSide },
        {
          hub: titled('Cup'),
          seen: { title: { side: 'woocommerce', at } },
          woocommerce: { base: titled('Cup'), remote: titled('Cup') },
          shopify: { remote: titled('Beaker') },
        },
      );
      assert.equal(result.hub.fields.title, title, `${conflictResolution}, seen at ${at}, ${preferredSide} preferred`);
    }
  });

  test('[R6] who moved a field is forgotten once every side has followed', () => {
    const moved = merge({}, { shopify: { remote: titled('Cup') } });
    const followed = reconcile({
      hub: moved.hub,
      seen: moved.seen,
      settings: settings(),
      sides: [side('woocommerce', titled('Cup'), titled('Cup')), side('shopify', titled('Cup'), null)],
    });
    assert.deepEqual(followed.seen, {});
  });

  test('[R7] manual: neither side is written the field, until the values meet', () => {
    const open = merge(
      { conflictResolution: 'manual' },
      { woocommerce: { remote: titled('Cup') }, shopify: { remote: titled('Beaker') } },
    );
    assert.deepEqual([open.sides.woocommerce?.write, open.sides.shopify?.write], [null, null]);
    const again = reconcile({
      hub: open.hub,
      seen: open.seen,
      settings: settings({ conflictResolution: 'manual' }),
      sides: [
        side('woocommerce', open.sides.woocommerce?.base ?? level, titled('Cup')),
        side('shopify', open.sides.shopify?.base ?? level, titled('Cup')),
      ],
    });
    assert.deepEqual(again.sides.shopify?.conflicts, []);
    assert.deepEqual([again.sides.woocommerce?.write, again.sides.shopify?.write], [null, null]);
  });

  test('[R8] tags of both sides add up', () => {
    const tagged = (...tags: string[]) => product({ tags });
    const result = merge(
      { conflictResolution: 'manual' },
      { woocommerce: { remote: tagged('kitchen', 'sale') }, shopify: { remote: tagged('gift') } },
    );
    assert.deepEqual(result.hub.fields.tags, ['sale', 'gift']);
    assert.deepEqual(result.sides.woocommerce?.write?.fields, { tags: ['sale', 'gift'] });
    assert.deepEqual(result.sides.shopify?.write?.fields, { tags: ['sale', 'gift'] });
    assert.deepEqual(result.sides.shopify?.conflicts, []);
  });
});

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
