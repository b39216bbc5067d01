import { ApiError } from '../../../api/api-error.ts';
import type { BackupReason, BackupsReply } from '../../../api/client.gen.ts';
import { formatIn, formatNumber, formatWhen } from '../../../hooks/format.ts';

export const BACKUP_REASON_LABEL: Readonly<Record<BackupReason, string>> = {
  daily: 'Daily',
  before_upgrade: 'Before an upgrade',
  before_restore: 'Before a restore',
  by_hand: 'By hand',
};

const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** "48 kB", "3.2 MB": as a directory lists it, with a thousand to the next. */
export function formatSize(bytes: number): string {
  let size = bytes / 1000;
  let at = 0;
  for (; size >= 999.5 && at < UNITS.length - 1; at++) size /= 1000;
  return `${formatNumber(size < 10 ? Math.round(size * 10) / 10 : Math.round(size))} ${UNITS[at]}`;
}

/** When the next daily one comes, and which are kept. */
export function dailyWords(
  { dailyKept, nextDailyAt, isMaking }: Pick<BackupsReply, 'dailyKept' | 'nextDailyAt' | 'isMaking'>,
  now = new Date(),
): string {
  if (nextDailyAt === null)
    return 'None is made by itself: BACKUPS_KEEP is 0. Set it to the number that should be kept, and start the server again.';
  const isDue = new Date(nextDailyAt).getTime() <= now.getTime();
  const next =
    isDue || isMaking ? 'in a moment' : `${formatIn(nextDailyAt, now.getTime())} (${formatWhen(nextDailyAt, now)})`;
  const kept = dailyKept === 1 ? 'Only the newest one is kept' : `The newest ${formatNumber(dailyKept)} are kept`;
  return `The next one is made ${next}. ${kept} (BACKUPS_KEEP); all others stay until you remove them yourself.`;
}

/** A browser or a proxy that waited no longer says nothing about the copy: the server goes on with it, and its list has what became of it. */
export function unansweredWords(error: unknown, isMaking: boolean): string | null {
  if (!(error instanceof ApiError) || ![0, 502, 504].includes(error.status)) return null;
  return isMaking
    ? 'The answer did not come in time, and the backup is still being made: it is listed below once it is complete.'
    : 'The answer did not come. If the backup was made, it is listed below.';
}

/** A path as a shell takes it for one word. */
export function inShell(path: string): string {
  return /^[\w./:@%+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
