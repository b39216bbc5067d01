import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { useForgotPassword } from '../../api/auth.ts';
import { refusedFields, wordsOf } from '../../api/error-words.ts';
import { useInstance } from '../../api/instance.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { CardFrame } from '../../components/card-frame.tsx';
import { TextField } from '../../components/field.tsx';
import { BRAND } from '../../content/brand.ts';
import { TEXT } from '../../content/messages.en.ts';
import { emailError, withoutMarks } from '../../hooks/typed-text.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { useRefusals } from '../../hooks/use-refusals.ts';
import { link } from '../../routes.ts';

export function ForgotPasswordPage() {
  usePageTitle('Forgot password');
  const instance = useInstance();
  const forgot = useForgotPassword();
  const { formRef, errors, refuse, forgive } = useRefusals<'email'>();
  const [email, setEmail] = useState('');

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const wrong = emailError(email);
    if (refuse(wrong === null ? {} : { email: wrong })) return;
    forgot.mutate(withoutMarks(email), { onError: (error) => refuse(refusedFields(error, ['email'])) });
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
        <Banner tone={instance?.isMailSent === false ? 'warn' : 'ok'} urgent>
          {instance?.isMailSent === false ? TEXT.forgot.held : TEXT.forgot.sent}
        </Banner>
      )}
      {forgot.error && !refusedFields(forgot.error, ['email']).email && (
        <Banner tone="bad" urgent>
          {wordsOf(forgot.error, TEXT.forgot.failed)}
        </Banner>
      )}
      <form ref={formRef} noValidate onSubmit={submit}>
        <TextField
          label="Email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          required
          value={email}
          error={errors.email}
          onChange={(event) => {
            setEmail(event.target.value);
            forgive('email');
            if (!forgot.isPending) forgot.reset();
          }}
        />
        <Button type="submit" look="primary" size="lg" wide busy={forgot.isPending}>
          {forgot.isSuccess ? 'Send it again' : 'Send the link'}
        </Button>
      </form>
    </CardFrame>
  );
}
