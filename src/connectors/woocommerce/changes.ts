import { ConnectorError } from '../../model/connector-error.ts';
import type { Signal } from '../../model/signal.ts';
import type { ChangedPage } from '../../ports/connector.ts';
import { storeNow, type WooContext } from './context.ts';
import { isCrash, isMissingRoute } from './errors.ts';
import { naiveUtc } from './finding.ts';
import { importTime } from './import-mapper.ts';
import { type ListPage, type ListPosition, listById } from './listing.ts';

/**
 * How often a store with realtime pairs has to be asked, minutes, whatever the pairs say: WooCommerce's webhooks leave
 * when somebody visits the site, once a minute at most. Asking is such a visit, and finds what has changed by itself.
 */
export const POLL_MINUTES_MAX = 1;

/** How far each poll looks back behind the one before: times are whole seconds, and slow requests land late. */
const OVERLAP_MS = 120_000;

/** The bin is a list of its own: "any" status leaves it out. */
const PHASES = ['products', 'trash', 'variations'] as const;
type Phase = (typeof PHASES)[number];

interface Cursor {
  /** Everything changed up to here has been named, by the store's clock, ms. */
  readonly since: number;
  /** Where this round's `since` will be when it is through. */
  readonly next: number;
  readonly phase: Phase;
  readonly after: ListPosition | null;
  /** Products whose change is dated ahead and that were named with it, by id; absent when there is none. */
  readonly ahead?: Readonly<Record<string, string>>;
}

/** So many are kept in mind; more are named in each round. */
const AHEAD_MAX = 300;

/**
 * What changed since the cursor, a page at a time: products, those in the bin, then variations where the server lists
 * them over all products [C21]. Pages go by id within a fixed window, not by time: a record that changes while we page
 * would move to the end and push another one over the edge of a page. Time is the store's own, by the Date header of
 * its answers. What is made with a date to come bears it as the one of its change too, and would be listed until it has
 * come: it is named when it is first seen, and again then.
 */
export async function listChanged(
  context: WooContext,
  text: string | null,
  signal?: AbortSignal,
): Promise<ChangedPage> {
  if (text === null) {
    // Any answer tells the store's clock; this one also proves that the listing works before a cursor is handed out.
    await context.client.get('/products', { query: { per_page: 1, status: 'any', _fields: 'id' }, signal });
    const now = storeNow(context);
    return { signals: [], cursor: write({ since: now, next: 0, phase: 'products', after: null }), hasMore: false };
  }
  const known = read(text);
  // A clock that was ahead for a moment must not leave out what changes until it is there again.
  const cursor = known.next === 0 ? { ...known, since: Math.min(known.since, storeNow(context)) } : known;
  try {
    return await nextPage(context, cursor, signal);
  } catch (error) {
    // A server before 10.3 has no list of all variations, and PHP may die over one of them; writing one also touches its product, so little is lost.
    if (cursor.phase !== 'variations' || !(isMissingRoute(error) || isCrash(error))) throw error;
    if (!isCrash(error)) context.variations.reportNoFlatRoute();
    return { signals: [], cursor: finished(cursor), hasMore: false };
  }
}

async function nextPage(context: WooContext, cursor: Cursor, signal?: AbortSignal): Promise<ChangedPage> {
  const { phase } = cursor;
  const query = {
    status: phase === 'trash' ? 'trash' : 'any',
    modified_after: naiveUtc(cursor.since - OVERLAP_MS),
    dates_are_gmt: true,
    _fields: 'id,date_modified_gmt',
  };
  const path = phase === 'variations' ? '/variations' : '/products';
  const list = listById(context.client, { path, query, pageSize: context.pageSize, after: cursor.after, signal });
  const step = await list.next();
  if (step.done === true) throw new ConnectorError('malformed', 'the list of changes gave no page');
  const page: ListPage = step.value;
  // The round ends at the store's time of its first answer: what changes later belongs to the next one.
  const next = cursor.next === 0 ? Math.max(cursor.since, storeNow(context)) : cursor.next;
  const kind = phase === 'variations' ? 'variant' : 'product';
  const { named, ahead } = leaveOutKnown(page.items, cursor.ahead, next);
  const signals = named.map((item): Signal => ({ kind, externalId: item.id }));
  const then = { ...cursor, next, ...(ahead === undefined ? {} : { ahead }) };
  if (!page.isLast) {
    const after = page.items.at(-1)?.position ?? cursor.after;
    return { signals, cursor: write({ ...then, after }), hasMore: true };
  }
  const following = phase === 'products' ? 'trash' : phase === 'trash' ? 'variations' : null;
  if (following === null || (following === 'variations' && context.variations.hasFlatRoute === false)) {
    return { signals, cursor: finished(then), hasMore: false };
  }
  return { signals, cursor: write({ ...then, phase: following, after: null }), hasMore: true };
}

type Item = ListPage['items'][number];

/** Those to name, without what was named with this very date, and what to keep in mind for the next time. */
function leaveOutKnown(
  items: readonly Item[],
  known: Cursor['ahead'],
  nowMs: number,
): { readonly named: readonly Item[]; readonly ahead: Cursor['ahead'] } {
  const ahead = new Map(Object.entries(known ?? {}));
  const named = items.filter(({ id, raw }) => {
    const date = (raw as { date_modified_gmt?: unknown }).date_modified_gmt;
    if (typeof date !== 'string' || (importTime(date) ?? 0) <= nowMs) return true;
    if (ahead.get(id) === date) return false;
    if (ahead.has(id) || ahead.size < AHEAD_MAX) ahead.set(id, date);
    return true;
  });
  return { named, ahead: ahead.size === 0 ? undefined : Object.fromEntries(ahead) };
}

function finished({ next, ahead = {} }: Cursor): string {
  const still = Object.entries(ahead).filter(([, date]) => (importTime(date) ?? 0) > next);
  const kept = still.length === 0 ? {} : { ahead: Object.fromEntries(still) };
  return write({ since: next, next: 0, phase: 'products', after: null, ...kept });
}

function write(cursor: Cursor): string {
  return JSON.stringify(cursor);
}

function read(text: string): Cursor {
  try {
    const value = JSON.parse(text) as Partial<Cursor>;
    const { since, next, phase, after = null, ahead } = value;
    if (typeof since !== 'number' || typeof next !== 'number') throw new SyntaxError('no times');
    const known = PHASES.find((one) => one === phase);
    if (known === undefined) throw new SyntaxError('no phase');
    return { since, next, phase: known, after, ...(ahead === undefined ? {} : { ahead }) };
  } catch {
    throw new ConnectorError('malformed', 'this is no cursor of ours', { platformCode: 'CURSOR_INVALID' });
  }
}
