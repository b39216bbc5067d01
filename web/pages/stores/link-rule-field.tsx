import { SelectField } from '../../components/field.tsx';
import type { FieldsProps } from './pair-fields.ts';
import { LINK_RULES } from './pair-options.ts';

/** How two records become one. `isNew`: the pair is being made, and its plan comes next. */
export function LinkRuleField({ form, idle, errors, onEdit, isNew = false }: FieldsProps & { isNew?: boolean }) {
  const hint = isNew
    ? 'Titles, prices and other details, when two products are linked for the first time.'
    : 'Only for what is linked from now on: what is linked, and what you are asked about, stays as it is.';
  return (
    <SelectField
      label="Where the stores differ at first"
      options={LINK_RULES}
      value={form.linkRule}
      hint={idle.linkRule ?? hint}
      error={errors.linkRule}
      disabled={idle.linkRule !== undefined}
      onChange={(event) => onEdit({ linkRule: event.target.value as typeof form.linkRule })}
    />
  );
}
