import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { withoutMarks } from '../../hooks/typed-text.ts';
import css from './login-page.module.css';

interface CodeFormProps {
  readonly isPending: boolean;
  readonly error: string | undefined;
  readonly onSend: (code: string) => void;
  readonly onBack: () => void;
}

/** The second factor: a code of the authenticator app, or a recovery code. Pasted spaces do no harm. */
export function CodeForm({ isPending, error, onSend, onBack }: CodeFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [code, setCode] = useState('');
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    if (isPending) return;
    const field = form.current?.querySelector<HTMLInputElement>('[name=code]');
    field?.focus();
    field?.select();
  }, [isPending]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const given = withoutMarks(code).replace(/\s/g, '');
    setMissing(given === '');
    if (given !== '') onSend(given);
    else form.current?.querySelector<HTMLInputElement>('[name=code]')?.focus();
  };
  const shown = isMissing ? TEXT.twoFactor.required : error;
  return (
    <form ref={form} className={css.form} noValidate onSubmit={submit}>
      <p className={css.lead}>{TEXT.twoFactor.lead}</p>
      <TextField
        label="Code"
        name="code"
        autoComplete="one-time-code"
        spellCheck={false}
        value={code}
        hint={TEXT.twoFactor.hint}
        error={shown}
        onChange={(event) => {
          setCode(event.target.value);
          setMissing(false);
        }}
      />
      <Button type="submit" look="primary" size="lg" wide busy={isPending}>
        Sign in
      </Button>
      <Button size="lg" wide onClick={onBack}>
        Back
      </Button>
    </form>
  );
}
