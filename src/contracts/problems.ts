import { type Static, Type } from 'typebox';
import { PLATFORMS } from '../model/platform.ts';
import { Count, Id, IsoTime, NextCursor, nullable, PageQuery, SearchText } from './shared.ts';

export const PROBLEM_LEVELS = ['warning', 'error'] as const;
export const PROBLEM_STATES = ['open', 'closed'] as const;

/** Something that failed or was refused, shown until it is gone. */
export const Problem = Type.Object({
  _id: Id,
  pairId: nullable(Id),
  storeId: nullable(Id),
  recordId: nullable(Id),
  recordTitle: nullable(Type.String()),
  side: nullable(Type.Enum(PLATFORMS)),
  subject: Type.String(),
  code: Type.String(),
  level: Type.Enum(PROBLEM_LEVELS),
  message: Type.String(),
  remedy: Type.String(),
  details: Type.Unknown(),
  count: Count,
  state: Type.Enum(PROBLEM_STATES),
  firstAt: IsoTime,
  lastAt: IsoTime,
});
export type Problem = Static<typeof Problem>;

export const ProblemsQuery = Type.Object({
  ...PageQuery.properties,
  pairId: Type.Optional(Id),
  storeId: Type.Optional(Id),
  state: Type.Optional(Type.Enum(PROBLEM_STATES)),
  level: Type.Optional(Type.Enum(PROBLEM_LEVELS)),
  code: Type.Optional(Type.String({ maxLength: 64 })),
  q: Type.Optional(SearchText),
});
export type ProblemsQuery = Static<typeof ProblemsQuery>;

export const ProblemsReply = Type.Object({
  problems: Type.Array(Problem),
  total: Count,
  nextCursor: NextCursor,
});
export type ProblemsReply = Static<typeof ProblemsReply>;
