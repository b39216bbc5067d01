import { type Tx, transact } from '../../db/database.ts';
import { findAlertSettings } from '../../db/readers/alerts.ts';
import { listWorkspacePairs } from '../../db/readers/list-pairs.ts';
import { readRunTotals } from '../../db/readers/list-runs.ts';
import { readOverviewCounts } from '../../db/readers/view-overview.ts';
import { findWorkspace, listOwnWorkspaces } from '../../db/readers/workspaces.ts';
import { enqueueJob } from '../../db/writers/jobs.ts';
import { DAY_MS } from '../../lib/time.ts';
import { DEFAULT_ALERT_SETTINGS } from '../../model/alert.ts';
import type { WorkspaceId } from '../../model/ids.ts';
import { type ClaimedJob, JOB_PRIORITY, type JobOutcome } from '../../model/job.ts';
import type { AlertContext } from './context.ts';
import { nextMinuteOfDay } from './wall-clock.ts';

export const WEEKLY_REPORT = 'weekly_report';
const REPORT_AT_MINUTE = 8 * 60;
const WEEK_MS = 7 * DAY_MS;

/** Orders each workspace's report for its next Monday morning. Called once a day; one that is ordered already stays. */
export function orderWeeklyReports(ctx: Pick<AlertContext, 'db' | 'clock'>): void {
  const now = ctx.clock.now();
  transact(ctx.db, (tx) => {
    for (const { id } of listOwnWorkspaces(tx)) {
      const { timeZone } = findAlertSettings(tx, id) ?? DEFAULT_ALERT_SETTINGS;
      enqueueJob(tx, {
        key: `weekly_report:${id}`,
        task: WEEKLY_REPORT,
        groupKey: id,
        payload: { workspaceId: id },
        priority: JOB_PRIORITY.notify,
        runAt: nextMonday(now, timeZone),
      });
    }
  });
}

/** The job: last week in numbers, to those who want it. */
export function sendWeeklyReport(ctx: AlertContext, job: ClaimedJob): JobOutcome {
  const { workspaceId } = job.payload as { readonly workspaceId: WorkspaceId };
  const recipients = ctx.recipients(workspaceId, 'weekly_report');
  if (recipients.length === 0) return { type: 'done' };
  transact(ctx.db, (tx) => {
    const workspace = findWorkspace(tx, workspaceId);
    if (workspace === null) return;
    const now = ctx.clock.now();
    const { timeZone } = findAlertSettings(tx, workspaceId) ?? DEFAULT_ALERT_SETTINGS;
    const day = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'medium' });
    const mail = {
      workspace: workspace.name,
      period: `${day.format(now - WEEK_MS)} to ${day.format(now)}`,
      lines: linesOf(tx, workspaceId, now - WEEK_MS),
      link: `${ctx.webUrl()}/dashboard`,
    };
    for (const { email, firstName } of recipients) ctx.orderReportMail(tx, { to: email, firstName, ...mail });
  });
  return { type: 'done' };
}

function linesOf(tx: Tx, workspaceId: WorkspaceId, since: number): readonly string[] {
  const totals = readRunTotals(tx, workspaceId, since, undefined);
  const counts = readOverviewCounts(tx, workspaceId, since);
  const { completed, failed, cancelled } = totals.byStatus;
  const measured = listWorkspacePairs(tx, workspaceId).flatMap(({ pair, woocommerce, shopify }) =>
    pair.accuracy === null
      ? []
      : [
          `${woocommerce.name} and ${shopify.name}: ${pair.accuracy.equal} of ${pair.accuracy.compared} fields were equal when both were last compared`,
        ],
  );
  return [
    `${totals.changes} changes were written to the stores`,
    `${completed} syncs completed, ${failed} failed, ${cancelled} were cancelled`,
    `${counts.openConflicts} conflicts and ${counts.openProblems} problems wait for you`,
    ...measured,
  ];
}

/** The next Monday morning after `now`. */
export function nextMonday(now: number, timeZone: string): number {
  const weekday = new Intl.DateTimeFormat('en', { timeZone, weekday: 'short' });
  let at = nextMinuteOfDay(now + 1, REPORT_AT_MINUTE, timeZone);
  while (weekday.format(at) !== 'Mon') at = nextMinuteOfDay(at + 1, REPORT_AT_MINUTE, timeZone);
  return at;
}
