import type { Tx } from '../../db/database.ts';
import type { WorkspaceId } from '../../model/ids.ts';
import type { NotifyContext } from '../context.ts';

export interface Recipient {
  readonly email: string;
  readonly firstName: string;
}

/** Telling people needs to know who wants to be told, and by which letters. */
export interface AlertContext extends NotifyContext {
  /** Members of a workspace who want such emails. `alerts`: of all kinds but usage. */
  readonly recipients: (workspaceId: WorkspaceId, what: 'alerts' | 'usage' | 'weekly_report') => readonly Recipient[];
  readonly orderAlertMail: (tx: Tx, mail: AlertMail) => void;
  readonly orderReportMail: (tx: Tx, mail: ReportMail) => void;
  /** Where people reach this instance, without a slash at the end. */
  readonly webUrl: () => string;
}

export interface AlertMail {
  readonly to: string;
  readonly firstName: string;
  readonly workspace: string;
  readonly lines: readonly string[];
  readonly link: string;
}

export interface ReportMail extends AlertMail {
  readonly period: string;
}
