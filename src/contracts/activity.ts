import { type Static, Type } from 'typebox';
import { Count, Id, IsoTime, NextCursor, nullable, PageQuery } from './shared.ts';

export const ACTIVITY_FILTERS = ['all', 'orders', 'products', 'errors'] as const;
export const ACTIVITY_LEVELS = ['info', 'warning', 'error'] as const;

/** One row of the journal, ready to be read: `text` for people, `type` and `payload` for programs. */
export const Activity = Type.Object({
  seq: Type.Integer(),
  type: Type.String(),
  level: Type.Enum(ACTIVITY_LEVELS),
  text: Type.String(),
  pairId: nullable(Id),
  payload: Type.Unknown(),
  at: IsoTime,
});
export type Activity = Static<typeof Activity>;

/** Newest first. `after`: only what is newer than this seq, oldest first, to catch up after a gap. `before`: only what is older than this seq. */
export const ActivityQuery = Type.Object({
  ...PageQuery.properties,
  filter: Type.Optional(Type.Enum(ACTIVITY_FILTERS)),
  pairId: Type.Optional(Id),
  after: Type.Optional(Type.Integer({ minimum: 0 })),
  before: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type ActivityQuery = Static<typeof ActivityQuery>;

export const ActivityReply = Type.Object({
  activity: Type.Array(Activity),
  filterCounts: Type.Record(Type.Enum(ACTIVITY_FILTERS), Count),
  /** Number of the newest row when this was answered: subscribe from here. */
  lastSeq: Type.Integer(),
  nextCursor: NextCursor,
});
export type ActivityReply = Static<typeof ActivityReply>;
