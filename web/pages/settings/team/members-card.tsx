import { useId, useState } from 'react';
import type { Member } from '../../../api/team.ts';
import { Card, CardHead } from '../../../components/card.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { HiddenText } from '../../../components/hidden-text.tsx';
import { type Fetched, QueryView } from '../../../components/query-view.tsx';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Status } from '../../../components/status.tsx';
import { Tag } from '../../../components/tag.tsx';
import { formatDate, formatDateTime } from '../../../hooks/format.ts';
import { ROLE_LABEL } from '../../../hooks/roles.ts';
import css from './members-card.module.css';
import { RemoveDialog } from './remove-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { LAST_OWNER, type Me, ROLE_TEXT, whyNotMember } from './team-words.ts';

interface Doing {
  readonly what: 'role' | 'remove';
  readonly member: Member;
}

interface MembersCardProps {
  readonly query: Fetched<{ readonly members: readonly Member[] }>;
  readonly me: Me;
}

/** `hasAddresses`: a visitor of the demo has one that nobody could write to. */
function columnsOf(
  whyNot: (member: Member) => string | null,
  begin: (doing: Doing) => void,
  hasAddresses: boolean,
): readonly Column<Member>[] {
  return [
    {
      key: 'person',
      head: 'Person',
      grow: true,
      cell: ({ name, email, isYou }) => (
        <span className={css.person}>
          <span className={css.name}>
            {name} {isYou && <Tag>You</Tag>}
          </span>
          {hasAddresses && <span className={css.email}>{email}</span>}
        </span>
      ),
    },
    {
      key: 'role',
      head: 'Role',
      cell: ({ role }) => <span title={ROLE_TEXT[role]}>{ROLE_LABEL[role]}</span>,
    },
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
      key: 'since',
      head: 'Since',
      cell: ({ since }) => (
        <time dateTime={since} title={formatDateTime(since)} className={css.when}>
          {formatDate(since)}
        </time>
      ),
    },
    {
      key: 'actions',
      head: <HiddenText>What can be done</HiddenText>,
      cell: (member) => (
        <span className={css.actions}>
          <ReasonedButton
            size="sm"
            look="ghost"
            aria-label={`Change the role of ${member.name}`}
            reason={whyNot(member)}
            onClick={() => begin({ what: 'role', member })}
          >
            Change role
          </ReasonedButton>
          {!member.isYou && (
            <ReasonedButton
              size="sm"
              look="ghost"
              aria-label={`Remove ${member.name}`}
              reason={whyNot(member)}
              onClick={() => begin({ what: 'remove', member })}
            >
              Remove
            </ReasonedButton>
          )}
        </span>
      ),
    },
  ];
}

export function MembersCard({ query, me }: MembersCardProps) {
  const id = useId();
  const [doing, setDoing] = useState<Doing | null>(null);
  const members = query.data?.members ?? [];
  const owners = members.filter(({ role }) => role === 'owner').length;
  const end = (): void => setDoing(null);
  return (
    <Card labelledBy={id}>
      <CardHead id={id} level={3} title="Members" />
      <QueryView query={query} loading={<Skeleton type="table" count={3} />} failed="The members could not be read.">
        {({ members: rows }) => (
          <DataTable
            caption="Members"
            columns={columnsOf((member) => whyNotMember(me, member, rows), setDoing, !me.isDemo)}
            rows={rows}
            rowKey={({ userId }) => userId}
          />
        )}
      </QueryView>
      {owners === 1 && !me.isDemo && (
        <p className={css.foot}>{LAST_OWNER} Until then the last one can neither step down nor leave.</p>
      )}
      <RoleDialog member={doing?.what === 'role' ? doing.member : null} myRole={me.role} onClose={end} />
      <RemoveDialog member={doing?.what === 'remove' ? doing.member : null} onClose={end} />
    </Card>
  );
}
