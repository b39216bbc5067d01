import { useId } from 'react';
import { CheckField } from '../../components/field.tsx';
import { otherSide, SIDE_NAME } from '../../components/side.ts';
import { isMadeOn, sidesOf } from './idle-settings.ts';
import css from './pair-advanced.module.css';
import type { FieldsProps } from './pair-fields.ts';

const SIDES = ['woocommerce', 'shopify'] as const;

/** Where new products are made: a tick for each store. */
export function CreateFields({ form, idle, errors, onEdit, isNew }: FieldsProps & { readonly isNew: boolean }) {
  const id = useId();
  const source = sidesOf(form)?.source ?? null;
  const hint = isNew
    ? 'New variants of products that are linked are made in any case.'
    : 'Ticked, what waited for it is made now. Unticked, what was made stays, and new variants of it are still made.';
  return (
    <fieldset aria-describedby={id}>
      <legend className={css.ticksTitle}>Where new products are made</legend>
      <div className={css.ticks}>
        {SIDES.map((side) => (
          <CheckField
            key={side}
            label={`In ${SIDE_NAME[side]}, what only ${SIDE_NAME[otherSide(side)]} has`}
            hint={side === source && !idle.createOn ? `${SIDE_NAME[side]} leads: nothing is made there.` : undefined}
            checked={isMadeOn(form, idle, side)}
            disabled={idle.createOn !== undefined || side === source}
            {...(errors.createOn ? { 'aria-invalid': true as const } : {})}
            onChange={(event) => onEdit({ createOn: { ...form.createOn, [side]: event.target.checked } })}
          />
        ))}
        <p id={id} className={errors.createOn ? css.error : css.hint}>
          {errors.createOn ?? idle.createOn ?? hint}
        </p>
      </div>
    </fieldset>
  );
}
