import { type FormEvent, useId, useState } from 'react';
import { refusedFields, wordsOf } from '../../../api/error-words.ts';
import { enableTwoFactor, type TwoFactorBeginReply } from '../../../api/security.ts';
import { useSend } from '../../../api/use-send.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { TEXT } from '../../../content/messages.en.ts';
import { SETTINGS_TEXT } from '../../../content/settings-messages.en.ts';
import { useRefusals } from '../../../hooks/use-refusals.ts';
import { CopyButton } from '../copy-button.tsx';
import { CodeField } from '../proof/code-field.tsx';
import { plainCode } from '../proof/proof-form.ts';
import { isDeclined, type useProof } from '../proof/use-proof.tsx';
import form from '../settings-form.module.css';
import { QrPicture } from './qr-picture.tsx';
import css from './two-factor-dialog.module.css';

interface TwoFactorDialogProps {
  /** Null: not begun. */
  readonly begun: TwoFactorBeginReply | null;
  readonly withProof: ReturnType<typeof useProof>['withProof'];
  readonly onClose: () => void;
  readonly onEnabled: (codes: readonly string[]) => void;
}

export function TwoFactorDialog({ begun, onClose, ...rest }: TwoFactorDialogProps) {
  return (
    <Dialog open={begun !== null} onClose={onClose} title="Turn on two-factor sign-in">
      {begun && <SetUp begun={begun} onClose={onClose} {...rest} />}
    </Dialog>
  );
}

/** Read out and typed in groups. */
function grouped(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ');
}

function SetUp({
  begun,
  withProof,
  onClose,
  onEnabled,
}: Omit<TwoFactorDialogProps, 'begun'> & { readonly begun: TwoFactorBeginReply }) {
  const id = useId();
  const { formRef, errors, refuse, forgive } = useRefusals<'code'>();
  const [code, setCode] = useState('');
  const enable = useSend({ mutationFn: (given: string) => withProof(() => enableTwoFactor(given)) });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const given = plainCode(code);
    if (refuse(given === '' ? { code: TEXT.twoFactor.required } : {})) return;
    enable.mutate(given, { onSuccess: onEnabled, onError: (error) => refuse(refusedFields(error, ['code'])) });
  };
  const { error } = enable;
  const isUnplaced = error !== null && !isDeclined(error) && refusedFields(error, ['code']).code === undefined;
  return (
    <form ref={formRef} id={id} className={form.form} noValidate onSubmit={submit}>
      <ol className={css.steps}>
        <li>
          <p>Scan this picture with an authenticator app on your phone.</p>
          <QrPicture text={begun.address} label="QR code for your authenticator app" />
        </li>
        <li>
          <p>It can not be scanned? Type this key into the app, or copy it.</p>
          <div className={css.secret}>
            <code className={css.key}>{grouped(begun.secret)}</code>
            <CopyButton size="sm" text={begun.secret} label="Copy key" />
          </div>
        </li>
        <li>
          <p>Enter the code that the app shows now.</p>
          {isUnplaced && (
            <Banner tone="bad" urgent>
              {wordsOf(error, SETTINGS_TEXT.failed.enable)}
            </Banner>
          )}
          <CodeField
            value={code}
            hint="Six digits, new every 30 seconds."
            error={errors.code}
            onChange={(value) => {
              setCode(value);
              forgive('code');
            }}
          />
        </li>
      </ol>
      <div className={form.buttons}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" busy={enable.isPending}>
          Turn on
        </Button>
      </div>
    </form>
  );
}
