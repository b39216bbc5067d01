import { useMe } from '../../../api/account.ts';
import { QueryView } from '../../../components/query-view.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { DemoNote } from '../demo-note.tsx';
import { PanelFrame } from '../panel-frame.tsx';
import css from '../settings-cards.module.css';
import { TAB_LABEL } from '../tabs.ts';
import { BrowserCard } from './browser-card.tsx';
import { EmailCard } from './email-card.tsx';
import { ProfileCards } from './profile-cards.tsx';

export function ProfilePanel() {
  const me = useMe();
  return (
    <PanelFrame title={TAB_LABEL.profile} lead="Who you are here, and what is sent to you.">
      <QueryView query={me} loading={<Skeleton type="card" count={3} />} failed="Your profile could not be read.">
        {(user) => (
          <div className={css.cards}>
            {user.isDemo ? (
              <>
                <DemoNote />
                <BrowserCard />
              </>
            ) : (
              <ProfileCards user={user} between={<EmailCard user={user} />}>
                <BrowserCard />
              </ProfileCards>
            )}
          </div>
        )}
      </QueryView>
    </PanelFrame>
  );
}
