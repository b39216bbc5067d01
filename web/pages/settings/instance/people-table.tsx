import { useMe } from '../../../api/account.ts';
import type { InstancePerson } from '../../../api/instance-owner.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { HiddenText } from '../../../components/hidden-text.tsx';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { Status } from '../../../components/status.tsx';
import { Tag } from '../../../components/tag.tsx';
import { formatAgo, formatDate, formatDateTime, formatNumber } from '../../../hooks/format.ts';
import { useNow } from '../../../hooks/use-now.ts';
import css from './instance.module.css';
import { INSTANCE_ROLE_LABEL, whyNotRole } from './people-words.ts';

const MINUTE_MS = 60_000;

interface PeopleTableProps {
  readonly people: readonly InstancePerson[];
  readonly everybody: readonly InstancePerson[];
  readonly onChange: (person: InstancePerson) => void;
}

function LastActive({ at, now }: { readonly at: string | null; readonly now: number }) {
  // Not by the age of the account: with a deleted workspace goes what was done in it, and who was there last week has left no trace.
  if (at === null) return <span className={css.when}>Not known</span>;
  return (
    <time dateTime={at} title={formatDateTime(at)} className={css.when}>
      {formatAgo(at, now)}
    </time>
  );
}

export function PeopleTable({ people, everybody, onChange }: PeopleTableProps) {
  const { data: user } = useMe();
  const now = useNow(MINUTE_MS);
  const columns: readonly Column<InstancePerson>[] = [
    {
      key: 'person',
      head: 'Person',
      grow: true,
      cell: ({ _id, name, email, isVerified, createdAt }) => (
        <span className={css.stacked}>
          <span className={css.name}>
            {name} {_id === user?.id && <Tag>You</Tag>} {!isVerified && <Tag>Address not confirmed</Tag>}
          </span>
          <span className={css.below}>{email}</span>
          <span className={css.below}>
            Since <time dateTime={createdAt}>{formatDate(createdAt)}</time>
          </span>
        </span>
      ),
    },
    { key: 'role', head: 'Role', cell: ({ role }) => INSTANCE_ROLE_LABEL[role] },
    {
      key: 'two-factor',
      head: 'Two-factor',
      cell: ({ hasTwoFactor }) => (
        <Status tone={hasTwoFactor ? 'ok' : 'quiet'} small>
          {hasTwoFactor ? 'On' : 'Off'}
        </Status>
      ),
    },
    {
      key: 'workspaces',
      head: 'Workspaces',
      align: 'end',
      cell: ({ workspaceCount }) => formatNumber(workspaceCount),
    },
    {
      key: 'active',
      head: 'Last active',
      cell: ({ lastActiveAt }) => <LastActive at={lastActiveAt} now={now} />,
    },
    {
      key: 'actions',
      head: <HiddenText>What can be done</HiddenText>,
      cell: (person) => (
        <span className={css.actions}>
          <ReasonedButton
            size="sm"
            look="ghost"
            aria-label={`Change the role of ${person.name}`}
            reason={whyNotRole(person, everybody)}
            onClick={() => onChange(person)}
          >
            Change role
          </ReasonedButton>
        </span>
      ),
    },
  ];
  return <DataTable caption="People" columns={columns} rows={people} rowKey={({ _id }) => _id} />;
}
