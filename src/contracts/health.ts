import { type Static, Type } from 'typebox';

/** `stopping` is heard over a connection that was opened before; a new one is not taken any more. `storage_failed`: the disk is full or can't be written; nothing is synced until it can, and no message could be kept that says so. */
export const HealthReply = Type.Object({
  status: Type.Enum(['ok', 'starting', 'stopping', 'storage_failed']),
  version: Type.String(),
});
export type HealthReply = Static<typeof HealthReply>;
