import { ConnectorError } from '../../model/connector-error.ts';
import type { Signal } from '../../model/signal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ChangedPage } from '../../ports/connector.ts';
import type { ShopifyClient } from './client.ts';
import { OPERATIONS } from './operations.gen.ts';
import { type StoreContext, whyUnread } from './store-context.ts';
import { LevelsChangedAnswer, ProductsChangedAnswer, ShopSetupAnswer } from './wire.ts';

export interface ChangesOptions {
  readonly client: ShopifyClient;
  readonly clock: Clock;
  readonly context: (signal?: AbortSignal) => Promise<StoreContext>;
  readonly pageSize?: number;
}

/**
 * A sweep asks for the products, then the stock levels, that changed since `from`. `startedAt` is when it began, by the store's clock: the next sweep
 * begins there, less the overlap.
 */
interface Cursor {
  readonly from: number;
  readonly startedAt: number | null;
  readonly stage: 'products' | 'stock';
  readonly after: string | null;
  readonly pages: number;
  /** Since when levels are to be listed, where they could not be by the last sweep: its place was away; null: since `from`. */
  readonly levelsFrom: number | null;
  /** End of the window that is being paged, when there is more than one connection can walk; else null. */
  readonly to: number | null;
}

/** Shopify's times are whole seconds and its search index is late by seconds, at times by minutes. */
const OVERLAP_MS = 180_000;
const PAGE_SIZE = 250;
/** A connection walks at most so many objects. */
const CONNECTION_OBJECTS_MAX = 25_000;
/** Before that the window is made smaller. */
const WINDOW_OBJECTS_MAX = 22_500;
const WINDOW_MIN_MS = 1_000;

export async function listChanged(
  options: ChangesOptions,
  cursorText: string | null,
  signal?: AbortSignal,
): Promise<ChangedPage> {
  if (cursorText === null) {
    // Any answer tells the store's time; without one, ours is all there is to go by.
    if (options.client.observed().clockSkewMs === null)
      await options.client.call(OPERATIONS.shopSetup, {}, ShopSetupAnswer, { signal });
    return { signals: [], cursor: write(sweepFrom(storeNow(options) - OVERLAP_MS)), hasMore: false };
  }
  const cursor = read(cursorText);
  if (cursor.stage === 'products') return await productsPage(options, cursor, signal);
  return await levelsPage(options, { ...cursor, startedAt: cursor.startedAt ?? cursor.from }, signal);
}

type Begun = Cursor & { readonly startedAt: number };

async function productsPage(
  options: ChangesOptions,
  place: Cursor,
  signal: AbortSignal | undefined,
): Promise<ChangedPage> {
  const { locationId } = await options.context(signal);
  const first = options.pageSize ?? PAGE_SIZE;
  const variables = { locationId, first, after: place.after, query: `updated_at:>='${time(place.from)}'` };
  const askedAt = options.clock.now();
  const { products } = await options.client.call(OPERATIONS.productsChanged, variables, ProductsChangedAnswer, {
    signal,
  });
  // By what this very answer told of the store's clock: that of before may be unknown, or of before one of the clocks was set.
  const cursor = { ...place, startedAt: place.startedAt ?? askedAt + skewOf(options) };
  const signals = products.nodes.map(({ id }): Signal => ({ kind: 'product', externalId: id }));
  if (!products.pageInfo.hasNextPage) {
    const from = cursor.levelsFrom ?? cursor.from;
    const levels = { ...cursor, from, stage: 'stock' as const, after: null, pages: 0 };
    return { signals, cursor: write(levels), hasMore: true };
  }
  const pages = cursor.pages + 1;
  const last = Date.parse(products.nodes.at(-1)?.updatedAt ?? '');
  // By a program that writes them all at once, say: a second is as small as Shopify tells the time.
  if (pages * first >= CONNECTION_OBJECTS_MAX && last <= cursor.from) throw tooMany('too many products changed');
  // They come in order of change, so a long walk is taken up again from where it is, with a fresh connection.
  const next =
    pages * first >= WINDOW_OBJECTS_MAX && last > cursor.from
      ? { ...cursor, from: last, after: null, pages: 0 }
      : { ...cursor, after: products.pageInfo.endCursor, pages };
  return { signals, cursor: write(next), hasMore: true };
}

