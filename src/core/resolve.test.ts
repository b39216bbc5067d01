import assert from 'node:assert/strict';
import { test } from 'node:test';
import { present } from '../lib/assert.ts';
import { SIDES } from '../model/platform.ts';
import type { CanonicalProduct } from '../model/product.ts';
import { product, settings, side, V1, V2, variant } from '../testing/support/products.ts';
import { reconcile } from './reconcile.ts';
import type { Reconciliation } from './reconciliation.ts';
import { type ConflictChoice, deleteAgainstEdit, getField, resolveConflict, setField } from './resolve.ts';

test('[R13] each choice is an ordinary edit, after which the next merge writes whoever is not level', () => {
  const base = product();
  const hub = product({ title: 'Cup' });
  const shopify = product({ title: 'Beaker' });
  const rows: readonly (readonly [ConflictChoice, string, object | null, object | null])[] = [
    // choice, title of the hub, write to WooCommerce, write to Shopify
    [{ take: 'hub' }, 'Cup', null, { title: 'Cup' }],
    [{ take: 'remote' }, 'Beaker', { title: 'Beaker' }, null],
    [{ take: 'value', value: 'Goblet' }, 'Goblet', { title: 'Goblet' }, { title: 'Goblet' }],
  ];
  for (const [choice, title, woocommerce, shop] of rows) {
    const settled = resolveConflict({ path: 'title', hub, base, remote: 'Beaker', choice });
    assert.equal(settled.base.fields.title, 'Beaker', 'the value of the side is acknowledged');
    const next = reconcile({
      hub: settled.hub,
      seen: {},
      settings: settings({ conflictResolution: 'manual' }),
      sides: [side('woocommerce', hub, hub), side('shopify', settled.base, shopify)],
    });
    assert.equal(next.hub.fields.title, title);
    assert.deepEqual(next.sides.woocommerce?.write?.fields ?? null, woocommerce);
    assert.deepEqual(next.sides.shopify?.write?.fields ?? null, shop);
    assert.deepEqual(next.sides.shopify?.conflicts, []);
  }
});

test('[R13] fields of variants are found by their path; a path that leads nowhere changes nothing', () => {
  const whole = product({}, { [V1]: variant({ sku: 'A' }) });
  assert.equal(getField(whole, `variant.${V1}.sku`), 'A');
  assert.equal(getField(setField(whole, `variant.${V1}.sku`, 'B'), `variant.${V1}.sku`), 'B');
  assert.equal(getField(whole, `variant.${V2}.sku`), undefined);
  assert.equal(getField(whole, 'deleted'), undefined);
  for (const path of [`variant.${V2}.sku`, 'deleted', '__proto__'])
    assert.equal(setField(whole, path, 'x'), whole, path);
});

test('[G9] a delete against an edit: a person decides under manual, else the edit wins', () => {
  assert.equal(deleteAgainstEdit(settings({ conflictResolution: 'manual' })), 'conflict');
  for (const conflictResolution of ['newest', 'oldest', 'woocommerce', 'shopify'] as const)
    assert.equal(deleteAgainstEdit(settings({ conflictResolution })), 'edit_wins');
});

test('[R4, R7] while a person is asked about the names of options, an edit of a value by one side alone is in no conflict', () => {
  const shirt = (optionNames: readonly string[], optionValues: readonly string[]) =>
    product({ optionNames }, { [V1]: variant({ optionValues }) });
  const base = shirt(['Size', 'Color'], ['S', 'Red']);
  const woo = shirt(['Size', 'Color', 'Fabric'], ['S', 'Red', 'Wool']);
  const shop = shirt(['Color', 'Size'], ['Red', 'S']);
  const manual = settings({ conflictResolution: 'manual' });
  const merge = (hub: CanonicalProduct, bases: readonly CanonicalProduct[], remotes: readonly CanonicalProduct[]) =>
    reconcile({
      ...{ hub, seen: {}, settings: manual },
      sides: SIDES.map((each, i) => side(each, bases[i] ?? hub, remotes[i] ?? hub)),
    });
  const basesOf = ({ sides }: Reconciliation) => SIDES.map((each) => present(sides[each], each).base);
  const asked = merge(base, [base, base], [woo, shop]);
  const edited = merge(asked.hub, basesOf(asked), [shirt(['Size', 'Color', 'Fabric'], ['S', 'Crimson', 'Wool']), shop]);
  const paths = SIDES.flatMap((each) => edited.sides[each]?.conflicts.map(({ path }) => path) ?? []);
  assert.deepEqual(paths, ['optionNames']);
  assert.deepEqual(edited.hub.variants[V1]?.optionValues, ['S', 'Crimson', 'Wool']);
  const [wooBase = base, shopBase = base] = basesOf(edited);
  const remote = shop.fields.optionNames;
  const decided = resolveConflict({
    ...{ path: 'optionNames', hub: edited.hub, base: shopBase, remote },
    choice: { take: 'hub' },
  });
  assert.deepEqual(decided.base.variants[V1]?.optionValues, ['Red', 'S']);
  const after = merge(
    decided.hub,
    [wooBase, decided.base],
    [shirt(['Size', 'Color', 'Fabric'], ['S', 'Crimson', 'Wool']), shop],
  );
  assert.deepEqual(
    SIDES.map((each) => after.sides[each]?.conflicts),
    [[], []],
  );
});
