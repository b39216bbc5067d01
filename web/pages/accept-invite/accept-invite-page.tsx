import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { useAcceptInvitation, useInvitation } from '../../api/auth.ts';
import { wordsOf } from '../../api/error-words.ts';
import { useUser } from '../../api/session.ts';
import { useLogout, useUnheardSignOut } from '../../api/sign-out.ts';
import { Banner } from '../../components/banner.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { CardFrame } from '../../components/card-frame.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { UnheardSignOut } from '../../components/unheard-sign-out.tsx';
import { BRAND } from '../../content/brand.ts';
import { TEXT } from '../../content/messages.en.ts';
import { formatDateTime } from '../../hooks/format.ts';
import { keptInvitation, useMailedToken } from '../../hooks/use-mailed-token.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { link } from '../../routes.ts';

export function AcceptInvitePage() {
  usePageTitle('Invitation');
  const mailed = useMailedToken();
  const token = mailed || keptInvitation.read();
  const [, navigate] = useLocation();
  const user = useUser();
  const invitation = useInvitation(token);
  const accept = useAcceptInvitation();
  const logout = useLogout();
  const signOut = useUnheardSignOut();
  useEffect(() => {
    if (mailed !== '') keptInvitation.keep(mailed);
  }, [mailed]);

  const frame = { brand: BRAND.name, homeHref: link.landing() };
  // Asked too often is no fault of the invitation's.
  const isGone = invitation.error instanceof ApiError && [404, 422].includes(invitation.error.status);
  if (token === '' || isGone) {
    return (
      <CardFrame {...frame} title="This invitation is not valid any more" lead={TEXT.invite.stale}>
        <ButtonLink href={user ? link.overview() : link.login()} look="primary" size="lg" wide>
          {user ? 'Open the dashboard' : 'Sign in'}
        </ButtonLink>
      </CardFrame>
    );
  }
  if (!invitation.data && invitation.error) {
    return (
      <CardFrame {...frame} title="That did not work" lead={wordsOf(invitation.error, TEXT.invite.failed)}>
        <Button look="primary" size="lg" wide busy={invitation.isFetching} onClick={() => void invitation.refetch()}>
          {TEXT.crash.retry}
        </Button>
      </CardFrame>
    );
  }
  if (!invitation.data) {
    return (
      <CardFrame {...frame} title="One moment">
        <Skeleton type="text" count={3} />
      </CardFrame>
    );
  }

  const { workspaceName, inviterName, email, role, expiresAt, hasAccount } = invitation.data;
  const isOther = user !== null && user.email.toLowerCase() !== email.toLowerCase();
  const enter = (): void =>
    accept.mutate(token, {
      onSuccess: () => {
        keptInvitation.drop();
        navigate(link.overview(), { replace: true });
      },
    });
  return (
    <CardFrame
      {...frame}
      title={`Join ${workspaceName}`}
      lead={`${inviterName || 'Somebody'} invites ${email} as ${TEXT.invite.roles[role]}. Good until ${formatDateTime(expiresAt)}.`}
    >
      <UnheardSignOut {...signOut} />
      {accept.error && (
        <Banner tone="bad" urgent>
          {wordsOf(accept.error, TEXT.invite.failed)}
        </Banner>
      )}
      {isOther ? (
        <>
          <Banner tone="warn">
            You are signed in as {user.email}. The invitation is for {email}.
          </Banner>
          <Button look="primary" size="lg" wide busy={logout.isPending} onClick={() => logout.mutate()}>
            Sign out and continue as {email}
          </Button>
        </>
      ) : user ? (
        <Button look="primary" size="lg" wide busy={accept.isPending} onClick={enter}>
          Accept the invitation
        </Button>
      ) : hasAccount ? (
        <ButtonLink href={link.login({ next: link.acceptInvite() })} look="primary" size="lg" wide>
          Sign in to accept
        </ButtonLink>
      ) : (
        <ButtonLink href={link.signup({ email })} look="primary" size="lg" wide>
          Create an account to accept
        </ButtonLink>
      )}
    </CardFrame>
  );
}
