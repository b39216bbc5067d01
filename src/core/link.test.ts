import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONFLICT_POLICIES, LINK_RULES, type PairSettings } from '../model/pair.ts';
import { SIDES, type Side } from '../model/platform.ts';
import type { CanonicalProduct } from '../model/product.ts';
import { product, settings, side, V1, V2, variant } from '../testing/support/products.ts';
import { attachBase, linkRuleOf } from './link.ts';
import { reconcile } from './reconcile.ts';

/** A first link of two records, the hub begun from `first`; what both sides show in the end, and what waits for a person. */
function link(change: Partial<PairSettings>, readings: Readonly<Record<Side, CanonicalProduct>>, first: Side) {
  const all = settings(change);
  const hub = readings[first];
  const sides = SIDES.map((name) =>
    side(name, attachBase({ side: name, shown: hub, remote: readings[name], settings: all }), readings[name]),
  );
  const result = reconcile({ hub, seen: {}, sides, settings: all });
  const end = (name: Side) => ({ ...readings[name].fields, ...result.sides[name]?.write?.fields });
  const conflicts = SIDES.flatMap((name) => result.sides[name]?.conflicts.map(({ path }) => path) ?? []);
  return { woocommerce: end('woocommerce'), shopify: end('shopify'), conflicts, result };
}

const readings = {
  woocommerce: product({ title: 'Woo mug', descriptionHtml: '', tags: ['a', 'b'] }),
  shopify: product({ title: 'Shop mug', descriptionHtml: '<p>Text</p>', tags: ['B', 'c'] }),
};

test('[L1, L2] the rule decides over each field, a blank never wins, whichever record was known first', () => {
  for (const first of SIDES) {
    for (const linkRule of ['woocommerce', 'shopify'] as const) {
      const end = link({ linkRule }, readings, first);
      const title = linkRule === 'woocommerce' ? 'Woo mug' : 'Shop mug';
      for (const name of SIDES) {
        assert.equal(end[name].title, title, `${linkRule} wins on ${name}, ${first} first`);
        assert.equal(end[name].descriptionHtml, '<p>Text</p>', 'a blank never wins over a value');
      }
    }
  }
});

test('[L1] only blanks are filled: two values are a conflict, which a side decides that wins all of them, and else a person', () => {
  for (const first of SIDES) {
    for (const conflictResolution of ['manual', 'newest', 'oldest'] as const) {
      const held = link({ linkRule: 'fill_blanks', conflictResolution, preferredSide: 'shopify' }, readings, first);
      assert.deepEqual(held.conflicts, ['title']);
      assert.deepEqual([held.woocommerce.title, held.shopify.title], ['Woo mug', 'Shop mug']);
      assert.equal(held.woocommerce.descriptionHtml, '<p>Text</p>');
    }
    for (const conflictResolution of ['woocommerce', 'shopify'] as const) {
      const end = link({ linkRule: 'fill_blanks', conflictResolution, preferredSide: 'shopify' }, readings, first);
      const title = conflictResolution === 'woocommerce' ? 'Woo mug' : 'Shop mug';
      assert.deepEqual(
        [end.woocommerce.title, end.shopify.title],
        [title, title],
        `${conflictResolution}, ${first} first`,
      );
      assert.ok(end.result.changes.some(({ from, to }) => from !== to && [from, to].includes('Woo mug')));
    }
  }
});

test('[L1] "newest" never decides a first link: no policy changes what a side that wins', () => {
  for (const linkRule of ['woocommerce', 'shopify'] as const) {
    const ends = CONFLICT_POLICIES.map((conflictResolution) =>
      link({ linkRule, conflictResolution }, readings, 'woocommerce'),
    );
    assert.equal(new Set(ends.map((end) => end.shopify.title)).size, 1);
    assert.deepEqual(
      ends.flatMap((end) => end.conflicts),
      [],
    );
  }
});

