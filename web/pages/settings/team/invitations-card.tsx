import { useId, useState } from 'react';
import { wordsOf } from '../../../api/error-words.ts';
import { useInstance } from '../../../api/instance.ts';
import { type Invitation, useInvitations, useInvite } from '../../../api/team.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Card, CardHead } from '../../../components/card.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Status } from '../../../components/status.tsx';
import { showToast } from '../../../components/toast.tsx';
import { formatAgo, formatDateTime, formatIn } from '../../../hooks/format.ts';
import { ROLE_LABEL } from '../../../hooks/roles.ts';
import { useNow } from '../../../hooks/use-now.ts';
import { InvitationLink } from './invitation-link.tsx';
import css from './invitations-card.module.css';
import { linkWords, type Me, whyNotResend } from './team-words.ts';
import { WithdrawDialog } from './withdraw-dialog.tsx';

const MINUTE_MS = 60_000;

interface RowProps {
  readonly invitation: Invitation;
  readonly me: Me;
  readonly onWithdraw: () => void;
  /** Null: the link is in the message. */
  readonly onLink: (() => void) | null;
}

function InvitationRow({ invitation, me, onWithdraw, onLink }: RowProps) {
  const now = useNow(MINUTE_MS);
  const invite = useInvite();
  const { email, role, createdAt, expiresAt } = invitation;
  const isOver = new Date(expiresAt).getTime() <= now;
  return (
    <li className={css.row}>
      <div className={css.words}>
        <p className={css.email}>{email}</p>
        <p className={css.meta}>
          {ROLE_LABEL[role]}. Invited{' '}
          <time dateTime={createdAt} title={formatDateTime(createdAt)}>
            {formatAgo(createdAt, now)}
          </time>
          {!isOver && (
            <>
              , ends{' '}
              <time dateTime={expiresAt} title={formatDateTime(expiresAt)}>
                {formatIn(expiresAt, now)}
              </time>
            </>
          )}
          .
        </p>
      </div>
      {isOver && <Status tone="warn">Expired</Status>}
      <div className={css.actions}>
        {onLink && (
          <Button size="sm" look="ghost" aria-label={`Link for ${email}`} onClick={onLink}>
            Link
          </Button>
        )}
        <ReasonedButton
          size="sm"
          look="ghost"
          aria-label={`Send the invitation to ${email} again`}
          reason={whyNotResend(me, role)}
          busy={invite.isPending}
          onClick={() =>
            invite.mutate(
              { email, role },
              {
                onSuccess: () =>
                  showToast(
                    'success',
                    `${email} has a new link, good for seven days. The one before it no longer works.`,
                  ),
                onError: (error) =>
                  showToast('error', wordsOf(error, 'The invitation could not be sent. Please try again.')),
              },
            )
          }
        >
          Send again
        </ReasonedButton>
        <Button size="sm" look="ghost" aria-label={`Withdraw the invitation to ${email}`} onClick={onWithdraw}>
          Withdraw
        </Button>
      </div>
    </li>
  );
}

/** Who was invited and has not come yet. For administrators. */
export function InvitationsCard({ me, isInstanceAdmin }: { readonly me: Me; readonly isInstanceAdmin: boolean }) {
  const id = useId();
  const instance = useInstance();
  const invitations = useInvitations(true);
  const [doing, setDoing] = useState<{ readonly what: 'withdraw' | 'link'; readonly invitation: Invitation } | null>(
    null,
  );
  const held = linkWords({ isMailSent: instance?.isMailSent ?? null, isInstanceAdmin });
  const hasLinks = held !== null && isInstanceAdmin;
  const end = (): void => setDoing(null);
  return (
    <Card labelledBy={id}>
      <CardHead id={id} level={3} title="Pending invitations" />
      <QueryView
        query={invitations}
        loading={<Skeleton type="list" count={1} />}
        failed="The invitations could not be read."
      >
        {({ invitations: list }) =>
          list.length === 0 ? (
            <p className={css.none}>Nobody is invited at present.</p>
          ) : (
            <>
              {held !== null && (
                <div className={css.held}>
                  <Banner tone="warn">{held}</Banner>
                </div>
              )}
              <ul aria-labelledby={id}>
                {list.map((invitation) => (
                  <InvitationRow
                    key={invitation._id}
                    invitation={invitation}
                    me={me}
                    onWithdraw={() => setDoing({ what: 'withdraw', invitation })}
                    onLink={hasLinks ? () => setDoing({ what: 'link', invitation }) : null}
                  />
                ))}
              </ul>
            </>
          )
        }
      </QueryView>
      <WithdrawDialog invitation={doing?.what === 'withdraw' ? doing.invitation : null} onClose={end} />
      <Dialog
        open={doing?.what === 'link'}
        onClose={end}
        title={`Invitation of ${doing?.invitation.email ?? ''}`}
        footer={
          <Button look="primary" onClick={end}>
            Done
          </Button>
        }
      >
        {doing && <InvitationLink email={doing.invitation.email} />}
      </Dialog>
    </Card>
  );
}
