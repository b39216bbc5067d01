import { useEffect, useState } from 'react';
import { useLiveStatus } from '../../api/live.ts';
import { classNames } from '../../components/class-names.ts';
import { TEXT } from '../../content/messages.en.ts';
import css from './live-badge.module.css';

const CONNECTED_SHOWN_MS = 3_000;

/** The state of the live channel. What works is shown for three seconds; what does not stays. */
export function LiveBadge() {
  const status = useLiveStatus();
  const [isHidden, setHidden] = useState(false);
  useEffect(() => {
    setHidden(false);
    if (status !== 'connected') return;
    const timer = setTimeout(() => setHidden(true), CONNECTED_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [status]);
  return (
    <div role="status">
      {!isHidden && (
        <span className={classNames(css.badge, css[status])}>
          <span className={css.dot} aria-hidden="true" />
          <span className={css.text}>{TEXT.live[status]}</span>
        </span>
      )}
    </div>
  );
}
