import { MINUTE_MS } from '../lib/time.ts';
import { collectAlerts, keepAlertsSeen } from './alerts/collect-alerts.ts';
import type { NotifyContext } from './context.ts';
import { collectMessages, keepSeen, type Seen } from './webhooks/collect-messages.ts';

/** What happens within it is collected together. */
const GATHER_MS = 200;
/** How long the place in the journal may stand in memory alone while there was nothing to tell. */
const KEEP_MS = 5 * MINUTE_MS;

export interface JournalFollower {
  start(): void;
  stop(): void;
}

/** Collects messages and alerts soon after anything was noted, and once at start for what was noted while the server was off. */
export function followJournal(ctx: NotifyContext): JournalFollower {
  const { db, clock, log } = ctx;
  const stopped = new AbortController();
  const known: Seen = new Map();
  let alertsSeen: number | null = null;
  let keptAt = clock.now();
  let isAsked = false;
  let isCollecting = false;

  const collect = async (): Promise<void> => {
    try {
      await clock.sleep(GATHER_MS, stopped.signal);
      isAsked = false;
      isCollecting = true;
      collectMessages(ctx, known);
      alertsSeen = collectAlerts(ctx, alertsSeen);
      if (clock.now() - keptAt >= KEEP_MS) keep();
    } catch (error) {
      if (!stopped.signal.aborted)
        log.error({ error: String(error) }, 'outgoing webhooks and alerts could not be collected');
    } finally {
      isCollecting = false;
    }
  };
  const keep = (): void => {
    keptAt = clock.now();
    keepSeen(ctx, known);
    if (alertsSeen !== null) keepAlertsSeen(ctx, alertsSeen);
  };
  const ask = (): void => {
    // Its own transactions are no news.
    if (isAsked || isCollecting || stopped.signal.aborted) return;
    isAsked = true;
    void collect();
  };

  return {
    start() {
      db.hooks.afterCommit.add(ask);
      ask();
    },
    stop() {
      db.hooks.afterCommit.delete(ask);
      stopped.abort(new Error('stopped'));
      try {
        keep();
      } catch (error) {
        log.warn({ error: String(error) }, 'the place in the journal could not be written down');
      }
    },
  };
}
