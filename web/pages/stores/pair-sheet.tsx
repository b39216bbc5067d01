import { type FormEvent, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { refusedFields, wordsOf } from '../../api/error-words.ts';
import { useCreatePair, useUpdatePair } from '../../api/pairs.ts';
import { useMakePlan } from '../../api/plans.ts';
import type { Store } from '../../api/stores.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { SelectField } from '../../components/field.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { link } from '../../routes.ts';
import { AdminNote } from './admin-note.tsx';
import css from './connect-sheet.module.css';
import { LinkRuleField } from './link-rule-field.tsx';
import { PairAdvanced } from './pair-advanced.tsx';
import { PairChoices } from './pair-choices.tsx';
import { FIRST_FORM, SETTING_NAMES, settingsOf } from './pair-form.ts';
import { StockLinkFields } from './stock-link-fields.tsx';
import { usePairForm } from './use-pair-form.ts';
import { useSheetEnd } from './use-sheet-end.ts';

interface PairSheetProps {
  readonly open: boolean;
  readonly stores: readonly Store[];
  readonly suggestion: { readonly woocommerceStoreId: string | null; readonly shopifyStoreId: string | null } | null;
  readonly onClose: () => void;
}

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

const NO_PLAN = 'The plan could not be made. Please try again.';

/** Joins two stores. Saving writes nothing to either: it leads to the first plan. */
export function PairSheet({ open, stores, suggestion, onClose }: PairSheetProps) {
  const id = useId();
  const why = useWhyNot('stores');
  const create = useCreatePair();
  const update = useUpdatePair();
  const makePlan = useMakePlan();
  const tellEnd = useSheetEnd(open);
  const made = useRef<{ readonly stores: string; readonly id: string } | null>(null);
  const [, navigate] = useLocation();
  const [left, setLeft] = useState<string | null>(null);
  const [right, setRight] = useState<string | null>(null);
  const { formRef, fields, errors, check, refuse, forgive } = usePairForm<'left' | 'right'>(FIRST_FORM);
  const woocommerceStoreId = left ?? suggestion?.woocommerceStoreId ?? '';
  const shopifyStoreId = right ?? suggestion?.shopifyStoreId ?? '';

  const isBusy = create.isPending || update.isPending || makePlan.isPending;
  /** What was refused the last time is no answer to what is chosen next. */
  const forget = (): void => {
    for (const send of [create, update, makePlan]) send.reset();
  };
  const close = (): void => {
    if (!isBusy) forget();
    refuse({});
    onClose();
  };
  /** Returns the id of the first plan. */
  const save = async (): Promise<string> => {
    // What is kept the same is not asked here: where prices mean something else in the two stores they stay off by themselves [A3].
    const { syncProducts, syncPrices, syncInventory, ...settings } = settingsOf(fields.form, FIRST_FORM);
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
    // Opened again, the sheet asks about two other stores.
    setLeft(null);
    setRight(null);
    return plan._id;
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isBusy) return;
    const isRefused = check({
      ...(woocommerceStoreId === '' ? { left: 'Choose a store.' } : {}),
      ...(shopifyStoreId === '' ? { right: 'Choose a store.' } : {}),
    });
    if (isRefused) return;
    // Who has closed the sheet meanwhile is told, and not led away from where they are.
    tellEnd(save(), {
      onDone: (planId) => navigate(link.plan(planId)),
      onFailed: (error) => void refuse(refusedFields(error, SETTING_NAMES)),
      done: () => 'The two stores are a pair. Its first plan is being made.',
      // Where the pair is there, what failed is its plan.
      failed: (error) => wordsOf(error, made.current === null ? TEXT.dashboard.pairFailed : NO_PLAN),
      forget,
    });
  };
  const unsaved = create.error ?? update.error;
  const unplanned = makePlan.error;
  const isToldBeside = Object.keys(refusedFields(unsaved, SETTING_NAMES)).length > 0;
  const failure = unsaved
    ? !isToldBeside && wordsOf(unsaved, TEXT.dashboard.pairFailed)
    : unplanned && wordsOf(unplanned, NO_PLAN);

  return (
    <Dialog
      kind="sheet"
      open={open}
      onClose={close}
      title="Configure Sync Pair"
      footer={
        <>
          <Button onClick={close}>{isBusy ? 'Close' : 'Cancel'}</Button>
          <ReasonedButton look="primary" type="submit" form={id} reason={why} busy={isBusy}>
            Save and read the first plan
          </ReasonedButton>
        </>
      }
    >
      <form ref={formRef} id={id} className={css.form} noValidate onSubmit={submit}>
        <AdminNote />
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
        <PairChoices {...fields} />
        <LinkRuleField {...fields} isNew />
        <StockLinkFields {...fields} isNew />
        <PairAdvanced {...fields} isNew />
      </form>
    </Dialog>
  );
}
