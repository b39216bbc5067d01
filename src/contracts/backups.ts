import { type Static, Type } from 'typebox';
import { Count, IsoTime, nullable } from './shared.ts';

export const BACKUP_REASONS = ['daily', 'before_upgrade', 'before_restore', 'by_hand'] as const;

export const BackupView = Type.Object({
  /** The file's name in the directory of the backups. */
  name: Type.String(),
  reason: Type.Enum(BACKUP_REASONS),
  madeAt: IsoTime,
  sizeBytes: Count,
});
export type BackupView = Static<typeof BackupView>;
export const BackupReply = Type.Object({ backup: BackupView });
export const BackupsReply = Type.Object({
  /** Newest first. */
  backups: Type.Array(BackupView),
  /** Where they are, as the server's machine calls it. */
  directory: Type.String(),
  /** Daily ones that are kept; 0: none is made. */
  dailyKept: Count,
  nextDailyAt: nullable(IsoTime),
  isMaking: Type.Boolean(),
  /** Of the last try since the server started; null: it went well. */
  lastFailure: nullable(Type.Object({ at: IsoTime, text: Type.String() })),
});
