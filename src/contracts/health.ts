import { type Static, Type } from 'typebox';

export const HealthReply = Type.Object({ status: Type.Enum(['ok', 'starting', 'stopping']), version: Type.String() });
export type HealthReply = Static<typeof HealthReply>;
