import { type FormEvent, useId, useState } from 'react';
import { useCreateApiToken } from '../../../api/api-tokens.ts';
import { refusedFields, wordsOf } from '../../../api/error-words.ts';
import type { WorkspaceRole } from '../../../api/team.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { SelectField, TextField } from '../../../components/field.tsx';
import { RadioList } from '../../../components/radio-list.tsx';
import { ROLE_LABEL, scopesWithin } from '../../../hooks/roles.ts';
import { useRefusals } from '../../../hooks/use-refusals.ts';
import { isDeclined, useProof } from '../proof/use-proof.tsx';
import css from './api-panel.module.css';
import { ShownSecret } from './shown-secret.tsx';
import {
  CREATE_FAILED,
  checkToken,
  daysOf,
  EMPTY_TOKEN,
  LIVES,
  type Life,
  NAME_MAX,
  SCOPE_LABEL,
  SCOPE_TEXT,
  type TokenForm,
} from './token-words.ts';
import { useShownOnce } from './use-shown-once.ts';

interface CreateTokenSheetProps {
  readonly open: boolean;
  readonly role: WorkspaceRole;
  readonly onClose: () => void;
}

const FIELDS = ['name', 'scope', 'expiresInDays'] as const;

/** A new token: what for, what it may do, how long; then its secret, this once. What was typed survives a refusal and a closed sheet. */
export function CreateTokenSheet({ open, role, onClose }: CreateTokenSheetProps) {
  const id = useId();
  const proof = useProof();
  const create = useCreateApiToken(proof.withProof);
  const once = useShownOnce();
  const { formRef, errors, refuse, forgive } = useRefusals<(typeof FIELDS)[number]>();
  const [form, setForm] = useState<TokenForm>(EMPTY_TOKEN);
  const scopes = scopesWithin(role);

  const edit = (change: Partial<TokenForm>, field: (typeof FIELDS)[number]): void => {
    setForm({ ...form, ...change });
    forgive(field);
  };
  const send = (): void =>
    create.mutate(
      { name: form.name.trim(), scope: form.scope, expiresInDays: daysOf(form) },
      {
        onSuccess: ({ token, secret }) => {
          once.show(token.name, secret);
          setForm(EMPTY_TOKEN);
          create.reset();
        },
        onError: (error) => void refuse(refusedFields(error, FIELDS)),
      },
    );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!refuse(checkToken(form))) send();
  };
  const close = (): void => {
    // The secret comes with the answer: nobody could read it any more.
    if (create.isPending || !once.mayLeave()) return;
    leave();
  };
  const leave = (): void => {
    once.forget();
    create.reset();
    refuse({});
    onClose();
  };

  return (
    <>
      <Dialog
        kind="sheet"
        open={open}
        onClose={close}
        focusKey={once.shown ? 'secret' : 'form'}
        title={once.shown ? `The token ${once.shown.name}` : 'Create an API token'}
        footer={
          once.shown ? (
            <Button look="primary" onClick={leave}>
              I saved it
            </Button>
          ) : (
            <>
              <Button onClick={close}>Cancel</Button>
              <Button look="primary" type="submit" form={id} busy={create.isPending}>
                {create.isPending ? 'Creating' : 'Create the token'}
              </Button>
            </>
          )
        }
      >
        {once.shown ? (
          <ShownSecret once={once} label="Token">
            The token is ready. Send it with each call as <code>Authorization: Bearer</code>.
          </ShownSecret>
        ) : (
          <form ref={formRef} id={id} className={css.stack} noValidate onSubmit={submit}>
            {create.error && !isDeclined(create.error) && Object.keys(errors).length === 0 && (
              <Banner tone="bad" urgent>
                {wordsOf(create.error, CREATE_FAILED)}
              </Banner>
            )}
            <TextField
              label="Name"
              name="name"
              autoComplete="off"
              maxLength={NAME_MAX}
              placeholder="Nightly report"
              hint="What it is for, or where it is used."
              value={form.name}
              error={errors.name}
              onChange={(event) => edit({ name: event.target.value }, 'name')}
            />
            <RadioList
              label="Scope"
              value={form.scope}
              error={errors.scope}
              options={scopes.map((scope) => ({ value: scope, label: SCOPE_LABEL[scope], text: SCOPE_TEXT[scope] }))}
              onChange={(scope) => edit({ scope }, 'scope')}
            />
            {scopes.length < 3 && (
              <p className={css.note}>
                As a {ROLE_LABEL[role].toLowerCase()} you give a token no more than you may yourself.
              </p>
            )}
            <SelectField
              label="Good for"
              name="life"
              options={LIVES}
              value={form.life}
              {...(form.life === 'other' ? {} : { error: errors.expiresInDays })}
              hint={form.life === 'never' ? 'Safer: a time after which it ends by itself.' : undefined}
              onChange={(event) => edit({ life: event.target.value as Life }, 'expiresInDays')}
            />
            {form.life === 'other' && (
              <TextField
                label="Days"
                name="expiresInDays"
                inputMode="numeric"
                autoComplete="off"
                maxLength={4}
                value={form.days}
                error={errors.expiresInDays}
                onChange={(event) => edit({ days: event.target.value }, 'expiresInDays')}
              />
            )}
          </form>
        )}
      </Dialog>
      {proof.dialog}
    </>
  );
}
