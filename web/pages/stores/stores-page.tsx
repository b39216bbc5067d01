import { Link2, Plus } from 'lucide-react';
import { useLocation } from 'wouter';
import { usePairs } from '../../api/pairs.ts';
import { type Store, useStores } from '../../api/stores.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { Card } from '../../components/card.tsx';
import { EmptyShelf } from '../../components/empty-shelf.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { oneOf, useQueryState } from '../../hooks/use-query-state.ts';
import { link } from '../../routes.ts';
import { ConnectSheet } from './connect-sheet.tsx';
import { PairSettingsSheet } from './pair-settings-sheet.tsx';
import { PairSheet } from './pair-sheet.tsx';
import { StoreRow } from './store-row.tsx';
import css from './stores-page.module.css';

const STEPS = ['choose', 'woocommerce', 'shopify', 'pair'] as const;

type Suggestion = NonNullable<ReturnType<typeof usePairs>['data']>['suggestions'][number];

/** Two stores that could be a pair; of one that a partner is looked for, at least itself. */
function suggestionFor(wanted: Store | undefined, all: readonly Suggestion[]): Suggestion | null {
  const whole = all.filter((pair) => pair.woocommerceStoreId && pair.shopifyStoreId);
  if (wanted === undefined) return whole[0] ?? null;
  const own = { woocommerceStoreId: null, shopifyStoreId: null, [`${wanted.platform}StoreId`]: wanted._id };
  return whole.find((pair) => Object.values(pair).includes(wanted._id)) ?? own;
}

export function StoresPage() {
  usePageTitle('Stores');
  const [params, change] = useQueryState();
  const [, navigate] = useLocation();
  const step = oneOf(params.get('connect'), STEPS);
  const why = useWhyNot('stores');
  const stores = useStores();
  const { data: pairs } = usePairs();
  const list = stores.data?.stores ?? [];
  const canPair =
    (pairs?.suggestions.length ?? 0) > 0 &&
    list.some(({ platform }) => platform === 'woocommerce') &&
    list.some(({ platform }) => platform === 'shopify');
  const open = (next: (typeof STEPS)[number] | null): void => change({ connect: next, store: null });
  const wanted = list.find(({ _id }) => _id === params.get('store'));
  return (
    <>
      <PageHead
        title="Stores"
        actions={
          <>
            {canPair && (
              <ReasonedButton icon={<Link2 aria-hidden="true" />} reason={why} onClick={() => open('pair')}>
                Pair two stores
              </ReasonedButton>
            )}
            <ReasonedButton
              look="primary"
              icon={<Plus aria-hidden="true" />}
              reason={why}
              onClick={() => open('choose')}
            >
              {TEXT.dashboard.connectStore}
            </ReasonedButton>
          </>
        }
      >
        What each store answered when it was tested last, and what to mend.
      </PageHead>
      <QueryView query={stores} loading={<Skeleton type="card" count={2} />} failed="The stores could not be read.">
        {() =>
          list.length === 0 ? (
            <Card>
              <EmptyShelf
                title="No store yet"
                actions={
                  <ReasonedButton
                    look="primary"
                    icon={<Plus aria-hidden="true" />}
                    reason={why}
                    onClick={() => open('choose')}
                  >
                    {TEXT.dashboard.connectTitle}
                  </ReasonedButton>
                }
              >
                Connect a WooCommerce and a Shopify store. Connecting reads; nothing but webhooks is written.
              </EmptyShelf>
            </Card>
          ) : (
            <ul className={css.list}>
              {list.map((store) => (
                <StoreRow key={store._id} store={store} />
              ))}
            </ul>
          )
        }
      </QueryView>
      <ConnectSheet stores={list} step={step === 'pair' ? null : step} onStep={open} />
      <PairSheet
        open={step === 'pair'}
        stores={stores.data?.stores ?? []}
        suggestion={suggestionFor(wanted, pairs?.suggestions ?? [])}
        onClose={() => open(null)}
      />
      <PairSettingsSheet
        pair={pairs?.pairs.find(({ _id }) => _id === params.get('pair')) ?? null}
        onClose={() => navigate(link.overview())}
      />
    </>
  );
}
