import { ArrowLeft, KeyRound } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { wordsOf } from '../../api/error-words.ts';
import { useUser } from '../../api/session.ts';
import { type ConnectStoreBody, type Finding, type Store, useConnectStore } from '../../api/stores.ts';
import { useStart } from '../../api/use-start.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { Banner } from '../../components/banner.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FindingList } from '../../components/finding-list.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { SIDE_NAME, type Side } from '../../components/side.ts';
import { SideTile } from '../../components/side-tile.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { link } from '../../routes.ts';
import { AdminNote } from './admin-note.tsx';
import { ShopifyFields, WooCommerceFields } from './connect-fields.tsx';
import { bodyOf, checkForm } from './connect-form.ts';
import css from './connect-sheet.module.css';
import { StoreRefusal } from './store-refusal.tsx';
import { useKeysForm } from './use-keys-form.ts';
import { useSheetEnd } from './use-sheet-end.ts';

type Step = 'choose' | Side | 'pair' | null;

interface ConnectSheetProps {
  readonly stores: readonly Store[];
  readonly step: Step;
  readonly onStep: (step: Step) => void;
}

/** Before somebody fetches keys for it, and types them in. */
const NOT_IN_DEMO = 'The demo connects no stores of your own. With an account you do this here.';

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

/** Connects a store: platform first, then its keys, then what the test found. Tested on submit; nothing but webhooks is written to it. */
export function ConnectSheet({ stores, step, onStep }: ConnectSheetProps) {
  const id = useId();
  const why = useWhyNot('stores');
  const connect = useConnectStore();
  const isDemo = useUser()?.isDemo === true;
  const start = useStart('Create an account', link);
  const keys = useKeysForm();
  const isOpen = step !== null && step !== 'pair';
  const tellEnd = useSheetEnd(isOpen);
  const { form, errors, edit } = keys;
  const [connected, setConnected] = useState<Connected | null>(null);

  const close = (): void => {
    if (connected) keys.clear();
    setConnected(null);
    keys.clearErrors();
    if (!connect.isPending) connect.reset();
    onStep(null);
  };
  const submit = (event: FormEvent, side: Side): void => {
    event.preventDefault();
    if (isDemo || connect.isPending || !keys.accept(checkForm(side, form))) return;
    const body: ConnectStoreBody = bodyOf(side, form);
    tellEnd(connect.mutateAsync(body), {
      onDone: ({ store, findings }) => setConnected({ platform: store.platform, name: store.name, findings }),
      onFailed: keys.showFields,
      done: ({ store }) => {
        keys.clear();
        return `${store.name} is connected.`;
      },
      failed: (error) => `${body.name}: ${wordsOf(error, TEXT.dashboard.connectFailed)}`,
      forget: connect.reset,
    });
  };

  const missing = (['woocommerce', 'shopify'] as const).find(
    (side) => side !== connected?.platform && !stores.some(({ platform }) => platform === side),
  );
  const next = missing ?? 'pair';
  const isForm = (step === 'woocommerce' || step === 'shopify') && !connected;
  const failure = keys.rest(connect.error);

  return (
    <Dialog
      kind="sheet"
      focusKey={`${step}/${connected !== null}`}
      open={isOpen}
      onClose={close}
      title={TEXT.dashboard.connectTitle}
      footer={
        connected ? (
          <>
            <Button onClick={close}>Done</Button>
            <Button
              look="primary"
              onClick={() => {
                keys.clear();
                setConnected(null);
                onStep(next);
              }}
            >
              {next === 'pair' ? 'Pair two stores' : `Connect ${SIDE_NAME[next]}`}
            </Button>
          </>
        ) : isForm ? (
          <>
            <Button
              icon={<ArrowLeft aria-hidden="true" />}
              aria-disabled={connect.isPending}
              title={connect.isPending ? 'The test is going on.' : undefined}
              onClick={() => {
                if (!connect.isPending) onStep('choose');
              }}
            >
              Back
            </Button>
            {isDemo ? (
              <ButtonLink href={start.href} look="primary">
                {start.label}
              </ButtonLink>
            ) : (
              <ReasonedButton
                look="primary"
                type="submit"
                form={id}
                icon={<KeyRound aria-hidden="true" />}
                reason={why}
                busy={connect.isPending}
                disabled={form.name.trim() === ''}
              >
                {connect.isPending ? 'Testing' : 'Test and connect'}
              </ReasonedButton>
            )}
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
        <form ref={keys.ref} id={id} className={css.form} noValidate onSubmit={(event) => submit(event, step)}>
          <p className={css.head}>
            <SideTile side={step} size="md" named /> {SIDE_NAME[step]}
          </p>
          {isDemo ? <Banner tone="info">{NOT_IN_DEMO}</Banner> : <AdminNote />}
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
