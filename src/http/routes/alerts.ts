import { type Alert, AlertSettingsReply, AlertsReply, ChangeAlertsBody } from '../../contracts/alerts.ts';
import { listAlerts } from '../../db/readers/alerts.ts';
import type { AlertRow } from '../../db/schema/alert.ts';
import { isoTime } from '../../lib/time.ts';
import { changeAlertSettings, readAlertSettings } from '../../notify/alerts/manage-alerts.ts';
import type { HttpDeps } from '../deps.ts';
import { caller } from '../plugins/authentication.ts';
import { isoTimeOrNull } from '../present/store.ts';
import type { Server } from '../types.ts';

const RECENT_MAX = 50;

export function alertRoutes(server: Server, { db, notify }: HttpDeps): void {
  server.get('/api/alerts', { schema: { response: { 200: AlertsReply } } }, async (request) => {
    const { id } = caller(request).workspace;
    return { settings: readAlertSettings(notify, id), recent: listAlerts(db, id, RECENT_MAX).map(presentAlert) };
  });

  server.patch(
    '/api/alerts',
    { schema: { body: ChangeAlertsBody, response: { 200: AlertSettingsReply } } },
    async (request) => ({ settings: changeAlertSettings(notify, caller(request).workspace.id, request.body) }),
  );
}

function presentAlert(row: AlertRow): Alert {
  return {
    kind: row.kind,
    message: row.message,
    count: row.count,
    raisedAt: isoTime(row.raisedAt),
    dueAt: isoTime(row.dueAt),
    sentAt: isoTimeOrNull(row.sentAt),
    emailCount: row.emailCount,
    chatCount: row.chatCount,
  };
}
