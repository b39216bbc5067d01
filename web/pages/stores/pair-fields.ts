import type { Refused } from '../../hooks/use-refusals.ts';
import type { PairForm, SettingName } from './pair-form.ts';

/** What each part of a pair's form is given. */
export interface FieldsProps {
  readonly form: PairForm;
  /** Why a setting has no effect now; it can't be changed then. */
  readonly idle: { readonly [Name in SettingName]?: string };
  readonly errors: Refused<SettingName>;
  readonly onEdit: (change: Partial<PairForm>) => void;
}
