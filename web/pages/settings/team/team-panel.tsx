import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useMe } from '../../../api/account.ts';
import { useMembers } from '../../../api/team.ts';
import { Banner } from '../../../components/banner.tsx';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { PanelFrame } from '../panel-frame.tsx';
import { TAB_LABEL } from '../tabs.ts';
import { InvitationsCard } from './invitations-card.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { MembersCard } from './members-card.tsx';
import { RolesCard } from './roles-card.tsx';
import { whyNotTeam } from './team-words.ts';
import { WorkspaceCard } from './workspace-card.tsx';

/** Who belongs to the workspace, and what they may do. */
export function TeamPanel() {
  const { data: user } = useMe();
  const members = useMembers();
  const [isInviting, setInviting] = useState(false);
  if (user === undefined) return null;
  const list = members.data?.members ?? [];
  const { role } = user.workspace;
  const me = { role, isDemo: user.isDemo };
  const why = whyNotTeam(me, list);
  return (
    <PanelFrame
      title={TAB_LABEL.team}
      lead="Who belongs to this workspace, and what they may do."
      actions={
        <ReasonedButton
          look="primary"
          icon={<UserPlus aria-hidden="true" />}
          reason={why}
          onClick={() => setInviting(true)}
        >
          Invite somebody
        </ReasonedButton>
      }
    >
      {why !== null && members.data !== undefined && <Banner tone="info">{why}</Banner>}
      <MembersCard query={members} me={me} />
      {why === null && <InvitationsCard me={me} isInstanceAdmin={user.role === 'admin'} />}
      <RolesCard />
      <WorkspaceCard me={me} workspace={user.workspace} />
      <InviteDialog
        open={isInviting}
        role={role}
        isInstanceAdmin={user.role === 'admin'}
        onClose={() => setInviting(false)}
      />
    </PanelFrame>
  );
}
