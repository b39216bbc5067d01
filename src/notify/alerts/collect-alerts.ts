import type { Tx } from '../../db/database.ts';
import { transact } from '../../db/database.ts';
import { findAlertSettings, findWaitingAlert, lastAlertSentAt, listAlarmingEvents } from '../../db/readers/alerts.ts';
import { latestEventSeq } from '../../db/readers/events.ts';
import { findMeta } from '../../db/readers/meta.ts';
import { nameEvent } from '../../db/readers/name-event.ts';
import { isOfSandbox } from '../../db/readers/sandbox.ts';
import { findWorkspace } from '../../db/readers/workspaces.ts';
import type { EventRow } from '../../db/schema/machinery.ts';
import { insertAlert, repeatAlert } from '../../db/writers/alerts.ts';
import { enqueueJob } from '../../db/writers/jobs.ts';
import { setMeta } from '../../db/writers/meta.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import { type AlertMode, type AlertSettings, DEFAULT_ALERT_SETTINGS } from '../../model/alert.ts';
import type { WorkspaceId } from '../../model/ids.ts';
import { JOB_PRIORITY } from '../../model/job.ts';
import type { NotifyContext } from '../context.ts';
import { alertOfEvent } from './alert-of-event.ts';
import { endOfQuiet, nextMinuteOfDay } from './wall-clock.ts';

export const SEND_ALERTS = 'send_alerts';

const SEEN = 'alerts.seen_seq';
const PAGE = 200;
/** What happens within it goes out together. */
const GATHER_MS = MINUTE_MS;
/** A bad night is a handful of messages, not hundreds. */
const PAUSE_MS = 10 * MINUTE_MS;

/**
 * Turns what the journal noted into alerts, each once: alerts and the place in the journal are one transaction, and where there is no alert
 * nothing is written. `after`: up to where the journal was looked at, where the caller remembers it. Returns up to where it is looked at now.
 */
export function collectAlerts(ctx: NotifyContext, after: number | null = null): number {
  const latest = latestEventSeq(ctx.db);
  const stored = after ?? storedPlace(ctx, latest);
  for (let seen = stored; seen < latest; ) {
    const events = listAlarmingEvents(ctx.db, seen, latest, PAGE);
    const through = events.length === PAGE ? (events.at(-1)?.seq ?? latest) : latest;
    if (events.length > 0)
      transact(ctx.db, (tx) => {
        for (const event of events) raise(ctx, tx, event);
        setMeta(tx, SEEN, String(through));
      });
    seen = through;
  }
  return latest;
}

/** Writes down up to where the journal was looked at, so that a later version does not look again at what this one had nothing to say about. */
export function keepAlertsSeen(ctx: NotifyContext, seen: number): void {
  if (findMeta(ctx.db, SEEN) !== String(seen)) transact(ctx.db, (tx) => setMeta(tx, SEEN, String(seen)));
}

/** An instance that never told anybody begins with what happens from now on. */
function storedPlace(ctx: NotifyContext, latest: number): number {
  const stored = findMeta(ctx.db, SEEN);
  if (stored === null) transact(ctx.db, (tx) => setMeta(tx, SEEN, String(latest)));
  return stored === null ? latest : Number(stored);
}

function raise(ctx: NotifyContext, tx: Tx, event: EventRow): void {
  const found = alertOfEvent(event, nameEvent(tx, event));
  const { workspaceId } = event;
  if (found === null || findWorkspace(tx, workspaceId)?.isDemo !== false || isOfSandbox(tx, event)) return;
  const settings = findAlertSettings(tx, workspaceId) ?? DEFAULT_ALERT_SETTINGS;
  const mode = settings.rules[found.kind];
  if (mode === 'off') return;
  const waiting = findWaitingAlert(tx, workspaceId, found.kind, found.subject);
  if (waiting !== null) {
    repeatAlert(tx, waiting.id, found.message);
    return;
  }
  const now = ctx.clock.now();
  const dueAt = dueTime(now, lastAlertSentAt(tx, workspaceId), mode, settings);
  insertAlert(tx, { ...found, workspaceId, count: 1, dueAt, raisedAt: now, sentAt: null, emailCount: 0, chatCount: 0 });
  enqueueAlerts(tx, workspaceId, dueAt);
}

/** When an alert goes out, ms. */
export function dueTime(
  now: number,
  lastSentAt: number,
  mode: Exclude<AlertMode, 'off'>,
  { quietHours, digestAt, timeZone }: AlertSettings,
): number {
  const at =
    mode === 'digest' ? nextMinuteOfDay(now, digestAt, timeZone) : Math.max(now + GATHER_MS, lastSentAt + PAUSE_MS);
  return endOfQuiet(at, quietHours, timeZone);
}

export function enqueueAlerts(tx: Tx, workspaceId: WorkspaceId, runAt: number): void {
  enqueueJob(tx, {
    key: `alerts:${workspaceId}`,
    task: SEND_ALERTS,
    groupKey: workspaceId,
    payload: { workspaceId },
    priority: JOB_PRIORITY.notify,
    runAt,
  });
}
