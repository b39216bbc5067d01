import { wordsOf } from '../../../api/error-words.ts';
import { type OutboxMail, useMailText } from '../../../api/instance-owner.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { CopyField } from '../../../components/copy-field.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Status } from '../../../components/status.tsx';
import { formatDateTime, plural } from '../../../hooks/format.ts';
import { isDeclined, useProof } from '../proof/use-proof.tsx';
import css from './instance.module.css';
import { linksIn, mailFate, mailState } from './mail-words.ts';

/** As text, and never as a page: who writes to the outbox does not say what this page shows. */
function MailText({ text }: { readonly text: string }) {
  const links = linksIn(text);
  return (
    <>
      <section aria-label="Text" className={css.text}>
        <pre>{text}</pre>
      </section>
      {links.map((link, index) => (
        <CopyField
          key={link}
          label={links.length === 1 ? 'Link' : `Link ${index + 1}`}
          value={link}
          hint="Whoever has it can use it. Give it to nobody but whom the email is for."
        />
      ))}
    </>
  );
}

function TextOf({ mail }: { readonly mail: OutboxMail }) {
  const proof = useProof();
  const read = useMailText(proof.withProof);
  return (
    <>
      {read.error && !isDeclined(read.error) && (
        <Banner tone="bad" urgent>
          {wordsOf(read.error, 'The text could not be read. Please try again.')}
        </Banner>
      )}
      {read.data === undefined ? (
        <div>
          <Button busy={read.isPending} onClick={() => read.mutate(mail._id)}>
            Show the text
          </Button>
        </div>
      ) : read.data === '' ? (
        <Banner tone="info">It was sent meanwhile, and its text dropped.</Banner>
      ) : (
        <MailText text={read.data} />
      )}
      {proof.dialog}
    </>
  );
}

interface MailSheetProps {
  /** Null: closed. */
  readonly mail: OutboxMail | null;
  /** False: it has left the list by which it is known, and is as it was. */
  readonly isListed: boolean;
  readonly onClose: () => void;
}

/** One email: what became of it, and its text where there still is one. */
export function MailSheet({ mail, isListed, onClose }: MailSheetProps) {
  if (mail === null) return null;
  const { to, createdAt, sentAt, attempts, lastError, state } = mail;
  const { tone, text } = mailState(mail);
  const facts: readonly (readonly [string, string | null])[] = [
    ['To', to],
    ['Written', formatDateTime(createdAt)],
    ['Sent', sentAt && formatDateTime(sentAt)],
    ['Failed', attempts === 0 ? null : plural(attempts, 'time')],
    ['The mail server said', lastError],
  ];
  return (
    <Dialog kind="sheet" open onClose={onClose} title={mail.subject}>
      <div className={css.stack}>
        {!isListed && (
          <Banner tone="info">
            It has left the list that you opened it from: this is how it was last. To find it, close this, and clear the
            filters or show more emails.
          </Banner>
        )}
        <dl className={css.facts}>
          <div>
            <dt>State</dt>
            <dd>
              <Status tone={tone}>{text}</Status>
            </dd>
          </div>
          {facts.map(
            ([label, value]) =>
              value !== null && (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ),
          )}
        </dl>
        <p className={css.note}>{mailFate(mail)}</p>
        {state !== 'sent' && <TextOf key={mail._id} mail={mail} />}
      </div>
    </Dialog>
  );
}
