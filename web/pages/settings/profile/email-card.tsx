import { Mail } from 'lucide-react';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { type User, useUpdateProfile } from '../../../api/account.ts';
import { useResendVerification } from '../../../api/auth.ts';
import { refusedFields, wordsOf } from '../../../api/error-words.ts';
import { useInstance } from '../../../api/instance.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { TextField } from '../../../components/field.tsx';
import { Status } from '../../../components/status.tsx';
import { TEXT } from '../../../content/messages.en.ts';
import { SETTINGS_TEXT } from '../../../content/settings-messages.en.ts';
import { emailError, withoutMarks } from '../../../hooks/typed-text.ts';
import { useRefusals } from '../../../hooks/use-refusals.ts';
import { isDeclined, useProof } from '../proof/use-proof.tsx';
import { SettingRow } from '../setting-row.tsx';
import css from '../settings-form.module.css';

/** The address that somebody signs in with. Another one counts once the link that is mailed to it was followed. */
export function EmailCard({ user }: { readonly user: User }) {
  const formId = useId();
  const change = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [pending, setPending] = useState<{ readonly from: string; readonly to: string } | null>(null);
  const resend = useResendVerification();
  const isHeld = useInstance()?.isMailSent === false;
  const close = (): void => {
    setOpen(false);
    change.current?.focus();
  };
  return (
    <Card>
      <SettingRow
        title="Email address"
        aside={
          user.isVerified ? (
            <Status tone="ok" small>
              Confirmed
            </Status>
          ) : (
            <Status tone="warn" small>
              Not confirmed
            </Status>
          )
        }
        actions={
          <>
            {!user.isVerified && (
              <Button busy={resend.isPending} onClick={() => resend.mutate()}>
                Send a new link
              </Button>
            )}
            <Button ref={change} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              Change email
            </Button>
          </>
        }
      >
        <span className={css.address}>{user.email}</span>
        {!user.isVerified && <p>Alerts and reports go to an address that is confirmed by the link in its email.</p>}
      </SettingRow>
      {(resend.isSuccess || resend.error) && (
        <div className={css.under}>
          <Banner tone={resend.error ? 'bad' : isHeld ? 'warn' : 'ok'} urgent>
            {resend.error ? wordsOf(resend.error, TEXT.verify.failed) : isHeld ? TEXT.verify.held : TEXT.verify.sent}
          </Banner>
        </div>
      )}
      {/* With the link the account has another address. */}
      {pending?.from === user.email && (
        <div className={css.under}>
          <Banner tone="info" urgent>
            A link is on its way to <strong>{pending.to}</strong>. Until it is followed, {user.email} stays your
            address.
            {isHeld && ` ${SETTINGS_TEXT.mailHeld}`}
          </Banner>
        </div>
      )}
      {isOpen && (
        <EmailForm
          id={formId}
          user={user}
          onClose={close}
          onSent={(email) => {
            setPending({ from: user.email, to: email });
            close();
          }}
        />
      )}
    </Card>
  );
}

interface EmailFormProps {
  readonly id: string;
  readonly user: User;
  readonly onClose: () => void;
  readonly onSent: (email: string) => void;
}

function EmailForm({ id, user, onClose, onSent }: EmailFormProps) {
  const { withProof, dialog } = useProof();
  const update = useUpdateProfile(withProof);
  const { formRef, errors, refuse, forgive } = useRefusals<'email'>();
  const [email, setEmail] = useState('');
  useEffect(() => formRef.current?.querySelector('input')?.focus(), [formRef]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const wanted = withoutMarks(email);
    const isOld = wanted.toLowerCase() === user.email.toLowerCase();
    const wrong = isOld ? 'This is your address already' : emailError(wanted);
    if (refuse(wrong === null ? {} : { email: wrong })) return;
    update.mutate(
      { email: wanted },
      { onSuccess: () => onSent(wanted), onError: (error) => refuse(refusedFields(error, ['email'])) },
    );
  };
  const { error } = update;
  const failure =
    error === null || isDeclined(error) || refusedFields(error, ['email']).email
      ? null
      : wordsOf(error, SETTINGS_TEXT.failed.save);
  return (
    <>
      <form ref={formRef} id={id} className={`${css.form} ${css.inCard}`} noValidate onSubmit={submit}>
        {failure && (
          <Banner tone="bad" urgent>
            {failure}
          </Banner>
        )}
        <TextField
          label="New email address"
          name="email"
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          value={email}
          hint="A link goes there first: it shows that the address is yours."
          error={errors.email}
          onChange={(event) => {
            setEmail(event.target.value);
            forgive('email');
          }}
        />
        <div className={css.buttons}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" icon={<Mail aria-hidden="true" />} busy={update.isPending}>
            Send the link
          </Button>
        </div>
      </form>
      {dialog}
    </>
  );
}
