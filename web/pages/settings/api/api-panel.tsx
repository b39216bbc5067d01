import { useMe } from '../../../api/account.ts';
import { PanelFrame } from '../panel-frame.tsx';
import { TAB_LABEL } from '../tabs.ts';
import { AlertsCard } from './alerts-card.tsx';
import { EndpointsCard } from './endpoints-card.tsx';
import { TokensCard } from './tokens-card.tsx';

/** How programs come in, and where people and programs are told of what happens. */
export function ApiPanel() {
  const { data: user } = useMe();
  if (user === undefined) return null;
  return (
    <PanelFrame
      title={TAB_LABEL.api}
      lead="How programs come in, and where people and programs are told of what happens."
    >
      <TokensCard user={user} />
      <EndpointsCard user={user} />
      <AlertsCard user={user} />
    </PanelFrame>
  );
}
