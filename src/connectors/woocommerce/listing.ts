import { ConnectorError } from '../../model/connector-error.ts';
import { compareIds } from '../shared/exact-json.ts';
import type { CallPriority } from '../shared/rate-gate.ts';
import type { Query, WooAnswer, WooClient } from './client.ts';
import { knownCrashers } from './crashed-reads.ts';
import { ENVELOPE, openEnvelope } from './envelope.ts';
import { isCrash } from './errors.ts';
import { inParallel } from './in-parallel.ts';
import { listIncluded } from './list-included.ts';
import { asRecords, getList } from './record-list.ts';

/** How far a listing by id has come: where the next record stands, and the last one that was given. */
export interface ListPosition {
  readonly offset: number;
  readonly lastId: string;
}

interface Listed {
  readonly id: string;
  readonly raw: unknown;
  /** Why `raw` is not what was asked for, but what `fallbackFields` give. */
  readonly error?: ConnectorError;
}

export interface ListPage {
  /** Each once, in ascending order of id; none with an id up to the position that was resumed from. */
  readonly items: readonly (Listed & { readonly position: ListPosition })[];
  readonly isLast: boolean;
}

export interface ListRequest {
  readonly path: string;
  readonly query: Query;
  readonly pageSize: number;
  /** Whole records are asked for: what their pages cost the store decides how many are in one. */
  readonly isHeavy?: boolean;
  /** What a record is listed by that PHP dies over when it is read whole; left out: the listing ends with that error. */
  readonly fallbackFields?: string;
  readonly after?: ListPosition | null;
  readonly priority?: CallPriority;
  readonly signal?: AbortSignal | undefined;
}

const CUT_SHORT = { cutShort: 'woocommerce' } as const;

/** Steps back that one page may cost before the listing is given up as too restless. */
const STEPS_BACK_MAX = 24;

/**
 * A listing in order of id that misses nothing although WooCommerce only knows places in a list. Each page overlaps the
 * one before by at least one record. When that record is not at its place, the list has changed before it, or the
 * server ignores `offset` and gave its first page: the listing goes on by page number, which every server knows. When
 * everything that is there comes after that record, others were deleted and all moved up, so the listing steps back.
 * Throws when the server gives fewer records than it says there are [C20].
 */
export async function* listById(client: WooClient, request: ListRequest): AsyncGenerator<ListPage> {
  let offset = request.after?.offset ?? 0;
  let lastId = request.after?.lastId ?? null;
  let stepsBack = 0;
  let isByNumber = false;
  let forgive: (() => void) | null = null;
  for (;;) {
    const overlap = lastId === null ? 0 : Math.max(0, offset - 1);
    const perPage = sizeOf(client, request);
    const { start, size, place } = placeOf(overlap, perPage, isByNumber);
    const remembered = client.pages.remember();
    const page = await pageOrNull(client, request, size, place, perPage);
    if (page === null) {
      forgive ??= remembered;
      continue;
    }
    if (page.items.some(({ error }) => error)) {
      (forgive ?? remembered)();
      forgive = null;
    }
    const { items, total } = page;
    const firstId = items[0]?.id;
    const end = start + items.length;
    if (start > 0 && !isByNumber && (firstId !== lastId || end > total)) {
      isByNumber = true;
      continue;
    }
    const isShifted = lastId !== null && start > 0 && (firstId === undefined || compareIds(firstId, lastId) > 0);
    if (isShifted) {
      if (stepsBack >= STEPS_BACK_MAX)
        throw new ConnectorError('unavailable', 'the catalogue changes faster than it can be listed');
      offset = Math.max(0, start - perPage * 2 ** Math.min(stepsBack, 10));
      stepsBack += 1;
      continue;
    }
    if (items.length < size && end < total) {
      throw new ConnectorError(
        'unavailable',
        `the WooCommerce store listed ${end} of ${total} records and then stopped`,
        CUT_SHORT,
      );
    }
    const known = lastId;
    const fresh = items
      .map((item, index) => ({ ...item, position: { offset: start + index + 1, lastId: item.id } }))
      .filter((item) => known === null || compareIds(item.id, known) > 0);
    if (isByNumber && start > 0 && fresh.length === 0 && items.length === size) {
      const first = await fetchPage(client, request, size, {});
      if (first.items[0]?.id === firstId)
        throw new ConnectorError('malformed', 'the WooCommerce store ignores the place in the list that was asked for');
    }
    offset = end;
    lastId = fresh.at(-1)?.id ?? lastId;
    const isLast = end >= total;
    if (fresh.length > 0) stepsBack = 0;
    if (fresh.length > 0 || isLast) yield { items: fresh, isLast };
    if (isLast) return;
  }
}

