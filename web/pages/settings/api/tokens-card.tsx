import { KeyRound, Plus } from 'lucide-react';
import { useId, useState } from 'react';
import type { User } from '../../../api/account.ts';
import { type ApiToken, useApiTokens } from '../../../api/api-tokens.ts';
import { useMembers } from '../../../api/team.ts';
import { Button } from '../../../components/button.tsx';
import { Card, CardHead } from '../../../components/card.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { EmptyShelf } from '../../../components/empty-shelf.tsx';
import { HiddenText } from '../../../components/hidden-text.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Status } from '../../../components/status.tsx';
import { Tag } from '../../../components/tag.tsx';
import { formatAgo, formatDateTime } from '../../../hooks/format.ts';
import { useNow } from '../../../hooks/use-now.ts';
import css from './api-panel.module.css';
import { CreateTokenSheet } from './create-token-sheet.tsx';
import { RegenerateDialog } from './regenerate-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { expiryOf, SCOPE_LABEL, SCOPE_TEXT } from './token-words.ts';
import tokensCss from './tokens-card.module.css';

/** In the demo nobody has tokens: why, where the button would be. */
const NOT_IN_DEMO = 'The demo has no API tokens. Sign up to call the API with your own.';
const MINUTE_MS = 60_000;

type Doing = { readonly what: 'create' } | { readonly what: 'regenerate' | 'revoke'; readonly token: ApiToken };

function columnsOf(
  makerOf: (token: ApiToken) => string,
  now: number,
  begin: (doing: Doing) => void,
): readonly Column<ApiToken>[] {
  return [
    {
      key: 'token',
      head: 'Token',
      grow: true,
      cell: ({ name, hint }) => (
        <span className={tokensCss.token}>
          <span className={tokensCss.name}>{name}</span>
          <code className={tokensCss.hint}>
            <HiddenText>ends in </HiddenText>
            <span aria-hidden="true">ts_…</span>
            {hint}
          </code>
        </span>
      ),
    },
    {
      key: 'scope',
      head: 'Scope',
      cell: ({ scope }) => (
        <span title={SCOPE_TEXT[scope]}>
          <Tag>{SCOPE_LABEL[scope]}</Tag>
        </span>
      ),
    },
    { key: 'maker', head: 'Made by', cell: makerOf },
    {
      key: 'used',
      head: 'Last used',
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? (
          'Never'
        ) : (
          <time dateTime={lastUsedAt} title={formatDateTime(lastUsedAt)} className={tokensCss.when}>
            {formatAgo(lastUsedAt, now)}
          </time>
        ),
    },
    {
      key: 'expires',
      head: 'Expires',
      cell: ({ expiresAt }) => {
        const { tone, text } = expiryOf(expiresAt, now);
        return (
          <span className={tokensCss.when} {...(expiresAt === null ? {} : { title: formatDateTime(expiresAt) })}>
            {tone === 'quiet' ? text : <Status tone={tone}>{text}</Status>}
          </span>
        );
      },
    },
    {
      key: 'actions',
      head: <HiddenText>What can be done</HiddenText>,
      cell: (token) => (
        <span className={tokensCss.actions}>
          <ReasonedButton
            size="sm"
            look="ghost"
            aria-label={`Regenerate ${token.name}`}
            reason={
              token.isYours
                ? null
                : `Only ${makerOf(token)} can regenerate it: a token acts for the person who made it.`
            }
            onClick={() => begin({ what: 'regenerate', token })}
          >
            Regenerate
          </ReasonedButton>
          <Button
            size="sm"
            look="ghost"
            aria-label={`Revoke ${token.name}`}
            onClick={() => begin({ what: 'revoke', token })}
          >
            Revoke
          </Button>
        </span>
      ),
    },
  ];
}

/** The keys that programs sign in with. Administrators see all of the workspace, others their own. */
export function TokensCard({ user }: { readonly user: User }) {
  const id = useId();
  const now = useNow(MINUTE_MS);
  const tokens = useApiTokens(!user.isDemo);
  const { data: team } = useMembers();
  const [doing, setDoing] = useState<Doing | null>(null);
  const end = (): void => setDoing(null);
  const makerOf = ({ isYours, userId }: ApiToken): string =>
    isYours ? 'You' : (team?.members.find((member) => member.userId === userId)?.name ?? 'Somebody else');
  const create = (
    <ReasonedButton
      size="sm"
      icon={<Plus aria-hidden="true" />}
      reason={user.isDemo ? NOT_IN_DEMO : null}
      onClick={() => setDoing({ what: 'create' })}
    >
      Create a token
    </ReasonedButton>
  );
  return (
    <Card labelledBy={id}>
      <CardHead id={id} level={3} title="API tokens" actions={create} />
      <p className={css.lead}>
        Programs sign in with a token in place of a password. What they can call is in the{' '}
        <a href="/api/docs">description of the API</a>.
      </p>
      {user.isDemo ? (
        <EmptyShelf level={3} title="No API tokens in the demo">
          With an account of your own, programs read and run what you do here.
        </EmptyShelf>
      ) : (
        <QueryView query={tokens} loading={<Skeleton type="table" count={2} />} failed="The tokens could not be read.">
          {({ tokens: list }) =>
            list.length === 0 ? (
              <EmptyShelf
                level={3}
                title="No API token yet"
                actions={
                  <Button icon={<KeyRound aria-hidden="true" />} onClick={() => setDoing({ what: 'create' })}>
                    Create the first token
                  </Button>
                }
              >
                A token does at most what its scope says, and never more than you may yourself.
              </EmptyShelf>
            ) : (
              <DataTable
                caption="API tokens"
                columns={columnsOf(makerOf, now, setDoing)}
                rows={list}
                rowKey={({ _id }) => _id}
              />
            )
          }
        </QueryView>
      )}
      <CreateTokenSheet open={doing?.what === 'create'} role={user.workspace.role} onClose={end} />
      <RegenerateDialog token={doing?.what === 'regenerate' ? doing.token : null} onClose={end} />
      <RevokeDialog token={doing?.what === 'revoke' ? doing.token : null} onClose={end} />
    </Card>
  );
}
