import type { BACKUP_REASONS } from '../contracts/backups.ts';

export interface BackupCopy {
  readonly name: string;
  readonly reason: (typeof BACKUP_REASONS)[number];
  readonly madeAt: number;
  readonly sizeBytes: number;
}

/** The copies of the database as routes see them: `app.ts` passes the real ones, tests their own. */
export interface BackupsApi {
  readonly dir: string;
  readonly keep: number;
  /** Newest first. */
  list(): readonly BackupCopy[];
  nextAt(): number | null;
  lastFailure(): { readonly at: number; readonly text: string } | null;
  isMaking(): boolean;
  /** Throws a `Refusal` where one is being made, and a `StartupError` with its remedy where none could be. */
  make(): Promise<{ readonly file: string }>;
}