/** Among the sizes up to this one there is always one whose page goes on after a given place; up to ten there is for all but one place in 2,520. */
const SIZES_MIN = 20;

/**
 * How to ask for the records from `overlap` on. By page number pages only begin at multiples of their size: the size is
 * chosen so that the page holds that place and as much as possible after it, and is no more than the store can give.
 */
function placeOf(overlap: number, perPage: number, isByNumber: boolean): { start: number; size: number; place: Query } {
  if (overlap === 0) return { start: 0, size: perPage, place: {} };
  if (!isByNumber) return { start: overlap, size: perPage, place: { offset: overlap } };
  const reach = (size: number) => size - (overlap % size);
  const bestUpTo = (most: number) =>
    Array.from({ length: most - 1 }, (_, index) => index + 2).reduce((best, other) =>
      reach(other) >= reach(best) ? other : best,
    );
  const own = bestUpTo(perPage);
  const size = reach(own) > 1 ? own : bestUpTo(Math.max(perPage, SIZES_MIN));
  const page = Math.floor(overlap / size) + 1;
  return { start: (page - 1) * size, size, place: { page } };
}

/** How often a listing that changed under our hands is started anew. */
const WHOLE_ATTEMPTS_MAX = 4;
/** A hundred products may have 30,000 variations. Whoever tells of more has a place in memory made for each page of them. */
const WHOLE_MAX = 100_000;

/**
 * All records of a listing of at most a few thousand, in full pages, several at once. It counts only when every page
 * told the same total and that many different records came; when one of `expectedIds` is not among them it is listed
 * once more, since a record deleted and another made between two pages leave the total as it was.
 */
export async function listWhole(
  client: WooClient,
  request: Omit<ListRequest, 'after'>,
  expectedIds: readonly string[],
): Promise<unknown[]> {
  let isSecondLook = false;
  for (let attempt = 1; attempt <= WHOLE_ATTEMPTS_MAX; attempt += 1) {
    const perPage = sizeOf(client, request);
    const first = await pageOrNull(client, request, perPage, { page: 1 });
    if (first === null) continue;
    if (first.total > WHOLE_MAX)
      throw new ConnectorError('malformed', `the WooCommerce store tells of ${first.total} records in a list`);
    const pages = Array.from({ length: Math.max(0, Math.ceil(first.total / perPage) - 1) }, (_, index) => index + 2);
    const others = (await inParallel(pages, 3, (page) => pageOrNull(client, request, perPage, { page }))).filter(
      (page) => page !== null,
    );
    if (others.length < pages.length) continue;
    const found = new Map([first, ...others].flatMap((page) => page.items.map((item) => [item.id, item.raw] as const)));
    const isSteady = others.every((page) => page.total === first.total) && found.size === first.total;
    if (!isSteady) continue;
    // Gone for good, or the product's own list is out of date: the second complete listing decides.
    if (isSecondLook || expectedIds.every((id) => found.has(id))) return [...found.values()];
    isSecondLook = true;
  }
  throw new ConnectorError(
    'unavailable',
    'the WooCommerce store does not give the whole of a list, or it changes faster than it can be read',
    CUT_SHORT,
  );
}

