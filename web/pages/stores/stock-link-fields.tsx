import { CheckField, SelectField } from '../../components/field.tsx';
import { shownTick } from './idle-settings.ts';
import type { FieldsProps } from './pair-fields.ts';
import { STOCK_RULES } from './pair-options.ts';

/** How two stocks become one. `isNew`: the pair is being made, and its plan comes next. */
export function StockLinkFields({ form, idle, errors, onEdit, isNew = false }: FieldsProps & { isNew?: boolean }) {
  const ofRule = isNew ? undefined : 'Only for what is linked from now on: stock that is linked stays as it is.';
  const ofZero = isNew
    ? 'Otherwise such products wait for you in the plan.'
    : 'What waits for this is linked at once by the rule above, and what was linked before by the smaller number. Where that is 0, both stores show 0.';
  return (
    <>
      <SelectField
        label="Where their stock differs at first"
        options={STOCK_RULES}
        value={form.stockLinkRule}
        hint={idle.stockLinkRule ?? ofRule}
        error={errors.stockLinkRule}
        disabled={idle.stockLinkRule !== undefined}
        onChange={(event) => onEdit({ stockLinkRule: event.target.value as typeof form.stockLinkRule })}
      />
      <CheckField
        label="A zero on one side may be settled against stock on the other"
        hint={idle.allowZeroStockLink ?? ofZero}
        checked={shownTick(form, idle, 'allowZeroStockLink')}
        error={errors.allowZeroStockLink}
        disabled={idle.allowZeroStockLink !== undefined}
        onChange={(event) => onEdit({ allowZeroStockLink: event.target.checked })}
      />
    </>
  );
}
