import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { ApiError, wordsOf } from '../../api/api-error.ts';
import { useResetPassword } from '../../api/auth.ts';
import { Banner } from '../../components/banner.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { CardFrame } from '../../components/card-frame.tsx';
import { NewPasswordFields } from '../../components/new-password-fields.tsx';
import { BRAND } from '../../content/brand.ts';
import { TEXT } from '../../content/messages.en.ts';
import { checkNewPassword } from '../../hooks/password-strength.ts';
import { useMailedToken } from '../../hooks/use-mailed-token.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { link } from '../../routes.ts';

const EMPTY = { password: '', confirmPassword: '' };

export function ResetPasswordPage() {
  usePageTitle('New password');
  const token = useMailedToken();
  const reset = useResetPassword();
  const formRef = useRef<HTMLFormElement>(null);
  const [form, setForm] = useState(EMPTY);
  const [errors, setErrors] = useState<Partial<typeof EMPTY>>({});
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (tries > 0) formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries]);

  const isStale = token === '' || (reset.error instanceof ApiError && reset.error.code === 'TOKEN_INVALID');
  if (reset.isSuccess || isStale) {
    return (
      <CardFrame
        brand={BRAND.name}
        homeHref={link.landing()}
        title={isStale ? 'This link is not valid any more' : 'Your password is changed'}
        lead={isStale ? TEXT.reset.stale : TEXT.reset.done}
      >
        <ButtonLink href={isStale ? link.forgotPassword() : link.login()} look="primary" size="lg" wide>
          {isStale ? 'Ask for a new link' : 'Sign in'}
        </ButtonLink>
      </CardFrame>
    );
  }

  const edit = (name: keyof typeof EMPTY, value: string): void => {
    setForm((known) => ({ ...known, [name]: value }));
    setErrors(({ [name]: _gone, ...rest }) => rest);
  };
  const refuse = (found: Partial<typeof EMPTY>): boolean => {
    setErrors(found);
    if (Object.keys(found).length === 0) return false;
    setTries((count) => count + 1);
    return true;
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (reset.isPending || refuse(checkNewPassword(form))) return;
    reset.mutate(
      { token, password: form.password },
      { onError: (error) => error instanceof ApiError && refuse(Object.fromEntries(error.fields)) },
    );
  };

  return (
    <CardFrame
      brand={BRAND.name}
      homeHref={link.landing()}
      title="Set a new password"
      lead="It signs out every device that is signed in now."
      foot={<Link href={link.login()}>Back to sign in</Link>}
    >
      {reset.error && Object.keys(errors).length === 0 && (
        <Banner tone="bad" urgent>
          {wordsOf(reset.error, TEXT.reset.failed)}
        </Banner>
      )}
      <form ref={formRef} noValidate onSubmit={submit}>
        <NewPasswordFields label="New password" form={form} errors={errors} edit={edit} />
        <Button type="submit" look="primary" size="lg" wide busy={reset.isPending}>
          Set the password
        </Button>
      </form>
    </CardFrame>
  );
}
