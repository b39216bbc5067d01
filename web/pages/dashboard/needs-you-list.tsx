import { PlugZap } from 'lucide-react';
import type { NeedsYou } from '../../api/overview.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { ReasonedLink } from '../../components/reasoned-button.tsx';
import { ToneTile } from '../../components/status.tsx';
import { link } from '../../routes.ts';
import css from './needs-you-list.module.css';

const LOOK = {
  halted: { tone: 'bad', action: 'See why' },
  store_error: { tone: 'bad', action: 'Check the store' },
  conflicts: { tone: 'warn', action: 'Review conflicts' },
  problems: { tone: 'warn', action: 'See the problems' },
  plan_ready: { tone: 'info', action: 'Read the plan' },
  setup: { tone: 'info', action: 'Connect store' },
} as const;

function hrefOf({ type, planId }: NeedsYou, canPair: boolean): string {
  switch (type) {
    case 'conflicts':
      return link.conflicts();
    case 'problems':
      return link.problems();
    case 'plan_ready':
      return planId ? link.plan(planId) : link.plans();
    case 'halted':
      return link.plans();
    case 'store_error':
      return link.stores();
    case 'setup':
      return link.stores({ connect: canPair ? 'pair' : 'choose' });
  }
}

interface NeedsYouListProps {
  readonly items: readonly NeedsYou[];
  /** Stores of both platforms are without a partner: they can have each other. */
  readonly canPair: boolean;
}

/** What waits for a person. Not there when nothing does. */
export function NeedsYouList({ items, canPair }: NeedsYouListProps) {
  const why = useWhyNot('stores');
  if (items.length === 0) return null;
  return (
    <ul className={css.list} aria-label="Needs you">
      {items.map((item) => {
        const { tone, action } = LOOK[item.type];
        return (
          <li key={`${item.type}/${item.pairId}/${item.storeId}/${item.planId}`} className={css.item}>
            <ToneTile tone={tone} {...(item.type === 'setup' ? { icon: <PlugZap /> } : {})} />
            <p className={css.text}>{item.text}</p>
            <ReasonedLink reason={item.type === 'setup' ? why : null} href={hrefOf(item, canPair)} size="sm">
              {item.type === 'setup' && canPair ? 'Find a partner' : action}
            </ReasonedLink>
          </li>
        );
      })}
    </ul>
  );
}
