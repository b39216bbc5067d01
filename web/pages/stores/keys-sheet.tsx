import { KeyRound } from 'lucide-react';
import { type FormEvent, useId } from 'react';
import { wordsOf } from '../../api/error-words.ts';
import { type Store, useRenewKeys } from '../../api/stores.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { SIDE_NAME } from '../../components/side.ts';
import { SideTile } from '../../components/side-tile.tsx';
import { showToast } from '../../components/toast.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { ShopifyKeys, WooCommerceKeys } from './connect-fields.tsx';
import { checkKeys, keysOf } from './connect-form.ts';
import css from './connect-sheet.module.css';
import { StoreRefusal } from './store-refusal.tsx';
import { useKeysForm } from './use-keys-form.ts';
import { useSheetEnd } from './use-sheet-end.ts';

interface KeysSheetProps {
  readonly store: Store;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** New keys for a store that is connected. The old ones go on until the new ones were found to work. */
export function KeysSheet({ store, open, onClose }: KeysSheetProps) {
  const id = useId();
  const renew = useRenewKeys(store._id);
  const keys = useKeysForm();
  const tellEnd = useSheetEnd(open);
  const { form, errors, edit } = keys;

  const close = (): void => {
    keys.clear();
    if (!renew.isPending) renew.reset();
    onClose();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (renew.isPending || !keys.accept(checkKeys(store.platform, form))) return;
    const done = (): string => `${store.name} has new keys. What waited goes on.`;
    tellEnd(renew.mutateAsync(keysOf(store.platform, form)), {
      onDone: () => {
        close();
        showToast('success', done());
      },
      onFailed: keys.showFields,
      done,
      failed: (error) => `New keys for ${store.name}: ${wordsOf(error, TEXT.dashboard.connectFailed)}`,
      forget: renew.reset,
    });
  };

  const failure = keys.rest(renew.error);
  const fields = { form, errors, edit };
  return (
    <Dialog
      kind="sheet"
      open={open}
      onClose={close}
      title={`New keys for ${store.name}`}
      footer={
        <>
          <Button onClick={close}>{renew.isPending ? 'Close' : 'Cancel'}</Button>
          <Button look="primary" type="submit" form={id} icon={<KeyRound aria-hidden="true" />} busy={renew.isPending}>
            {renew.isPending ? 'Testing' : 'Test and use'}
          </Button>
        </>
      }
    >
      <form ref={keys.ref} id={id} className={css.form} noValidate onSubmit={submit}>
        <p className={css.head}>
          <SideTile side={store.platform} size="md" named /> {SIDE_NAME[store.platform]}, {store.domain}
        </p>
        <p>Pairs, history and links stay. The old keys are forgotten once these work.</p>
        {failure && <StoreRefusal error={failure} />}
        {store.platform === 'woocommerce' ? (
          <WooCommerceKeys {...fields} />
        ) : (
          <ShopifyKeys {...fields} secretHint="Leave it empty if the app is the same as before." />
        )}
      </form>
    </Dialog>
  );
}
