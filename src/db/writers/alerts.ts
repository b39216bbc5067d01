import { eq, sql } from 'drizzle-orm';
import type { AlertSettings } from '../../model/alert.ts';
import type { WorkspaceId } from '../../model/ids.ts';
import type { Tx } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import { type AlertRow, alert, alertSettings } from '../schema/alert.ts';

export function saveAlertSettings(tx: Tx, workspaceId: WorkspaceId, settings: AlertSettings): void {
  tx.query
    .insert(alertSettings)
    .values({ workspaceId, settings })
    .onConflictDoUpdate({ target: alertSettings.workspaceId, set: { settings } })
    .run();
}

export function insertAlert(tx: Tx, row: Omit<AlertRow, 'id'>): void {
  tx.query.insert(alert).values(row).run();
}

/** The same trouble once more: its newest words stand. */
export function repeatAlert(tx: Tx, id: number, message: string): void {
  tx.query
    .update(alert)
    .set({ message, count: sql`${alert.count} + 1` })
    .where(eq(alert.id, id))
    .run();
}

const markSent = rawStatement<[at: number, emails: number, chats: number, id: number]>(
  'UPDATE alert SET sent_at = ?, email_count = ?, chat_count = ? WHERE id = ?',
);

export function markAlertSent(
  tx: Tx,
  id: number,
  { sentAt, emailCount, chatCount }: Pick<AlertRow, 'emailCount' | 'chatCount'> & { readonly sentAt: number },
): void {
  markSent(tx).run(sentAt, emailCount, chatCount, id);
}

const deleteOld = rawStatement<[before: number, max: number]>(
  'DELETE FROM alert WHERE id IN (SELECT id FROM alert WHERE raised_at < ? AND sent_at IS NOT NULL LIMIT ?)',
);

/** Forgets alerts that were sent, at most `max` in one go. Returns how many. */
export function pruneAlerts(tx: Tx, beforeMs: number, max: number): number {
  return deleteOld(tx).run(beforeMs, max).changes;
}
