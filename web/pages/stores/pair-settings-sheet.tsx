import { type FormEvent, useId, useState } from 'react';
import { refusedFields, wordsOf } from '../../api/error-words.ts';
import { pairName } from '../../api/pair-name.ts';
import { type Pair, useUpdatePair } from '../../api/pairs.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { CheckField } from '../../components/field.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { Tag } from '../../components/tag.tsx';
import { showToast } from '../../components/toast.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { AdminNote } from './admin-note.tsx';
import { changedIn } from './changed-in.ts';
import css from './connect-sheet.module.css';
import { PairAdvanced } from './pair-advanced.tsx';
import { PairChoices } from './pair-choices.tsx';
import { formOf, SETTING_NAMES, settingsOf } from './pair-form.ts';
import { RemovePair } from './remove-pair.tsx';
import { usePairForm } from './use-pair-form.ts';
import { useSheetEnd } from './use-sheet-end.ts';

const PARTS = {
  syncProducts: 'Products: titles, descriptions, tags, variants',
  syncPrices: 'Prices',
  syncInventory: 'Stock',
} as const;
type Part = keyof typeof PARTS;

interface FormProps {
  readonly id: string;
  readonly pair: Pair;
  readonly onDone: () => void;
  readonly onBusy: (isBusy: boolean) => void;
}

function SettingsForm({ id, pair, onDone, onBusy }: FormProps) {
  const update = useUpdatePair();
  const tellEnd = useSheetEnd(true);
  // As they were when the form was opened: nothing that is chosen is lost when the pair is read again, and what has moved since is nobody's choice here.
  const [opened] = useState(() => formOf(pair.settings));
  const { formRef, fields, check, refuse } = usePairForm(opened);
  const { form, errors, onEdit } = fields;

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (update.isPending || check()) return;
    const changed = changedIn(settingsOf(form, opened), settingsOf(opened, opened));
    if (Object.keys(changed).length === 0) {
      onDone();
      return;
    }
    onBusy(true);
    const name = pairName(pair);
    const done = (): string => `${name}: the settings are saved.`;
    tellEnd(
      update.mutateAsync({ id: pair._id, ...changed }).finally(() => onBusy(false)),
      {
        onDone: () => {
          showToast('success', done());
          onDone();
        },
        onFailed: (error) => void refuse(refusedFields(error, SETTING_NAMES)),
        done,
        failed: (error) => `${name}: ${wordsOf(error, TEXT.dashboard.pairFailed)}`,
      },
    );
  };

  return (
    <form ref={formRef} id={id} className={css.form} noValidate onSubmit={submit}>
      <p>
        {pairName(pair)}. What is saved holds at once; a plan that was made before has to be made again.{' '}
        {pair.isSandbox && <Tag>Sandbox</Tag>}
      </p>
      <AdminNote />
      {update.error && Object.keys(refusedFields(update.error, SETTING_NAMES)).length === 0 && (
        <Banner tone="bad" urgent>
          {wordsOf(update.error, TEXT.dashboard.pairFailed)}
        </Banner>
      )}
      <PairChoices {...fields} waiting={opened.conflictResolution === 'manual' ? pair.counts.conflicts : 0} />
      <fieldset>
        <legend className={css.legend}>What is kept the same</legend>
        <div className={css.form}>
          {(Object.keys(PARTS) as Part[]).map((part) => (
            <CheckField
              key={part}
              label={PARTS[part]}
              checked={form[part]}
              error={errors[part]}
              onChange={(event) => onEdit({ [part]: event.target.checked })}
            />
          ))}
        </div>
      </fieldset>
      <PairAdvanced {...fields} />
      <RemovePair pair={pair} onDone={onDone} />
    </form>
  );
}

interface PairSettingsSheetProps {
  /** Null: closed. */
  readonly pair: Pair | null;
  readonly onClose: () => void;
}

/** What a person decided about a pair that exists. */
export function PairSettingsSheet({ pair, onClose }: PairSettingsSheetProps) {
  const id = useId();
  const why = useWhyNot('stores');
  const [isBusy, setBusy] = useState(false);
  return (
    <Dialog
      kind="sheet"
      open={pair !== null}
      onClose={onClose}
      title="Configure Sync Pair"
      footer={
        <>
          <Button onClick={onClose}>{isBusy ? 'Close' : 'Cancel'}</Button>
          <ReasonedButton look="primary" type="submit" form={id} reason={why} busy={isBusy}>
            Save settings
          </ReasonedButton>
        </>
      }
    >
      {pair && <SettingsForm key={pair._id} id={id} pair={pair} onDone={onClose} onBusy={setBusy} />}
    </Dialog>
  );
}
