import { useEffect, useRef } from 'react';
import { Link, Redirect } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { useResendVerification, useVerifyEmail } from '../../api/auth.ts';
import { wordsOf } from '../../api/error-words.ts';
import { useInstance } from '../../api/instance.ts';
import { useUser } from '../../api/session.ts';
import { Banner } from '../../components/banner.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { CardFrame } from '../../components/card-frame.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { BRAND } from '../../content/brand.ts';
import { TEXT } from '../../content/messages.en.ts';
import { useMailedToken } from '../../hooks/use-mailed-token.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { link } from '../../routes.ts';

export function VerifyEmailPage() {
  usePageTitle('Email address');
  const token = useMailedToken();
  const user = useUser();
  const verify = useVerifyEmail();
  const resend = useResendVerification();
  const isHeld = useInstance()?.isMailSent === false;
  const asked = useRef('');
  const { mutate } = verify;
  useEffect(() => {
    // A link can be used once: asked for twice it would look like a stale one.
    if (token === '' || asked.current === token) return;
    asked.current = token;
    mutate(token);
  }, [token, mutate]);

  if (verify.isSuccess && !user) return <Redirect to={link.login({ verified: 'true' })} replace />;
  if (verify.isSuccess) {
    return (
      <CardFrame brand={BRAND.name} homeHref={link.landing()} title="Your address is confirmed" lead={TEXT.verify.done}>
        <ButtonLink href={link.overview()} look="primary" size="lg" wide>
          Open the dashboard
        </ButtonLink>
      </CardFrame>
    );
  }
  // Asked too often is no fault of the link's.
  const { error } = verify;
  const isStale = token === '' || (error instanceof ApiError && error.status === 422);
  if (!error && !isStale) {
    return (
      <CardFrame brand={BRAND.name} homeHref={link.landing()} title="One moment">
        <Skeleton type="text" count={2} />
      </CardFrame>
    );
  }
  return (
    <CardFrame
      brand={BRAND.name}
      homeHref={link.landing()}
      title={isStale ? 'This link is not valid any more' : 'That did not work'}
      lead={isStale ? TEXT.verify.stale : wordsOf(error, TEXT.verify.failed)}
      foot={user ? <Link href={link.overview()}>Open the dashboard</Link> : <Link href={link.login()}>Sign in</Link>}
    >
      {resend.isSuccess && (
        <Banner tone={isHeld ? 'warn' : 'ok'} urgent>
          {isHeld ? TEXT.verify.held : TEXT.verify.sent}
        </Banner>
      )}
      {resend.error && (
        <Banner tone="bad" urgent>
          {wordsOf(resend.error, TEXT.verify.failed)}
        </Banner>
      )}
      {!isStale ? (
        <Button look="primary" size="lg" wide busy={verify.isPending} onClick={() => mutate(token)}>
          {TEXT.crash.retry}
        </Button>
      ) : user ? (
        <Button look="primary" size="lg" wide busy={resend.isPending} onClick={() => resend.mutate()}>
          Send a new link
        </Button>
      ) : (
        <ButtonLink href={link.login({ next: link.verifyEmail() })} look="primary" size="lg" wide>
          Sign in for a new link
        </ButtonLink>
      )}
    </CardFrame>
  );
}
