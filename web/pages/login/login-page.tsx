import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { Link, Redirect, useLocation, useSearchParams } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { useDemoSession, useLogin } from '../../api/auth.ts';
import { refusedFields, wordsOf } from '../../api/error-words.ts';
import { isSignupClosed, useInstance } from '../../api/instance.ts';
import { hasExpired, useUser } from '../../api/session.ts';
import { useUnheardSignOut } from '../../api/sign-out.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { SignInFrame } from '../../components/sign-in-frame.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { UnheardSignOut } from '../../components/unheard-sign-out.tsx';
import { BRAND } from '../../content/brand.ts';
import { TEXT } from '../../content/messages.en.ts';
import { withoutMarks } from '../../hooks/typed-text.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { useRefusals } from '../../hooks/use-refusals.ts';
import { link } from '../../routes.ts';
import { CodeForm } from './code-form.tsx';
import { type Credentials, CredentialsForm } from './credentials-form.tsx';
import { ElsewhereButton, useWayBack } from './elsewhere.tsx';
import { ElsewhereCode } from './elsewhere-code.tsx';
import css from './login-page.module.css';

const EMPTY: Credentials = { email: '', password: '', rememberMe: false };
const CREDENTIAL_FIELDS = ['email', 'password'] as const;
/** Answers about the code, not about the password. */
const CODE_ANSWERS: ReadonlySet<string> = new Set(['TWO_FACTOR_REQUIRED', 'INVALID_CODE', 'WRONG_CODE']);

/** Only a path of ours: an address from outside could lead anywhere. */
function safeNext(next: string | null): string {
  return next?.startsWith('/') && !next.startsWith('//') && !next.startsWith('/\\') ? next : link.overview();
}

export function LoginPage() {
  usePageTitle(TEXT.login.title);
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const user = useUser();
  const [wasSignedIn] = useState(user !== null);
  const login = useLogin();
  const demo = useDemoSession();
  const instance = useInstance();
  const [credentials, setCredentials] = useState(EMPTY);
  const [isCodeAsked, setCodeAsked] = useState(false);
  const refusals = useRefusals<'email' | 'password'>();
  const next = safeNext(params.get('next'));
  const { isArriving, problem: refused } = useWayBack(params);
  const code = params.get('error');
  const isCodeDue = params.get('codeAsked') === 'true';
  const signOut = useUnheardSignOut(login.isPending || demo.isPending || isArriving || isCodeDue);

  if (isArriving) {
    return (
      <SignInFrame brand={BRAND.name} homeHref={link.landing()}>
        <h1 className={css.title}>One moment</h1>
        <Skeleton type="text" count={2} />
      </SignInFrame>
    );
  }
  // Who is signed in wanted to connect another way to sign in, and reads in the settings why it can't be.
  if (wasSignedIn && user && code !== null) {
    return <Redirect to={link.settings({ tab: 'security', refused: code })} replace />;
  }
  if (isCodeDue && (user === null || user.isDemo)) return <ElsewhereCode />;
  const hasToRead = refused !== null && !login.isSuccess;
  // A visitor of the demo may have an account of their own.
  if (user && !user.isDemo && !hasToRead && !demo.isPending && !demo.isSuccess) return <Redirect to={next} replace />;

  const answer = login.error instanceof ApiError ? login.error.code : '';
  const send = (typed?: string): void => {
    login.mutate(
      { ...credentials, email: withoutMarks(credentials.email), ...(typed === undefined ? {} : { code: typed }) },
      {
        onError: (error) => {
          refusals.refuse(refusedFields(error, CREDENTIAL_FIELDS));
          // A password that was changed meanwhile is asked for again; everything else is about the code.
          const { code: about } = error instanceof ApiError ? error : { code: '' };
          setCodeAsked(CODE_ANSWERS.has(about) || (typed !== undefined && about !== 'INVALID_CREDENTIALS'));
        },
      },
    );
  };

  if (isCodeAsked) {
    const codeError =
      login.error && answer !== 'TWO_FACTOR_REQUIRED'
        ? (refusedFields(login.error, ['code']).code ?? wordsOf(login.error, TEXT.login.failed))
        : undefined;
    return (
      <SignInFrame brand={BRAND.name} homeHref={link.landing()}>
        <h1 className={css.title}>{TEXT.twoFactor.title}</h1>
        <CodeForm
          isPending={login.isPending}
          error={codeError}
          onSend={send}
          onBack={() => {
            login.reset();
            setCodeAsked(false);
          }}
        />
      </SignInFrame>
    );
  }

  const isToldByField = Object.keys(refusedFields(login.error, CREDENTIAL_FIELDS)).length > 0;
  const problem =
    login.error && !isToldByField && !CODE_ANSWERS.has(answer)
      ? wordsOf(login.error, TEXT.login.failed)
      : demo.error
        ? wordsOf(demo.error, TEXT.dashboard.demoFailed)
        : refused;

  return (
    <SignInFrame brand={BRAND.name} homeHref={link.landing()}>
      <h1 className={css.title}>Sign in to {BRAND.name}</h1>
      <div className={css.notices}>
        {params.get('verified') === 'true' && <Banner tone="ok">{TEXT.login.verified}</Banner>}
        <UnheardSignOut {...signOut} />
        {hasExpired() && !problem && <Banner tone="info">{TEXT.login.sessionEnded}</Banner>}
        {problem && (
          <Banner tone="bad" urgent>
            {problem}
          </Banner>
        )}
      </div>
      <CredentialsForm
        credentials={credentials}
        isPending={login.isPending}
        isUnknown={answer === 'INVALID_CREDENTIALS'}
        refusals={refusals}
        onEdit={setCredentials}
        onSend={() => send()}
      />
      {instance?.identityProvider && (
        <div className={css.demo}>
          <ElsewhereButton name={instance.identityProvider} />
        </div>
      )}
      {instance?.isDemoAvailable !== false && (
        <div className={css.demo}>
          <p className={css.or}>or</p>
          <Button
            size="lg"
            wide
            icon={<FlaskConical aria-hidden="true" />}
            busy={demo.isPending}
            onClick={() => demo.mutate(undefined, { onSuccess: () => navigate(link.overview(), { replace: true }) })}
          >
            {TEXT.login.demo}
          </Button>
          <p className={css.hint}>Two sandbox stores in a workspace of your own. Nothing to fill in.</p>
        </div>
      )}
      <p className={css.foot}>
        {!isSignupClosed(instance) && (
          <span>
            New here? <Link href={link.signup()}>Create an account</Link>
          </span>
        )}
        {instance?.isDemoAvailable !== false && <Link href={link.demo()}>See the demo first</Link>}
      </p>
      <p className={css.legal}>
        <Link href={link.pricing()}>Pricing</Link>
        <Link href={link.terms()}>Terms of Service</Link>
        <Link href={link.privacy()}>Privacy Policy</Link>
      </p>
    </SignInFrame>
  );
}
