import { type FormEvent, useId, useState } from 'react';
import { useProve } from '../../../api/account.ts';
import { ApiError } from '../../../api/api-error.ts';
import { refusedFields, wordsOf } from '../../../api/error-words.ts';
import { useUser } from '../../../api/session.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { PasswordField } from '../../../components/field.tsx';
import { SETTINGS_TEXT } from '../../../content/settings-messages.en.ts';
import { useRefusals } from '../../../hooks/use-refusals.ts';
import css from '../settings-form.module.css';
import { CodeField } from './code-field.tsx';
import { checkProof, EMPTY_PROOF, PROOF_FIELDS, type ProofForm, proofOf } from './proof-form.ts';

interface ProofDialogProps {
  readonly open: boolean;
  readonly onEnd: (isProved: boolean) => void;
}

export function ProofDialog({ open, onEnd }: ProofDialogProps) {
  const id = useId();
  return (
    <Dialog open={open} onClose={() => onEnd(false)} title="Confirm that it is you">
      {open && <ProofFields id={id} onEnd={onEnd} />}
    </Dialog>
  );
}

function ProofFields({ id, onEnd }: { readonly id: string; readonly onEnd: (isProved: boolean) => void }) {
  const user = useUser();
  const prove = useProve();
  const { formRef, errors, refuse, forgive } = useRefusals<keyof ProofForm>();
  const [form, setForm] = useState(EMPTY_PROOF);
  // Turned on meanwhile on another device: the server says so.
  const isCodeAsked =
    user?.hasTwoFactor === true || (prove.error instanceof ApiError && prove.error.fields.has('code'));
  const edit = (name: keyof ProofForm, value: string): void => {
    setForm((known) => ({ ...known, [name]: value }));
    forgive(name);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (refuse(checkProof(form, isCodeAsked))) return;
    prove.mutate(proofOf(form), {
      onSuccess: () => onEnd(true),
      onError: (error) => refuse(refusedFields(error, PROOF_FIELDS)),
    });
  };
  const isElsewhere = prove.error !== null && Object.keys(refusedFields(prove.error, PROOF_FIELDS)).length === 0;
  return (
    <form ref={formRef} id={id} className={css.form} noValidate onSubmit={submit}>
      <p className={css.text}>For the next ten minutes you are not asked again.</p>
      {isElsewhere && (
        <Banner tone="bad" urgent>
          {wordsOf(prove.error, SETTINGS_TEXT.failed.prove)}
        </Banner>
      )}
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        value={form.password}
        error={errors.password}
        onChange={(event) => edit('password', event.target.value)}
      />
      {isCodeAsked && <CodeField value={form.code} error={errors.code} onChange={(value) => edit('code', value)} />}
      <div className={css.buttons}>
        <Button onClick={() => onEnd(false)}>Cancel</Button>
        <Button type="submit" look="primary" busy={prove.isPending}>
          Confirm
        </Button>
      </div>
    </form>
  );
}
