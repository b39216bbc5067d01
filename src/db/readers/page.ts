import { type SQL, sql } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import { decodeCursor, encodeCursor } from '../../lib/cursor.ts';
import { Refusal } from '../../model/refusal.ts';

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Null: this was the last page. */
  readonly nextCursor: string | null;
}

export interface PageRequest {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

const LIMIT_DEFAULT = 50;

export function limitOf(request: PageRequest): number {
  return request.limit ?? LIMIT_DEFAULT;
}

/** `rows` were asked for with one more than the limit: the extra one only says that there is more. */
export function toPage<Row>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => readonly (string | number)[],
): Page<Row> {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  return { rows: kept, nextCursor: rows.length > limit && last !== undefined ? encodeCursor(keyOf(last)) : null };
}

/** The place that a cursor names, or null for the first page (an empty one is a shell's way to send none). Throws `Refusal` VALIDATION for what is no cursor of ours. */
export function placeOf(request: PageRequest, length: number): readonly (string | number)[] | null {
  if (request.cursor === undefined || request.cursor === '') return null;
  const place = decodeCursor(request.cursor, length);
  if (place !== null) return place;
  const message = 'cursor: take it from the nextCursor of the page before';
  throw new Refusal('VALIDATION', message, { fields: [{ field: 'cursor', message }] });
}

/** "Newer first, then by id", after a place. */
export function beforePlace(time: AnySQLiteColumn, id: AnySQLiteColumn, place: readonly (string | number)[] | null) {
  if (place === null) return undefined;
  return sql`(${time}, ${id}) < (${place[0]}, ${place[1]})`;
}

/** For LIKE with ESCAPE '\\': what people type is text, not a pattern. */
export function likeText(q: string): string {
  return `%${q.trim().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}

/** Whether `column` contains what was typed, in any letter case (of ASCII, as SQLite's LIKE has it). */
export function contains(column: AnySQLiteColumn | SQL, q: string) {
  return sql`${column} LIKE ${likeText(q)} ESCAPE '\\'`;
}
