import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONFLICT_POLICIES } from '../model/pair.ts';
import type { BackorderRule, CanonicalProduct } from '../model/product.ts';
import { merge } from '../testing/support/merge.ts';
import { product, V1, V2, variant } from '../testing/support/products.ts';
import { hideBackorders, learnBackorders } from './hide.ts';

const mug = (backorders: BackorderRule) => product({}, { [V1]: variant({ backorders }) });
const hidden = new Set([V1]);
const represent = (whole: CanonicalProduct) => hideBackorders(whole, hidden);
const ruleOf = (whole: CanonicalProduct | undefined) => whole?.variants[V1]?.backorders;

test('[R17] a side that begins to show nothing moves no hub, conflicts with nothing and is owed nothing, under every policy', () => {
  for (const conflictResolution of CONFLICT_POLICIES) {
    for (const hub of ['no', 'notify', 'yes'] as const) {
      const { hub: after, sides } = merge(
        { conflictResolution },
        {
          hub: mug(hub),
          woocommerce: { base: mug('notify'), remote: mug('no'), represent },
          shopify: { base: mug(hub), remote: mug(hub) },
        },
      );
      assert.equal(ruleOf(after), hub);
      assert.deepEqual([sides.woocommerce?.write, sides.shopify?.write], [null, null]);
      assert.deepEqual(sides.woocommerce?.conflicts, []);
      assert.equal(ruleOf(sides.woocommerce?.base), 'no', 'as it will begin, when the item is counted again');
    }
  }
});

test('[R17] what the other side does meanwhile is taken in, and written when the item is counted again', () => {
  const meanwhile = merge(
    {},
    {
      hub: mug('no'),
      woocommerce: { base: mug('no'), remote: mug('no'), represent },
      shopify: { base: mug('no'), remote: mug('yes') },
    },
  );
  assert.equal(ruleOf(meanwhile.hub), 'yes');
  assert.equal(meanwhile.sides.woocommerce?.write, null);
  const after = merge(
    {},
    {
      hub: meanwhile.hub,
      woocommerce: { base: mug('no'), remote: mug('no') },
      shopify: { base: mug('yes'), remote: mug('yes') },
    },
  );
  assert.deepEqual(after.sides.woocommerce?.write?.variants, { [V1]: { backorders: 'yes' } });
  assert.equal(after.sides.shopify?.write, null);
});

test('[R17] only the rule for backorders is hidden, and only of the variants that are named', () => {
  const whole = product({}, { [V1]: variant({ backorders: 'yes' }), [V2]: variant({ backorders: 'yes' }) });
  const shown = hideBackorders(whole, hidden);
  assert.deepEqual(shown, product({}, { [V1]: variant({ backorders: 'no' }), [V2]: variant({ backorders: 'yes' }) }));
  assert.deepEqual(hideBackorders(shown, hidden), shown);
  assert.equal(hideBackorders(whole, new Set()), whole);
});

test('[R17] the hub learns the rule that nobody could show before, of those variants alone', () => {
  const hub = product({}, { [V1]: variant(), [V2]: variant() });
  const other = product({}, { [V1]: variant({ sku: 'X', backorders: 'yes' }), [V2]: variant({ backorders: 'yes' }) });
  assert.deepEqual(
    learnBackorders(hub, hidden, other),
    product({}, { [V1]: variant({ backorders: 'yes' }), [V2]: variant() }),
  );
  assert.deepEqual(learnBackorders(hub, hidden, product({}, {})), hub, 'what it does not show says nothing');
});
