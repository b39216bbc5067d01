import type { OverviewReply } from '../../api/overview.ts';
import { SIDE_NAME, type Side } from '../../components/side.ts';
import { link } from '../../routes.ts';

type Seen = Pick<OverviewReply, 'stores' | 'pairs'>;
type Pair = Seen['pairs'][number]['pair'];

export interface SetupStep {
  readonly key: Side | 'pair' | 'plan';
  readonly title: string;
  /** What it is for, or what came of it. */
  readonly text: string;
  readonly isDone: boolean;
  /** Null: it is done, or has to wait for those before it. */
  readonly action: { readonly label: string; readonly href: string } | null;
}

/** Of a person's own stores the sandbox is no part; it is all that there is in a demo, or before any store is connected. */
export function ownOf<Some extends Seen>(seen: Some): Some {
  const stores = seen.stores.filter(({ isSandbox }) => !isSandbox);
  return stores.length === 0 ? seen : { ...seen, stores, pairs: seen.pairs.filter(({ pair }) => !pair.isSandbox) };
}

/** Over once a first plan was applied: whoever adds a second pair knows the way. */
export function isSettingUp({ pairs }: Pick<Seen, 'pairs'>): boolean {
  return pairs.every(({ pair }) => pair.linkedAt === null);
}

/** What waits for a person and is no step of the way that stands above it: nothing is asked for twice on one page. */
export function needsBesidesSetup({ needsYou, pairs }: Pick<OverviewReply, 'needsYou' | 'pairs'>) {
  if (!isSettingUp({ pairs })) return needsYou;
  const planId = pairToLink(pairs)?.openPlanId ?? null;
  return needsYou.filter(({ type, planId: own }) => type !== 'setup' && (type !== 'plan_ready' || own !== planId));
}

/** Of several that were never linked, the one whose plan can be read already. */
function pairToLink(pairs: Seen['pairs']): Pair | null {
  return (pairs.find(({ pair }) => pair.openPlanId !== null) ?? pairs[0])?.pair ?? null;
}

/** Only from what is there, so that the steps tick themselves in whichever tab or by whichever program they were taken. */
export function setupSteps({ stores, pairs }: Seen): readonly SetupStep[] {
  const pair = pairToLink(pairs);
  const storeStep = (side: Side, needs: string): SetupStep => {
    const mine = stores.filter(({ platform }) => platform === side);
    const label = `Connect ${SIDE_NAME[side]}`;
    return {
      key: side,
      title: label,
      text: mine.length === 0 ? needs : mine.map(({ name }) => name).join(', '),
      isDone: mine.length > 0,
      action: mine.length > 0 ? null : { label, href: link.stores({ connect: side }) },
    };
  };
  const woocommerce = storeStep('woocommerce', 'Its address and a REST API key that may read and write.');
  const shopify = storeStep('shopify', 'Its myshopify.com domain and an Admin API token or an app.');
  const canPair = woocommerce.isDone && shopify.isDone;
  return [
    woocommerce,
    shopify,
    {
      key: 'pair',
      title: 'Pair the two',
      text: pair
        ? `${pair.woocommerce.name} and ${pair.shopify.name}`
        : 'In which direction, when, and which store wins where they differ.',
      isDone: pair !== null,
      action: pair === null && canPair ? { label: 'Pair two stores', href: link.stores({ connect: 'pair' }) } : null,
    },
    {
      key: 'plan',
      title: 'Read the first plan and apply it',
      text: 'What would be linked, created and changed, field by field. From then on the two are kept the same.',
      isDone: pair !== null && pair.linkedAt !== null,
      action: planAction(pair),
    },
  ];
}

function planAction(pair: Pair | null): SetupStep['action'] {
  if (pair === null || pair.linkedAt !== null) return null;
  if (pair.runningRunId !== null) return { label: 'See the run', href: link.run(pair.runningRunId) };
  if (pair.openPlanId !== null) return { label: 'Read the plan', href: link.plan(pair.openPlanId) };
  return { label: 'Make the plan', href: link.plans() };
}

type End = Pick<Seen['stores'][number], 'platform' | 'isSandbox'>;

/** Sandbox stores are paired among themselves. */
export function couldPair(one: End, other: End): boolean {
  return one.platform !== other.platform && one.isSandbox === other.isSandbox;
}
