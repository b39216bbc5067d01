import { collectAlerts } from './alerts/collect-alerts.ts';
import type { NotifyContext } from './context.ts';
import { collectMessages, type Seen } from './webhooks/collect-messages.ts';

/** What happens within it is collected together. */
const GATHER_MS = 200;

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
  let isAsked = false;
  let isCollecting = false;

  const collect = async (): Promise<void> => {
    try {
      await clock.sleep(GATHER_MS, stopped.signal);
      isAsked = false;
      isCollecting = true;
      collectMessages(ctx, known);
      alertsSeen = collectAlerts(ctx, alertsSeen);
    } catch (error) {
      if (!stopped.signal.aborted)
        log.error({ error: String(error) }, 'outgoing webhooks and alerts could not be collected');
    } finally {
      isCollecting = false;
    }
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
    },
  };
}
