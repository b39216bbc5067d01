import { Truck } from 'lucide-react';
import { type FormEvent, useId } from 'react';
import { wordsOf } from '../../api/error-words.ts';
import { type Store, useMoveStore } from '../../api/stores.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { SIDE_NAME } from '../../components/side.ts';
import { SideTile } from '../../components/side-tile.tsx';
import { showToast } from '../../components/toast.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { AddressField, ShopifyKeys, WooCommerceKeys } from './connect-fields.tsx';
import { checkMove, moveOf } from './connect-form.ts';
import css from './connect-sheet.module.css';
import { StoreRefusal } from './store-refusal.tsx';
import { useKeysForm } from './use-keys-form.ts';
import { useSheetEnd } from './use-sheet-end.ts';

interface MoveSheetProps {
  readonly store: Store;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Another address for a shop that has moved. The old one goes on until the new one was proved to be the same shop. */
export function MoveSheet({ store, open, onClose }: MoveSheetProps) {
  const id = useId();
  const words = TEXT.moveStore;
  const move = useMoveStore(store._id);
  const keys = useKeysForm();
  const tellEnd = useSheetEnd(open);
  const { form, errors, edit } = keys;

  const close = (): void => {
    keys.clear();
    if (!move.isPending) move.reset();
    onClose();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (move.isPending || !keys.accept(checkMove(store.platform, form))) return;
    const done = ({ store: moved }: { readonly store: Store }): string => words.done(moved.name, moved.domain);
    tellEnd(move.mutateAsync(moveOf(store.platform, form)), {
      onDone: (reply) => {
        close();
        showToast('success', done(reply));
      },
      onFailed: keys.showFields,
      done,
      failed: (error) => `${words.title(store.name)}: ${wordsOf(error, words.failed)}`,
      forget: move.reset,
    });
  };

  const failure = keys.rest(move.error);
  const fields = { form, errors, edit };
  return (
    <Dialog
      kind="sheet"
      open={open}
      onClose={close}
      title={words.title(store.name)}
      footer={
        <>
          <Button onClick={close}>{move.isPending ? 'Close' : 'Cancel'}</Button>
          <Button look="primary" type="submit" form={id} icon={<Truck aria-hidden="true" />} busy={move.isPending}>
            {move.isPending ? words.busy : words.submit}
          </Button>
        </>
      }
    >
      <form ref={keys.ref} id={id} className={css.form} noValidate onSubmit={submit}>
        <p className={css.head}>
          <SideTile side={store.platform} size="md" named /> {SIDE_NAME[store.platform]}, {store.domain}
        </p>
        <p>{words.lead}</p>
        <p>{words.proof}</p>
        {failure && <StoreRefusal error={failure} failed={words.failed} />}
        <AddressField {...fields} side={store.platform} placeholder={store.url} />
        <p>{words.keys}</p>
        {store.platform === 'woocommerce' ? (
          <WooCommerceKeys {...fields} />
        ) : (
          <ShopifyKeys {...fields} secretHint="Leave it empty if the app is the same as before." />
        )}
      </form>
    </Dialog>
  );
}
