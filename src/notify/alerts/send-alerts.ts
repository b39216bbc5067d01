import { type Db, transact } from '../../db/database.ts';
import { isAlertOver, listDueAlerts, nextAlertDueAt } from '../../db/readers/alerts.ts';
import { listEndpoints } from '../../db/readers/endpoints.ts';
import { findWorkspace } from '../../db/readers/workspaces.ts';
import type { AlertRow } from '../../db/schema/alert.ts';
import { markAlertsSent } from '../../db/writers/alerts.ts';
import type { WorkspaceId } from '../../model/ids.ts';
import type { ClaimedJob, JobOutcome } from '../../model/job.ts';
import { enqueueChat } from '../webhooks/enqueue-message.ts';
import { enqueueAlerts } from './collect-alerts.ts';
import type { AlertContext } from './context.ts';

/** More are counted, and stand in the dashboard. */
const LINES_MAX = 20;

/** The job: tells a workspace's people what is due, by email and in their chat, in one message each. */
export function sendAlerts(ctx: AlertContext, job: ClaimedJob): JobOutcome {
  const { workspaceId } = job.payload as { readonly workspaceId: WorkspaceId };
  const recipients = ctx.recipients(workspaceId, 'alerts');
  transact(ctx.db, (tx) => {
    const now = ctx.clock.now();
    const workspace = findWorkspace(tx, workspaceId);
    const due = listDueAlerts(tx, workspaceId, now);
    if (workspace !== null && due.length > 0) {
      const lines = linesOf(tx, due);
      const link = `${ctx.webUrl()}/dashboard`;
      for (const { email, firstName } of recipients)
        ctx.orderAlertMail(tx, { to: email, firstName, workspace: workspace.name, lines, link });
      const text = [`*${workspace.name}*`, ...lines.map((line) => `• ${line}`), link].join('\n');
      for (const endpoint of listEndpoints(tx, workspaceId))
        if (endpoint.kind === 'chat' && endpoint.status === 'enabled') enqueueChat(ctx, tx, endpoint, text);
    }
    markAlertsSent(
      tx,
      due.map(({ id }) => id),
      now,
    );
    const next = nextAlertDueAt(tx, workspaceId);
    if (next !== null) enqueueAlerts(tx, workspaceId, next);
  });
  return { type: 'done' };
}

function linesOf(db: Db, due: readonly AlertRow[]): readonly string[] {
  const lines = due.slice(0, LINES_MAX).map((alert) => {
    const { message, count } = alert;
    // What was settled in the evening does not wait for a decision in the morning.
    const line = isAlertOver(db, alert) ? `Over by now: ${message}` : message;
    return count === 1 ? line : `${line} (${count} times)`;
  });
  const more = due.length - lines.length;
  return more === 0 ? lines : [...lines, `And ${more} more: see the dashboard.`];
}
