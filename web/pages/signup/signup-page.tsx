import { ArrowLeft } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, Redirect, useSearchParams } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { useSignUp } from '../../api/auth.ts';
import { refusedFields, wordsOf } from '../../api/error-words.ts';
import { isSignupClosed, useInstance } from '../../api/instance.ts';
import { useUser } from '../../api/session.ts';
import { Banner } from '../../components/banner.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { SignInFrame } from '../../components/sign-in-frame.tsx';
import { Steps } from '../../components/steps.tsx';
import { BRAND } from '../../content/brand.ts';
import { TEXT } from '../../content/messages.en.ts';
import { withoutMarks } from '../../hooks/typed-text.ts';
import { keptInvitation } from '../../hooks/use-mailed-token.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { useRefusals } from '../../hooks/use-refusals.ts';
import { link } from '../../routes.ts';
import { AccountFields, SecurityFields } from './sign-up-fields.tsx';
import {
  ACCOUNT_FIELDS,
  checkAccount,
  checkSecurity,
  EMPTY_FORM,
  SECURITY_FIELDS,
  type SignUpForm,
} from './sign-up-rules.ts';
import css from './signup-page.module.css';

/** The browser's way back leads from the second step to the first, and not away from what was typed. */
function useStep(): readonly [step: 0 | 1, go: (step: 0 | 1) => void] {
  const [step, setStep] = useState<0 | 1>(0);
  // The browser goes back in its own time: the next step can be wanted before it is there.
  const isReturning = useRef(false);
  const wanted = useRef<0 | 1>(0);
  useEffect(() => {
    const back = (): void => {
      if (!isReturning.current) wanted.current = 0;
      isReturning.current = false;
      if (wanted.current === 1) history.pushState(history.state, '');
      setStep(wanted.current);
    };
    window.addEventListener('popstate', back);
    return () => window.removeEventListener('popstate', back);
  }, []);
  const go = (next: 0 | 1): void => {
    if (next === wanted.current) return;
    wanted.current = next;
    setStep(next);
    if (isReturning.current) return;
    if (next === 1) history.pushState(history.state, '');
    else {
      isReturning.current = true;
      history.back();
    }
  };
  return [step, go];
}

export function SignupPage() {
  usePageTitle('Create an account');
  const user = useUser();
  const instance = useInstance();
  const signUp = useSignUp();
  const { formRef, errors, refuse, forgive } = useRefusals<keyof SignUpForm>();
  const [step, setStep] = useStep();
  const shownStep = useRef(step);
  useEffect(() => {
    if (shownStep.current === step) return;
    shownStep.current = step;
    // What had the focus belongs to the other step: the next thing to fill in has it, or what was refused.
    const fields = formRef.current;
    (
      fields?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
      fields?.querySelector<HTMLElement>('input:not([type="hidden"])')
    )?.focus();
  }, [step, formRef]);
  const [params] = useSearchParams();
  const [invitation, setInvitation] = useState(keptInvitation.read);
  const [form, setForm] = useState<SignUpForm>({ ...EMPTY_FORM, email: params.get('email') ?? '' });

  // A visitor of the demo is sent here to have an account of their own.
  if (user && !user.isDemo) return <Redirect to={link.overview()} replace />;

  const edit = <Name extends keyof SignUpForm>(name: Name, value: SignUpForm[Name]): void => {
    setForm((known) => ({ ...known, [name]: value }));
    forgive(name);
  };

  const takeServerErrors = (error: Error): void => {
    const ofAccount = refusedFields(error, ACCOUNT_FIELDS);
    if (Object.keys(ofAccount).length > 0) setStep(0);
    refuse({ ...ofAccount, ...refusedFields(error, SECURITY_FIELDS) });
    if (error instanceof ApiError && error.code === 'INVITATION_INVALID') {
      // The next try is an account of one's own, where the instance takes such.
      keptInvitation.drop();
      setInvitation('');
    }
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
        email: withoutMarks(form.email),
        company: company.trim() || null,
        ...(setupToken.trim() ? { setupToken: setupToken.trim() } : {}),
        ...(invitation === '' ? {} : { invitation }),
      },
      { onError: takeServerErrors },
    );
  };

  const isToldByField = Object.keys(refusedFields(signUp.error, [...ACCOUNT_FIELDS, ...SECURITY_FIELDS])).length > 0;
  const failure = signUp.error && !isToldByField ? wordsOf(signUp.error, TEXT.signup.failed) : null;
  const isTokenAsked = signUp.error instanceof ApiError && signUp.error.code === 'SETUP_TOKEN_REQUIRED';
  const fields = { form, errors, edit };
  const isClosed = isSignupClosed(instance) && invitation === '';

  return (
    <SignInFrame brand={BRAND.name} homeHref={link.landing()}>
      <h1 className={css.title}>Create an account</h1>
      {isClosed ? (
        <div className={css.notice}>
          <Banner tone="warn">This instance does not take new accounts. Ask its owner for an invitation.</Banner>
        </div>
      ) : (
        <Steps names={TEXT.signup.steps} current={step} />
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
      {isClosed ? (
        <div className={css.ways}>
          <ButtonLink href={link.login()} look="primary" size="lg">
            Sign in
          </ButtonLink>
          {instance?.isDemoAvailable && (
            <ButtonLink href={link.demo()} size="lg">
              Open the demo
            </ButtonLink>
          )}
        </div>
      ) : (
        <form ref={formRef} className={css.form} noValidate onSubmit={submit}>
          {step === 0 ? (
            <AccountFields {...fields} />
          ) : (
            <SecurityFields {...fields} needsToken={isTokenAsked || instance?.isSetupTokenRequired === true} />
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
      )}
      {!isClosed && (
        <p className={css.foot}>
          Already have an account? <Link href={link.login()}>Sign in</Link>
        </p>
      )}
    </SignInFrame>
  );
}
