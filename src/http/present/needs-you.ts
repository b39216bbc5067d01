import type { NeedsYou } from '../../contracts/dashboard.ts';
import type { Pair } from '../../contracts/pairs.ts';
import type { Store } from '../../contracts/stores.ts';
import type { OpenPlan } from '../../db/readers/list-pairs.ts';

const NOBODY = { pairId: null, storeId: null, planId: null };

/** What waits for a person, the most urgent first. `plans`: open ones, by pair. */
export function needsYou(
  stores: readonly Store[],
  pairs: readonly Pair[],
  plans: ReadonlyMap<string, OpenPlan>,
  unpaired: readonly string[],
): NeedsYou[] {
  const list: NeedsYou[] = [];
  for (const pair of pairs) {
    if (pair.halt === null) continue;
    const text = `${namesOf(pair)} are halted: ${pair.halt.message}`;
    list.push({ ...NOBODY, type: 'halted', text, count: pair.halt.count, pairId: pair._id });
  }
  for (const store of stores) {
    if (store.status !== 'error') continue;
    const reason = store.statusReason === null ? '' : `: ${store.statusReason}`;
    const text = `${store.name} does not let us in any more${reason}`;
    list.push({ ...NOBODY, type: 'store_error', text, count: 1, storeId: store._id });
  }
  for (const pair of pairs) {
    const { conflicts, problems } = pair.counts;
    const names = namesOf(pair);
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
    const plan = plans.get(pair._id);
    if (plan !== undefined && isOwed(pair, plan)) {
      const text = `A plan with ${plural(plan.writes, 'write')} waits: ${names}`;
      list.push({ ...NOBODY, type: 'plan_ready', text, count: plan.writes, pairId: pair._id, planId: plan.id });
    }
  }
  for (const id of unpaired) {
    const store = stores.find((one) => one._id === id);
    if (store === undefined) continue;
    list.push({ ...NOBODY, type: 'setup', text: `${store.name} has no partner yet`, count: 1, storeId: id });
  }
  return list;
}

/** A pair that writes by itself, or has synced since, needs nobody for what a plan saw; one that stands still has to go on first. */
function isOwed({ status, settings, lastSyncAt }: Pair, { readyAt, writes }: OpenPlan): boolean {
  if (status !== 'active' || settings.syncSchedule === 'realtime' || readyAt === null || writes === 0) return false;
  return lastSyncAt === null || readyAt > Date.parse(lastSyncAt);
}

function namesOf(pair: Pair): string {
  return `${pair.woocommerce.name} and ${pair.shopify.name}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
