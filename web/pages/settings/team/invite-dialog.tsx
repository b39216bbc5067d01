import { type FormEvent, useId, useState } from 'react';
import { refusedFields, wordsOf } from '../../../api/error-words.ts';
import { useInstance } from '../../../api/instance.ts';
import { type Invitation, useInvite, type WorkspaceRole } from '../../../api/team.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { TextField } from '../../../components/field.tsx';
import { RadioList } from '../../../components/radio-list.tsx';
import { showToast } from '../../../components/toast.tsx';
import { ROLE_LABEL, rolesWithin } from '../../../hooks/roles.ts';
import { emailError, withoutMarks } from '../../../hooks/typed-text.ts';
import { useRefusals } from '../../../hooks/use-refusals.ts';
import { InvitationLink } from './invitation-link.tsx';
import css from './members-card.module.css';
import { linkWords, ROLE_TEXT } from './team-words.ts';

interface InviteDialogProps {
  readonly open: boolean;
  readonly role: WorkspaceRole;
  readonly isInstanceAdmin: boolean;
  readonly onClose: () => void;
}

const FIELDS = ['email', 'role'] as const;

/** Whom, and as what. Where no mail goes out, the link is handed over from here. */
export function InviteDialog({ open, role, isInstanceAdmin, onClose }: InviteDialogProps) {
  const id = useId();
  const instance = useInstance();
  const invite = useInvite();
  const { formRef, errors, refuse, forgive } = useRefusals<(typeof FIELDS)[number]>();
  const [email, setEmail] = useState('');
  const [invited, setInvited] = useState<WorkspaceRole>('member');
  const [made, setMade] = useState<Invitation | null>(null);
  const held = linkWords({ isMailSent: instance?.isMailSent ?? null, isInstanceAdmin });
  const isMembersOnly = instance?.signup === 'first' && !isInstanceAdmin;

  const close = (): void => {
    setMade(null);
    invite.reset();
    refuse({});
    onClose();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const wrong = emailError(email);
    if (refuse(wrong === null ? {} : { email: wrong })) return;
    invite.mutate(
      { email: withoutMarks(email), role: invited },
      {
        onSuccess: ({ invitation }) => {
          setEmail('');
          if (held !== null) return setMade(invitation);
          const { email: to } = invitation;
          const told = instance === null ? `${to} is invited.` : `An invitation is on its way to ${to}.`;
          showToast('success', `${told} It is good for seven days.`);
          close();
        },
        onError: (error) => void refuse(refusedFields(error, FIELDS)),
      },
    );
  };

  return (
    <Dialog
      open={open}
      onClose={close}
      focusKey={made ? 'made' : 'form'}
      title={made ? `${made.email} is invited` : 'Invite somebody'}
      footer={
        made ? (
          <Button look="primary" onClick={close}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={close}>Cancel</Button>
            <Button look="primary" type="submit" form={id} busy={invite.isPending}>
              {held === null ? 'Send the invitation' : 'Make the invitation'}
            </Button>
          </>
        )
      }
    >
      {made ? (
        <div className={css.stack}>
          <Banner tone="info">{held}</Banner>
          {isInstanceAdmin && <InvitationLink email={made.email} />}
        </div>
      ) : (
        <form ref={formRef} id={id} className={css.stack} noValidate onSubmit={submit}>
          {invite.error && Object.keys(errors).length === 0 && (
            <Banner tone="bad" urgent>
              {wordsOf(invite.error, 'The invitation could not be sent. Please try again.')}
            </Banner>
          )}
          <TextField
            label="Email"
            name="email"
            type="email"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={email}
            error={errors.email}
            hint={
              isMembersOnly
                ? 'Somebody who has an account here: only administrators of this instance bring in new people.'
                : held === null
                  ? 'They get a link that is good for seven days.'
                  : 'The link is good for seven days.'
            }
            onChange={(event) => {
              setEmail(event.target.value);
              forgive('email');
            }}
          />
          <RadioList
            label="Role"
            value={invited}
            error={errors.role}
            options={rolesWithin(role).map((one) => ({ value: one, label: ROLE_LABEL[one], text: ROLE_TEXT[one] }))}
            onChange={(one) => {
              setInvited(one);
              forgive('role');
            }}
          />
          {held !== null && <Banner tone="warn">{held}</Banner>}
        </form>
      )}
    </Dialog>
  );
}
