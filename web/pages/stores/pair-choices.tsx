import { SelectField } from '../../components/field.tsx';
import { LaneChoice } from '../../components/lane-choice.tsx';
import type { FieldsProps } from './pair-fields.ts';
import { CONFLICTS, SCHEDULES } from './pair-options.ts';

/** What is asked first about a pair, when it is made and later. */
export function PairChoices({ form, idle, errors, onEdit }: FieldsProps) {
  return (
    <>
      <LaneChoice value={form.syncDirection} onChange={(syncDirection) => onEdit({ syncDirection })} />
      <SelectField
        label="Schedule"
        options={SCHEDULES}
        value={form.syncSchedule}
        error={errors.syncSchedule}
        onChange={(event) => onEdit({ syncSchedule: event.target.value as typeof form.syncSchedule })}
      />
      <SelectField
        label="Where both stores changed the same field"
        options={CONFLICTS}
        value={form.conflictResolution}
        hint={idle.conflictResolution ?? 'Stock is not asked about: what both stores sold is added up.'}
        error={errors.conflictResolution}
        disabled={idle.conflictResolution !== undefined}
        onChange={(event) => onEdit({ conflictResolution: event.target.value as typeof form.conflictResolution })}
      />
    </>
  );
}
