import { useRef, useState } from 'react';
import { useMeAgain } from '../../../api/account.ts';
import { wordsOf } from '../../../api/error-words.ts';
import {
  beginTwoFactor,
  disableTwoFactor,
  renewRecoveryCodes,
  type TwoFactorBeginReply,
} from '../../../api/security.ts';
import { useSend } from '../../../api/use-send.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Status } from '../../../components/status.tsx';
import { showToast } from '../../../components/toast.tsx';
import { SETTINGS_TEXT } from '../../../content/settings-messages.en.ts';
import { isDeclined, useProof } from '../proof/use-proof.tsx';
import { SettingRow } from '../setting-row.tsx';
import css from '../settings-form.module.css';
import { RecoveryCodes } from './recovery-codes.tsx';
import { TwoFactorDialog } from './two-factor-dialog.tsx';

/** The secret and the codes are in the memory of this page and nowhere else: in no address and in no storage. */
export function TwoFactorRow({ isOn }: { readonly isOn: boolean }) {
  const { withProof, dialog } = useProof();
  const tellMe = useMeAgain();
  const [begun, setBegun] = useState<TwoFactorBeginReply | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [asking, setAsking] = useState<'off' | 'codes' | null>(null);
  const first = useRef<HTMLButtonElement>(null);
  const begin = useSend({ mutationFn: () => withProof(beginTwoFactor) });
  const turnOff = useSend({ mutationFn: () => withProof(disableTwoFactor) });
  const renew = useSend({ mutationFn: () => withProof(renewRecoveryCodes) });
  const failure = [
    [begin.error, SETTINGS_TEXT.failed.enable],
    [turnOff.error, SETTINGS_TEXT.failed.disable],
    [renew.error, SETTINGS_TEXT.failed.codes],
  ] as const;
  const failed = failure.find(([error]) => error !== null && !isDeclined(error));
  const forget = (): void => {
    for (const send of [begin, turnOff, renew]) send.reset();
  };
  const open = (): void => {
    forget();
    begin.mutate(undefined, {
      onSuccess: (reply) => {
        begin.reset();
        setBegun(reply);
      },
    });
  };
  const end = (): void => {
    setAsking(null);
    forget();
  };
  return (
    <>
      <SettingRow
        title="Two-factor sign-in"
        aside={
          <Status tone={isOn ? 'ok' : 'quiet'} small>
            {isOn ? 'On' : 'Off'}
          </Status>
        }
        actions={
          isOn ? (
            <>
              <Button ref={first} onClick={() => setAsking('codes')}>
                New recovery codes
              </Button>
              <Button look="danger" onClick={() => setAsking('off')}>
                Turn off
              </Button>
            </>
          ) : (
            <Button ref={first} busy={begin.isPending} onClick={open}>
              Turn on
            </Button>
          )
        }
      >
        {isOn
          ? 'Signing in asks for a code from your authenticator app, or for a recovery code.'
          : 'Once it is on, signing in asks for a code from an app on your phone as well: a password alone opens nothing.'}
      </SettingRow>
      {failed && asking === null && (
        <div className={css.under}>
          <Banner tone="bad" urgent>
            {wordsOf(failed[0], failed[1])}
          </Banner>
        </div>
      )}
      {codes && (
        <RecoveryCodes
          codes={codes}
          onDone={() => {
            setCodes(null);
            first.current?.focus();
          }}
        />
      )}
      <TwoFactorDialog
        begun={begun}
        withProof={withProof}
        onClose={() => setBegun(null)}
        onEnabled={(fresh) => {
          setBegun(null);
          setCodes(fresh);
          // No notice besides: on a phone it would lie over the codes.
          tellMe({ hasTwoFactor: true });
        }}
      />
      <Dialog
        open={asking !== null}
        onClose={end}
        title={asking === 'codes' ? 'New recovery codes' : 'Turn off two-factor sign-in'}
        footer={
          <>
            <Button onClick={end}>Cancel</Button>
            {asking === 'codes' ? (
              <Button
                look="primary"
                busy={renew.isPending}
                onClick={() =>
                  renew.mutate(undefined, {
                    onSuccess: (fresh) => {
                      end();
                      setCodes(fresh);
                    },
                  })
                }
              >
                Make new codes
              </Button>
            ) : (
              <Button
                look="danger"
                busy={turnOff.isPending}
                onClick={() =>
                  turnOff.mutate(undefined, {
                    onSuccess: () => {
                      end();
                      setCodes(null);
                      tellMe({ hasTwoFactor: false });
                      showToast('success', 'Two-factor sign-in is off.');
                    },
                  })
                }
              >
                Turn off
              </Button>
            )}
          </>
        }
      >
        <div className={css.form}>
          {failed && (
            <Banner tone="bad" urgent>
              {wordsOf(failed[0], failed[1])}
            </Banner>
          )}
          <p>
            {asking === 'codes'
              ? 'Ten new codes replace the old ones, which stop working.'
              : 'From then on your password alone signs you in. The app and the recovery codes stop working.'}
          </p>
        </div>
      </Dialog>
      {dialog}
    </>
  );
}
