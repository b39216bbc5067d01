import { CheckField, SelectField, TextField } from '../../components/field.tsx';
import css from './pair-advanced.module.css';
import type { FieldsProps } from './pair-fields.ts';
import { INTERVALS, RETRIES } from './pair-options.ts';
import { choices, numberOf } from './select-numbers.ts';

/** How hard a pair works, and how much it tells. Nothing of what is linked is looked at again for these. */
export function WorkFields({ form, idle, errors, onEdit }: FieldsProps) {
  return (
    <fieldset>
      <legend className={css.groupTitle}>How it works</legend>
      <div className={css.group}>
        <TextField
          label="Requests to each store in a minute, at most"
          inputMode="numeric"
          autoComplete="off"
          value={form.rateLimit}
          error={errors.rateLimit}
          hint="100 to 10,000. Where a store is in several pairs the lowest counts; the store's own limits hold besides."
          onChange={(event) => onEdit({ rateLimit: event.target.value })}
        />
        <SelectField
          label="Ask the stores for changes"
          options={choices(INTERVALS)}
          value={form.syncInterval}
          error={errors.syncInterval}
          hint={
            idle.syncInterval ??
            'Finds what no webhook told. A real WooCommerce store is asked each minute, whatever stands here.'
          }
          disabled={idle.syncInterval !== undefined}
          onChange={(event) => onEdit({ syncInterval: numberOf(INTERVALS, event.target.value) })}
        />
        <SelectField
          label="When a sync or a plan fails in passing"
          options={choices(RETRIES)}
          value={form.retryAttempts}
          error={errors.retryAttempts}
          hint="In a row, before it is called failed. What is changed in the stores is tried until it works."
          onChange={(event) => onEdit({ retryAttempts: numberOf(RETRIES, event.target.value) })}
        />
        <CheckField
          label="Tell each job and each write in the server's log"
          hint="Ids and names of fields, never what they hold."
          checked={form.enableLogging}
          error={errors.enableLogging}
          onChange={(event) => onEdit({ enableLogging: event.target.checked })}
        />
      </div>
    </fieldset>
  );
}
