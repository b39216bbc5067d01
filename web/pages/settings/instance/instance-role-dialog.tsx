import { useMeAgain } from '../../../api/account.ts';
import { wordsOf } from '../../../api/error-words.ts';
import { type InstancePerson, useChangeInstanceRole } from '../../../api/instance-owner.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { showToast } from '../../../components/toast.tsx';
import { isDeclined, useProof } from '../proof/use-proof.tsx';
import css from '../settings-form.module.css';
import { roleChange } from './people-words.ts';

interface InstanceRoleDialogProps {
  /** Null: closed. */
  readonly person: InstancePerson | null;
  readonly isYou: boolean;
  readonly onClose: () => void;
}

/** Says what comes of it before somebody becomes an administrator, or is none any more. */
export function InstanceRoleDialog({ person, isYou, onClose }: InstanceRoleDialogProps) {
  const meAgain = useMeAgain();
  const proof = useProof();
  const change = useChangeInstanceRole(proof.withProof);
  const words = person && roleChange(person, isYou);
  const close = (): void => {
    change.reset();
    onClose();
  };
  const send = (): void => {
    if (person === null || words === null) return;
    const role = person.role === 'admin' ? 'user' : 'admin';
    change.mutate(
      { id: person._id, role },
      {
        onSuccess: () => {
          showToast('success', words.done);
          close();
          if (isYou) meAgain({ role });
        },
      },
    );
  };
  return (
    <>
      <Dialog
        open={words !== null}
        onClose={close}
        title={words?.title}
        footer={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button look={person?.role === 'admin' ? 'danger' : 'primary'} busy={change.isPending} onClick={send}>
              {words?.verb}
            </Button>
          </>
        }
      >
        <div className={css.form}>
          {change.error && !isDeclined(change.error) && (
            <Banner tone="bad" urgent>
              {wordsOf(change.error, 'The role could not be changed. Please try again.')}
            </Banner>
          )}
          {person && <p className={css.address}>{person.email}</p>}
          <ul className={css.list}>
            {words?.consequences.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      </Dialog>
      {proof.dialog}
    </>
  );
}
