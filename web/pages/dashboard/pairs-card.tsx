import { PlugZap } from 'lucide-react';
import type { OverviewReply } from '../../api/overview.ts';
import type { Store } from '../../api/stores.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { Card, CardHead } from '../../components/card.tsx';
import { ReasonedLink } from '../../components/reasoned-button.tsx';
import { SIDE_NAME } from '../../components/side.ts';
import { SideTile } from '../../components/side-tile.tsx';
import { Status } from '../../components/status.tsx';
import { Tag } from '../../components/tag.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { link } from '../../routes.ts';
import { PairRow, StoreEnd } from './pair-row.tsx';
import css from './pairs-card.module.css';
import { couldPair } from './setup-steps.ts';

interface PairsCardProps {
  readonly pairs: OverviewReply['pairs'];
  readonly stores: readonly Store[];
  readonly unpairedStoreIds: readonly string[];
}

function LonelyStore({ store, canPair }: { readonly store: Store; readonly canPair: boolean }) {
  const why = useWhyNot('stores');
  const missing = store.platform === 'woocommerce' ? 'shopify' : 'woocommerce';
  const here = <StoreEnd side={store.platform} name={store.name} note={store.domain} />;
  const gap = (
    <div className={css.missing} data-side={missing}>
      <SideTile side={missing} size="lg" hollow named />
      <div>
        <p className={css.none}>No store yet</p>
        <p className={css.platform}>{SIDE_NAME[missing]}</p>
      </div>
    </div>
  );
  return (
    <li className={css.row}>
      <div className={css.top}>
        <h3 className={css.name}>{store.name}</h3>
        {store.isSandbox && <Tag>Sandbox</Tag>}
        <Status tone="warn" small>
          {TEXT.dashboard.setupRequired}
        </Status>
        <div className={css.actions}>
          <ReasonedLink
            reason={why}
            href={link.stores(canPair ? { connect: 'pair', store: store._id } : { connect: missing })}
            size="sm"
          >
            {canPair ? 'Find a partner' : `Connect ${SIDE_NAME[missing]}`}
          </ReasonedLink>
        </div>
      </div>
      <div className={css.ends}>
        {store.platform === 'woocommerce' ? here : gap}
        <div className={css.broken}>
          <PlugZap aria-hidden="true" />
        </div>
        {store.platform === 'woocommerce' ? gap : here}
      </div>
    </li>
  );
}

export function PairsCard({ pairs, stores, unpairedStoreIds }: PairsCardProps) {
  const lonely = stores.filter(({ _id }) => unpairedStoreIds.includes(_id));
  return (
    <Card labelledBy="pairs">
      <CardHead id="pairs" title={TEXT.dashboard.pairs} />
      <ul className={css.list}>
        {pairs.map(({ pair, heartbeat }) => (
          <PairRow key={pair._id} pair={pair} heartbeat={heartbeat} />
        ))}
        {lonely.map((store) => (
          <LonelyStore key={store._id} store={store} canPair={lonely.some((other) => couldPair(store, other))} />
        ))}
      </ul>
    </Card>
  );
}
