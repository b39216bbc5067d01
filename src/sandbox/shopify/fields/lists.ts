import type { GraphQLResolveInfo } from 'graphql';
import { type ConnectionArgs, type ConnectionPage, connectionPage } from '../graphql/connection.ts';
import type { RequestContext } from '../state.ts';
import { compileSearch, type SearchTable } from '../store/search-match.ts';
import type { Store } from '../store/store.ts';

export interface ListArgs extends ConnectionArgs {
  readonly query?: string | null;
  readonly sortKey?: string | null;
}

/** Sorted lists are kept until the next committed change: 40 pages over 10,000 products sort once. */
const sortedByStore = new WeakMap<Store, { version: number; lists: Map<string, readonly unknown[]> }>();

export function sortedRows<T>(
  store: Store,
  key: string,
  build: () => readonly T[],
  idOf: (row: T) => number,
  sortValue: (row: T) => number | string,
): readonly T[] {
  let cache = sortedByStore.get(store);
  if (cache?.version !== store.version) {
    cache = { version: store.version, lists: new Map() };
    sortedByStore.set(store, cache);
  }
  const known = cache.lists.get(key);
  if (known) return known as readonly T[];
  const rows = sortRows(build(), idOf, sortValue);
  cache.lists.set(key, rows);
  return rows;
}

function sortRows<T>(
  rows: readonly T[],
  idOf: (row: T) => number,
  sortValue: (row: T) => number | string,
): readonly T[] {
  return [...rows].sort((left, right) => {
    const a = sortValue(left);
    const b = sortValue(right);
    return a < b ? -1 : a > b ? 1 : idOf(left) - idOf(right);
  });
}

export interface SearchedList<T, D> {
  /** Names the list in the cache of sorted rows. */
  readonly name: string;
  readonly rows: () => readonly T[];
  readonly table: SearchTable<D>;
  readonly docOf: (row: T) => D | null;
  readonly idOf: (row: T) => number;
  readonly sortValues: Readonly<Record<string, (row: T) => number | string>>;
  /** Short lists that also change without a committed change set; sorted anew each time. */
  readonly isVolatile?: boolean;
}

/** Search warnings go to `extensions.search`, with the path of the field. */
export function compileFor<D>(
  ctx: RequestContext,
  info: GraphQLResolveInfo,
  query: string,
  table: SearchTable<D>,
): (record: D) => boolean {
  const search = compileSearch(query, table);
  const path: (string | number)[] = [];
  for (let at: GraphQLResolveInfo['path'] | undefined = info.path; at; at = at.prev) path.unshift(at.key);
  ctx.searchNotes.push({ path, query, warnings: search.warnings });
  return search.matches;
}

export function searchedPage<T, D>(
  ctx: RequestContext,
  info: GraphQLResolveInfo,
  args: ListArgs,
  list: SearchedList<T, D>,
  isRoot = true,
): ConnectionPage {
  const sortKey = args.sortKey ?? 'ID';
  const sortValue = list.sortValues[sortKey] ?? list.idOf;
  const rows = list.isVolatile
    ? sortRows(list.rows(), list.idOf, sortValue)
    : sortedRows(ctx.state.store, `${list.name}:${sortKey}`, list.rows, list.idOf, sortValue);
  const query = args.query?.trim() ? args.query : null;
  const matches = query === null ? undefined : compileFor(ctx, info, query, list.table);
  return connectionPage(
    ctx,
    args,
    {
      rows,
      idOf: list.idOf,
      sortValueOf: sortValue,
      ...(matches
        ? {
            matches: (row: T) => {
              const doc = list.docOf(row);
              return doc !== null && matches(doc);
            },
          }
        : {}),
    },
    isRoot,
  );
}

/** Counts are exact up to the limit (10,000 unless asked otherwise; null means no limit). */
export function countRows<T, D>(
  ctx: RequestContext,
  info: GraphQLResolveInfo,
  args: { query?: string | null; limit?: number | null },
  list: Pick<SearchedList<T, D>, 'rows' | 'table' | 'docOf'>,
): { count: number; precision: string } {
  const matches = args.query?.trim() ? compileFor(ctx, info, args.query, list.table) : () => true;
  let count = 0;
  for (const row of list.rows()) {
    const doc = list.docOf(row);
    if (doc !== null && matches(doc)) count += 1;
  }
  const limit = args.limit ?? null;
  return limit !== null && count > limit ? { count: limit, precision: 'AT_LEAST' } : { count, precision: 'EXACT' };
}

export function exactCount(count: number): { count: number; precision: string } {
  return { count, precision: 'EXACT' };
}
