import { UserX } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { deleteAccount, type ErasureReply, type User } from '../../../api/account.ts';
import { ApiError } from '../../../api/api-error.ts';
import { refusedFields, wordsOf } from '../../../api/error-words.ts';
import { useSend } from '../../../api/use-send.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { PasswordField, TextField } from '../../../components/field.tsx';
import { SETTINGS_TEXT } from '../../../content/settings-messages.en.ts';
import { useRefusals } from '../../../hooks/use-refusals.ts';
import { CodeField } from '../proof/code-field.tsx';
import { checkProof, EMPTY_PROOF, PROOF_FIELDS, proofOf } from '../proof/proof-form.ts';
import { SettingRow } from '../setting-row.tsx';
import css from '../settings-form.module.css';
import { blockedBy, erasedWith, isTypedRight } from './erasure-words.ts';
import { useDeparture } from './use-departure.ts';

interface DeleteAccountRowProps {
  readonly user: User;
  readonly erasure: ErasureReply;
}

export function DeleteAccountRow({ user, erasure }: DeleteAccountRowProps) {
  const [isOpen, setOpen] = useState(false);
  const reason = blockedBy(erasure);
  return (
    <>
      <SettingRow
        title="Delete my account"
        reason={reason}
        actions={
          <Button
            look="danger"
            disabled={reason !== null}
            icon={<UserX aria-hidden="true" />}
            onClick={() => setOpen(true)}
          >
            Delete my account
          </Button>
        }
      >
        <p>This goes with it:</p>
        <ul className={css.list}>
          {erasedWith(erasure).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </SettingRow>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Delete my account">
        {isOpen && <Confirmation user={user} erasure={erasure} onClose={() => setOpen(false)} />}
      </Dialog>
    </>
  );
}

const EMPTY = { ...EMPTY_PROOF, email: '' };

interface ConfirmationProps extends DeleteAccountRowProps {
  readonly onClose: () => void;
}

function Confirmation({ user, erasure, onClose }: ConfirmationProps) {
  const id = useId();
  const depart = useDeparture();
  const { formRef, errors, refuse, forgive } = useRefusals<keyof typeof EMPTY>();
  const [form, setForm] = useState(EMPTY);
  const remove = useSend({
    mutationFn: async () => {
      await deleteAccount(proofOf(form));
      await depart(false, 'Your account is deleted.');
    },
  });
  const { error } = remove;
  const isCodeAsked = user.hasTwoFactor || (error instanceof ApiError && error.fields.has('code'));
  const edit = (name: keyof typeof EMPTY, value: string): void => {
    setForm((known) => ({ ...known, [name]: value }));
    forgive(name);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const isRight = isTypedRight(form.email.toLowerCase(), user.email.toLowerCase());
    const wrong = {
      ...(isRight ? {} : { email: `Type your email address: ${user.email}` }),
      ...checkProof(form, isCodeAsked),
    };
    if (refuse(wrong)) return;
    remove.mutate(undefined, { onError: (failure) => refuse(refusedFields(failure, PROOF_FIELDS)) });
  };
  const isUnplaced = error !== null && Object.keys(refusedFields(error, PROOF_FIELDS)).length === 0;
  return (
    <form ref={formRef} id={id} className={css.form} noValidate onSubmit={submit}>
      {isUnplaced && (
        <Banner tone="bad" urgent>
          {wordsOf(error, SETTINGS_TEXT.failed.deleteAccount)}
        </Banner>
      )}
      <p>This can not be taken back. What goes:</p>
      <ul className={css.list}>
        {erasedWith(erasure).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <TextField
        label={`To confirm, type ${user.email}`}
        name="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={form.email}
        error={errors.email}
        onChange={(event) => edit('email', event.target.value)}
      />
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
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="danger" busy={remove.isPending}>
          Delete my account
        </Button>
      </div>
    </form>
  );
}
