import { TextField } from '../../../components/field.tsx';
import { TEXT } from '../../../content/messages.en.ts';

interface CodeFieldProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly hint?: string;
  readonly onChange: (value: string) => void;
}

/** A code of the authenticator app. Phones and password managers fill it in. */
export function CodeField({ value, error, hint = TEXT.twoFactor.hint, onChange }: CodeFieldProps) {
  return (
    <TextField
      label="Code"
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      value={value}
      hint={hint}
      error={error}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
