import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { useResetPassword } from '../../api/auth.ts';
import { refusedFields, wordsOf } from '../../api/error-words.ts';
import { Banner } from '../../components/banner.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { CardFrame } from '../../components/card-frame.tsx';
import { NewPasswordFields } from '../../components/new-password-fields.tsx';
import { BRAND } from '../../content/brand.ts';
import { checkNewPassword } from '../../hooks/password-strength.ts';
import { useMailedToken } from '../../hooks/use-mailed-token.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { useRefusals } from '../../hooks/use-refusals.ts';
import { link } from '../../routes.ts';
import { RESET_TEXT } from './reset-words.ts';

const EMPTY = { password: '', confirmPassword: '' };

/** A link that was cut or changed on its way is refused as a field. */
function isLinkRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'TOKEN_INVALID' || error.fields.has('token'));
}

export function ResetPasswordPage() {
  usePageTitle('New password');
  const token = useMailedToken();
  const reset = useResetPassword();
  const { formRef, errors, refuse, forgive } = useRefusals<keyof typeof EMPTY>();
  const [form, setForm] = useState(EMPTY);

  const isStale = token === '' || isLinkRefused(reset.error);
  if (reset.isSuccess || isStale) {
    return (
      <CardFrame
        brand={BRAND.name}
        homeHref={link.landing()}
        title={isStale ? 'This link is not valid any more' : 'Your password is changed'}
        lead={isStale ? RESET_TEXT.stale : RESET_TEXT.done}
      >
        <ButtonLink href={isStale ? link.forgotPassword() : link.login()} look="primary" size="lg" wide>
          {isStale ? 'Ask for a new link' : 'Sign in'}
        </ButtonLink>
      </CardFrame>
    );
  }

  const edit = (name: keyof typeof EMPTY, value: string): void => {
    setForm((known) => ({ ...known, [name]: value }));
    forgive(name);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (refuse(checkNewPassword(form))) return;
    reset.mutate(
      { token, password: form.password },
      { onError: (error) => refuse(refusedFields(error, ['password'])) },
    );
  };

  return (
    <CardFrame
      brand={BRAND.name}
      homeHref={link.landing()}
      title="Set a new password"
      lead={RESET_TEXT.ends}
      foot={<Link href={link.login()}>Back to sign in</Link>}
    >
      {reset.error && !refusedFields(reset.error, ['password']).password && (
        <Banner tone="bad" urgent>
          {wordsOf(reset.error, RESET_TEXT.failed)}
        </Banner>
      )}
      <Banner tone="info">{RESET_TEXT.endsUnconfirmed}</Banner>
      <form ref={formRef} noValidate onSubmit={submit}>
        <NewPasswordFields label="New password" form={form} errors={errors} edit={edit} />
        <Button type="submit" look="primary" size="lg" wide busy={reset.isPending}>
          Set the password
        </Button>
      </form>
    </CardFrame>
  );
}
