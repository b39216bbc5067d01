import { Send } from 'lucide-react';
import { useState } from 'react';
import { wordsOf } from '../../../api/error-words.ts';
import { type OutboxMail, useOutbox, useSendTestMail } from '../../../api/instance-owner.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { Chip } from '../../../components/chip.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { EmptyShelf } from '../../../components/empty-shelf.tsx';
import { HiddenText } from '../../../components/hidden-text.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { ShowMore } from '../../../components/show-more.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Status } from '../../../components/status.tsx';
import { showToast } from '../../../components/toast.tsx';
import { formatDateTime, formatWhen } from '../../../hooks/format.ts';
import { oneOf, useQueryState } from '../../../hooks/use-query-state.ts';
import { PanelFrame } from '../panel-frame.tsx';
import { TAB_LABEL } from '../tabs.ts';
import { AdministratorsOnly } from './administrators-only.tsx';
import css from './instance.module.css';
import { MailSheet } from './mail-sheet.tsx';
import { MAIL_STATE_LABEL, MAIL_STATES, mailState } from './mail-words.ts';

function columnsWith(open: (mail: OutboxMail) => void): readonly Column<OutboxMail>[] {
  return [
    {
      key: 'email',
      head: 'Email',
      grow: true,
      cell: ({ subject, to }) => (
        <span className={css.stacked}>
          <span className={css.name}>{subject}</span>
          <span className={css.below}>To {to}</span>
        </span>
      ),
    },
    {
      key: 'state',
      head: 'State',
      cell: (mail) => {
        const { tone, text } = mailState(mail);
        return (
          <Status tone={tone} small>
            {text}
          </Status>
        );
      },
    },
    {
      key: 'written',
      head: 'Written',
      cell: ({ createdAt }) => (
        <time dateTime={createdAt} title={formatDateTime(createdAt)} className={css.when}>
          {formatWhen(createdAt)}
        </time>
      ),
    },
    {
      key: 'actions',
      head: <HiddenText>What can be done</HiddenText>,
      cell: (mail) => (
        <span className={css.actions}>
          <Button size="sm" look="ghost" aria-label={`Open ${mail.subject}, to ${mail.to}`} onClick={() => open(mail)}>
            Open
          </Button>
        </span>
      ),
    },
  ];
}

function NoMailServer() {
  return (
    <Banner tone="warn">
      This instance has no mail server, so nothing is sent: every email is kept here. To have them sent, set{' '}
      <code>SMTP_URL</code> (<code className={css.example}>smtps://user:password@host:465</code>) and{' '}
      <code>MAIL_FROM</code>, and start the server again. What is less than a day old is sent then; what is older stays
      here.
    </Banner>
  );
}

function TestButton() {
  const test = useSendTestMail();
  return (
    <Button
      icon={<Send aria-hidden="true" />}
      busy={test.isPending}
      onClick={() =>
        test.mutate(undefined, {
          onSuccess: ({ mail: { to, state } }) =>
            state === 'held'
              ? showToast('warning', 'There is no mail server: the test email is kept here like all others.')
              : showToast('success', `A test email is on its way to ${to}. Its result appears here.`),
          onError: (error) =>
            showToast('error', wordsOf(error, 'The test email could not be written. Please try again.')),
        })
      }
    >
      Send a test email
    </Button>
  );
}

function Outbox() {
  const [params, change] = useQueryState();
  const state = oneOf(params.get('state'), MAIL_STATES) ?? undefined;
  // As it was last seen: one that is sent leaves the list of those that wait.
  const [opened, setOpened] = useState<OutboxMail | null>(null);
  const outbox = useOutbox(state, opened?.state === 'queued');
  const listed = outbox.data?.pages.flatMap((page) => page.mails).find(({ _id }) => _id === opened?._id);
  if (listed !== undefined && listed !== opened) setOpened(listed);
  return (
    <PanelFrame
      title={TAB_LABEL.outbox}
      lead="Every email that this instance wrote in the last 30 days, and what became of it."
      actions={<TestButton />}
    >
      <QueryView query={outbox} loading={<Skeleton type="table" count={5} />} failed="The outbox could not be read.">
        {({ pages }) => {
          const mails = pages.flatMap((page) => page.mails);
          return (
            <div className={css.stack}>
              {pages[0]?.isMailSent === false && <NoMailServer />}
              <fieldset className={css.filters} aria-label="Only those that are">
                {MAIL_STATES.map((value) => (
                  <Chip
                    key={value}
                    pressed={state === value}
                    onToggle={() => change({ state: state === value ? null : value })}
                  >
                    {MAIL_STATE_LABEL[value]}
                  </Chip>
                ))}
              </fieldset>
              <Card>
                {mails.length === 0 ? (
                  <EmptyShelf
                    level={3}
                    title={
                      state === undefined
                        ? 'No email was written in the last 30 days'
                        : `No email is in the state "${MAIL_STATE_LABEL[state]}"`
                    }
                    actions={state && <Button onClick={() => change({ state: null })}>Clear filters</Button>}
                  >
                    {state === undefined && 'Invitations, confirmations and alerts stand here from then on.'}
                  </EmptyShelf>
                ) : (
                  <DataTable caption="Emails" columns={columnsWith(setOpened)} rows={mails} rowKey={({ _id }) => _id} />
                )}
                <ShowMore query={outbox}>Show more emails</ShowMore>
              </Card>
            </div>
          );
        }}
      </QueryView>
      <MailSheet mail={opened} isListed={listed !== undefined} onClose={() => setOpened(null)} />
    </PanelFrame>
  );
}

/** Emails that were kept, sent or given up. */
export function OutboxPanel() {
  return (
    <AdministratorsOnly tab="outbox">
      <Outbox />
    </AdministratorsOnly>
  );
}
