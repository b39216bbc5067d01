import type { ReactNode } from 'react';
import { useMe } from '../../../api/account.ts';
import { Card } from '../../../components/card.tsx';
import { EmptyShelf } from '../../../components/empty-shelf.tsx';
import { runsInstance } from '../../../hooks/roles.ts';
import { PanelFrame } from '../panel-frame.tsx';
import { type SettingsTab, TAB_LABEL } from '../tabs.ts';

interface AdministratorsOnlyProps {
  readonly tab: SettingsTab;
  /** Not drawn for anybody else: what is in it asks for nothing, either. */
  readonly children: ReactNode;
}

/** For who runs the instance. The role in a workspace makes no difference. */
export function AdministratorsOnly({ tab, children }: AdministratorsOnlyProps) {
  const { data: user } = useMe();
  if (user === undefined) return null;
  if (runsInstance(user)) return children;
  return (
    <PanelFrame title={TAB_LABEL[tab]}>
      <Card>
        <EmptyShelf level={3} title="For administrators of this instance">
          Only those who run this instance see its people, its emails and its log. A role in a workspace makes no
          difference here.
        </EmptyShelf>
      </Card>
    </PanelFrame>
  );
}
