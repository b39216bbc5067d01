import { type FormEvent, useId, useState } from 'react';
import { Link } from 'wouter';
import { refusedFields, wordsOf } from '../../../api/error-words.ts';
import { useChangePassword } from '../../../api/security.ts';
import { Banner } from '../../../components/banner.tsx';
import { bindText } from '../../../components/bind-text.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { PasswordField } from '../../../components/field.tsx';
import { NewPasswordFields } from '../../../components/new-password-fields.tsx';
import { showToast } from '../../../components/toast.tsx';
import { SETTINGS_TEXT } from '../../../content/settings-messages.en.ts';
import { useRefusals } from '../../../hooks/use-refusals.ts';
import { link } from '../../../routes.ts';
import { SettingRow } from '../setting-row.tsx';
import css from '../settings-form.module.css';
import { checkPasswords, EMPTY_PASSWORDS, type PasswordForm, placeRefusals } from './password-rules.ts';

export function PasswordRow() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <SettingRow title="Password" actions={<Button onClick={() => setOpen(true)}>Change password</Button>}>
        A new password signs out every other device. API tokens stay good, as programs use them: where somebody else
        knew the password, <Link href={link.settings({ tab: 'api' })}>revoke those that you do not know</Link>.
      </SettingRow>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Change password">
        {isOpen && <PasswordFields onClose={() => setOpen(false)} />}
      </Dialog>
    </>
  );
}

function placedIn(error: unknown): Partial<PasswordForm> {
  return placeRefusals(refusedFields(error, ['currentPassword', 'newPassword', 'confirmPassword']));
}

function PasswordFields({ onClose }: { readonly onClose: () => void }) {
  const id = useId();
  const change = useChangePassword();
  const { formRef, errors, refuse, forgive } = useRefusals<keyof PasswordForm>();
  const [form, setForm] = useState(EMPTY_PASSWORDS);
  const edit = (name: keyof PasswordForm, value: string): void => {
    setForm((known) => ({ ...known, [name]: value }));
    forgive(name);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (refuse(checkPasswords(form))) return;
    const { currentPassword, password: newPassword, confirmPassword } = form;
    change.mutate(
      { currentPassword, newPassword, confirmPassword },
      {
        onSuccess: () => {
          onClose();
          showToast('success', SETTINGS_TEXT.password.changed);
        },
        onError: (error) => refuse(placedIn(error)),
      },
    );
  };
  const isUnplaced = change.error !== null && Object.keys(placedIn(change.error)).length === 0;
  return (
    <form ref={formRef} id={id} className={css.form} noValidate onSubmit={submit}>
      {isUnplaced && (
        <Banner tone="bad" urgent>
          {wordsOf(change.error, SETTINGS_TEXT.failed.password)}
        </Banner>
      )}
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        {...bindText<keyof PasswordForm>({ form, errors, edit })('currentPassword')}
      />
      <p className={css.note}>
        None yet, or forgotten? <Link href={link.forgotPassword()}>Ask for a link to set one.</Link>
      </p>
      <NewPasswordFields label="New password" form={form} errors={errors} edit={edit} />
      <div className={css.buttons}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" busy={change.isPending}>
          Change password
        </Button>
      </div>
    </form>
  );
}
