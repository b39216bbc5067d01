import { KeyRound } from 'lucide-react';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { type Store, useRenewKeys } from '../../api/stores.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { SIDE_NAME } from '../../components/side.ts';
import { SideTile } from '../../components/side-tile.tsx';
import { showToast } from '../../components/toast.tsx';
import { ShopifyKeys, WooCommerceKeys } from './connect-fields.tsx';
import { type ConnectErrors, type ConnectForm, checkKeys, EMPTY_CONNECT, keysOf } from './connect-form.ts';
import css from './connect-sheet.module.css';
import { StoreRefusal } from './store-refusal.tsx';

interface KeysSheetProps {
  readonly store: Store;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** New keys for a store that is connected. The old ones go on until the new ones were found to work. */
export function KeysSheet({ store, open, onClose }: KeysSheetProps) {
  const id = useId();
  const renew = useRenewKeys(store._id);
  const formRef = useRef<HTMLFormElement>(null);
  const [form, setForm] = useState<ConnectForm>(EMPTY_CONNECT);
  const [errors, setErrors] = useState<ConnectErrors>({});
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (tries > 0) formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries]);

  const close = (): void => {
    setForm(EMPTY_CONNECT);
    setErrors({});
    renew.reset();
    onClose();
  };
  const edit = (name: keyof ConnectForm, value: string): void => {
    setForm((known) => ({ ...known, [name]: value }));
    setErrors(({ [name]: _gone, ...rest }) => rest);
  };
  const refuse = (found: ConnectErrors): void => {
    setErrors(found);
    setTries((count) => count + 1);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (renew.isPending) return;
    const found = checkKeys(store.platform, form);
    if (Object.keys(found).length > 0) {
      refuse(found);
      return;
    }
    renew.mutate(keysOf(store.platform, form), {
      onSuccess: () => {
        close();
        showToast('success', `${store.name} has new keys. What waited goes on.`);
      },
      onError: (error) => {
        if (error instanceof ApiError && error.fields.size > 0) refuse(Object.fromEntries(error.fields));
      },
    });
  };

  const failure = Object.keys(errors).length === 0 ? renew.error : null;
  const fields = { form, errors, edit };
  return (
    <Dialog
      kind="sheet"
      open={open}
      onClose={close}
      title={`New keys for ${store.name}`}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button look="primary" type="submit" form={id} icon={<KeyRound aria-hidden="true" />} busy={renew.isPending}>
            {renew.isPending ? 'Testing' : 'Test and use'}
          </Button>
        </>
      }
    >
      <form ref={formRef} id={id} className={css.form} noValidate onSubmit={submit}>
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
