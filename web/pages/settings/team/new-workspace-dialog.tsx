import { type FormEvent, useId, useState } from 'react';
import { refusedFields, wordsOf } from '../../../api/error-words.ts';
import { useCreateWorkspace } from '../../../api/workspaces.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { TextField } from '../../../components/field.tsx';
import { showToast } from '../../../components/toast.tsx';
import { useRefusals } from '../../../hooks/use-refusals.ts';
import css from './members-card.module.css';

interface NewWorkspaceDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

const NAME_MAX = 100;

/** A further workspace of one's own: an agency has one for each client. */
export function NewWorkspaceDialog({ open, onClose }: NewWorkspaceDialogProps) {
  const id = useId();
  const create = useCreateWorkspace();
  const { formRef, errors, refuse, forgive } = useRefusals<'name'>();
  const [name, setName] = useState('');
  const close = (): void => {
    create.reset();
    refuse({});
    onClose();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (refuse(name.trim() === '' ? { name: 'Give the workspace a name.' } : {})) return;
    create.mutate(name.trim(), {
      onSuccess: ({ workspace }) => {
        setName('');
        showToast('success', `${workspace.name} is there. Switch to it when you like.`);
        close();
      },
      onError: (error) => void refuse(refusedFields(error, ['name'])),
    });
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title="New workspace"
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button look="primary" type="submit" form={id} busy={create.isPending}>
            Create the workspace
          </Button>
        </>
      }
    >
      <form ref={formRef} id={id} className={css.stack} noValidate onSubmit={submit}>
        {create.error && Object.keys(errors).length === 0 && (
          <Banner tone="bad" urgent>
            {wordsOf(create.error, 'The workspace could not be created. Please try again.')}
          </Banner>
        )}
        <TextField
          label="Name"
          name="name"
          autoComplete="off"
          maxLength={NAME_MAX}
          hint="It has stores, pairs, a team and an audit log of its own. You own it."
          value={name}
          error={errors.name}
          onChange={(event) => {
            setName(event.target.value);
            forgive('name');
          }}
        />
      </form>
    </Dialog>
  );
}
