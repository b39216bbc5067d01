import { PasswordField } from './field.tsx';
import { StrengthMeter } from './strength-meter.tsx';

interface Passwords {
  readonly password: string;
  readonly confirmPassword: string;
}

interface NewPasswordFieldsProps {
  readonly label: string;
  readonly form: Passwords;
  readonly errors: Partial<Passwords>;
  readonly edit: (name: keyof Passwords, value: string) => void;
}

/** A new password, how strong it is, and the same once more. */
export function NewPasswordFields({ label, form, errors, edit }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        label={label}
        name="password"
        autoComplete="new-password"
        value={form.password}
        error={errors.password}
        onChange={(event) => edit('password', event.target.value)}
      />
      <StrengthMeter password={form.password} />
      <PasswordField
        label="Confirm password"
        name="confirmPassword"
        autoComplete="new-password"
        value={form.confirmPassword}
        error={errors.confirmPassword}
        onChange={(event) => edit('confirmPassword', event.target.value)}
      />
    </>
  );
}
