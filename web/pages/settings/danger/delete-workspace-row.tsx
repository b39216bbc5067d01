import { Trash2 } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { deleteWorkspace, type User } from '../../../api/account.ts';
import { refusedFields, wordsOf } from '../../../api/error-words.ts';
import { useSend } from '../../../api/use-send.ts';
import { useWhyNot } from '../../../api/use-why-not.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { TextField } from '../../../components/field.tsx';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { SETTINGS_TEXT } from '../../../content/settings-messages.en.ts';
import { useRefusals } from '../../../hooks/use-refusals.ts';
import { isDeclined, useProof } from '../proof/use-proof.tsx';
import { SettingRow } from '../setting-row.tsx';
import css from '../settings-form.module.css';
import { isTypedRight } from './erasure-words.ts';
import { afterwards } from './leave-workspace-row.tsx';
import { useDeparture } from './use-departure.ts';

interface DeleteWorkspaceRowProps {
  readonly workspace: User['workspace'];
  readonly hasOther: boolean;
}

export function DeleteWorkspaceRow({ workspace: { name }, hasOther }: DeleteWorkspaceRowProps) {
  const why = useWhyNot('workspace');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <SettingRow
        title="Delete this workspace"
        reason={why}
        actions={
          <ReasonedButton look="danger" reason={why} icon={<Trash2 aria-hidden="true" />} onClick={() => setOpen(true)}>
            Delete {name}
          </ReasonedButton>
        }
      >
        Connected stores, pairs, links, history, conflicts, tokens and everybody’s way in go. The stores themselves keep
        everything that they hold.
      </SettingRow>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={`Delete ${name}`}>
        {isOpen && <Confirmation name={name} hasOther={hasOther} onClose={() => setOpen(false)} />}
      </Dialog>
    </>
  );
}

interface ConfirmationProps {
  readonly name: string;
  readonly hasOther: boolean;
  readonly onClose: () => void;
}

function Confirmation({ name, hasOther, onClose }: ConfirmationProps) {
  const id = useId();
  const { withProof, dialog } = useProof();
  const depart = useDeparture();
  const { formRef, errors, refuse, forgive } = useRefusals<'name'>();
  const [typed, setTyped] = useState('');
  const remove = useSend({
    mutationFn: async () => {
      await withProof(() => deleteWorkspace(typed.trim()));
      await depart(hasOther, `${name} is deleted.`);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (refuse(isTypedRight(typed, name) ? {} : { name: `Type the name of the workspace: ${name}` })) return;
    remove.mutate(undefined, { onError: (error) => refuse(refusedFields(error, ['name'])) });
  };
  const { error } = remove;
  const isUnplaced = error !== null && !isDeclined(error) && refusedFields(error, ['name']).name === undefined;
  return (
    <>
      <form ref={formRef} id={id} className={css.form} noValidate onSubmit={submit}>
        {isUnplaced && (
          <Banner tone="bad" urgent>
            {wordsOf(error, SETTINGS_TEXT.failed.deleteWorkspace)}
          </Banner>
        )}
        <p>
          This can not be taken back. Webhooks are taken away first, at the stores that answer. {afterwards(hasOther)}
        </p>
        <TextField
          label={`To delete it, type ${name}`}
          name="name"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          error={errors.name}
          onChange={(event) => {
            setTyped(event.target.value);
            forgive('name');
          }}
        />
        <div className={css.buttons}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" busy={remove.isPending}>
            Delete {name}
          </Button>
        </div>
      </form>
      {dialog}
    </>
  );
}
