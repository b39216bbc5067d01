import { join } from 'node:path';
import { BRAND } from '../brand.ts';
import { type BackupInfo, backupDatabase } from '../db/backup.ts';
import {
  type BackupFile,
  dailyBackupName,
  findLastDaily,
  listBackupFiles,
  pruneDailyBackups,
  removeLeftDailies,
  roomForBackup,
} from '../db/backup-files.ts';
import type { Db } from '../db/database.ts';
import { nextTime } from '../jobs/recurrence.ts';
import { makeDirectory } from '../lib/make-directory.ts';
import { StartupError } from '../lib/startup-error.ts';
import { compactTimestamp, HOUR_MS, MINUTE_MS } from '../lib/time.ts';
import { Refusal } from '../model/refusal.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { finishCopyAside } from './finish-copy-aside.ts';

export interface BackupsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly dir: string;
  /** Daily copies that are kept; 0: none is made, and none removed. */
  readonly keep: number;
  /** In whose night the daily copy is made; left out: the machine's. */
  readonly timeZone?: string;
  readonly room?: typeof roomForBackup;
}

export interface BackupFailure {
  readonly at: number;
  readonly text: string;
}

/** The copies that the server makes of its own database. */
export interface Backups {
  readonly dir: string;
  readonly keep: number;
  /** Newest first. */
  list(): readonly BackupFile[];
  /** When the next daily copy is made, ms; null: none ever is. */
  nextAt(): number | null;
  /** Of the last try, whoever asked for it; null: it went well, or there was none since the start. */
  lastFailure(): BackupFailure | null;
  isMaking(): boolean;
  /** A copy by hand. Throws `StartupError` where there is no room, and a `Refusal` where one is being made or the server stops. */
  make(): Promise<BackupInfo>;
  /** Makes the daily copy if it is due. */
  makeDaily(): Promise<void>;
  start(): void;
  /** Gives up what is being made. The database may be closed after it. */
  stop(): Promise<void>;
}

/** What was missed while the server was off is caught up this long after its start, when the rush is over, ms. */
const AFTER_START_MS = 10 * MINUTE_MS;
/** A copy that failed is tried again so much later, ms. */
const RETRY_MS = HOUR_MS;

export function createBackups(options: BackupsOptions): Backups {
  const { db, clock, log, dir, keep, room = roomForBackup } = options;
  const timeZone = options.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const stopped = new AbortController();
  const startedAt = clock.now();
  let failure: BackupFailure | null = null;
  let retryAt = 0;
  let making: Promise<BackupInfo> | null = null;

  function nextAt(): number | null {
    if (keep === 0) return null;
    const last = findLastDaily(dir, clock.now());
    const due = last === null ? 0 : nextTime({ type: 'daily', timeZone }, last, 'backup');
    return Math.max(due, startedAt + AFTER_START_MS, retryAt);
  }

  async function copyTo(name: string): Promise<BackupInfo> {
    if (making !== null)
      throw new Refusal('BACKUP_UNDER_WAY', 'A backup is being made already. Wait until it is ready.');
    making = copy(name);
    try {
      const info = await making;
      failure = null;
      return info;
    } catch (error) {
      // What it says of the disk is not so: nothing was wrong with it.
      if (stopped.signal.aborted) throw new Refusal('NOT_READY', 'The server is stopping. Try again in a moment.');
      failure = { at: clock.now(), text: textOf(error) };
      throw error;
    } finally {
      making = null;
    }
  }

  async function copy(name: string): Promise<BackupInfo> {
    makeDirectory(dir);
    const { neededBytes, freeBytes } = room(db, dir);
    if (freeBytes < neededBytes) {
      throw new StartupError(
        `A backup needs ${megabytes(neededBytes)} MB free; ${dir} has ${megabytes(freeBytes)} MB.`,
        'Free some space. The backups of before stay.',
      );
    }
    return await backupDatabase(db, join(dir, name), { finish: finishCopyAside, signal: stopped.signal });
  }

  async function makeDaily(): Promise<void> {
    const dueAt = nextAt();
    if (dueAt === null || dueAt > clock.now() || making !== null || stopped.signal.aborted) return;
    try {
      removeLeftDailies(dir);
      const { file, sizeBytes } = await copyTo(dailyBackupName(clock.now()));
      log.info({ file, sizeBytes }, 'made the daily backup');
    } catch (error) {
      if (stopped.signal.aborted) return;
      retryAt = clock.now() + RETRY_MS;
      log.warn({ error: textOf(error) }, 'the daily backup was not made; it is tried again in an hour');
      return;
    }
    try {
      const removed = pruneDailyBackups(dir, keep, clock.now());
      if (removed.length > 0) log.info({ removed }, 'removed old daily backups');
    } catch (error) {
      log.warn(
        { error: textOf(error) },
        'an old daily backup could not be removed; it is tried again with the next one',
      );
    }
  }

  async function loop(): Promise<void> {
    while (!stopped.signal.aborted) {
      let waitMs = RETRY_MS;
      try {
        await makeDaily();
        waitMs = Math.min(RETRY_MS, (nextAt() ?? 0) - clock.now());
      } catch (error) {
        log.error({ error: textOf(error) }, 'the directory of the backups can not be read');
      }
      await clock.sleep(Math.max(MINUTE_MS, waitMs), stopped.signal).catch(() => undefined);
    }
  }

  return {
    ...{ dir, keep, nextAt, makeDaily },
    list: () => listBackupFiles(dir),
    lastFailure: () => failure,
    isMaking: () => making !== null,
    make: () => copyTo(`${BRAND.slug}-${compactTimestamp(clock.now())}.db`),
    start() {
      if (keep > 0) void loop();
    },
    async stop() {
      stopped.abort(new Error('the server stops'));
      await making?.catch(() => undefined);
    },
  };
}

function textOf(error: unknown): string {
  if (error instanceof StartupError) return `${error.message} ${error.remedy}`;
  return error instanceof Error ? error.message : String(error);
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / (1024 * 1024));
}
