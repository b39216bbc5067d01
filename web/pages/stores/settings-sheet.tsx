import { type FormEvent, useId, useState } from 'react';
import { refusedFields, wordsOf } from '../../api/error-words.ts';
import { type Store, useUpdateStore } from '../../api/stores.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextAreaField, TextField } from '../../components/field.tsx';
import { SIDE_NAME } from '../../components/side.ts';
import { SideTile } from '../../components/side-tile.tsx';
import { showToast } from '../../components/toast.tsx';
import { STORE_SETTINGS } from '../../content/store-settings.ts';
import { useRefusals } from '../../hooks/use-refusals.ts';
import css from './connect-sheet.module.css';
import { StoreSecret } from './store-secret.tsx';
import {
  checkStoreForm,
  STORE_FIELDS,
  STORE_NAME_MAX,
  type StoreField,
  storeChangeOf,
  storeFormOf,
} from './store-settings-form.ts';
import { useSheetEnd } from './use-sheet-end.ts';

interface FormProps {
  readonly id: string;
  readonly store: Store;
  readonly onDone: () => void;
  readonly onBusy: (isBusy: boolean) => void;
}

function SettingsForm({ id, store, onDone, onBusy }: FormProps) {
  const words = STORE_SETTINGS;
  const update = useUpdateStore(store._id);
  const tellEnd = useSheetEnd(true);
  const { formRef, errors, refuse, forgive } = useRefusals<StoreField>();
  // As it was when the form was opened: nothing that is typed is lost when the store is read again, and what has moved since is nobody's choice here.
  const [opened] = useState(() => storeFormOf(store));
  const [form, setForm] = useState(opened);
  const edit = (field: StoreField, value: string): void => {
    setForm((known) => ({ ...known, [field]: value }));
    forgive(field);
  };

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (update.isPending) return;
    update.reset();
    if (refuse(checkStoreForm(form))) return;
    const changed = storeChangeOf(form, opened);
    if (Object.keys(changed).length === 0) {
      onDone();
      return;
    }
    onBusy(true);
    const done = ({ store: saved }: { readonly store: Store }): string => words.done(saved.name);
    tellEnd(
      update.mutateAsync(changed).finally(() => onBusy(false)),
      {
        onDone: (reply) => {
          showToast('success', done(reply));
          onDone();
        },
        onFailed: (error) => void refuse(refusedFields(error, STORE_FIELDS)),
        done,
        failed: (error) => `${words.title(store.name)}: ${wordsOf(error, words.failed)}`,
      },
    );
  };

  const isOfField = Object.keys(refusedFields(update.error, STORE_FIELDS)).length > 0;
  return (
    <form ref={formRef} id={id} className={css.form} noValidate onSubmit={submit}>
      <p className={css.head}>
        <SideTile side={store.platform} size="md" named /> {SIDE_NAME[store.platform]}, {store.domain}
      </p>
      {update.error && !isOfField && (
        <Banner tone="bad" urgent>
          {wordsOf(update.error, words.failed)}
        </Banner>
      )}
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={STORE_NAME_MAX}
        value={form.name}
        error={errors.name}
        hint={words.nameHint}
        onChange={(event) => edit('name', event.target.value)}
      />
      <TextAreaField
        label={words.sources}
        name="webhookSources"
        rows={4}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={form.webhookSources}
        error={errors.webhookSources}
        hint={words.sourcesHint}
        onChange={(event) => edit('webhookSources', event.target.value)}
      />
      <p className={css.note}>
        {words.sourcesRisk}
        {store.platform === 'shopify' && ` ${words.shopifySources}`}
      </p>
      <StoreSecret store={store} />
    </form>
  );
}

interface SettingsSheetProps {
  readonly store: Store;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** What a person decided about a store: its name, and from where and how signed its webhooks come. */
export function SettingsSheet({ store, open, onClose }: SettingsSheetProps) {
  const id = useId();
  const [isBusy, setBusy] = useState(false);
  return (
    <Dialog
      kind="sheet"
      open={open}
      onClose={onClose}
      title={STORE_SETTINGS.title(store.name)}
      footer={
        <>
          <Button onClick={onClose}>{isBusy ? 'Close' : 'Cancel'}</Button>
          <Button look="primary" type="submit" form={id} busy={isBusy}>
            {STORE_SETTINGS.submit}
          </Button>
        </>
      }
    >
      <SettingsForm id={id} store={store} onDone={onClose} onBusy={setBusy} />
    </Dialog>
  );
}
