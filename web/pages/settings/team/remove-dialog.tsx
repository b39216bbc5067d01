import { wordsOf } from '../../../api/error-words.ts';
import { type Member, useRemoveMember } from '../../../api/team.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { showToast } from '../../../components/toast.tsx';
import { isDeclined, useProof } from '../proof/use-proof.tsx';
import css from './members-card.module.css';

interface RemoveDialogProps {
  /** Null: closed. */
  readonly member: Member | null;
  readonly onClose: () => void;
}

export function RemoveDialog({ member, onClose }: RemoveDialogProps) {
  const proof = useProof();
  const remove = useRemoveMember(proof.withProof);
  const close = (): void => {
    remove.reset();
    onClose();
  };
  const send = (): void => {
    if (member === null) return;
    remove.mutate(member.userId, {
      onSuccess: () => {
        showToast('success', `${member.name} no longer belongs to this workspace.`);
        close();
      },
    });
  };
  return (
    <>
      <Dialog
        open={member !== null}
        onClose={close}
        title={`Remove ${member?.name ?? ''}?`}
        footer={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button look="danger" busy={remove.isPending} onClick={send}>
              Remove {member?.name}
            </Button>
          </>
        }
      >
        <div className={css.stack}>
          {remove.error && !isDeclined(remove.error) && (
            <Banner tone="bad" urgent>
              {wordsOf(remove.error, 'The member could not be removed. Please try again.')}
            </Banner>
          )}
          <p>
            {member?.email} loses access at once, and so do the API tokens that they made here. What they did stays in
            the audit log; their account stays theirs.
          </p>
        </div>
      </Dialog>
      {proof.dialog}
    </>
  );
}
