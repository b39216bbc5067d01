import { transact } from '../../db/database.ts';
import { findAlertSettings } from '../../db/readers/alerts.ts';
import { saveAlertSettings } from '../../db/writers/alerts.ts';
import { isTimeZone } from '../../lib/time.ts';
import { type AlertSettings, DEFAULT_ALERT_SETTINGS } from '../../model/alert.ts';
import type { WorkspaceId } from '../../model/ids.ts';
import { Refusal } from '../../model/refusal.ts';
import type { NotifyContext } from '../context.ts';

export type AlertSettingsChange = {
  readonly rules?: Partial<AlertSettings['rules']>;
} & Partial<Omit<AlertSettings, 'rules'>>;

export function readAlertSettings(ctx: Pick<NotifyContext, 'db'>, workspaceId: WorkspaceId): AlertSettings {
  return findAlertSettings(ctx.db, workspaceId) ?? DEFAULT_ALERT_SETTINGS;
}

/** What is not named stays. Counts for what happens from now on. Throws a Refusal: VALIDATION. */
export function changeAlertSettings(
  ctx: Pick<NotifyContext, 'db'>,
  workspaceId: WorkspaceId,
  { rules, ...rest }: AlertSettingsChange,
): AlertSettings {
  if (rest.timeZone !== undefined && !isTimeZone(rest.timeZone)) {
    const message = 'timeZone: write a name like Europe/Berlin';
    throw new Refusal('VALIDATION', message, { fields: [{ field: 'timeZone', message }] });
  }
  return transact(ctx.db, (tx) => {
    const settings = readAlertSettings({ db: tx }, workspaceId);
    const next = { ...settings, ...rest, rules: { ...settings.rules, ...rules } };
    saveAlertSettings(tx, workspaceId, next);
    return next;
  });
}
