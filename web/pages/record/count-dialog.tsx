import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { wordsOf } from '../../api/error-words.ts';
import { useCountStock, type VariantView } from '../../api/records.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { showToast } from '../../components/toast.tsx';
import { fieldTime, momentOf, zoneNote } from '../../hooks/field-time.ts';
import { formatNumber, plural } from '../../hooks/format.ts';
import { useIsHere } from '../../hooks/use-is-here.ts';
import { useNow } from '../../hooks/use-now.ts';
import { tellFailure } from '../../tell-failure.ts';
import css from './count-dialog.module.css';

interface CountDialogProps {
  readonly open: boolean;
  readonly recordId: string;
  /** Those whose stock is kept the same; at least one when it is open. */
  readonly variants: readonly VariantView[];
  readonly onClose: () => void;
}

type Errors = Readonly<Partial<Record<'quantity' | 'countedAt', string>>>;

function check(quantity: string, countedAt: string): Errors {
  return {
    ...(/^\d{1,10}$/.test(quantity.trim())
      ? {}
      : { quantity: 'This is not a number of units. Write a whole number from 0.' }),
    ...(momentOf(countedAt) === null ? { countedAt: 'Say when it was counted.' } : {}),
  };
}

function CountForm({
  id,
  recordId,
  variants,
  onClose,
  onBusy,
}: Omit<CountDialogProps, 'open'> & { readonly id: string; readonly onBusy: (isBusy: boolean) => void }) {
  const count = useCountStock(recordId);
  const isHere = useIsHere();
  const form = useRef<HTMLFormElement>(null);
  const [variantId, setVariantId] = useState(variants[0]?.variantId ?? '');
  const [quantity, setQuantity] = useState('');
  // Until it is set, the time is this very moment, and the field goes with it: what is shown is what counts.
  useNow();
  const [typedAt, setTypedAt] = useState<string | null>(null);
  const latest = fieldTime(new Date());
  const countedAt = typedAt ?? latest;
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const { isPending } = count;
  useEffect(() => {
    onBusy(isPending);
    return () => onBusy(false);
  }, [isPending, onBusy]);

  const show = (found: Errors): void => {
    setErrors(found);
    const name = found.quantity === undefined ? 'countedAt' : 'quantity';
    form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus();
  };

  const save = async (): Promise<void> => {
    if (isPending) return;
    const found = check(quantity, countedAt);
    if (Object.keys(found).length > 0) return show(found);
    setFailure(null);
    try {
      // Where no time was set the server takes its own: the field knows no seconds, and the clock of this machine may be off.
      const typed = typedAt === null ? null : momentOf(typedAt);
      const at = typed === null ? {} : { countedAt: typed.toISOString() };
      const result = await count.mutateAsync({ variantId, quantity: Number(quantity), ...at });
      const since = result.seenSince === 0 ? '' : ` (${plural(Math.abs(result.seenSince), 'unit')} moved since)`;
      showToast('success', `Stock is ${formatNumber(result.quantity)} now${since}. Both stores are being updated.`);
      // Closed meanwhile, and opened again for the next count: that window is not ours.
      if (isHere()) onClose();
    } catch (error) {
      if (!isHere()) return tellFailure('The count could not be entered.')(error);
      const fields = error instanceof ApiError ? error.fields : new Map<string, string>();
      if (fields.has('quantity') || fields.has('countedAt')) show(Object.fromEntries(fields));
      else setFailure(wordsOf(error, 'The count could not be entered. Please try again.'));
    }
  };

  return (
    <form
      ref={form}
      id={id}
      className={css.form}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void save();
      }}
    >
      {failure && (
        <Banner tone="bad" urgent>
          {failure}
        </Banner>
      )}
      {variants.length > 1 && (
        <SelectField
          label="Variant"
          value={variantId}
          options={variants.map((variant) => ({ value: variant.variantId, label: variant.label }))}
          onChange={(event) => setVariantId(event.target.value)}
        />
      )}
      <TextField
        label="Units on the shelf"
        name="quantity"
        inputMode="numeric"
        autoComplete="off"
        value={quantity}
        error={errors.quantity}
        onChange={(event) => setQuantity(event.target.value)}
      />
      <TextField
        label="Counted at"
        name="countedAt"
        type="datetime-local"
        max={latest}
        value={countedAt}
        error={errors.countedAt}
        hint={`${zoneNote()}Sales and restocks that we saw after this time are counted on top.`}
        onChange={(event) => setTypedAt(event.target.value)}
      />
    </form>
  );
}

/** Staff counted a shelf: typed in once here instead of once in each shop. */
export function CountDialog({ open, onClose, ...form }: CountDialogProps) {
  const id = useId();
  const [isBusy, setBusy] = useState(false);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Enter a count"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={id} busy={isBusy}>
            Set stock
          </Button>
        </>
      }
    >
      <CountForm id={id} onClose={onClose} onBusy={setBusy} {...form} />
    </Dialog>
  );
}
