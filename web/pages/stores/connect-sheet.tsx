import { ArrowLeft, KeyRound } from 'lucide-react';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { type ConnectStoreBody, type Finding, type Store, useConnectStore } from '../../api/stores.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FindingList } from '../../components/finding-list.tsx';
import { SIDE_NAME, type Side } from '../../components/side.ts';
import { SideTile } from '../../components/side-tile.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { ShopifyFields, WooCommerceFields } from './connect-fields.tsx';
import { bodyOf, type ConnectErrors, type ConnectForm, checkForm, EMPTY_CONNECT } from './connect-form.ts';
import css from './connect-sheet.module.css';
import { StoreRefusal } from './store-refusal.tsx';

type Step = 'choose' | Side | 'pair' | null;

interface ConnectSheetProps {
  readonly stores: readonly Store[];
  readonly step: Step;
  readonly onStep: (step: Step) => void;
}

interface Connected {
  readonly platform: Side;
  readonly name: string;
  readonly findings: readonly Finding[];
}

function PlatformChoice({ onStep }: { readonly onStep: (step: Step) => void }) {
  return (
    <div className={css.platforms}>
      {(['woocommerce', 'shopify'] as const).map((side) => (
        <button key={side} type="button" className={css.platform} onClick={() => onStep(side)}>
          <SideTile side={side} size="lg" named />
          <span className={css.platformName}>{SIDE_NAME[side]}</span>
          <span className={css.platformText}>
            {side === 'woocommerce'
              ? 'With a REST API key of your WordPress site'
              : 'With an Admin API token or an app'}
          </span>
        </button>
      ))}
    </div>
  );
}

/** Connects a store: platform first, then its keys, then what the test found. Tested on submit; nothing is written to it. */
export function ConnectSheet({ stores, step, onStep }: ConnectSheetProps) {
  const id = useId();
  const connect = useConnectStore();
  const formRef = useRef<HTMLFormElement>(null);
  const [form, setForm] = useState<ConnectForm>(EMPTY_CONNECT);
  const [errors, setErrors] = useState<ConnectErrors>({});
  const [tries, setTries] = useState(0);
  const [connected, setConnected] = useState<Connected | null>(null);
  useEffect(() => {
    if (tries > 0) formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries]);

  const close = (): void => {
    if (connected) setForm(EMPTY_CONNECT);
    setConnected(null);
    setErrors({});
    connect.reset();
    onStep(null);
  };
  const edit = (name: keyof ConnectForm, value: string): void => {
    setForm((known) => ({ ...known, [name]: value }));
    setErrors(({ [name]: _gone, ...rest }) => rest);
  };
  const refuse = (found: ConnectErrors): void => {
    setErrors(found);
    setTries((count) => count + 1);
  };
  const submit = (event: FormEvent, side: Side): void => {
    event.preventDefault();
    if (connect.isPending) return;
    const found = checkForm(side, form);
    if (Object.keys(found).length > 0) {
      refuse(found);
      return;
    }
    const body: ConnectStoreBody = bodyOf(side, form);
    connect.mutate(body, {
      onSuccess: ({ store, findings }) => setConnected({ platform: store.platform, name: store.name, findings }),
      onError: (error) => {
        if (error instanceof ApiError && error.fields.size > 0) refuse(Object.fromEntries(error.fields));
      },
    });
  };

  const missing = (['woocommerce', 'shopify'] as const).find(
    (side) => side !== connected?.platform && !stores.some(({ platform }) => platform === side),
  );
  const next = missing ?? 'pair';
  const isForm = (step === 'woocommerce' || step === 'shopify') && !connected;
  const failure = connect.error && Object.keys(errors).length === 0 ? connect.error : null;

  return (
    <Dialog
      kind="sheet"
      focusKey={`${step}/${connected !== null}`}
      open={step !== null && step !== 'pair'}
      onClose={close}
      title={TEXT.dashboard.connectTitle}
      footer={
        connected ? (
          <>
            <Button onClick={close}>Done</Button>
            <Button
              look="primary"
              onClick={() => {
                setForm(EMPTY_CONNECT);
                setConnected(null);
                onStep(next);
              }}
            >
              {next === 'pair' ? 'Pair two stores' : `Connect ${SIDE_NAME[next]}`}
            </Button>
          </>
        ) : isForm ? (
          <>
            <Button icon={<ArrowLeft aria-hidden="true" />} onClick={() => onStep('choose')}>
              Back
            </Button>
            <Button
              look="primary"
              type="submit"
              form={id}
              icon={<KeyRound aria-hidden="true" />}
              busy={connect.isPending}
              disabled={form.name.trim() === ''}
            >
              {connect.isPending ? 'Testing' : 'Test and connect'}
            </Button>
          </>
        ) : undefined
      }
    >
      {connected ? (
        <div className={css.done}>
          <Banner tone="ok" urgent>
            {connected.name} is connected.
          </Banner>
          <FindingList findings={connected.findings} />
        </div>
      ) : step === 'woocommerce' || step === 'shopify' ? (
        <form ref={formRef} id={id} className={css.form} noValidate onSubmit={(event) => submit(event, step)}>
          <p className={css.head}>
            <SideTile side={step} size="md" named /> {SIDE_NAME[step]}
          </p>
          {failure && <StoreRefusal error={failure} />}
          {step === 'woocommerce' ? (
            <WooCommerceFields form={form} errors={errors} edit={edit} />
          ) : (
            <ShopifyFields form={form} errors={errors} edit={edit} />
          )}
        </form>
      ) : (
        <PlatformChoice onStep={onStep} />
      )}
    </Dialog>
  );
}
