import { and, desc, eq, isNotNull, isNull, lte, max, min } from 'drizzle-orm';
import { type AlertSettings, DEFAULT_ALERT_SETTINGS } from '../../model/alert.ts';
import type { PairId, WorkspaceId } from '../../model/ids.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import { type AlertRow, alert, alertSettings } from '../schema/alert.ts';
import type { EventRow } from '../schema/machinery.ts';

export function findAlertSettings(db: Db, workspaceId: WorkspaceId): AlertSettings | null {
  const row = db.query.select().from(alertSettings).where(eq(alertSettings.workspaceId, workspaceId)).get();
  if (row === undefined) return null;
  // Rules that came with a later version than the one that stored these.
  return { ...row.settings, rules: { ...DEFAULT_ALERT_SETTINGS.rules, ...row.settings.rules } };
}

/** What waits to be told and is due, the oldest first. */
export function listDueAlerts(db: Db, workspaceId: WorkspaceId, now: number): readonly AlertRow[] {
  return db.query
    .select()
    .from(alert)
    .where(and(eq(alert.workspaceId, workspaceId), isNull(alert.sentAt), lte(alert.dueAt, now)))
    .orderBy(alert.raisedAt, alert.id)
    .all();
}

/** When the first of what still waits is due, ms; null: nothing waits. */
export function nextAlertDueAt(db: Db, workspaceId: WorkspaceId): number | null {
  const row = db.query
    .select({ at: min(alert.dueAt) })
    .from(alert)
    .where(and(eq(alert.workspaceId, workspaceId), isNull(alert.sentAt)))
    .get();
  return row?.at ?? null;
}

export function findWaitingAlert(
  db: Db,
  workspaceId: WorkspaceId,
  kind: AlertRow['kind'],
  subject: string,
): AlertRow | null {
  return (
    db.query
      .select()
      .from(alert)
      .where(
        and(eq(alert.workspaceId, workspaceId), eq(alert.kind, kind), eq(alert.subject, subject), isNull(alert.sentAt)),
      )
      .get() ?? null
  );
}

/** When a workspace was told anything last, ms; 0: never. */
export function lastAlertSentAt(db: Db, workspaceId: WorkspaceId): number {
  const row = db.query
    .select({ at: max(alert.sentAt) })
    .from(alert)
    .where(and(eq(alert.workspaceId, workspaceId), isNotNull(alert.sentAt)))
    .get();
  return row?.at ?? 0;
}

/** What people were told and will be told, newest first. */
export function listAlerts(db: Db, workspaceId: WorkspaceId, limit: number): readonly AlertRow[] {
  return db.query
    .select()
    .from(alert)
    .where(eq(alert.workspaceId, workspaceId))
    .orderBy(desc(alert.raisedAt), desc(alert.id))
    .limit(limit)
    .all();
}

const alarming = rawStatement<
  [after: number, through: number, limit: number],
  Omit<EventRow, 'payload'> & { payload: string }
>(
  `SELECT seq, workspace_id AS workspaceId, pair_id AS pairId, type, payload, at FROM event
   WHERE seq > ? AND seq <= ?
     AND type IN ('run_failed', 'store_health_changed', 'pair_halted', 'problem', 'conflict_opened', 'usage_alert')
   ORDER BY seq LIMIT ?`,
);

/** Events that may be worth an alert, oldest first. */
export function listAlarmingEvents(db: Db, after: number, through: number, limit: number): readonly EventRow[] {
  return alarming(db)
    .all(after, through, limit)
    .map((row) => ({ ...row, pairId: row.pairId as PairId | null, payload: JSON.parse(row.payload) }));
}

type Open = { readonly open: number | null };
const openConflict = rawStatement<[product: string, field: string], Open>(
  "SELECT max(state = 'open') AS open FROM conflict WHERE product_id = ? AND field = ?",
);
const openProblem = rawStatement<[workspace: string, code: string, subject: string], Open>(
  "SELECT max(state = 'open') AS open FROM problem WHERE workspace_id = ? AND code = ? AND subject = ?",
);
const shutStore = rawStatement<[id: string], Open>("SELECT status <> 'connected' AS open FROM store WHERE id = ?");
const haltedPair = rawStatement<[id: string], Open>("SELECT status = 'halted' AS open FROM pair WHERE id = ?");

/** Whether it is known that what an alert tells of is not so any more: it may have waited for a digest, or for quiet hours to end. */
export function isAlertOver(
  db: Db,
  { workspaceId, kind, subject }: Pick<AlertRow, 'workspaceId' | 'kind' | 'subject'>,
): boolean {
  const [first = '', ...rest] = subject.split(':');
  switch (kind) {
    case 'conflict_waiting':
      return openConflict(db).get(first, rest.join(':'))?.open === 0;
    case 'oversold':
      return openProblem(db).get(workspaceId, 'OVERSOLD', subject)?.open === 0;
    case 'store_unreachable':
      return (
        shutStore(db).get(subject)?.open === 0 && openProblem(db).get(workspaceId, 'STORE_AWAY', subject)?.open !== 1
      );
    case 'pair_halted':
      return haltedPair(db).get(subject)?.open === 0;
    default:
      return false;
  }
}
