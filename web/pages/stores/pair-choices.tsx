import { SelectField } from '../../components/field.tsx';
import { LaneChoice } from '../../components/lane-choice.tsx';
import { plural } from '../../hooks/format.ts';
import type { FieldsProps } from './pair-fields.ts';
import { CONFLICTS, SCHEDULES } from './pair-options.ts';

interface PairChoicesProps extends FieldsProps {
  /** Conflicts that wait for a person, as the pair is set now. */
  readonly waiting?: number;
}

/** What is asked first about a pair, when it is made and later. */
export function PairChoices({ form, idle, errors, onEdit, waiting = 0 }: PairChoicesProps) {
  // Not all: of two values that only a first link brought together nobody knows which is the newer one.
  const ofWaiting =
    waiting > 0 && form.conflictResolution !== 'manual'
      ? `${form.syncSchedule === 'manual' ? 'With your next sync' : 'Once it is saved'} this also decides, where it can, what you are asked about now: ${plural(waiting, 'open conflict')}.`
      : undefined;
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
        hint={idle.conflictResolution ?? ofWaiting ?? 'Stock is not asked about: what both stores sold is added up.'}
        error={errors.conflictResolution}
        disabled={idle.conflictResolution !== undefined}
        onChange={(event) => onEdit({ conflictResolution: event.target.value as typeof form.conflictResolution })}
      />
    </>
  );
}
