import type { ConnectorError } from '../../model/connector-error.ts';
import type { ProductWrite } from '../../ports/connector.ts';
import { refusalIn } from '../shared/refusal.ts';
import { barcodesOf } from './check-version.ts';
import { refuseNoWeight, refuseWrongValues } from './known-refusals.ts';
import { passthroughOf } from './passthrough-of.ts';
import { isSimple, namesAndValues, needsFreshRead, planCreate, planUpdate } from './product-plan.ts';

/**
 * What `planCreate` refuses, or `planUpdate`. No setting of the store decides that, but its version does. Of an update that merges with the attributes as
 * they are now, only what these have no part in is told.
 */
export function refusalOf(write: ProductWrite, version: string): ConnectorError | null {
  const anyStore = {
    siteUrl: '',
    currency: 'USD',
    priceDecimals: 2,
    weightUnit: 'kg',
    ...barcodesOf(version),
  } as const;
  return refusalIn(() => {
    if (write.type === 'create') return planCreate(write, anyStore);
    if (isSimple(write) || !needsFreshRead(write)) return planUpdate(write, null, anyStore, 0);
    refuseNoWeight(write.variants, passthroughOf(write.seen));
    const { names, valuesById } = namesAndValues(write);
    const values = [...valuesById.values(), ...write.newVariants.map((variant) => variant.fields.optionValues)];
    for (const each of values) refuseWrongValues(each, names);
    return null;
  });
}
