import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tx } from '../../db/database.ts';
import type { VariantId } from '../../model/ids.ts';
import type { CanonicalProduct } from '../../model/product.ts';
import { product, snapshot, variant, variantSnapshot } from '../../testing/support/products.ts';
import type { HubState } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import { followLeft } from './removed-variants.ts';

test('[M3] what is left of many removed variants is compared with one representation of their product', () => {
  const ids = Array.from({ length: 50 }, (_, i) => `var_${i}` as VariantId);
  const data = product({}, Object.fromEntries(ids.map((id) => [id, variant({ sku: id })])));
  const hub = {
    row: { id: 'prd_1', data },
    variants: new Map(ids.map((id) => [id, { id, sku: id, barcode: '', stockState: 'removed' }])),
    variantBindings: {
      woocommerce: new Map(),
      shopify: new Map(ids.map((id) => [id, { variantId: id, externalId: id }])),
    },
  } as unknown as HubState;
  let times = 0;
  const represent = (whole: CanonicalProduct) => {
    times += 1;
    return whole;
  };
  const view = { pair: { id: 'pair_1' }, connectors: { shopify: { represent } } } as unknown as PairView;
  const shopify = snapshot({ variants: ids.map((id) => variantSnapshot(id, { sku: id })) });
  followLeft({} as Tx, view, hub, { shopify }, 0);
  assert.equal(times, 1);
});
