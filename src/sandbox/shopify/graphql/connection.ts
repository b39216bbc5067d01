import type { RequestContext } from '../state.ts';
import { badRequest } from './api-error.ts';

const PAGE_SIZE_MAX = 250;
/** Facts, section 3: paging past the 25,000th object is an error. */
const WALK_MAX = 25_000;

export interface ConnectionArgs {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
  readonly reverse?: boolean | null;
}

export interface ConnectionOptions<T> {
  /** Already in the order asked for, `reverse` not yet applied; ties broken by id. */
  readonly rows: readonly T[];
  idOf(row: T): number;
  /** The value sorted by; the id when left out. */
  sortValueOf?(row: T): number | string;
  matches?(row: T): boolean;
}

export interface ConnectionPage {
  readonly rows: readonly unknown[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  cursorOf(row: unknown): string;
}

interface Cursor {
  readonly id: number;
  readonly value: number | string;
  /** How many objects the walk has passed, to know when it goes too far. */
  readonly walked: number;
}

export function connectionPage<T>(
  ctx: RequestContext,
  args: ConnectionArgs,
  options: ConnectionOptions<T>,
  isRoot = false,
): ConnectionPage {
  const sortValue = options.sortValueOf ?? options.idOf;
  const ordered = args.reverse ? [...options.rows].reverse() : options.rows;
  if (ctx.bulk) {
    if (isRoot) ctx.bulk.rootTotal = Math.max(ctx.bulk.rootTotal, ordered.length);
    const slice = isRoot ? ordered.slice(ctx.bulk.from, ctx.bulk.to) : ordered;
    const rows = options.matches ? slice.filter(options.matches) : slice;
    return { rows, hasNextPage: false, hasPreviousPage: false, cursorOf: () => '' };
  }
  const size = pageSize(args);
  const direction = args.reverse ? -1 : 1;
  const after = args.after ? readCursor(args.after) : null;
  const before = args.before ? readCursor(args.before) : null;
  const compareTo = (row: T, cursor: Cursor) => direction * compareKeys(sortValue(row), options.idOf(row), cursor);
  const start = after ? firstIndex(ordered, (row) => compareTo(row, after) > 0) : 0;
  const end = before ? firstIndex(ordered, (row) => compareTo(row, before) >= 0) : ordered.length;

  const rows: T[] = [];
  let hasMore = false;
  const forward = args.last === undefined || args.last === null;
  for (let step = 0; step < end - start; step += 1) {
    const row = ordered[forward ? start + step : end - 1 - step];
    if (row === undefined || (options.matches && !options.matches(row))) continue;
    if (rows.length === size) {
      hasMore = true;
      break;
    }
    rows.push(row);
  }
  if (!forward) rows.reverse();
  const walkedBefore = after?.walked ?? 0;
  if (walkedBefore + rows.length > WALK_MAX)
    throw badRequest(`Pagination is limited to ${WALK_MAX} objects. Add a filter to narrow the list.`);
  const positions = new Map<unknown, number>(rows.map((row, index) => [row, walkedBefore + index + 1]));
  return {
    rows,
    hasNextPage: forward ? hasMore : before !== null,
    hasPreviousPage: forward ? after !== null : hasMore,
    cursorOf: (row) =>
      writeCursor({ id: options.idOf(row as T), value: sortValue(row as T), walked: positions.get(row) ?? 0 }),
  };
}

function pageSize(args: ConnectionArgs): number {
  const first = args.first ?? null;
  const last = args.last ?? null;
  if (first === null && last === null) throw badRequest('you must provide one of first or last');
  if (first !== null && last !== null) throw badRequest('providing both first and last is not supported');
  const size = first ?? last ?? 0;
  const name = first === null ? 'last' : 'first';
  if (size < 0) throw badRequest(`${name} cannot be negative`);
  if (size > PAGE_SIZE_MAX) throw badRequest(`${name} cannot exceed ${PAGE_SIZE_MAX}`);
  return size;
}

function compareKeys(value: number | string, id: number, cursor: { value: number | string; id: number }): number {
  if (value < cursor.value) return -1;
  if (value > cursor.value) return 1;
  return id - cursor.id;
}

/** Binary search: the first row for which the predicate holds, given that it holds for all later ones. */
function firstIndex<T>(rows: readonly T[], holds: (row: T) => boolean): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (row !== undefined && holds(row)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function writeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify({ last_id: cursor.id, last_value: cursor.value, walked: cursor.walked })).toString(
    'base64',
  );
}

function readCursor(text: string): Cursor {
  try {
    const parsed = JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as {
      last_id?: unknown;
      last_value?: unknown;
      walked?: unknown;
    };
    const { last_id: id, last_value: value } = parsed;
    if (typeof id === 'number' && (typeof value === 'number' || typeof value === 'string')) {
      return { id, value, walked: typeof parsed.walked === 'number' ? parsed.walked : 0 };
    }
  } catch {
    // Falls through to the refusal below.
  }
  throw badRequest('Invalid cursor for current pagination sort.');
}
