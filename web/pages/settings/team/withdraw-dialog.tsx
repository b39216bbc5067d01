import { wordsOf } from '../../../api/error-words.ts';
import { type Invitation, useWithdrawInvitation } from '../../../api/team.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { showToast } from '../../../components/toast.tsx';
import css from './members-card.module.css';

interface WithdrawDialogProps {
  /** Null: closed. */
  readonly invitation: Invitation | null;
  readonly onClose: () => void;
}

export function WithdrawDialog({ invitation, onClose }: WithdrawDialogProps) {
  const withdraw = useWithdrawInvitation();
  const close = (): void => {
    withdraw.reset();
    onClose();
  };
  const send = (): void => {
    if (invitation === null) return;
    withdraw.mutate(invitation._id, {
      onSuccess: () => {
        showToast('success', `The invitation of ${invitation.email} is withdrawn.`);
        close();
      },
    });
  };
  return (
    <Dialog
      open={invitation !== null}
      onClose={close}
      title="Withdraw the invitation?"
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button look="danger" busy={withdraw.isPending} onClick={send}>
            Withdraw the invitation
          </Button>
        </>
      }
    >
      <div className={css.stack}>
        {withdraw.error && (
          <Banner tone="bad" urgent>
            {wordsOf(withdraw.error, 'The invitation could not be withdrawn. Please try again.')}
          </Banner>
        )}
        <p>The link that {invitation?.email} was given opens nothing from now on.</p>
      </div>
    </Dialog>
  );
}
