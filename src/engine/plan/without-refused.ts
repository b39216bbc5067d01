import { valuesUnder } from '../../core/option-layout.ts';
import type { SideWrite } from '../../core/reconciliation.ts';
import type { ConnectorError } from '../../model/connector-error.ts';
import type { VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import type { VariantFields } from '../../model/product.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { NewVariant, ProductWrite } from '../../ports/connector.ts';
import type { PairView } from '../pair-view.ts';
import type { Decision } from '../products/decide.ts';
import { isNothing, leaveOut, NO_WRITE, NOTHING_LEFT_OUT, restOf } from '../products/left-out.ts';
import { readingsOf } from './plan-stock.ts';

export interface Promised {
  readonly write: SideWrite | null;
  readonly refusals: readonly ConnectorError[];
}

/** [B12][B1] What an update of a side comes to once what its platform is known to refuse is left out, as the live path leaves it out when it is refused. */
export function withoutRefused(
  view: PairView,
  decision: Decision,
  side: Side,
  snapshot: ProductSnapshot,
  owed: SideWrite | null,
): Promised {
  const refusals: ConnectorError[] = [];
  let leftOut = NOTHING_LEFT_OUT;
  let sent = owed ?? NO_WRITE;
  while (!isNothing(sent)) {
    const write = updateOf(decision, side, snapshot, sent);
    const refusal = view.connectors[side].refusalOf(write);
    if (refusal === null) return { write: sent, refusals };
    refusals.push(refusal);
    const next = leaveOut({ write, sent, leftOut }, refusal);
    if (next === null) break;
    leftOut = next;
    sent = restOf(sent, next);
  }
  return { write: null, refusals };
}

/** Stock is no reason to refuse a variant before it is sent. */
function updateOf(decision: Decision, side: Side, snapshot: ProductSnapshot, sent: SideWrite): ProductWrite {
  const { hub } = decision.reconciliation;
  const readings = readingsOf(decision, side);
  const names = sent.fields.optionNames ?? snapshot.fields.optionNames;
  const newVariants = sent.newVariants.flatMap((variantId): NewVariant[] => {
    const fields = hub.variants[variantId];
    const optionValues = fields === undefined ? null : valuesUnder(fields.optionValues, hub.fields.optionNames, names);
    if (fields === undefined || optionValues === null) return [];
    return [{ variantId, fields: { ...fields, optionValues }, stock: { tracked: false, quantity: 0 } }];
  });
  const variants = (Object.entries(sent.variants) as [VariantId, Partial<VariantFields>][]).flatMap(([id, fields]) => {
    const externalId = readings.get(id)?.externalId;
    return externalId === undefined ? [] : [{ externalId, fields }];
  });
  const { externalId } = snapshot;
  const { fields } = sent;
  return { type: 'update', externalId, fields, variants, newVariants, archiveVariants: [], seen: snapshot };
}