test('[L3] tags add up', () => {
  for (const first of SIDES) {
    for (const linkRule of LINK_RULES) {
      const end = link({ linkRule }, readings, first);
      for (const name of SIDES)
        assert.deepEqual(
          end[name].tags.map((tag) => tag.toLowerCase()).sort(),
          ['a', 'b', 'c'],
          `${linkRule} on ${name}`,
        );
    }
  }
});

test('[L4] in a one-way pair the source wins, whatever the link rule says; a value it lacks stays on the target', () => {
  assert.equal(linkRuleOf(settings({ syncDirection: 'shopify_to_woocommerce', linkRule: 'woocommerce' })), 'shopify');
  for (const first of SIDES) {
    for (const linkRule of LINK_RULES) {
      const toWoo = link({ syncDirection: 'shopify_to_woocommerce', linkRule }, readings, first);
      assert.deepEqual(
        [toWoo.woocommerce.title, toWoo.shopify.title],
        ['Shop mug', 'Shop mug'],
        `${linkRule}, ${first} first`,
      );
      assert.equal(toWoo.result.sides.shopify?.write, null);
      const toShop = link({ syncDirection: 'woocommerce_to_shopify', linkRule }, readings, first);
      assert.equal(toShop.shopify.title, 'Woo mug');
      assert.equal(toShop.shopify.descriptionHtml, '<p>Text</p>', 'the blank of the source wipes nothing out');
      assert.equal(toShop.woocommerce.descriptionHtml, '', 'and the source is not written');
    }
  }
});

test('[L2, L4] tags of a target stay where the source has none, and are the source’s where it has some', () => {
  const tags = (woo: readonly string[], shop: readonly string[]) => ({
    woocommerce: product({ title: 'Mug', tags: woo }),
    shopify: product({ title: 'Mug', tags: shop }),
  });
  for (const first of SIDES) {
    for (const linkRule of LINK_RULES) {
      const oneWay = { syncDirection: 'woocommerce_to_shopify', linkRule } as const;
      const blank = link(oneWay, tags([], ['b']), first);
      assert.deepEqual(blank.shopify.tags, ['b'], `${linkRule}, ${first} first`);
      assert.equal(blank.result.sides.woocommerce?.write ?? null, null);
      const both = link(oneWay, tags(['a'], ['b']), first);
      assert.deepEqual(both.shopify.tags, ['a'], `${linkRule}, ${first} first`);
    }
  }
  const enforced = link({ syncDirection: 'woocommerce_to_shopify', enforce: true }, tags([], ['b']), 'woocommerce');
  assert.deepEqual(enforced.shopify.tags, [], 'with enforce the target is as its source');
});

test('[L1] variants that are the same go by the rule, each field for itself', () => {
  const own = (sku: string, barcode: string) => product({}, { [V1]: variant({ sku, barcode }) });
  const sides = { woocommerce: own('W', ''), shopify: own('S', '4006381333931') };
  const { result } = link({ linkRule: 'woocommerce' }, sides, 'woocommerce');
  assert.deepEqual(result.sides.shopify?.write?.variants, { [V1]: { sku: 'W' } });
  assert.deepEqual(result.sides.woocommerce?.write?.variants, { [V1]: { barcode: '4006381333931' } });
});

test('[L3] a variant that the hub does not know yet keeps its own values as base', () => {
  const two = product({}, { [V1]: variant(), [V2]: variant({ sku: 'CUP' }) });
  const base = attachBase({ side: 'shopify', shown: product(), remote: two, settings: settings() });
  assert.deepEqual(base.variants[V2], variant({ sku: 'CUP' }));
});

test('[L1, R10] what both have is agreed, also in an area that nothing is merged in before it is on again', () => {
  for (const linkRule of LINK_RULES) {
    const all = settings({ syncProducts: false, linkRule });
    for (const name of SIDES)
      assert.deepEqual(attachBase({ side: name, shown: product(), remote: product(), settings: all }), product());
  }
});
