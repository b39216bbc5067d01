import { bindText } from './bind-text.ts';
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
export function NewPasswordFields({ label, ...passwords }: NewPasswordFieldsProps) {
  const field = bindText<keyof Passwords>(passwords);
  return (
    <>
      <PasswordField label={label} autoComplete="new-password" {...field('password')} />
      <StrengthMeter password={passwords.form.password} />
      <PasswordField label="Confirm password" autoComplete="new-password" {...field('confirmPassword')} />
    </>
  );
}