async function levelsPage(
  options: ChangesOptions,
  cursor: Begun,
  signal: AbortSignal | undefined,
): Promise<ChangedPage> {
  const { locationId } = await options.context(signal);
  const first = options.pageSize ?? PAGE_SIZE;
  const until = cursor.to === null ? '' : ` AND updated_at:<'${time(cursor.to)}'`;
  const variables = { locationId, first, after: cursor.after, query: `updated_at:>='${time(cursor.from)}'${until}` };
  const { location } = await options.client.call(OPERATIONS.levelsChanged, variables, LevelsChangedAnswer, {
    signal,
    priority: 'stock',
  });
  if (location?.isActive !== true) {
    // [S12] The next sweep lists them, from where this one began.
    const next = { ...sweepFrom(cursor.startedAt - OVERLAP_MS), levelsFrom: cursor.from };
    return { signals: [], cursor: write(next), hasMore: false, stockUnread: whyUnread(location) ?? '' };
  }
  const { nodes, pageInfo } = location.inventoryLevels;
  const signals = nodes.map(({ item }): Signal => ({ kind: 'stock', externalId: item.id }));
  const pages = cursor.pages + 1;
  if (pageInfo.hasNextPage) {
    const next = pages * first < WINDOW_OBJECTS_MAX ? { ...cursor, after: pageInfo.endCursor, pages } : halved(cursor);
    return { signals, cursor: write(next), hasMore: true };
  }
  if (cursor.to !== null) {
    // One window is done: the rest is asked for without an end again.
    return { signals, cursor: write({ ...cursor, from: cursor.to, to: null, after: null, pages: 0 }), hasMore: true };
  }
  return { signals, cursor: write(sweepFrom(cursor.startedAt - OVERLAP_MS)), hasMore: false };
}

/** Levels come in no order of time, so a walk that is too long is begun anew over half the time. What was told already is told again. */
function halved(cursor: Begun): Begun {
  const to = cursor.to ?? cursor.startedAt;
  const middle = Math.floor((cursor.from + to) / 2_000) * 1_000;
  if (middle - cursor.from < WINDOW_MIN_MS) {
    throw tooMany('too much stock changed');
  }
  return { ...cursor, to: middle, after: null, pages: 0 };
}

function tooMany(what: string): ConnectorError {
  const words = `${what} within one second to be listed: a full scan is needed`;
  return new ConnectorError('rejected', words, { platformCode: 'TOO_MANY_CHANGES' });
}

function sweepFrom(from: number): Cursor {
  return { from, startedAt: null, stage: 'products', after: null, pages: 0, levelsFrom: null, to: null };
}

/** The store's own clock, as its answers tell it: ours may be wrong by more than the overlap. */
function storeNow(options: ChangesOptions): number {
  return options.clock.now() + skewOf(options);
}

function skewOf({ client }: ChangesOptions): number {
  return client.observed().clockSkewMs ?? 0;
}

function time(ms: number): string {
  return `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

function write(cursor: Cursor): string {
  return JSON.stringify(cursor);
}

function read(text: string): Cursor {
  try {
    const cursor = JSON.parse(text) as Partial<Cursor> | null;
    if (typeof cursor?.from === 'number' && (cursor.stage === 'products' || cursor.stage === 'stock')) {
      return {
        from: cursor.from,
        startedAt: cursor.startedAt ?? null,
        stage: cursor.stage,
        after: cursor.after ?? null,
        pages: cursor.pages ?? 0,
        levelsFrom: cursor.levelsFrom ?? null,
        to: cursor.to ?? null,
      };
    }
  } catch {
    // told below
  }
  throw new ConnectorError('rejected', 'this is not a place in the list of changes of a Shopify store', {
    platformCode: 'CURSOR_INVALID',
  });
}
