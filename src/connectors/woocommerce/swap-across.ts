import { skuKey } from '../../lib/record-keys.ts';
import type { ProductWrite } from '../../ports/connector.ts';
import { idText } from '../shared/exact-json.ts';
import type { BatchItem } from './batch.ts';
import { CODES, type Code, type HeldCodes, withCodeCleared, withCodeSettled } from './code-order.ts';
import type { Progress } from './write-progress.ts';

interface Entry {
  readonly one: Progress;
  readonly item: BatchItem;
  readonly held: HeldCodes;
  readonly isVariation: boolean;
}

/**
 * SKUs and barcodes that pass round in a circle of several products, where some of them are of variations: these are cleared before all else, and kept on
 * them meanwhile. Then the products themselves, which are sent first, find theirs free, and the variations what the products have let go of. (A circle of
 * variations of one product is `orderByCodes`', one of products without any `sendSwapping`'s.)
 */
export function clearAcross(all: readonly Progress[]): void {
  for (const code of CODES) {
    for (const { one, item, held } of inCircles(code, all.flatMap(entriesOf))) {
      const { plan } = one;
      if (!plan) continue;
      one.plan = {
        ...plan,
        ahead: [...plan.ahead, withCodeCleared(item, code, held[code.field])],
        variations: plan.variations.map((own) => (own === item ? withCodeSettled(own, code) : own)),
      };
    }
  }
}

/** Of a product without variations, which is its own variant. */
export function ownCodes(write: ProductWrite): HeldCodes {
  const own = write.type === 'create' ? [] : write.seen.variants.filter((one) => one.externalId === write.externalId);
  return own[0]?.fields ?? { sku: '', barcode: '' };
}

function entriesOf(one: Progress): readonly Entry[] {
  const { plan, write } = one;
  if (!plan || write.type === 'create') return [];
  const own = plan.parent === null ? [] : [{ one, item: plan.parent, held: ownCodes(write), isVariation: false }];
  const variations = plan.variations.flatMap((item): Entry[] => {
    const held = plan.held?.get(idText(item.body['id']) ?? '');
    return held === undefined ? [] : [{ one, item, held, isVariation: true }];
  });
  return [...own, ...variations];
}

/** The variations that want what the next one has, which wants what the one after it has, and so on round to themselves, over more products than one. */
function inCircles({ field, param }: Code, entries: readonly Entry[]): readonly Entry[] {
  const wanted = ({ item }: Entry) => skuKey(String(item.body[param] ?? ''));
  const moving = entries.filter((entry) => wanted(entry) !== '' && wanted(entry) !== skuKey(entry.held[field]));
  const holders = new Map(moving.map((entry) => [skuKey(entry.held[field]), entry]));
  holders.delete('');
  return moving.filter((start) => {
    const path = [start];
    let at = holders.get(wanted(start));
    while (at !== undefined && at !== start && path.length <= moving.length) {
      path.push(at);
      at = holders.get(wanted(at));
    }
    return start.isVariation && at === start && path.some(({ one }) => one !== start.one);
  });
}
