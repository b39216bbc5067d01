import { type User, useErasure, useMe } from '../../../api/account.ts';
import { Card } from '../../../components/card.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { DemoNote } from '../demo-note.tsx';
import { PanelFrame } from '../panel-frame.tsx';
import css from '../settings-cards.module.css';
import { TAB_LABEL } from '../tabs.ts';
import { DeleteAccountRow } from './delete-account-row.tsx';
import { DeleteWorkspaceRow } from './delete-workspace-row.tsx';
import { leavingOf } from './erasure-words.ts';
import { ExportRow } from './export-row.tsx';
import { LeaveWorkspaceRow } from './leave-workspace-row.tsx';

export function DangerPanel() {
  const me = useMe();
  return (
    <PanelFrame title={TAB_LABEL.danger} lead="What can not be taken back. Each says what is lost before anything is.">
      <QueryView query={me} loading={<Skeleton type="card" count={3} />} failed="Your account could not be read.">
        {(user) => (user.isDemo ? <DemoNote /> : <DangerCards user={user} />)}
      </QueryView>
    </PanelFrame>
  );
}

function DangerCards({ user }: { readonly user: User }) {
  const erasure = useErasure();
  return (
    <div className={css.cards}>
      <Card>
        <ExportRow />
      </Card>
      <QueryView
        query={erasure}
        loading={<Skeleton type="card" count={2} />}
        failed="What would go with your account could not be read."
      >
        {(known) => {
          const leaving = leavingOf(known, user.workspace._id);
          return (
            <div className={css.cards}>
              <Card>
                <LeaveWorkspaceRow workspace={user.workspace} leaving={leaving} />
                <DeleteWorkspaceRow workspace={user.workspace} hasOther={leaving.hasOther} />
              </Card>
              <Card>
                <DeleteAccountRow user={user} erasure={known} />
              </Card>
            </div>
          );
        }}
      </QueryView>
    </div>
  );
}
