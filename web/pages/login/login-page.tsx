import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { Link, Redirect, useLocation, useSearchParams } from 'wouter';
import { ApiError, wordsOf } from '../../api/api-error.ts';
import { useDemoSession, useLogin } from '../../api/auth.ts';
import { useInstance } from '../../api/instance.ts';
import { hasExpired, useUser } from '../../api/session.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { SignInFrame } from '../../components/sign-in-frame.tsx';
import { BRAND } from '../../content/brand.ts';
import { TEXT } from '../../content/messages.en.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { link } from '../../routes.ts';
import { CodeForm } from './code-form.tsx';
import { type Credentials, CredentialsForm } from './credentials-form.tsx';
import css from './login-page.module.css';

const EMPTY: Credentials = { email: '', password: '', rememberMe: false };
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
  const login = useLogin();
  const demo = useDemoSession();
  const instance = useInstance();
  const [credentials, setCredentials] = useState(EMPTY);
  const [isCodeAsked, setCodeAsked] = useState(false);
  const [isIncomplete, setIncomplete] = useState(false);
  const next = safeNext(params.get('next'));

  if (user && !demo.isPending && !demo.isSuccess) return <Redirect to={next} replace />;

  const answer = login.error instanceof ApiError ? login.error.code : '';
  const send = (code?: string): void => {
    if (login.isPending) return;
    login.mutate(
      { ...credentials, email: credentials.email.trim(), ...(code === undefined ? {} : { code }) },
      {
        onError: (error) =>
          setCodeAsked(error instanceof ApiError && (CODE_ANSWERS.has(error.code) || code !== undefined)),
      },
    );
  };

  if (isCodeAsked) {
    return (
      <SignInFrame brand={BRAND.name} homeHref={link.landing()}>
        <h1 className={css.title}>{TEXT.twoFactor.title}</h1>
        <CodeForm
          isPending={login.isPending}
          error={login.error && answer !== 'TWO_FACTOR_REQUIRED' ? wordsOf(login.error, TEXT.login.failed) : undefined}
          onSend={send}
          onBack={() => {
            login.reset();
            setCodeAsked(false);
          }}
        />
      </SignInFrame>
    );
  }

  const enterDemo = async (): Promise<void> => {
    await demo.mutateAsync().then(
      () => navigate(link.overview(), { replace: true }),
      () => undefined,
    );
  };
  const problem = isIncomplete
    ? TEXT.login.required
    : login.error && !CODE_ANSWERS.has(answer)
      ? wordsOf(login.error, TEXT.login.failed)
      : demo.error
        ? wordsOf(demo.error, TEXT.dashboard.demoFailed)
        : null;

  return (
    <SignInFrame brand={BRAND.name} homeHref={link.landing()}>
      <h1 className={css.title}>Sign in to {BRAND.name}</h1>
      <div className={css.notices}>
        {params.get('verified') === 'true' && <Banner tone="ok">{TEXT.login.verified}</Banner>}
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
        isRefused={answer === 'INVALID_CREDENTIALS'}
        onEdit={setCredentials}
        onIncomplete={() => setIncomplete(true)}
        onSend={() => {
          setIncomplete(false);
          send();
        }}
      />
      {instance?.isDemoAvailable !== false && (
        <div className={css.demo}>
          <p className={css.or}>or</p>
          <Button
            size="lg"
            wide
            icon={<FlaskConical aria-hidden="true" />}
            busy={demo.isPending}
            onClick={() => void enterDemo()}
          >
            {TEXT.login.demo}
          </Button>
          <p className={css.hint}>Two sandbox stores in a workspace of your own. Nothing to fill in.</p>
        </div>
      )}
      <p className={css.foot}>
        {instance?.isSignupOpen !== false && (
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
