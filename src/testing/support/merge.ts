import { reconcile } from '../../core/reconcile.ts';
import type { ReconcileInput, Reconciliation, SideInput } from '../../core/reconciliation.ts';
import type { PairSettings } from '../../model/pair.ts';
import type { CanonicalProduct } from '../../model/product.ts';
import { product, settings, side, V1, variant } from './products.ts';

export const level = product();
export const titled = (title: string) => product({ title });
export const priced = (regularMinor: number) =>
  product({}, { [V1]: variant({ price: { regularMinor, saleMinor: null } }) });

/** Both sides level but for what is given: base, hub and the two readings. */
export function merge(
  change: Partial<PairSettings>,
  values: {
    readonly hub?: CanonicalProduct;
    readonly woocommerce?: Partial<SideInput>;
    readonly shopify?: Partial<SideInput>;
    readonly seen?: ReconcileInput['seen'];
  },
): Reconciliation {
  return reconcile({
    hub: values.hub ?? level,
    seen: values.seen ?? {},
    settings: settings(change),
    sides: [side('woocommerce', level, level, values.woocommerce), side('shopify', level, level, values.shopify)],
  });
}
