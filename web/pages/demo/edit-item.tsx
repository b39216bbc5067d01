import { type FormEvent, useId, useRef, useState } from 'react';
import { type ShelfItem, type ShelvesReply, useDemoAction } from '../../api/demo.ts';
import { wordsOf } from '../../api/error-words.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { SIDE_NAME, type Side } from '../../components/side.ts';
import { currencySign, moneyText, parseMoney } from '../../hooks/format.ts';
import { useIsHere } from '../../hooks/use-is-here.ts';
import { type Refused, useRefusals } from '../../hooks/use-refusals.ts';
import { tellFailure } from '../../tell-failure.ts';
import type { ItemAddress } from './demo-shelves.tsx';
import css from './edit-item.module.css';

const TITLE_LENGTH_MAX = 120;
const PRICE_MINOR_MAX = 10_000_000;

interface FormProps {
  readonly id: string;
  readonly item: ShelfItem;
  readonly side: Side;
  readonly onDone: () => void;
  readonly onBusy: (isBusy: boolean) => void;
}

function EditForm({ id, item, side, onDone, onBusy }: FormProps) {
  const action = useDemoAction();
  const isHere = useIsHere();
  // What stood here when the form was opened: a change that arrives meanwhile is not one that was made here.
  const [old] = useState({
    title: item.title,
    price: item.priceMinor === null ? '' : moneyText(item.priceMinor, item.currency),
  });
  const { formRef, errors, refuse, forgive } = useRefusals<'title' | 'price'>();
  const isSaving = useRef(false);
  const [title, setTitle] = useState(old.title);
  const [price, setPrice] = useState(old.price);
  const [failure, setFailure] = useState<string | null>(null);

  const save = async (): Promise<void> => {
    const priceMinor = parseMoney(price, item.currency);
    const newTitle = title.trim();
    setFailure(null);
    if (isSaving.current || refuse(check({ title: newTitle, isPriceEdited: price !== old.price, priceMinor }))) return;
    isSaving.current = true;
    onBusy(true);
    try {
      if (newTitle !== old.title) {
        await action.mutateAsync({ side, sku: item.sku, action: 'edit_title', value: newTitle });
      }
      if (price !== old.price && priceMinor !== null) {
        await action.mutateAsync({ side, sku: item.sku, action: 'edit_price', value: priceMinor });
      }
      onDone();
    } catch (error) {
      if (!isHere()) return tellFailure(`Could not change ${item.title} on ${SIDE_NAME[side]}.`)(error);
      setFailure(wordsOf(error, `${SIDE_NAME[side]} did not take the change. Please try again.`));
    } finally {
      isSaving.current = false;
      onBusy(false);
    }
  };

  return (
    <form
      ref={formRef}
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
      <TextField
        label="Title"
        dir="auto"
        value={title}
        error={errors.title}
        hint={item.variant === '' ? undefined : 'Of all its variants.'}
        onChange={(event) => {
          setTitle(event.target.value);
          forgive('title');
        }}
      />
      <TextField
        label="Price"
        prefix={currencySign(item.currency)}
        inputMode="decimal"
        autoComplete="off"
        value={price}
        error={errors.price}
        hint={item.variant === '' ? undefined : `Of ${item.variant} alone.`}
        onChange={(event) => {
          setPrice(event.target.value);
          forgive('price');
        }}
      />
    </form>
  );
}

interface Typed {
  readonly title: string;
  readonly isPriceEdited: boolean;
  readonly priceMinor: number | null;
}

function check({ title, isPriceEdited, priceMinor }: Typed): Refused<'title' | 'price'> {
  const max = TITLE_LENGTH_MAX;
  return {
    ...(title === '' ? { title: 'The title is empty. Give the product a name.' } : {}),
    ...(title.length > max ? { title: `The title has ${title.length} characters; the shelf holds ${max}.` } : {}),
    ...(isPriceEdited && priceMinor === null ? { price: 'This is not an amount. Write it like 18.00.' } : {}),
    ...((priceMinor ?? 0) > PRICE_MINOR_MAX ? { price: 'The shelf holds prices up to 100,000.' } : {}),
  };
}

interface EditItemProps {
  readonly shelves: ShelvesReply;
  readonly address: ItemAddress | null;
  readonly onClose: () => void;
}

/** Edits one product in one shop, as its merchant would there. */
export function EditItem({ shelves, address, onClose }: EditItemProps) {
  const id = useId();
  const [isBusy, setBusy] = useState(false);
  const item = address ? shelves[address.side].items.find(({ sku }) => sku === address.sku) : undefined;
  return (
    <Dialog
      open={address !== null && item !== undefined}
      onClose={onClose}
      title={address ? `Edit on ${SIDE_NAME[address.side]}` : 'Edit'}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={id} busy={isBusy}>
            Save
          </Button>
        </>
      }
    >
      {address && item && (
        <EditForm
          key={`${address.side}/${item.sku}`}
          id={id}
          item={item}
          side={address.side}
          onDone={onClose}
          onBusy={setBusy}
        />
      )}
    </Dialog>
  );
}
