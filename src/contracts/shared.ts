import { type Static, type TSchema, Type } from 'typebox';

/** Parts that several contracts share. Contracts import nothing but `model` and TypeBox: the web app reads them too. */

export const ID_PATTERN = '^[A-Za-z0-9_-]+$';
export const Id = Type.String({ minLength: 1, maxLength: 64, pattern: ID_PATTERN });

/** ISO-8601, UTC, milliseconds. */
export const IsoTime = Type.String({ maxLength: 40 });

export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

export const IdParams = Type.Object({ id: Id });

export const PAGE_LIMIT_MAX = 200;

export const Cursor = Type.String({ maxLength: 512 });
export const PageLimit = Type.Integer({ minimum: 1, maximum: PAGE_LIMIT_MAX });
export const SearchText = Type.String({ maxLength: 200 });

/** Query of a list that is read page by page: give back `nextCursor` as `cursor` until it is null. */
export const PageQuery = Type.Object({ cursor: Type.Optional(Cursor), limit: Type.Optional(PageLimit) });
export type PageQuery = Static<typeof PageQuery>;

export const NextCursor = nullable(Type.String());

/** Integer minor units (cents); the currency stands beside it. */
export const Minor = nullable(Type.Integer());

/** Amount of people, not of money. */
export const Count = Type.Integer({ minimum: 0 });

export const Ok = Type.Object({ ok: Type.Literal(true) });
export type Ok = Static<typeof Ok>;
