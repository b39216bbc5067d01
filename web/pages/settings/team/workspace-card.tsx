import { Plus } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { type User, useMeAgain } from '../../../api/account.ts';
import { refusedFields, wordsOf } from '../../../api/error-words.ts';
import { useRenameWorkspace, useSwitchWorkspace, useWorkspaces } from '../../../api/workspaces.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Card, CardHead } from '../../../components/card.tsx';
import { TextField } from '../../../components/field.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Tag } from '../../../components/tag.tsx';
import { showToast } from '../../../components/toast.tsx';
import { may } from '../../../hooks/rights.ts';
import { ROLE_LABEL } from '../../../hooks/roles.ts';
import { useRefusals } from '../../../hooks/use-refusals.ts';
import { link } from '../../../routes.ts';
import { NewWorkspaceDialog } from './new-workspace-dialog.tsx';
import type { Me } from './team-words.ts';
import css from './workspace-card.module.css';

const WORKSPACE_NAME_MAX = 100;
const NO_NAME = 'A workspace has a name.';

function NameForm({ workspace }: { readonly workspace: User['workspace'] }) {
  const { name } = workspace;
  const meAgain = useMeAgain();
  const rename = useRenameWorkspace();
  const { formRef, errors, refuse, forgive } = useRefusals<'name'>();
  // Null: as it is.
  const [edited, setEdited] = useState<string | null>(null);
  const typed = edited ?? name;
  const isChanged = typed.trim() !== name;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (refuse(typed.trim() === '' ? { name: NO_NAME } : {}) || !isChanged) return;
    rename.mutate(typed.trim(), {
      onSuccess: ({ workspace: { name: next } }) => {
        setEdited(null);
        meAgain({ workspace: { ...workspace, name: next } });
        showToast('success', `The workspace is called ${next} now.`);
      },
      onError: (error) => void refuse(refusedFields(error, ['name'])),
    });
  };
  return (
    <form ref={formRef} className={css.form} noValidate onSubmit={submit}>
      {rename.error && Object.keys(errors).length === 0 && (
        <Banner tone="bad" urgent>
          {wordsOf(rename.error, 'Failed to save settings. Please try again.')}
        </Banner>
      )}
      <div className={css.line}>
        <TextField
          label="Name of this workspace"
          name="name"
          autoComplete="off"
          maxLength={WORKSPACE_NAME_MAX}
          value={typed}
          error={errors.name}
          onChange={(event) => {
            setEdited(event.target.value);
            forgive('name');
          }}
        />
        <Button
          type="submit"
          busy={rename.isPending}
          {...(isChanged ? {} : { 'aria-disabled': true, title: 'The name is not changed.' })}
        >
          Rename
        </Button>
      </div>
    </form>
  );
}

/** This workspace's name, and the other ones that the person belongs to. */
export function WorkspaceCard({ me, workspace }: { readonly me: Me; readonly workspace: User['workspace'] }) {
  const id = useId();
  const [, navigate] = useLocation();
  const workspaces = useWorkspaces();
  const change = useSwitchWorkspace(() => navigate(link.overview()));
  const [isMaking, setMaking] = useState(false);
  const mayRename = !me.isDemo && may(me.role, 'team');
  return (
    <Card labelledBy={id}>
      <CardHead
        id={id}
        level={3}
        title="Workspaces"
        actions={
          <ReasonedButton
            size="sm"
            icon={<Plus aria-hidden="true" />}
            reason={me.isDemo ? 'The demo has one workspace. Sign up to have your own.' : null}
            onClick={() => setMaking(true)}
          >
            New workspace
          </ReasonedButton>
        }
      />
      {mayRename && <NameForm key={workspace.name} workspace={workspace} />}
      <QueryView
        query={workspaces}
        loading={<Skeleton type="list" count={1} />}
        failed="Your workspaces could not be read."
      >
        {({ workspaces: list }) => (
          <ul aria-label="Your workspaces">
            {list.map((one) => (
              <li key={one._id} className={css.row}>
                <span className={css.words}>
                  <span className={css.name}>
                    {one.name} {one.isCurrent && <Tag>You are here</Tag>}
                  </span>
                  <span className={css.role}>{ROLE_LABEL[one.role]}</span>
                </span>
                {!one.isCurrent && (
                  <Button
                    size="sm"
                    aria-label={`Switch to ${one.name}`}
                    busy={change.isPending && change.variables === one._id}
                    onClick={() =>
                      change.mutate(one._id, {
                        onError: (error) =>
                          showToast('error', wordsOf(error, 'The workspace could not be opened. Please try again.')),
                      })
                    }
                  >
                    Switch
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      <NewWorkspaceDialog open={isMaking} onClose={() => setMaking(false)} />
    </Card>
  );
}
