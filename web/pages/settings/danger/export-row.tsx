import { Download } from 'lucide-react';
import { exportAccount } from '../../../api/account.ts';
import { wordsOf } from '../../../api/error-words.ts';
import { useSend } from '../../../api/use-send.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { showToast } from '../../../components/toast.tsx';
import { BRAND } from '../../../content/brand.ts';
import { SETTINGS_TEXT } from '../../../content/settings-messages.en.ts';
import { isDeclined, useProof } from '../proof/use-proof.tsx';
import { saveFile } from '../save-file.ts';
import { SettingRow } from '../setting-row.tsx';
import css from '../settings-form.module.css';

/** Not dangerous: it stands here because it is what one does before the rest. */
export function ExportRow() {
  const { withProof, dialog } = useProof();
  const save = useSend({ mutationFn: () => withProof(exportAccount) });
  const { error } = save;
  return (
    <>
      <SettingRow
        title="Export my data"
        actions={
          <Button
            icon={<Download aria-hidden="true" />}
            busy={save.isPending}
            onClick={() =>
              save.mutate(undefined, {
                onSuccess: (account) => {
                  saveFile(
                    `${BRAND.name.toLowerCase()}-account.json`,
                    `${JSON.stringify(account, null, 2)}\n`,
                    'application/json',
                  );
                  save.reset();
                  showToast('success', 'Your data is saved as a file.');
                },
              })
            }
          >
            Export my data
          </Button>
        }
      >
        A file with what is kept about you: your profile, workspaces, devices and what you did. Passwords and secrets
        are not in it.
      </SettingRow>
      {error && !isDeclined(error) && (
        <div className={css.under}>
          <Banner tone="bad" urgent>
            {wordsOf(error, SETTINGS_TEXT.failed.export)}
          </Banner>
        </div>
      )}
      {dialog}
    </>
  );
}
