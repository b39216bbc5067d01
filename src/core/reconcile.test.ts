import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CanonicalProduct } from '../model/product.ts';
import { level, merge, priced, titled } from '../testing/support/merge.ts';
import { product, settings, side, V1, variant } from '../testing/support/products.ts';
import { variantPath } from './fields.ts';
import { reconcile } from './reconcile.ts';

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

  test('[R4] what a side did and the other cannot show undoes nothing there: archived here and made a draft there is archived', () => {
    const asDraft = (whole: CanonicalProduct): CanonicalProduct =>
      whole.fields.status === 'archived' ? { ...whole, fields: { ...whole.fields, status: 'draft' } } : whole;
    for (const conflictResolution of ['newest', 'manual', 'woocommerce'] as const) {
      const met = (status: 'active' | 'draft') =>
        merge(
          { conflictResolution },
          {
            hub: product({ status: status === 'draft' ? 'active' : 'draft' }),
            woocommerce: {
              base: product({ status: status === 'draft' ? 'active' : 'draft' }),
              remote: product({ status }),
              represent: asDraft,
            },
            shopify: {
              base: product({ status: status === 'draft' ? 'active' : 'draft' }),
              remote: product({ status: 'archived' }),
            },
          },
        );
      const off = met('draft');
      assert.deepEqual([off.hub.fields.status, off.sides.shopify?.conflicts], ['archived', []], conflictResolution);
      assert.equal(off.sides.woocommerce?.write ?? off.sides.shopify?.write ?? null, null);
      assert.ok(off.changes.every(({ cause }) => cause === 'outside_change'));
      // Put on sale here and archived there are two wishes.
      const on = met('active');
      assert.equal(on.hub.fields.status, 'active');
      assert.equal(on.sides.shopify?.conflicts.length, conflictResolution === 'manual' ? 1 : 0);
    }
  });

  test('[R4] prices of many variants that moved in both shops are compared without showing the product anew for each', () => {
    const all = (regularMinor: number) => {
      const price = { regularMinor, saleMinor: null };
      const ids = Array.from({ length: 200 }, (_, index) => `var_${index}`);
      return product({}, Object.fromEntries(ids.map((id) => [id, variant({ sku: id, price })])));
    };
    for (const conflictResolution of ['newest', 'manual', 'shopify'] as const) {
      let shown = 0;
      const represent = (whole: CanonicalProduct): CanonicalProduct => {
        shown += 1;
        return whole;
      };
      const base = all(1000);
      const woocommerce = { base, remote: all(1100), represent };
      const shopify = { base, remote: all(1200), represent };
      merge({ conflictResolution }, { hub: base, woocommerce, shopify });
      assert.ok(shown < 20, `${conflictResolution}: ${shown}`);
    }
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

  test('[R7] a person is asked about the two values as they are, also where the other side moved in the same pass', () => {
    const read = (woocommerce: string) =>
      merge(
        { conflictResolution: 'manual' },
        {
          hub: titled('Cup'),
          woocommerce: { base: level, remote: titled(woocommerce) },
          shopify: { base: titled('Cup'), remote: titled('Beaker') },
        },
      );
    const open = read('Bowl');
    assert.equal(open.hub.fields.title, 'Beaker');
    assert.deepEqual(open.sides.woocommerce?.conflicts, [
      { path: 'title', base: 'Mug', hub: 'Beaker', remote: 'Bowl' },
    ]);
    const met = read('Beaker');
    assert.deepEqual(met.sides.woocommerce?.conflicts, []);
    assert.deepEqual([met.sides.woocommerce?.write, met.sides.shopify?.write], [null, null]);
    assert.equal(met.sides.woocommerce?.base.fields.title, 'Beaker');
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

  test('[R9] what only the source of a one-way pair has is what it shows, blanks and tags included', () => {
    const held = product({ tags: ['Kitchen', 'sale'] }, { [V1]: variant({ weightMg: 500_000 }) });
    const shown = product({ tags: ['kitchen', 'new'] }, { [V1]: variant({ weightMg: 0 }) });
    for (const base of [held, shown, level]) {
      const result = reconcile({
        hub: held,
        seen: {},
        settings: settings({ syncDirection: 'shopify_to_woocommerce' }),
        sides: [side('shopify', base, shown)],
      });
      assert.deepEqual(result.hub.fields.tags, ['Kitchen', 'new']);
      assert.equal(result.hub.variants[V1]?.weightMg, 0);
      assert.equal(result.sides.shopify?.write, null);
    }
  });

  test('[L2] a blank of the source does not take a value from what its target has as well', () => {
    const held = product({}, { [V1]: variant({ weightMg: 500_000 }) });
    const blank = product({}, { [V1]: variant({ weightMg: 0 }) });
    const result = merge(
      { syncDirection: 'shopify_to_woocommerce' },
      { hub: held, woocommerce: { base: held, remote: held }, shopify: { base: blank, remote: blank } },
    );
    assert.equal(result.hub.variants[V1]?.weightMg, 500_000);
  });
});
