import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { useUpdateProfile } from '../../../api/account.ts';
import { wordsOf } from '../../../api/error-words.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { showToast } from '../../../components/toast.tsx';
import { SETTINGS_TEXT } from '../../../content/settings-messages.en.ts';
import css from '../settings-form.module.css';
import { bodyOf, type ProfileForm, resetOf } from './profile-form.ts';

interface ResetSettingsProps {
  readonly stored: ProfileForm;
  readonly update: ReturnType<typeof useUpdateProfile>;
  /** Edits of what has a default go with it. */
  readonly onReset: () => void;
}

/** The defaults of this tab, after saying what that changes. */
export function ResetSettings({ stored, update, onReset }: ResetSettingsProps) {
  const [isOpen, setOpen] = useState(false);
  const { changes, words } = resetOf(stored);
  const reset = (): void =>
    update.mutate(bodyOf(changes), {
      onSuccess: () => {
        onReset();
        setOpen(false);
        showToast('success', SETTINGS_TEXT.saved);
      },
    });
  const open = (): void => {
    update.reset();
    setOpen(true);
  };
  return (
    <div className={`${css.buttons} ${css.start}`}>
      <Button look="ghost" icon={<RotateCcw aria-hidden="true" />} onClick={open}>
        Reset settings
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Reset settings"
        footer={
          words.length === 0 ? (
            <Button onClick={() => setOpen(false)}>Close</Button>
          ) : (
            <>
              <Button onClick={() => setOpen(false)}>Cancel</Button>
              <Button look="primary" busy={update.isPending} onClick={reset}>
                Reset settings
              </Button>
            </>
          )
        }
      >
        <div className={css.form}>
          {update.error && (
            <Banner tone="bad" urgent>
              {wordsOf(update.error, SETTINGS_TEXT.failed.reset)}
            </Banner>
          )}
          {words.length === 0 ? (
            <p>Everything here is as it is for a new account.</p>
          ) : (
            <>
              <p>This changes. Your name, company and consent to the newsletter stay.</p>
              <ul className={css.list}>
                {words.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </>
          )}
        </div>
      </Dialog>
    </div>
  );
}
