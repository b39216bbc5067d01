import { type FormEvent, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { Button } from '../../components/button.tsx';
import { CheckField, PasswordField, TextField } from '../../components/field.tsx';
import { TEXT } from '../../content/messages.en.ts';
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
  readonly isRefused: boolean;
  readonly onEdit: (credentials: Credentials) => void;
  readonly onIncomplete: () => void;
  readonly onSend: () => void;
}

export function CredentialsForm(props: CredentialsFormProps) {
  const { credentials, isPending, isRefused, onEdit, onIncomplete, onSend } = props;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isRefused && !isPending) form.current?.querySelector<HTMLInputElement>('[name=password]')?.select();
  }, [isRefused, isPending]);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const empty = credentials.email.trim() === '' ? 'email' : credentials.password === '' ? 'password' : null;
    if (empty === null) {
      onSend();
      return;
    }
    onIncomplete();
    form.current?.querySelector<HTMLInputElement>(`[name=${empty}]`)?.focus();
  };

  return (
    <form ref={form} className={css.form} noValidate onSubmit={submit}>
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        inputMode="email"
        required
        value={credentials.email}
        onChange={(event) => onEdit({ ...credentials, email: event.target.value })}
      />
      <div>
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          value={credentials.password}
          onChange={(event) => onEdit({ ...credentials, password: event.target.value })}
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
