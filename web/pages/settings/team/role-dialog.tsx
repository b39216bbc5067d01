import { type FormEvent, useId, useState } from 'react';
import { useMeAgain } from '../../../api/account.ts';
import { wordsOf } from '../../../api/error-words.ts';
import { type Member, useChangeRole, type WorkspaceRole } from '../../../api/team.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { RadioList } from '../../../components/radio-list.tsx';
import { showToast } from '../../../components/toast.tsx';
import { ROLE_LABEL, reaches, rolesWithin } from '../../../hooks/roles.ts';
import { isDeclined, useProof } from '../proof/use-proof.tsx';
import css from './members-card.module.css';
import { ROLE_TEXT } from './team-words.ts';

interface RoleDialogProps {
  /** Null: closed. */
  readonly member: Member | null;
  readonly myRole: WorkspaceRole;
  readonly onClose: () => void;
}

/** Another role for a member, at most one's own. */
export function RoleDialog({ member, myRole, onClose }: RoleDialogProps) {
  const id = useId();
  const meAgain = useMeAgain();
  const proof = useProof();
  const change = useChangeRole(proof.withProof);
  const [chosen, setChosen] = useState<{ readonly of: string; readonly role: WorkspaceRole } | null>(null);
  const role = chosen !== null && chosen.of === member?.userId ? chosen.role : (member?.role ?? 'viewer');
  const close = (): void => {
    setChosen(null);
    change.reset();
    onClose();
  };
  const send = (): void => {
    if (member === null) return;
    change.mutate(
      { id: member.userId, role },
      {
        onSuccess: () => {
          if (member.isYou) meAgain({});
          showToast('success', `${member.isYou ? 'You are' : `${member.name} is`} ${withArticle(role)} now.`);
          close();
        },
      },
    );
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (role === member?.role) close();
    else send();
  };
  return (
    <>
      <Dialog
        open={member !== null}
        onClose={close}
        title={member?.isYou ? 'Change your role' : `Change the role of ${member?.name ?? ''}`}
        footer={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button look="primary" type="submit" form={id} busy={change.isPending}>
              Change the role
            </Button>
          </>
        }
      >
        <form id={id} className={css.stack} noValidate onSubmit={submit}>
          {change.error && !isDeclined(change.error) && (
            <Banner tone="bad" urgent>
              {wordsOf(change.error, 'The role could not be changed. Please try again.')}
            </Banner>
          )}
          <RadioList
            label="Role"
            value={role}
            options={rolesWithin(myRole).map((one) => ({ value: one, label: ROLE_LABEL[one], text: ROLE_TEXT[one] }))}
            onChange={(next) => setChosen({ of: member?.userId ?? '', role: next })}
          />
          {member?.isYou && !reaches(role, myRole) && (
            <Banner tone="warn">You can not take this back yourself: somebody with your present role has to.</Banner>
          )}
        </form>
      </Dialog>
      {proof.dialog}
    </>
  );
}

function withArticle(role: WorkspaceRole): string {
  const name = ROLE_LABEL[role].toLowerCase();
  return /^[aeio]/.test(name) ? `an ${name}` : `a ${name}`;
}
