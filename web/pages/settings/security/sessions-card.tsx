import { LogOut, Monitor, Smartphone } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { wordsOf } from '../../../api/error-words.ts';
import { type SessionView, useEndOtherSessions, useEndSession, useSessions } from '../../../api/security.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Card, CardHead } from '../../../components/card.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Tag } from '../../../components/tag.tsx';
import { showToast } from '../../../components/toast.tsx';
import { SETTINGS_TEXT } from '../../../content/settings-messages.en.ts';
import { formatAgo, formatDateTime, plural } from '../../../hooks/format.ts';
import { deviceName } from './device-name.ts';
import css from './sessions-card.module.css';

/** Where the person is signed in, this device first. */
export function SessionsCard() {
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const [isAsking, setAsking] = useState(false);
  const sessions = useSessions();
  const endOthers = useEndOtherSessions();
  const hasOthers = sessions.data?.some(({ isCurrent }) => !isCurrent) ?? false;
  const close = (): void => {
    setAsking(false);
    endOthers.reset();
  };
  const signOut = (): void =>
    endOthers.mutate(undefined, {
      onSuccess: ({ count }) => {
        close();
        list.current?.focus();
        showToast('success', `${plural(count, 'other device is', 'other devices are')} signed out.`);
      },
    });
  return (
    <Card labelledBy={id}>
      <CardHead
        id={id}
        level={3}
        title="Signed-in devices"
        actions={
          hasOthers && (
            <Button size="sm" onClick={() => setAsking(true)}>
              Sign out of all other devices
            </Button>
          )
        }
      />
      <QueryView query={sessions} loading={<Skeleton type="list" count={2} />} failed="The devices could not be read.">
        {(found) => (
          <ul ref={list} tabIndex={-1} aria-labelledby={id} className={css.list}>
            {[...found]
              .sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent))
              .map((session) => (
                <SessionRow key={session._id} session={session} onEnded={() => list.current?.focus()} />
              ))}
          </ul>
        )}
      </QueryView>
      <Dialog
        open={isAsking}
        onClose={close}
        title="Sign out of all other devices"
        footer={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button look="danger" busy={endOthers.isPending} onClick={signOut}>
              Sign out of all other devices
            </Button>
          </>
        }
      >
        {endOthers.error && (
          <Banner tone="bad" urgent>
            {wordsOf(endOthers.error, SETTINGS_TEXT.failed.endOthers)}
          </Banner>
        )}
        <p className={css.question}>This device stays signed in. Everywhere else your password is asked for again.</p>
      </Dialog>
    </Card>
  );
}

function SessionRow({ session, onEnded }: { readonly session: SessionView; readonly onEnded: () => void }) {
  const { _id, ip, userAgent, isCurrent, isRemembered, createdAt, lastSeenAt, expiresAt } = session;
  const end = useEndSession();
  const { name, isPhone } = deviceName(userAgent);
  const Icon = isPhone ? Smartphone : Monitor;
  const signOut = (): void =>
    end.mutate(_id, {
      onSuccess: () => {
        onEnded();
        showToast('success', `${name} is signed out.`);
      },
      onError: (error) => showToast('error', wordsOf(error, SETTINGS_TEXT.failed.endOne)),
    });
  return (
    <li className={css.row}>
      <Icon aria-hidden="true" className={css.icon} />
      <div className={css.words}>
        <p className={css.name}>
          {name} {isCurrent && <Tag>This device</Tag>}
        </p>
        <p className={css.facts}>
          <span>{isCurrent ? 'In use now' : `Last seen ${formatAgo(lastSeenAt)}`}</span>
          <span>{ip}</span>
          <span>Signed in {formatDateTime(createdAt)}</span>
          {isRemembered && <span>Remembered until {formatDateTime(expiresAt)}</span>}
        </p>
      </div>
      {!isCurrent && (
        <Button
          size="sm"
          icon={<LogOut aria-hidden="true" />}
          busy={end.isPending}
          aria-label={`Sign out ${name}, ${ip}`}
          onClick={signOut}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
