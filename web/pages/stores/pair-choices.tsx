import type { PairSettingsBody } from '../../api/pairs.ts';
import { SelectField } from '../../components/field.tsx';
import { LaneChoice } from '../../components/lane-choice.tsx';

export type Direction = 'bidirectional' | 'woocommerce_to_shopify' | 'shopify_to_woocommerce';
export type Schedule = NonNullable<PairSettingsBody['syncSchedule']>;
export type ConflictPolicy = NonNullable<PairSettingsBody['conflictResolution']>;

const SCHEDULES = [
  { value: 'realtime', label: 'Real time' },
  { value: 'hourly', label: 'Hourly' },
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Weekly' },
  { value: 'manual', label: 'Only by hand' },
];
const CONFLICTS = [
  { value: 'manual', label: 'Ask me' },
  { value: 'newest', label: 'The newer change wins' },
  { value: 'oldest', label: 'The older change wins' },
  { value: 'woocommerce', label: 'WooCommerce wins' },
  { value: 'shopify', label: 'Shopify wins' },
];

/** What can be decided about a pair at any time. */
export interface PairChoice {
  readonly syncDirection: Direction;
  readonly syncSchedule: Schedule;
  readonly conflictResolution: ConflictPolicy;
}

/** Nothing is written over without a question, unless a person chose that. */
export const FIRST_CHOICE: PairChoice = {
  syncDirection: 'bidirectional',
  syncSchedule: 'realtime',
  conflictResolution: 'manual',
};

interface PairChoicesProps {
  readonly value: PairChoice;
  readonly onChange: (value: PairChoice) => void;
}

export function PairChoices({ value, onChange }: PairChoicesProps) {
  return (
    <>
      <LaneChoice value={value.syncDirection} onChange={(syncDirection) => onChange({ ...value, syncDirection })} />
      <SelectField
        label="Schedule"
        options={SCHEDULES}
        value={value.syncSchedule}
        onChange={(event) => onChange({ ...value, syncSchedule: event.target.value as Schedule })}
      />
      <SelectField
        label="Where both stores changed the same field"
        options={CONFLICTS}
        value={value.conflictResolution}
        hint="Stock is not asked about: what both stores sold is added up."
        onChange={(event) => onChange({ ...value, conflictResolution: event.target.value as ConflictPolicy })}
      />
    </>
  );
}
