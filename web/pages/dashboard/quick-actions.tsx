import { RefreshCw } from 'lucide-react';
import { type Pair, useSyncNow } from '../../api/pairs.ts';
import type { Store } from '../../api/stores.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { Card, CardHead } from '../../components/card.tsx';
import { ReasonedButton, ReasonedIconButton, ReasonedLink } from '../../components/reasoned-button.tsx';
import { SideTile } from '../../components/side-tile.tsx';
import { Tag } from '../../components/tag.tsx';
import { showToast } from '../../components/toast.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { formatAgo } from '../../hooks/format.ts';
import { useNow } from '../../hooks/use-now.ts';
import { link } from '../../routes.ts';
import { DemoData } from './demo-data.tsx';
import css from './quick-actions.module.css';
import { readyPairs, unstartedWords } from './quick-sync.ts';

interface QuickActionsProps {
  readonly stores: readonly Store[];
  readonly pairs: readonly Pair[];
}

export function QuickActions({ stores, pairs }: QuickActionsProps) {
  const now = useNow();
  const whyNoSync = useWhyNot('sync');
  const whyNoStores = useWhyNot('stores');
  const sync = useSyncNow();
  const ready = pairs.filter(({ status }) => status === 'active');
  // By the promises: of many calls a mutation tells only how the last one went, and of none once the page has changed.
  const start = async (wanted: readonly Pair[]): Promise<void> => {
    const failure = unstartedWords(
      await Promise.allSettled(wanted.map(({ _id }) => sync.mutateAsync({ pairId: _id }))),
    );
    if (failure !== null) showToast('error', failure);
  };
  return (
    <Card labelledBy="quick-actions">
      <CardHead id="quick-actions" title={TEXT.dashboard.quickActions} />
      <ul className={css.list}>
        {stores.map((store) => {
          const own = readyPairs(pairs, store.pairIds);
          return (
            <li key={store._id} className={css.store}>
              <SideTile side={store.platform} />
              <span className={css.name}>{store.name}</span>
              {store.isSandbox && <Tag>Sandbox</Tag>}
              <span className={css.when}>
                {store.syncStats.lastSync ? formatAgo(store.syncStats.lastSync, now) : TEXT.dashboard.neverSynced}
              </span>
              {own.length > 0 && (
                <ReasonedIconButton
                  reason={whyNoSync}
                  size="sm"
                  label={`Sync ${store.name}`}
                  icon={<RefreshCw aria-hidden="true" />}
                  onClick={() => void start(own)}
                />
              )}
            </li>
          );
        })}
      </ul>
      <div className={css.buttons}>
        <ReasonedButton
          reason={whyNoSync}
          size="sm"
          icon={<RefreshCw aria-hidden="true" />}
          busy={sync.isPending}
          disabled={ready.length === 0}
          onClick={() => void start(ready)}
        >
          {TEXT.dashboard.quickSync}
        </ReasonedButton>
        <ReasonedLink reason={whyNoStores} href={link.stores({ connect: 'choose' })} size="sm">
          {TEXT.dashboard.connectStore}
        </ReasonedLink>
        <DemoData stores={stores} pairs={pairs} />
      </div>
    </Card>
  );
}
