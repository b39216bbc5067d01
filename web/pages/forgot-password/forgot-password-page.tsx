import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'wouter';
import { wordsOf } from '../../api/api-error.ts';
import { useForgotPassword } from '../../api/auth.ts';
import { useInstance } from '../../api/instance.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { CardFrame } from '../../components/card-frame.tsx';
import { TextField } from '../../components/field.tsx';
import { BRAND } from '../../content/brand.ts';
import { TEXT } from '../../content/messages.en.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { link } from '../../routes.ts';

export function ForgotPasswordPage() {
  usePageTitle('Forgot password');
  const instance = useInstance();
  const forgot = useForgotPassword();
  const form = useRef<HTMLFormElement>(null);
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string>();

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (forgot.isPending) return;
    const wrong = checkEmail(email);
    setError(wrong);
    if (wrong) form.current?.querySelector<HTMLElement>('[name=email]')?.focus();
    else forgot.mutate(email.trim());
  };

  return (
    <CardFrame
      brand={BRAND.name}
      homeHref={link.landing()}
      title="Forgot your password?"
      lead="Tell us the address of your account, and we send a link that sets a new one."
      foot={<Link href={link.login()}>Back to sign in</Link>}
    >
      {forgot.isSuccess && (
        <Banner tone="ok" urgent>
          {TEXT.forgot.sent}
          {instance?.isMailSent === false && ` ${TEXT.forgot.held}`}
        </Banner>
      )}
      {forgot.error && (
        <Banner tone="bad" urgent>
          {wordsOf(forgot.error, TEXT.forgot.failed)}
        </Banner>
      )}
      <form ref={form} noValidate onSubmit={submit}>
        <TextField
          label="Email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          required
          value={email}
          error={error}
          onChange={(event) => {
            setEmail(event.target.value);
            setError(undefined);
          }}
        />
        <Button type="submit" look="primary" size="lg" wide busy={forgot.isPending}>
          {forgot.isSuccess ? 'Send it again' : 'Send the link'}
        </Button>
      </form>
    </CardFrame>
  );
}

function checkEmail(email: string): string | undefined {
  if (email.trim() === '') return TEXT.signup.email;
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim()) ? undefined : TEXT.signup.emailShape;
}
