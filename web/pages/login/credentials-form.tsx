import { type FormEvent, useEffect } from 'react';
import { Link } from 'wouter';
import { Button } from '../../components/button.tsx';
import { CheckField, PasswordField, TextField } from '../../components/field.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { withoutMarks } from '../../hooks/typed-text.ts';
import type { useRefusals } from '../../hooks/use-refusals.ts';
import { link } from '../../routes.ts';
import css from './login-page.module.css';

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly rememberMe: boolean;
}

interface CredentialsFormProps {
  readonly credentials: Credentials;
  readonly isPending: boolean;
  /** The server did not know this email with this password. */
  readonly isUnknown: boolean;
  readonly refusals: ReturnType<typeof useRefusals<'email' | 'password'>>;
  readonly onEdit: (credentials: Credentials) => void;
  readonly onSend: () => void;
}

export function CredentialsForm(props: CredentialsFormProps) {
  const { credentials, isPending, isUnknown, onEdit, onSend } = props;
  const { formRef, errors, refuse, forgive } = props.refusals;
  useEffect(() => {
    if (!isUnknown || isPending) return;
    const password = formRef.current?.querySelector<HTMLInputElement>('[name=password]');
    password?.focus();
    password?.select();
  }, [isUnknown, isPending, formRef]);

  const edit = (name: 'email' | 'password', value: string): void => {
    onEdit({ ...credentials, [name]: value });
    forgive(name);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const empty = withoutMarks(credentials.email) === '' ? 'email' : credentials.password === '' ? 'password' : null;
    if (!refuse(empty === null ? {} : { [empty]: TEXT.login.required })) onSend();
  };

  return (
    <form ref={formRef} className={css.form} noValidate onSubmit={submit}>
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        inputMode="email"
        required
        value={credentials.email}
        error={errors.email}
        onChange={(event) => edit('email', event.target.value)}
      />
      <div>
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          value={credentials.password}
          error={errors.password}
          onChange={(event) => edit('password', event.target.value)}
        />
        <p className={css.forgot}>
          <Link href={link.forgotPassword()}>Forgot password?</Link>
        </p>
      </div>
      <CheckField
        label={TEXT.login.remember}
        name="rememberMe"
        checked={credentials.rememberMe}
        onChange={(event) => onEdit({ ...credentials, rememberMe: event.target.checked })}
      />
      <Button type="submit" look="primary" size="lg" wide busy={isPending}>
        Sign in
      </Button>
    </form>
  );
}
