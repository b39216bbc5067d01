import { type FormEvent, useId, useState } from 'react';
import { wordsOf } from '../../api/error-words.ts';
import { type Pair, useUpdatePair } from '../../api/pairs.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { CheckField } from '../../components/field.tsx';
import { Tag } from '../../components/tag.tsx';
import { showToast } from '../../components/toast.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { changedIn } from './changed-in.ts';
import css from './connect-sheet.module.css';
import { PairChoices } from './pair-choices.tsx';
import { RemovePair } from './remove-pair.tsx';

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
  // As they were when the form was opened: nothing that is chosen is lost when the pair is read again, and what has moved since is nobody's choice here.
  const [opened] = useState(pair.settings);
  const [choice, setChoice] = useState(() => {
    const { syncDirection, syncSchedule, conflictResolution } = opened;
    return { syncDirection, syncSchedule, conflictResolution };
  });
  const [parts, setParts] = useState(() => {
    const { syncProducts, syncPrices, syncInventory } = opened;
    return { syncProducts, syncPrices, syncInventory };
  });

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (update.isPending) return;
    onBusy(true);
    update.mutate(
      { id: pair._id, ...changedIn({ ...choice, ...parts }, opened) },
      {
        onSuccess: () => {
          showToast('success', `${pair.woocommerce.name}: the settings are saved.`);
          onDone();
        },
        onSettled: () => onBusy(false),
      },
    );
  };

  return (
    <form id={id} className={css.form} noValidate onSubmit={submit}>
      <p>
        {pair.woocommerce.name} and {pair.shopify.name} {pair.isSandbox && <Tag>Sandbox</Tag>}. What is saved holds at
        once; a plan that was made before has to be made anew.
      </p>
      {update.error && (
        <Banner tone="bad" urgent>
          {wordsOf(update.error, TEXT.dashboard.pairFailed)}
        </Banner>
      )}
      <PairChoices value={choice} onChange={setChoice} />
      <fieldset>
        <legend className={css.legend}>What is kept the same</legend>
        <div className={css.form}>
          {(Object.keys(PARTS) as Part[]).map((part) => (
            <CheckField
              key={part}
              label={PARTS[part]}
              checked={parts[part]}
              onChange={(event) => setParts({ ...parts, [part]: event.target.checked })}
            />
          ))}
        </div>
      </fieldset>
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
  const [isBusy, setBusy] = useState(false);
  return (
    <Dialog
      kind="sheet"
      open={pair !== null}
      onClose={onClose}
      title="Configure Sync Pair"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={id} busy={isBusy}>
            Save settings
          </Button>
        </>
      }
    >
      {pair && <SettingsForm key={pair._id} id={id} pair={pair} onDone={onClose} onBusy={setBusy} />}
    </Dialog>
  );
}
