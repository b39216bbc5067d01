import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query';

/**
 * Put into the `meta` of a list of pages, it has the live channel ask for the first page alone. `rows` and `id` name the rows of a page and what
 * tells one from another; `grows`: rows are only added in front, and those below stay as they are.
 */
export interface LongList {
  readonly rows: string;
  readonly id: string;
  readonly grows?: boolean;
}

type Row = Readonly<Record<string, unknown>>;
/** `isBehind`: it was read before something changed, and not since. */
type Page = Readonly<Record<string, unknown>> & { readonly isBehind?: boolean };
type Pages = InfiniteData<Page, unknown>;

function listOf(query: Query): LongList | null {
  const list = query.meta?.['list'] as LongList | undefined;
  const data = query.state.data as Pages | undefined;
  return list && data !== undefined && data.pages.length > 1 ? list : null;
}

/** Whether asking for all that is shown would take more than one request. */
export function isLong(query: Query): boolean {
  return listOf(query) !== null;
}

/** Whether some of what is shown may read otherwise by now. */
export function isListBehind(data: { readonly pages: readonly object[] } | undefined): boolean {
  return data?.pages.some((page) => (page as Page).isBehind === true) ?? false;
}

/**
 * The pages with a first one that was read anew. What it pushed down stays below it, and what it shows itself stands nowhere else. A row that is
 * gone from between others is gone; the pages below are known to be older.
 */
export function withFront(known: Pages, front: Page, { rows, id, grows = false }: LongList): Pages {
  const rowsOf = (page: Page): readonly Row[] => (page[rows] as readonly Row[] | undefined) ?? [];
  const [first, ...others] = known.pages;
  if (!first) return known;
  const fresh = rowsOf(front);
  const isFresh = new Set(fresh.map((row) => row[id]));
  const before = rowsOf(first);
  const lastKept = before.findLastIndex((row) => isFresh.has(row[id]));
  const pushedDown = before.slice(lastKept + 1);
  // Everything was pushed down: more may have come than one page shows.
  const isGap = lastKept < 0 && before.length > 0;
  const isBehind = !grows || isGap;
  const below = others.map((page) => ({
    ...page,
    [rows]: rowsOf(page).filter((row) => !isFresh.has(row[id])),
    ...(isBehind ? { isBehind } : {}),
  }));
  return { ...known, pages: [{ ...front, [rows]: [...fresh, ...pushedDown] }, ...below] };
}

const TRIES_MAX = 2;

/** Reads the first page anew and leaves the others as they were read. Where that fails all are asked for, which says so on the page. */
export async function readFront(client: QueryClient, query: Query): Promise<void> {
  const { queryKey } = query;
  const options = query.options as unknown as {
    readonly initialPageParam: unknown;
    readonly queryFn: (context: object) => Promise<Page>;
  };
  const pagesOf = () => (query.state.data as Pages | undefined)?.pages;
  try {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const seen = pagesOf()?.[0];
      const { signal } = new AbortController();
      const front = await options.queryFn({ client, queryKey, signal, pageParam: options.initialPageParam });
      // A further page that is on its way would be put behind the pages that were there when it was asked for.
      if (query.state.fetchStatus !== 'idle') await query.promise?.catch(() => undefined);
      const list = listOf(query);
      if (list === null) return;
      // All were read meanwhile, and nobody knows which answer is the newer one.
      if (pagesOf()?.[0] !== seen) continue;
      client.setQueryData<Pages>(queryKey, (known) => known && withFront(known, front, list));
      return;
    }
  } catch {
    await client.invalidateQueries({ queryKey, exact: true });
  }
}
