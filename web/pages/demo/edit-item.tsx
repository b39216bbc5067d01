import { type FormEvent, useId, useState } from 'react';
import { type ShelfItem, type ShelvesReply, useDemoAction } from '../../api/demo.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { SIDE_NAME, type Side } from '../../components/side.ts';
import { showToast } from '../../components/toast.tsx';
import { currencySign, moneyText, parseMoney } from '../../hooks/format.ts';
import type { ItemAddress } from './demo-shelves.tsx';
import css from './edit-item.module.css';

const TITLE_LENGTH_MAX = 120;

interface FormProps {
  readonly id: string;
  readonly item: ShelfItem;
  readonly side: Side;
  readonly onDone: () => void;
  readonly onBusy: (isBusy: boolean) => void;
}

function EditForm({ id, item, side, onDone, onBusy }: FormProps) {
  const action = useDemoAction();
  const oldPrice = item.priceMinor === null ? '' : moneyText(item.priceMinor, item.currency);
  const [title, setTitle] = useState(item.title);
  const [price, setPrice] = useState(oldPrice);
  const [errors, setErrors] = useState<{ readonly title?: string; readonly price?: string }>({});

  const save = async (): Promise<void> => {
    const priceMinor = parseMoney(price, item.currency);
    const newTitle = title.trim();
    const found = {
      ...(newTitle === '' ? { title: 'The title is empty. Give the product a name.' } : {}),
      ...(price !== oldPrice && priceMinor === null ? { price: 'This is not an amount. Write it like 18.00.' } : {}),
    };
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    onBusy(true);
    try {
      if (newTitle !== item.title) {
        await action.mutateAsync({ side, sku: item.sku, action: 'edit_title', value: newTitle });
      }
      if (price !== oldPrice && priceMinor !== null) {
        await action.mutateAsync({ side, sku: item.sku, action: 'edit_price', value: priceMinor });
      }
      onDone();
    } catch (error) {
      showToast('error', `${SIDE_NAME[side]}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      onBusy(false);
    }
  };

  return (
    <form
      id={id}
      className={css.form}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        label="Title"
        value={title}
        maxLength={TITLE_LENGTH_MAX}
        error={errors.title}
        onChange={(event) => setTitle(event.target.value)}
      />
      <TextField
        label="Price"
        prefix={currencySign(item.currency)}
        inputMode="decimal"
        autoComplete="off"
        value={price}
        error={errors.price}
        hint={item.variant === '' ? undefined : `Of ${item.variant}. The title belongs to all variants.`}
        onChange={(event) => setPrice(event.target.value)}
      />
    </form>
  );
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
