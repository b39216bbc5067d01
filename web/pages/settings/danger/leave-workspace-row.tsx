import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { leaveWorkspace, type User } from '../../../api/account.ts';
import { wordsOf } from '../../../api/error-words.ts';
import { useSend } from '../../../api/use-send.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { SETTINGS_TEXT } from '../../../content/settings-messages.en.ts';
import { SettingRow } from '../setting-row.tsx';
import css from '../settings-form.module.css';
import type { Leaving } from './erasure-words.ts';
import { useDeparture } from './use-departure.ts';

const WHY_NOT: Readonly<Record<Leaving['standing'], string | null>> = {
  free: null,
  gone: 'Nobody else belongs to it: nobody would be left. Delete it instead.',
  blocked: 'You are its only owner. Make somebody else an owner first.',
  unknown: 'You no longer belong to it.',
};

interface LeaveWorkspaceRowProps {
  readonly workspace: User['workspace'];
  readonly leaving: Leaving;
}

export function LeaveWorkspaceRow({ workspace: { name }, leaving }: LeaveWorkspaceRowProps) {
  const [isOpen, setOpen] = useState(false);
  const depart = useDeparture();
  const leave = useSend({
    mutationFn: async () => {
      await leaveWorkspace();
      await depart(leaving.hasOther, `You have left ${name}.`);
    },
  });
  const reason = WHY_NOT[leaving.standing];
  const close = (): void => {
    setOpen(false);
    leave.reset();
  };
  return (
    <>
      <SettingRow
        title="Leave this workspace"
        reason={reason}
        actions={
          <Button
            look="danger"
            disabled={reason !== null}
            icon={<LogOut aria-hidden="true" />}
            onClick={() => setOpen(true)}
          >
            Leave {name}
          </Button>
        }
      >
        You lose access to {name}, and your API tokens for it stop working. Its stores go on syncing.
      </SettingRow>
      <Dialog
        open={isOpen}
        onClose={close}
        title={`Leave ${name}`}
        footer={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button look="danger" busy={leave.isPending} onClick={() => leave.mutate()}>
              Leave {name}
            </Button>
          </>
        }
      >
        <div className={css.form}>
          {leave.error && (
            <Banner tone="bad" urgent>
              {wordsOf(leave.error, SETTINGS_TEXT.failed.leave)}
            </Banner>
          )}
          <p>To come back you need an invitation. {afterwards(leaving.hasOther)}</p>
        </div>
      </Dialog>
    </>
  );
}

/** Whoever belongs to no workspace gets one of their own with the next sign-in. */
export function afterwards(hasOther: boolean): string {
  return hasOther
    ? 'You continue in another workspace of yours.'
    : 'It is your only one: you are signed out, and the next sign-in begins a new, empty one.';
}
