import { basename } from 'node:path';
import type { Static } from 'typebox';
import { recordAct } from '../../accounts/audit.ts';
import { BackupReply, BackupsReply, type BackupView } from '../../contracts/backups.ts';
import { StartupError } from '../../lib/startup-error.ts';
import { isoTime } from '../../lib/time.ts';
import { AppError, found } from '../app-error.ts';
import type { BackupCopy } from '../backups-api.ts';
import type { HttpDeps } from '../deps.ts';
import { deviceOf } from '../device.ts';
import { person } from '../plugins/authentication.ts';
import { STRICT_LIMITS } from '../plugins/rate-limits.ts';
import { isoTimeOrNull } from '../present/store.ts';
import type { Server } from '../types.ts';

/** For the administrators of the instance. */
export function backupRoutes(server: Server, { accounts, backups }: HttpDeps): void {
  server.get('/api/instance/backups', { schema: { response: { 200: BackupsReply } } }, async () => {
    const failure = backups.lastFailure();
    return {
      backups: backups.list().map(presentBackup),
      directory: backups.dir,
      dailyKept: backups.keep,
      nextDailyAt: isoTimeOrNull(backups.nextAt()),
      isMaking: backups.isMaking(),
      lastFailure: failure === null ? null : { at: isoTime(failure.at), text: failure.text },
    };
  });

  server.post(
    '/api/instance/backups',
    { schema: { response: { 201: BackupReply } }, config: STRICT_LIMITS.backup },
    async (request, reply) => {
      const { user } = person(request);
      const name = basename((await made(backups.make())).file);
      recordAct(accounts, user, deviceOf(request), {
        action: 'instance.backup_made',
        target: name,
        change: { name },
      });
      const copy = found(backups.list().find((one) => one.name === name) ?? null, 'backup');
      return reply.code(201).send({ backup: presentBackup(copy) });
    },
  );
}

/** What a command would print is told here, too: it names what is missing. */
async function made<T>(making: Promise<T>): Promise<T> {
  try {
    return await making;
  } catch (error) {
    if (error instanceof StartupError) throw new AppError('BACKUP_FAILED', `${error.message} ${error.remedy}`);
    throw error;
  }
}

function presentBackup({ madeAt, name, reason, sizeBytes }: BackupCopy): Static<typeof BackupView> {
  return { name, reason, sizeBytes, madeAt: isoTime(madeAt) };
}
