import { existsSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { compactTimestamp } from '../lib/time.ts';
import type { Db } from './database.ts';

/** Why a copy was made, as its name says it. */
const BACKUP_REASONS = ['daily', 'before_upgrade', 'before_restore', 'by_hand'] as const;
export type BackupReason = (typeof BACKUP_REASONS)[number];

export interface BackupFile {
  readonly name: string;
  readonly reason: BackupReason;
  readonly madeAt: number;
  readonly sizeBytes: number;
}

/** The whole name, so that nothing else is ever taken for one: these are the only copies that are removed. */
const DAILY = /^daily-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/;
const DAILY_LEFT = /^daily-\d{8}T\d{6}Z\.db\.partial(-wal|-shm|-journal)?$/;

/** Left free beside a copy: the server goes on writing while it is made. */
const SPARE_BYTES = 64 * 1024 * 1024;

export function dailyBackupName(nowMs: number): string {
  return `daily-${compactTimestamp(nowMs)}.db`;
}

/** Whole copies in `dir`, newest first. */
export function listBackupFiles(dir: string): readonly BackupFile[] {
  const files = namesIn(dir).flatMap((name): readonly BackupFile[] => {
    if (!name.endsWith('.db')) return [];
    const stat = statSync(join(dir, name), { throwIfNoEntry: false });
    if (!stat?.isFile()) return [];
    const madeAt = dailyTime(name) ?? Math.floor(stat.mtimeMs);
    return [{ name, reason: reasonOf(name), madeAt, sizeBytes: stat.size }];
  });
  return files.sort((a, b) => b.madeAt - a.madeAt || (a.name < b.name ? 1 : -1));
}

/** When the newest daily copy was made, ms; null: there is none. One that is named after a time to come is of a clock that was wrong. */
export function findLastDaily(dir: string, nowMs: number): number | null {
  const times = namesIn(dir).map(dailyTime);
  return times.reduce((last, at) => (at !== null && at <= nowMs && at > (last ?? 0) ? at : last), null);
}

/**
 * Removes all daily copies but the `keep` newest, and returns their names. Those of a time to come go first: the newest one would yield to
 * them each day. What an upgrade, a restore or a person has made stays.
 */
export function pruneDailyBackups(dir: string, keep: number, nowMs: number): readonly string[] {
  const dated = namesIn(dir).flatMap((name) => {
    const at = dailyTime(name);
    return at === null ? [] : [{ name, rank: at > nowMs ? at - Number.MAX_SAFE_INTEGER : at }];
  });
  const gone = dated.sort((a, b) => b.rank - a.rank).slice(Math.max(1, keep));
  for (const { name } of gone) rmSync(join(dir, name), { force: true });
  return gone.map(({ name }) => name);
}

/** What a server that was killed has left of a daily copy. */
export function removeLeftDailies(dir: string): void {
  for (const name of namesIn(dir)) if (DAILY_LEFT.test(name)) rmSync(join(dir, name), { force: true });
}

/** What a copy of `db` needs on the disk of `dir`, which exists, and what is free there. */
export function roomForBackup(db: Db, dir: string): { readonly neededBytes: number; readonly freeBytes: number } {
  const pragma = (name: string) => db.connection.pragma(name, { simple: true }) as number;
  const disk = statfsSync(dir);
  return {
    neededBytes: pragma('page_count') * pragma('page_size') + SPARE_BYTES,
    freeBytes: disk.bavail * disk.bsize,
  };
}

function namesIn(dir: string): readonly string[] {
  return existsSync(dir) ? readdirSync(dir) : [];
}

function dailyTime(name: string): number | null {
  const parts = DAILY.exec(name)?.slice(1).map(Number);
  if (parts === undefined) return null;
  const [year = 0, month = 1, day, hour, minute, second] = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function reasonOf(name: string): BackupReason {
  if (DAILY.test(name)) return 'daily';
  if (/^before-restore-/.test(name)) return 'before_restore';
  return /^before-.*-schema-\d+-to-\d+-/.test(name) ? 'before_upgrade' : 'by_hand';
}
