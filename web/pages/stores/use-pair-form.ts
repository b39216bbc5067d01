import { useState } from 'react';
import { type Refused, useRefusals } from '../../hooks/use-refusals.ts';
import { idleSettings } from './idle-settings.ts';
import type { FieldsProps } from './pair-fields.ts';
import { checkForm, type PairForm, type SettingName } from './pair-form.ts';

/** What is chosen and typed about a pair, and what is wrong with it. `More`: fields of the form that are no settings. */
export function usePairForm<More extends string = never>(first: PairForm) {
  const [form, setForm] = useState(first);
  const { formRef, errors, refuse, forgive } = useRefusals<SettingName | More>();
  const idle = idleSettings(form);
  const onEdit = (change: Partial<PairForm>): void => {
    setForm({ ...form, ...change });
    for (const name of Object.keys(change) as SettingName[]) forgive(name);
  };
  const fields: FieldsProps = { form, idle, errors, onEdit };
  return {
    formRef,
    fields,
    errors,
    /** Tells what is wrong, with what else was found; whether anything is. */
    check: (found?: Refused<SettingName | More>): boolean => refuse({ ...checkForm(form, idle), ...found }),
    refuse,
    forgive,
  };
}
