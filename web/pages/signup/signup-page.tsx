import { ArrowLeft } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, Redirect, useSearchParams } from 'wouter';
import { ApiError, wordsOf } from '../../api/api-error.ts';
import { useSignUp } from '../../api/auth.ts';
import { useInstance } from '../../api/instance.ts';
import { useUser } from '../../api/session.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { SignInFrame } from '../../components/sign-in-frame.tsx';
import { Steps } from '../../components/steps.tsx';
import { BRAND } from '../../content/brand.ts';
import { TEXT } from '../../content/messages.en.ts';
import { keptInvitation } from '../../hooks/use-mailed-token.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { link } from '../../routes.ts';
import { AccountFields, SecurityFields } from './sign-up-fields.tsx';
import { checkAccount, checkSecurity, EMPTY_FORM, type SignUpErrors, type SignUpForm } from './sign-up-rules.ts';
import css from './signup-page.module.css';

const ACCOUNT_FIELDS: ReadonlySet<string> = new Set(['firstName', 'lastName', 'email', 'company']);

export function SignupPage() {
  usePageTitle('Create an account');
  const user = useUser();
  const instance = useInstance();
  const signUp = useSignUp();
  const formRef = useRef<HTMLFormElement>(null);
  const [step, setStep] = useState<0 | 1>(0);
  const [params] = useSearchParams();
  const [invitation] = useState(keptInvitation.read);
  const [form, setForm] = useState<SignUpForm>({ ...EMPTY_FORM, email: params.get('email') ?? '' });
  const [errors, setErrors] = useState<SignUpErrors>({});
  const [tries, setTries] = useState(0);

  // After a failed try the first field that is wrong has the focus.
  useEffect(() => {
    if (tries > 0) formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries]);

  if (user) return <Redirect to={link.overview()} replace />;

  const edit = <Name extends keyof SignUpForm>(name: Name, value: SignUpForm[Name]): void => {
    setForm((known) => ({ ...known, [name]: value }));
    setErrors(({ [name]: _gone, ...rest }) => rest);
  };

  const refuse = (found: SignUpErrors): boolean => {
    setErrors(found);
    const isRefused = Object.keys(found).length > 0;
    if (isRefused) setTries((count) => count + 1);
    return isRefused;
  };

  const takeServerErrors = (error: Error): void => {
    if (!(error instanceof ApiError)) return;
    const fields: SignUpErrors = Object.fromEntries(error.fields);
    if (error.code === 'EMAIL_TAKEN') Object.assign(fields, { email: error.message });
    if (Object.keys(fields).length === 0) return;
    if (Object.keys(fields).some((name) => ACCOUNT_FIELDS.has(name))) setStep(0);
    refuse(fields);
  };

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (signUp.isPending) return;
    if (step === 0) {
      if (!refuse(checkAccount(form))) setStep(1);
      return;
    }
    if (refuse(checkSecurity(form))) return;
    const { setupToken, company, ...rest } = form;
    signUp.mutate(
      {
        ...rest,
        firstName: form.firstName.trim(),
        lastName: form.lastName.trim(),
        email: form.email.trim(),
        company: company.trim() || null,
        ...(setupToken.trim() ? { setupToken: setupToken.trim() } : {}),
        ...(invitation === '' ? {} : { invitation }),
      },
      { onError: takeServerErrors, onSuccess: keptInvitation.drop },
    );
  };

  const hasFieldErrors = Object.keys(errors).length > 0;
  const failure = signUp.error && !hasFieldErrors ? wordsOf(signUp.error, TEXT.signup.failed) : null;
  const fields = { form, errors, edit };

  return (
    <SignInFrame brand={BRAND.name} homeHref={link.landing()}>
      <h1 className={css.title}>Create an account</h1>
      <Steps names={TEXT.signup.steps} current={step} />
      {instance?.isSignupOpen === false && invitation === '' && (
        <div className={css.notice}>
          <Banner tone="warn">This instance does not take new accounts. Ask its owner for an invitation.</Banner>
        </div>
      )}
      {instance?.isFirstRun && (
        <div className={css.notice}>
          <Banner tone="info">This is the first account here. It will own the instance.</Banner>
        </div>
      )}
      {failure && (
        <div className={css.notice}>
          <Banner tone="bad" urgent>
            {failure}
          </Banner>
        </div>
      )}
      <form ref={formRef} className={css.form} noValidate onSubmit={submit}>
        {step === 0 ? (
          <AccountFields {...fields} />
        ) : (
          <SecurityFields {...fields} needsToken={instance?.isSetupTokenRequired === true} />
        )}
        <div className={css.actions}>
          {step === 1 && (
            <Button size="lg" icon={<ArrowLeft aria-hidden="true" />} onClick={() => setStep(0)}>
              Back
            </Button>
          )}
          <Button type="submit" look="primary" size="lg" wide busy={signUp.isPending}>
            {step === 0 ? TEXT.signup.next : TEXT.signup.submit}
          </Button>
        </div>
      </form>
      <p className={css.foot}>
        Already have an account? <Link href={link.login()}>Sign in</Link>
      </p>
    </SignInFrame>
  );
}
