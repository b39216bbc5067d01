import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useMe } from '../../../api/account.ts';
import { type InstancePerson, usePeople } from '../../../api/instance-owner.ts';
import { useMembers } from '../../../api/team.ts';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { EmptyShelf } from '../../../components/empty-shelf.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { SearchField } from '../../../components/search-field.tsx';
import { ShowMore } from '../../../components/show-more.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { formatNumber, plural } from '../../../hooks/format.ts';
import { PanelFrame } from '../panel-frame.tsx';
import { TAB_LABEL } from '../tabs.ts';
import { InviteDialog } from '../team/invite-dialog.tsx';
import { whyNotTeam } from '../team/team-words.ts';
import { AdministratorsOnly } from './administrators-only.tsx';
import css from './instance.module.css';
import { InstanceRoleDialog } from './instance-role-dialog.tsx';
import { PeopleTable } from './people-table.tsx';
import { matchPeople } from './people-words.ts';

/** So many are drawn at once. */
const SHOWN = 50;

interface PeopleListProps {
  readonly people: readonly InstancePerson[];
  readonly onChange: (person: InstancePerson) => void;
}

function PeopleList({ people, onChange }: PeopleListProps) {
  // Names and addresses: nothing for the address bar.
  const [typed, setTyped] = useState('');
  const [shown, setShown] = useState(SHOWN);
  const found = matchPeople(people, typed);
  const rest = found.length - shown;
  return (
    <>
      <div className={css.bar}>
        <SearchField label="Name or email" value={typed} onChange={setTyped} />
        <p className={css.aside} aria-live="polite">
          {typed.trim() === ''
            ? plural(people.length, 'person', 'people')
            : `${formatNumber(found.length)} of ${plural(people.length, 'person', 'people')}`}
        </p>
      </div>
      {found.length === 0 ? (
        <EmptyShelf
          level={3}
          title="Nobody here is called that"
          actions={<Button onClick={() => setTyped('')}>Clear the search</Button>}
        >
          What you typed is looked for in names and email addresses.
        </EmptyShelf>
      ) : (
        <>
          <PeopleTable people={found.slice(0, shown)} everybody={people} onChange={onChange} />
          <ShowMore
            // Other people: nobody has asked for more of them.
            key={typed}
            query={{
              hasNextPage: rest > 0,
              isFetchingNextPage: false,
              fetchNextPage: () => Promise.resolve(setShown(shown + SHOWN)),
            }}
          >
            {`Show ${formatNumber(Math.min(rest, SHOWN))} more`}
          </ShowMore>
        </>
      )}
    </>
  );
}

function People() {
  const { data: user } = useMe();
  const { data: team } = useMembers();
  const people = usePeople();
  const [isInviting, setInviting] = useState(false);
  const [changing, setChanging] = useState<InstancePerson | null>(null);
  if (user === undefined) return null;
  const { role, name: workspace } = user.workspace;
  return (
    <PanelFrame
      title={TAB_LABEL.people}
      lead="Who has an account on this instance. Visitors of the demo have none."
      actions={
        <ReasonedButton
          look="primary"
          icon={<UserPlus aria-hidden="true" />}
          reason={whyNotTeam({ role, isDemo: user.isDemo }, team?.members ?? [])}
          title={`To the workspace ${workspace}`}
          onClick={() => setInviting(true)}
        >
          Invite somebody
        </ReasonedButton>
      }
    >
      <Card>
        <QueryView query={people} loading={<Skeleton type="table" count={5} />} failed="The people could not be read.">
          {({ users }) => <PeopleList people={users} onChange={setChanging} />}
        </QueryView>
      </Card>
      <InviteDialog open={isInviting} role={role} isInstanceAdmin onClose={() => setInviting(false)} />
      <InstanceRoleDialog person={changing} isYou={changing?._id === user.id} onClose={() => setChanging(null)} />
    </PanelFrame>
  );
}

/** Everybody with an account, and who of them runs the instance. */
export function PeoplePanel() {
  return (
    <AdministratorsOnly tab="people">
      <People />
    </AdministratorsOnly>
  );
}
