import { CheckField, SelectField } from '../../components/field.tsx';
import { SIDE_NAME } from '../../components/side.ts';
import { CreateFields } from './create-fields.tsx';
import { shownTick, sidesOf } from './idle-settings.ts';
import { LinkRuleField } from './link-rule-field.tsx';
import css from './pair-advanced.module.css';
import type { FieldsProps } from './pair-fields.ts';
import { DELETE_POLICIES, SIDE_OPTIONS } from './pair-options.ts';

/** What is made and put away, and whose word counts where that is not plain. */
export function ProductFields({ isNew, ...fields }: FieldsProps & { readonly isNew: boolean }) {
  const { form, idle, errors, onEdit } = fields;
  const sides = sidesOf(form);
  return (
    <fieldset>
      <legend className={css.groupTitle}>Products</legend>
      <div className={css.group}>
        <CreateFields {...fields} isNew={isNew} />
        <SelectField
          label="When a product is deleted in one store"
          options={DELETE_POLICIES}
          value={form.deletePolicy}
          hint={
            idle.deletePolicy ??
            'Put away: a draft in WooCommerce, archived in Shopify. Products that were deleted before stay as they are.'
          }
          error={errors.deletePolicy}
          disabled={idle.deletePolicy !== undefined}
          onChange={(event) => onEdit({ deletePolicy: event.target.value as typeof form.deletePolicy })}
        />
        <CheckField
          label="Write over what is changed in the store that follows (enforce)"
          hint={
            idle.enforce ??
            (sides &&
              `Otherwise titles, prices and other details that differ in ${SIDE_NAME[sides.target]} stay, and are shown to you as a problem.`)
          }
          checked={shownTick(form, idle, 'enforce')}
          error={errors.enforce}
          disabled={idle.enforce !== undefined}
          onChange={(event) => onEdit({ enforce: event.target.checked })}
        />
        {!isNew && <LinkRuleField {...fields} />}
        <SelectField
          label="Where nobody can tell which change came first"
          options={SIDE_OPTIONS}
          value={form.preferredSide}
          hint={idle.preferredSide ?? 'This store wins. What was decided before stays.'}
          error={errors.preferredSide}
          disabled={idle.preferredSide !== undefined}
          onChange={(event) => onEdit({ preferredSide: event.target.value as typeof form.preferredSide })}
        />
      </div>
    </fieldset>
  );
}
