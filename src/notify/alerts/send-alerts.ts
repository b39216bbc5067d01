import { type Db, transact } from '../../db/database.ts';
import { isAlertOver, listDueAlerts, nextAlertDueAt } from '../../db/readers/alerts.ts';
import { listEndpoints } from '../../db/readers/endpoints.ts';
import { findWorkspace } from '../../db/readers/workspaces.ts';
import type { AlertRow } from '../../db/schema/alert.ts';
import { markAlertSent } from '../../db/writers/alerts.ts';
import type { WorkspaceId } from '../../model/ids.ts';
import type { ClaimedJob, JobOutcome } from '../../model/job.ts';
import { enqueueChat } from '../webhooks/enqueue-message.ts';
import { enqueueAlerts } from './collect-alerts.ts';
import type { AlertContext, Recipient } from './context.ts';

/** More are counted, and stand in the dashboard. */
const LINES_MAX = 20;

/** The job: tells a workspace's people what is due, by email and in their chat, in one message each. */
export function sendAlerts(ctx: AlertContext, job: ClaimedJob): JobOutcome {
  const { workspaceId } = job.payload as { readonly workspaceId: WorkspaceId };
  const wanted = { alerts: ctx.recipients(workspaceId, 'alerts'), usage: ctx.recipients(workspaceId, 'usage') };
  transact(ctx.db, (tx) => {
    const now = ctx.clock.now();
    const workspace = findWorkspace(tx, workspaceId);
    const due = listDueAlerts(tx, workspaceId, now);
    const chats = listEndpoints(tx, workspaceId).filter(({ kind, status }) => kind === 'chat' && status === 'enabled');
    if (workspace !== null && due.length > 0) {
      const lines = linesOf(tx, due);
      const link = `${ctx.webUrl()}/dashboard`;
      for (const { email, firstName, due: own } of sharesOf(due, wanted)) {
        const told = own.length === due.length ? lines : linesOf(tx, own);
        ctx.orderAlertMail(tx, { to: email, firstName, workspace: workspace.name, lines: told, link });
      }
      const text = [`*${workspace.name}*`, ...lines.map((line) => `• ${line}`), link].join('\n');
      for (const endpoint of chats) enqueueChat(ctx, tx, endpoint, text);
    }
    for (const { id, kind } of due) {
      const emailCount = wanted[kind === 'usage' ? 'usage' : 'alerts'].length;
      markAlertSent(tx, id, { sentAt: now, emailCount, chatCount: chats.length });
    }
    const next = nextAlertDueAt(tx, workspaceId);
    if (next !== null) enqueueAlerts(tx, workspaceId, next);
  });
  return { type: 'done' };
}

/** What of it each person wants to be told. */
function sharesOf(
  due: readonly AlertRow[],
  wanted: { readonly alerts: readonly Recipient[]; readonly usage: readonly Recipient[] },
): readonly (Recipient & { readonly due: readonly AlertRow[] })[] {
  const people = new Map([...wanted.alerts, ...wanted.usage].map((person) => [person.email, person]));
  const has = (list: readonly Recipient[], email: string) => list.some((one) => one.email === email);
  return [...people.values()].flatMap((person) => {
    const isTold = { alerts: has(wanted.alerts, person.email), usage: has(wanted.usage, person.email) };
    const own = due.filter(({ kind }) => (kind === 'usage' ? isTold.usage : isTold.alerts));
    return own.length === 0 ? [] : [{ ...person, due: own }];
  });
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
