import type { NeedsYou } from '../../contracts/dashboard.ts';
import type { Pair } from '../../contracts/pairs.ts';
import type { Store } from '../../contracts/stores.ts';

const NOBODY = { pairId: null, storeId: null, planId: null };

/** What waits for a person, the most urgent first. */
export function needsYou(stores: readonly Store[], pairs: readonly Pair[], unpaired: readonly string[]): NeedsYou[] {
  const list: NeedsYou[] = [];
  for (const pair of pairs) {
    if (pair.halt === null) continue;
    list.push({ ...NOBODY, type: 'halted', text: pair.halt.message, count: pair.halt.count, pairId: pair._id });
  }
  for (const store of stores) {
    if (store.status !== 'error') continue;
    const reason = store.statusReason === null ? '' : `: ${store.statusReason}`;
    const text = `${store.name} does not let us in any more${reason}`;
    list.push({ ...NOBODY, type: 'store_error', text, count: 1, storeId: store._id });
  }
  for (const pair of pairs) {
    const { conflicts, problems } = pair.counts;
    const names = `${pair.woocommerce.name} and ${pair.shopify.name}`;
    if (conflicts > 0) {
      const text = `${plural(conflicts, 'value')} changed on both sides: ${names}`;
      list.push({ ...NOBODY, type: 'conflicts', text, count: conflicts, pairId: pair._id });
    }
    if (problems > 0) {
      const text = `${plural(problems, 'problem')} in ${names}`;
      list.push({ ...NOBODY, type: 'problems', text, count: problems, pairId: pair._id });
    }
    if (pair.openPlanId !== null && pair.status === 'setup') {
      const text = `Read the first plan of ${names}`;
      list.push({ ...NOBODY, type: 'plan_ready', text, count: 1, pairId: pair._id, planId: pair.openPlanId });
    }
  }
  for (const id of unpaired) {
    const store = stores.find((one) => one._id === id);
    if (store === undefined) continue;
    list.push({ ...NOBODY, type: 'setup', text: `${store.name} has no partner yet`, count: 1, storeId: id });
  }
  return list;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
