import { useEffect, useRef, useState } from 'react';
import { TEXT } from '../../content/messages.en.ts';
import { useOnline } from '../../hooks/use-online.ts';
import css from './offline-banner.module.css';

const BACK_ONLINE_MS = 3_000;

/** On top of everything while there is no network, and for three seconds after it is back. */
export function OfflineBanner() {
  const isOnline = useOnline();
  const wasOffline = useRef(false);
  const [isBack, setBack] = useState(false);
  useEffect(() => {
    if (!isOnline) {
      wasOffline.current = true;
      setBack(false);
      return;
    }
    if (!wasOffline.current) return;
    wasOffline.current = false;
    setBack(true);
    const timer = setTimeout(() => setBack(false), BACK_ONLINE_MS);
    return () => clearTimeout(timer);
  }, [isOnline]);
  return (
    <div aria-live="polite" className={css.place}>
      {!isOnline && <p className={css.offline}>{TEXT.network.offline}</p>}
      {isOnline && isBack && <p className={css.back}>{TEXT.network.backOnline}</p>}
    </div>
  );
}
