import { type FormEvent, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { wordsOf } from '../../api/error-words.ts';
import { type PairSettingsBody, useCreatePair, useUpdatePair } from '../../api/pairs.ts';
import { useMakePlan } from '../../api/plans.ts';
import type { Store } from '../../api/stores.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { CheckField, SelectField } from '../../components/field.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { useRefusals } from '../../hooks/use-refusals.ts';
import { link } from '../../routes.ts';
import css from './connect-sheet.module.css';
import { FIRST_CHOICE, PairChoices } from './pair-choices.tsx';
import { useSheetEnd } from './use-sheet-end.ts';

interface PairSheetProps {
  readonly open: boolean;
  readonly stores: readonly Store[];
  readonly suggestion: { readonly woocommerceStoreId: string | null; readonly shopifyStoreId: string | null } | null;
  readonly onClose: () => void;
}

type StockRule = NonNullable<PairSettingsBody['stockLinkRule']>;
type LinkRule = NonNullable<PairSettingsBody['linkRule']>;

const LINK_RULES = [
  { value: 'woocommerce', label: 'WooCommerce wins' },
  { value: 'shopify', label: 'Shopify wins' },
  { value: 'fill_blanks', label: 'Only fill blanks' },
];
const STOCK_RULES = [
  { value: 'smaller', label: 'The smaller number' },
  { value: 'woocommerce', label: 'The number of WooCommerce' },
  { value: 'shopify', label: 'The number of Shopify' },
  { value: 'sum', label: 'The sum of both' },
];

/** Sandbox stores are paired among themselves: beside one that is chosen only its like are offered. */
function options(stores: readonly Store[], platform: Store['platform'], otherId: string) {
  const other = stores.find(({ _id }) => _id === otherId);
  return [
    { value: '', label: 'Choose a store' },
    ...stores
      .filter((store) => store.platform === platform && (!other || store.isSandbox === other.isSandbox))
      .map(({ _id, name, isSandbox }) => ({ value: _id, label: isSandbox ? `${name} (sandbox)` : name })),
  ];
}

/** Joins two stores. Saving writes nothing to either: it leads to the first plan. */
export function PairSheet({ open, stores, suggestion, onClose }: PairSheetProps) {
  const id = useId();
  const create = useCreatePair();
  const update = useUpdatePair();
  const makePlan = useMakePlan();
  const tellEnd = useSheetEnd(open);
  const made = useRef<{ readonly stores: string; readonly id: string } | null>(null);
  const [, navigate] = useLocation();
  const [left, setLeft] = useState<string | null>(null);
  const [right, setRight] = useState<string | null>(null);
  const [choice, setChoice] = useState(FIRST_CHOICE);
  const [linkRule, setLinkRule] = useState<LinkRule>('woocommerce');
  const [stockRule, setStockRule] = useState<StockRule>('smaller');
  const [isZeroAllowed, setZeroAllowed] = useState(false);
  const { formRef, errors, refuse, forgive } = useRefusals<'left' | 'right'>();
  const woocommerceStoreId = left ?? suggestion?.woocommerceStoreId ?? '';
  const shopifyStoreId = right ?? suggestion?.shopifyStoreId ?? '';

  const isBusy = create.isPending || update.isPending || makePlan.isPending;
  const close = (): void => {
    // What was refused the last time is no answer to what is chosen next.
    if (!isBusy) for (const send of [create, update, makePlan]) send.reset();
    refuse({});
    onClose();
  };
  /** Returns the id of the first plan. */
  const save = async (): Promise<string> => {
    const settings = { ...choice, linkRule, stockLinkRule: stockRule, allowZeroStockLink: isZeroAllowed };
    const stores = `${woocommerceStoreId}/${shopifyStoreId}`;
    // What was only suggested is chosen now: stores that are a pair are not suggested any more.
    setLeft(woocommerceStoreId);
    setRight(shopifyStoreId);
    // The pair is there, and only its plan was not made: the next try is not refused for that.
    const known = made.current?.stores === stores ? made.current.id : null;
    const { pair } =
      known === null
        ? await create.mutateAsync({ woocommerceStoreId, shopifyStoreId, ...settings })
        : await update.mutateAsync({ id: known, ...settings });
    made.current = { stores, id: pair._id };
    const { plan } = await makePlan.mutateAsync(pair._id);
    made.current = null;
    return plan._id;
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isBusy) return;
    const isRefused = refuse({
      ...(woocommerceStoreId === '' ? { left: 'Choose a store.' } : {}),
      ...(shopifyStoreId === '' ? { right: 'Choose a store.' } : {}),
    });
    if (isRefused) return;
    // Who has closed the sheet meanwhile is told, and not led away from where they are.
    tellEnd(save(), {
      onDone: (planId) => navigate(link.plan(planId)),
      onFailed: () => undefined,
      done: () => 'The two stores are a pair. Its first plan is being made.',
      failed: ({ message }) => message || TEXT.dashboard.pairFailed,
    });
  };
  const unsaved = create.error ?? update.error;
  const failure = unsaved ? wordsOf(unsaved, TEXT.dashboard.pairFailed) : makePlan.error?.message;

  return (
    <Dialog
      kind="sheet"
      open={open}
      onClose={close}
      title="Configure Sync Pair"
      footer={
        <>
          <Button onClick={close}>{isBusy ? 'Close' : 'Cancel'}</Button>
          <Button look="primary" type="submit" form={id} busy={isBusy}>
            Save and read the first plan
          </Button>
        </>
      }
    >
      <form ref={formRef} id={id} className={css.form} noValidate onSubmit={submit}>
        {failure && (
          <Banner tone="bad" urgent>
            {failure}
          </Banner>
        )}
        <SelectField
          label="WooCommerce store"
          options={options(stores, 'woocommerce', shopifyStoreId)}
          value={woocommerceStoreId}
          error={errors.left}
          onChange={(event) => {
            setLeft(event.target.value);
            forgive('left');
          }}
        />
        <SelectField
          label="Shopify store"
          options={options(stores, 'shopify', woocommerceStoreId)}
          value={shopifyStoreId}
          error={errors.right}
          onChange={(event) => {
            setRight(event.target.value);
            forgive('right');
          }}
        />
        <PairChoices value={choice} onChange={setChoice} />
        <SelectField
          label="Where the stores differ at first"
          options={LINK_RULES}
          value={linkRule}
          hint="Titles, prices and other details, when two products are linked for the first time."
          onChange={(event) => setLinkRule(event.target.value as LinkRule)}
        />
        <SelectField
          label="Where their stock differs at first"
          options={STOCK_RULES}
          value={stockRule}
          onChange={(event) => setStockRule(event.target.value as StockRule)}
        />
        <CheckField
          label="A zero on one side may be settled against stock on the other"
          hint="Otherwise such products wait for you in the plan."
          checked={isZeroAllowed}
          onChange={(event) => setZeroAllowed(event.target.checked)}
        />
      </form>
    </Dialog>
  );
}
