import { CheckField, TextField } from '../../components/field.tsx';
import { SIDE_NAME } from '../../components/side.ts';
import { shownTick, sidesOf } from './idle-settings.ts';
import css from './pair-advanced.module.css';
import type { FieldsProps } from './pair-fields.ts';
import { StockLinkFields } from './stock-link-fields.tsx';

/** What the stores show of what there is, and whose sales count. */
export function StockFields({ isNew, ...fields }: FieldsProps & { readonly isNew: boolean }) {
  const { form, idle, errors, onEdit } = fields;
  const sides = sidesOf(form);
  const [source, target] = sides === null ? [] : [SIDE_NAME[sides.source], SIDE_NAME[sides.target]];
  const showing = sides === null || form.stockTwoWay ? 'The stores show' : `${target} shows`;
  return (
    <fieldset>
      <legend className={css.groupTitle}>Stock</legend>
      <div className={css.group}>
        <TextField
          label="Units kept back (buffer)"
          inputMode="numeric"
          autoComplete="off"
          value={form.stockBuffer}
          error={errors.stockBuffer}
          hint={
            idle.stockBuffer ??
            `${showing} so many fewer than there are. Changed, the whole pair is looked at and each number written anew.`
          }
          disabled={idle.stockBuffer !== undefined}
          onChange={(event) => onEdit({ stockBuffer: event.target.value })}
        />
        <TextField
          label="Most units shown (cap)"
          optional
          inputMode="numeric"
          autoComplete="off"
          value={form.stockCap}
          error={errors.stockCap}
          hint={
            idle.stockCap ??
            'Empty: no cap. What there is above it still counts. Changed, the whole pair is looked at likewise.'
          }
          disabled={idle.stockCap !== undefined}
          onChange={(event) => onEdit({ stockCap: event.target.value })}
        />
        <CheckField
          label="Stock goes both ways, also in a one-way pair"
          hint={
            idle.stockTwoWay ??
            `Without it sales in ${target} do not count, and what a buffer or a cap keeps back of ${source} is taken off for good.`
          }
          checked={shownTick(form, idle, 'stockTwoWay')}
          error={errors.stockTwoWay}
          disabled={idle.stockTwoWay !== undefined}
          onChange={(event) => onEdit({ stockTwoWay: event.target.checked })}
        />
        {!isNew && <StockLinkFields {...fields} />}
      </div>
    </fieldset>
  );
}
