import { type FormEvent, useEffect, useState } from 'react';
import { type AlertSettings, useChangeAlerts } from '../../../api/alerts.ts';
import { refusedFields, wordsOf } from '../../../api/error-words.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { CheckField, SelectField, TextField } from '../../../components/field.tsx';
import { Segmented } from '../../../components/segmented.tsx';
import { showToast } from '../../../components/toast.tsx';
import { useRefusals } from '../../../hooks/use-refusals.ts';
import css from './alert-form.module.css';
import {
  ALERT_KINDS,
  type AlertEdits,
  alertChange,
  checkAlerts,
  editedForm,
  editsLeft,
  KIND_LABEL,
  MODES,
  timeZones,
} from './alert-words.ts';

const FIELDS = ['from', 'to', 'digestAt', 'timeZone'] as const;
type Field = (typeof FIELDS)[number];

interface AlertFormProps {
  readonly workspaceId: string;
  readonly settings: AlertSettings;
  /** Somebody who only looks: everything is shown, nothing can be changed. */
  readonly isLocked: boolean;
}

/** Edits survive a look at another tab or page: in memory, and for the workspace that they are about. */
let kept: { readonly workspaceId: string; readonly edits: AlertEdits } | null = null;

/** The rules of the alerts. What was chosen lies over what is stored until it is saved or discarded, whatever is read meanwhile. */
export function AlertForm({ workspaceId, settings, isLocked }: AlertFormProps) {
  const save = useChangeAlerts();
  const { formRef, errors, refuse, forgive } = useRefusals<Field>();
  const [edits, setEdits] = useState<AlertEdits>(kept?.workspaceId === workspaceId ? kept.edits : {});
  useEffect(() => {
    kept = { workspaceId, edits };
  }, [workspaceId, edits]);
  const form = editedForm(settings, edits);
  const change = alertChange(edits, settings);
  const isChanged = Object.keys(change).length > 0;
  const edit = (changed: Omit<AlertEdits, 'rules'>, field?: Field): void => {
    setEdits((known) => ({ ...known, ...changed }));
    if (field) forgive(field);
  };
  const discard = (): void => {
    setEdits({});
    refuse({});
    save.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (refuse(checkAlerts(form)) || !isChanged) return;
    save.mutate(change, {
      onSuccess: () => {
        // What was chosen while it was being saved stays.
        setEdits((known) => editsLeft(known, form));
        showToast('success', 'The alerts are saved. They count for what happens from now on.');
      },
      onError: (error) => void refuse(refusedFields(error, FIELDS)),
    });
  };
  return (
    <form ref={formRef} className={css.form} noValidate onSubmit={submit}>
      <fieldset className={css.fields} disabled={isLocked}>
        <ul aria-label="What is told">
          {ALERT_KINDS.map((kind) => (
            <li key={kind} className={css.rule}>
              <span className={css.kind}>{KIND_LABEL[kind]}</span>
              <Segmented
                label={KIND_LABEL[kind]}
                value={form.rules[kind]}
                options={MODES}
                onChange={(mode) => setEdits((known) => ({ ...known, rules: { ...known.rules, [kind]: mode } }))}
              />
            </li>
          ))}
        </ul>
        <div className={css.times}>
          <TextField
            label="Once a day at"
            type="time"
            value={form.digestAt}
            error={errors.digestAt}
            onChange={(event) => edit({ digestAt: event.target.value }, 'digestAt')}
          />
          <SelectField
            label="Time zone"
            options={timeZones(form.timeZone)}
            value={form.timeZone}
            error={errors.timeZone}
            onChange={(event) => edit({ timeZone: event.target.value }, 'timeZone')}
          />
        </div>
        <CheckField
          label="Quiet hours"
          hint="What comes within them is sent at their end."
          checked={form.isQuiet}
          onChange={(event) => edit({ isQuiet: event.target.checked })}
        />
        {form.isQuiet && (
          <div className={css.times}>
            <TextField
              label="Quiet from"
              type="time"
              value={form.from}
              error={errors.from}
              onChange={(event) => edit({ from: event.target.value }, 'from')}
            />
            <TextField
              label="Quiet until"
              type="time"
              value={form.to}
              error={errors.to}
              onChange={(event) => edit({ to: event.target.value }, 'to')}
            />
          </div>
        )}
        {save.error && Object.keys(errors).length === 0 && (
          <Banner tone="bad" urgent>
            {wordsOf(save.error, 'Failed to save settings. Please try again.')}
          </Banner>
        )}
        {!isLocked && (
          <div className={css.save}>
            <Button
              look="primary"
              type="submit"
              busy={save.isPending}
              {...(isChanged ? {} : { 'aria-disabled': true, title: 'Nothing is changed.' })}
            >
              Save the alerts
            </Button>
            {isChanged && (
              <Button look="ghost" aria-disabled={save.isPending} onClick={() => !save.isPending && discard()}>
                Discard changes
              </Button>
            )}
          </div>
        )}
      </fieldset>
    </form>
  );
}
