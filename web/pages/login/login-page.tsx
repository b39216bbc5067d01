import { FlaskConical } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { Link, Redirect, useLocation, useSearchParams } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { useDemoSession, useLogin } from '../../api/auth.ts';
import { useInstance } from '../../api/instance.ts';
import { hasExpired, useUser } from '../../api/session.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { CheckField, PasswordField, TextField } from '../../components/field.tsx';
import { SignInFrame } from '../../components/sign-in-frame.tsx';
import { BRAND } from '../../content/brand.ts';
import { TEXT } from '../../content/messages.en.ts';
import { formatDuration } from '../../hooks/format.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { link } from '../../routes.ts';
import css from './login-page.module.css';

/** Only a path of ours: an address from outside could lead anywhere. */
function safeNext(next: string | null): string {
  return next?.startsWith('/') && !next.startsWith('//') && !next.startsWith('/\\') ? next : link.overview();
}

function wordsOf(error: Error, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  const waitMs = error.details['retryAfterMs'];
  return typeof waitMs === 'number' ? `${error.message} Wait ${formatDuration(waitMs)}.` : error.message;
}

export function LoginPage() {
  usePageTitle(TEXT.login.title);
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const user = useUser();
  const login = useLogin();
  const demo = useDemoSession();
  const instance = useInstance();
  const form = useRef<HTMLFormElement>(null);
  const [isIncomplete, setIncomplete] = useState(false);
  const next = safeNext(params.get('next'));

  if (user && !demo.isPending && !demo.isSuccess) return <Redirect to={next} replace />;

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (login.isPending) return;
    const data = new FormData(event.currentTarget);
    const email = String(data.get('email') ?? '').trim();
    const password = String(data.get('password') ?? '');
    setIncomplete(email === '' || password === '');
    if (email === '' || password === '') {
      event.currentTarget.querySelector<HTMLInputElement>(`[name=${email === '' ? 'email' : 'password'}]`)?.focus();
      return;
    }
    login.mutate(
      { email, password, rememberMe: data.get('rememberMe') === 'on' },
      { onError: () => form.current?.querySelector<HTMLInputElement>('[name=password]')?.select() },
    );
  };

  const enterDemo = async (): Promise<void> => {
    await demo.mutateAsync().then(
      () => navigate(link.overview(), { replace: true }),
      () => undefined,
    );
  };

  const problem = isIncomplete
    ? TEXT.login.required
    : login.error
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
      <form ref={form} className={css.form} noValidate onSubmit={submit}>
        <TextField label="Email" name="email" type="email" autoComplete="username" inputMode="email" required />
        <PasswordField label="Password" name="password" autoComplete="current-password" required />
        <CheckField label={TEXT.login.remember} name="rememberMe" />
        <Button type="submit" look="primary" size="lg" wide busy={login.isPending}>
          Sign in
        </Button>
      </form>
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
    </SignInFrame>
  );
}
