import { useMe } from '../../../api/account.ts';
import { Card } from '../../../components/card.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { DemoNote } from '../demo-note.tsx';
import { PanelFrame } from '../panel-frame.tsx';
import css from '../settings-cards.module.css';
import { TAB_LABEL } from '../tabs.ts';
import { ConnectRefused } from './connect-refused.tsx';
import { ElsewhereCard } from './elsewhere-card.tsx';
import { PasswordRow } from './password-row.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { TwoFactorRow } from './two-factor-row.tsx';

export function SecurityPanel() {
  const me = useMe();
  return (
    <PanelFrame title={TAB_LABEL.security} lead="How you sign in, and where you are signed in now.">
      <QueryView query={me} loading={<Skeleton type="card" count={2} />} failed="Your account could not be read.">
        {({ isDemo, hasTwoFactor }) =>
          isDemo ? (
            <DemoNote />
          ) : (
            <div className={css.cards}>
              <ConnectRefused />
              <Card>
                <PasswordRow />
                <TwoFactorRow isOn={hasTwoFactor} />
              </Card>
              <SessionsCard />
              <ElsewhereCard />
            </div>
          )
        }
      </QueryView>
    </PanelFrame>
  );
}