function sizeOf({ pages }: WooClient, { pageSize, isHeavy = false }: ListRequest): number {
  return Math.max(2, Math.min(isHeavy ? pages.now : 100, pageSize));
}

/** Null: the store gave it up, and is to be asked for a smaller one. `most`: what it was taken to give; a page that had to be larger than that would be as large again. */
async function pageOrNull(
  client: WooClient,
  request: ListRequest,
  size: number,
  place: Query,
  most = size,
): Promise<{ readonly items: readonly Listed[]; readonly total: number } | null> {
  const forgive = client.pages.remember();
  try {
    return await fetchPage(client, request, size, place);
  } catch (error) {
    const hasFallback = request.fallbackFields !== undefined && isCrash(error);
    const isSmallerWorth = request.isHeavy === true && client.pages.isSmallerWorth(Math.min(size, most), error);
    const isExpected = hasFallback && knownCrashers(client).size > 0;
    if (isExpected) forgive();
    else if (isSmallerWorth) return null;
    if (hasFallback) return fetchOneByOne(client, request, size, place);
    throw error;
  }
}

/** A page of records that PHP dies over one of: each as it was asked for, and that one by little. */
async function fetchOneByOne(client: WooClient, request: ListRequest, size: number, place: Query) {
  const { path, query, priority, signal, fallbackFields: _fields } = request;
  const little = await fetchPage(client, { ...request, query: { ...query, _fields }, isHeavy: false }, size, place);
  const found = new Map<string, Listed>();
  await listIncluded(
    client,
    { path, query, signal, ...(priority ? { priority } : {}) },
    little.items.map(({ id }) => id),
    {
      take: (record) => found.set(record.id, record),
      leave: (id, error) => found.set(id, { id, raw: null, error }),
    },
  );
  const items = little.items.map(({ id, raw }): Listed => {
    const whole = found.get(id) ?? {
      id,
      raw,
      error: new ConnectorError('malformed', `record ${id} was listed and then not given`),
    };
    return whole.error ? { ...whole, raw } : whole;
  });
  return { items, total: little.total };
}

/** Stores whose totals are taken away on the way: they are asked for them in the body at once. */
const withoutTotals = new WeakSet<WooClient>();

async function getPage(client: WooClient, request: ListRequest, query: Query): Promise<WooAnswer> {
  const { path, priority, signal } = request;
  const get = (more: Query = {}) =>
    getList(client, path, {
      query: { ...request.query, ...query, ...more },
      ...(priority ? { priority } : {}),
      signal,
    });
  const answer = withoutTotals.has(client) ? null : await get();
  if (answer?.headers['x-wp-total'] !== undefined) return answer;
  const opened = openEnvelope((await get(ENVELOPE)).data, client.clean);
  if (opened?.headers['x-wp-total'] === undefined)
    throw new ConnectorError(
      'malformed',
      'the answer lacks the header X-WP-Total: something between us and the WooCommerce store removes it',
    );
  withoutTotals.add(client);
  return opened;
}

async function fetchPage(client: WooClient, request: ListRequest, perPage: number, place: Query) {
  const get = () => getPage(client, request, { orderby: 'id', order: 'asc', per_page: perPage, ...place });
  const countOf = ({ data }: WooAnswer) => (Array.isArray(data) ? data.length : 0);
  const { data, headers } = request.isHeavy === true ? await client.pages.ask(perPage, get, countOf) : await get();
  const items = asRecords(data);
  const total = Number(headers['x-wp-total']);
  if (!Number.isSafeInteger(total)) throw new ConnectorError('malformed', 'X-WP-Total is no number');
  items.forEach((item, index) => {
    const before = items[index - 1];
    if (before && compareIds(before.id, item.id) >= 0) {
      throw new ConnectorError('malformed', 'the WooCommerce store ignores the order that was asked for');
    }
  });
  return { items, total };
}
