import { type FormEvent, type ReactNode, useEffect, useId, useMemo, useState } from 'react';
import { type User, useUpdateProfile } from '../../../api/account.ts';
import { refusedFields, wordsOf } from '../../../api/error-words.ts';
import { useInstance } from '../../../api/instance.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Card, CardHead } from '../../../components/card.tsx';
import { CheckField, SelectField, TextField } from '../../../components/field.tsx';
import { showToast } from '../../../components/toast.tsx';
import { SETTINGS_TEXT } from '../../../content/settings-messages.en.ts';
import { useRefusals } from '../../../hooks/use-refusals.ts';
import { SaveBar } from '../save-bar.tsx';
import css from '../settings-form.module.css';
import { browserZones, timeZoneOptions } from '../time-zones.ts';
import {
  bodyOf,
  changesIn,
  checkProfile,
  editsAfterReset,
  formOf,
  type ProfileForm,
  TEXT_FIELDS,
} from './profile-form.ts';
import { ResetSettings } from './reset-settings.tsx';

interface ProfileCardsProps {
  readonly user: User;
  /** Stands between who the person is and what they are sent. */
  readonly between: ReactNode;
  readonly children: ReactNode;
}

/** Edits survive a look at another tab or page: in memory, and for whose they are. */
let kept: { readonly userId: string; readonly edits: Partial<ProfileForm> } | null = null;

/** Names and emails in one form: edits lie over what is stored until they are saved, whatever happens to the request. */
export function ProfileCards({ user, between, children }: ProfileCardsProps) {
  const id = useId();
  const personId = useId();
  const mailId = useId();
  const update = useUpdateProfile();
  const { formRef, errors, refuse, forgive } = useRefusals<keyof ProfileForm>();
  const [edits, setEdits] = useState<Partial<ProfileForm>>(kept?.userId === user.id ? kept.edits : {});
  useEffect(() => {
    kept = { userId: user.id, edits };
  }, [user.id, edits]);
  const stored = formOf(user);
  const changes = changesIn(stored, edits);
  const form = { ...stored, ...edits };
  const isDirty = Object.keys(changes).length > 0;
  const zones = useMemo(() => timeZoneOptions(user.timezone, browserZones()), [user.timezone]);
  const isHeld = useInstance()?.isMailSent === false;

  const edit = <Name extends keyof ProfileForm>(name: Name, value: ProfileForm[Name]): void => {
    setEdits((known) => ({ ...known, [name]: value }));
    forgive(name);
  };
  const text = (name: (typeof TEXT_FIELDS)[number]) => ({
    name,
    value: form[name],
    error: errors[name],
    onChange: (event: { readonly target: { readonly value: string } }) => edit(name, event.target.value),
  });
  const check = (name: 'email' | 'syncAlerts' | 'billingAlerts' | 'weeklyReports' | 'newsletter') => ({
    name,
    checked: form[name],
    onChange: (event: { readonly target: { readonly checked: boolean } }) => edit(name, event.target.checked),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isDirty || refuse(checkProfile(form))) return;
    update.mutate(bodyOf(changes), {
      onSuccess: () => {
        // What was typed while it was being saved stays.
        setEdits((known) => changesIn(form, known));
        showToast('success', SETTINGS_TEXT.saved);
      },
      onError: (error) => refuse(refusedFields(error, TEXT_FIELDS)),
    });
  };
  const discard = (): void => {
    setEdits({});
    refuse({});
    update.reset();
  };
  const afterReset = (): void => {
    setEdits(editsAfterReset);
    forgive('timezone');
  };
  const isUnplaced = update.error !== null && Object.keys(refusedFields(update.error, TEXT_FIELDS)).length === 0;

  return (
    <>
      <form ref={formRef} id={id} noValidate onSubmit={submit}>
        <Card labelledBy={personId}>
          <CardHead id={personId} level={3} title="You" />
          <div className={`${css.form} ${css.inCard}`}>
            <div className={css.pairs}>
              <TextField label="First name" autoComplete="given-name" {...text('firstName')} />
              <TextField label="Last name" autoComplete="family-name" {...text('lastName')} />
            </div>
            <div className={css.pairs}>
              <TextField label="Company" optional autoComplete="organization" {...text('company')} />
              <SelectField
                label="Time zone"
                options={zones}
                hint="Of the times that you see here."
                {...text('timezone')}
              />
            </div>
          </div>
        </Card>
      </form>
      {between}
      <Card labelledBy={mailId}>
        <CardHead id={mailId} level={3} title="Emails" />
        <div className={`${css.form} ${css.inCard}`}>
          {isHeld && <p className={css.note}>{SETTINGS_TEXT.mailHeld}</p>}
          <div className={css.checks}>
            <CheckField
              form={id}
              label="Emails about your stores"
              hint="Messages about your account and its safety come in any case."
              {...check('email')}
            />
            <div className={`${css.checks} ${css.below}`}>
              <CheckField
                form={id}
                label="Alerts"
                hint="When something needs a look: a sync that failed, a store that does not answer, a pair that is halted."
                disabled={!form.email}
                {...check('syncAlerts')}
              />
              <CheckField
                form={id}
                label="Usage"
                hint="When programs call the API more often than planned for in an hour."
                disabled={!form.email}
                {...check('billingAlerts')}
              />
              <CheckField
                form={id}
                label="Weekly report"
                hint="On Monday morning: what was written to the stores, what failed, and what waits for you."
                disabled={!form.email}
                {...check('weeklyReports')}
              />
            </div>
            <CheckField
              form={id}
              label="Newsletter"
              hint="Your consent, kept with its date. Nothing is sent by itself."
              {...check('newsletter')}
            />
          </div>
        </div>
      </Card>
      {children}
      <ResetSettings stored={stored} update={update} onReset={afterReset} />
      <SaveBar isShown={isDirty || update.isPending}>
        {isUnplaced && (
          <Banner tone="bad" urgent>
            {wordsOf(update.error, SETTINGS_TEXT.failed.save)}
          </Banner>
        )}
        <Button onClick={discard}>Discard</Button>
        <Button type="submit" form={id} look="primary" busy={update.isPending}>
          Save changes
        </Button>
      </SaveBar>
    </>
  );
}
