import { VARIANTS_PER_BATCH } from '../../model/batch.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { ScanPage, ScanRequest } from '../../ports/connector.ts';
import { assembleOrExplain, isVariable } from './assemble.ts';
import type { WooContext } from './context.ts';
import { type ListPosition, listById } from './listing.ts';
import { PARENTS_PER_CALL_MAX, parentRef } from './variations.ts';
import { PRODUCT_FIELDS } from './wire.ts';

interface Entry {
  readonly id: string;
  readonly raw: unknown;
  readonly position: ListPosition;
  /** How many variations the product says it has; 0 for simple ones. */
  readonly variationCount: number;
  /** Null until they have been read. */
  variations: readonly unknown[] | null;
  /** Why it can't be read. */
  error?: ConnectorError | undefined;
}

/**
 * A fetch of variations is started when this many calls of them are due: one not quite full among ten. All of a fetch is listed anew when one of them comes or
 * goes meanwhile: it may not take long, however few a store gives in a call.
 */
const CALLS_PER_FETCH = 10;
/** Products held back at most while the variations of one before them are due. */
const QUEUE_MAX = 2_000;
const QUEUE_CHARS_MAX = 24 * 1024 * 1024;

/**
 * The whole catalogue in ascending order of id, so that "everything up to this id is done" is all that resuming needs.
 * Products are listed a hundred a call; their variations are fetched for many products together, cut so that nearly
 * every call is full: ceil(products / 99) + ceil(variations / 100) calls and a few. Never holds more than `QUEUE_MAX`
 * products.
 */
export async function* scanProducts(context: WooContext, request: ScanRequest): AsyncGenerator<ScanPage> {
  const { signal } = request;
  const facts = await context.facts();
  const after = request.resume === null ? null : readResume(request.resume);
  let queue: Entry[] = [];
  let lastResume = request.resume ?? writeResume({ offset: 0, lastId: '0' });

  const takePage = (count: number, isComplete: boolean): ScanPage => {
    const entries = queue.slice(0, count);
    queue = queue.slice(count);
    const last = entries.at(-1);
    if (last) lastResume = writeResume(last.position);
    const snapshots: ProductSnapshot[] = entries.map((entry) =>
      assembleOrExplain(entry.id, entry.raw, entry.error ?? entry.variations ?? [], facts),
    );
    return { snapshots, resume: lastResume, isComplete };
  };

  const list = listById(context.client, {
    path: '/products',
    query: { status: 'any', context: 'edit', _fields: PRODUCT_FIELDS },
    pageSize: context.pageSize,
    isHeavy: true,
    fallbackFields: 'id,name,status',
    after,
    signal,
  });
  for await (const page of list) {
    for (const item of page.items) {
      context.tags.learn((item.raw as { tags?: unknown }).tags);
      const isParent = isVariable(item.raw);
      queue.push({ ...item, variationCount: isParent ? countOf(item.raw) : 0, variations: isParent ? null : [] });
    }
    for (;;) {
      // What fills a page is handed out before more is fetched: a hundred products may have 30,000 variations.
      for (let next = nextPage(queue, context.pageSize); next.isFull; next = nextPage(queue, context.pageSize)) {
        const isComplete = page.isLast && next.count === queue.length;
        yield takePage(next.count, isComplete);
        if (isComplete) return;
      }
      const due = nextFetch(queue, page.isLast, CALLS_PER_FETCH * context.client.pages.now);
      if (due.length === 0) break;
      const parents = due.map(({ id, raw }) => parentRef(id, raw));
      const found = await context.variations.read(parents, signal);
      for (const entry of due) {
        const own = found.get(entry.id) ?? [];
        entry.error = own instanceof ConnectorError ? own : undefined;
        entry.variations = own instanceof ConnectorError ? [] : own;
      }
    }
  }
  yield takePage(queue.length, true);
}

/** How many products from the front can be handed out, and whether that is as much as one page holds: so many products, or variations. */
function nextPage(queue: readonly Entry[], pageSize: number): { readonly count: number; readonly isFull: boolean } {
  let variations = 0;
  for (const [index, entry] of queue.entries()) {
    if (entry.variations === null) return { count: index, isFull: false };
    variations += Math.max(1, entry.variations.length);
    if (index === pageSize || (index > 0 && variations > VARIANTS_PER_BATCH)) return { count: index, isFull: true };
  }
  return { count: queue.length, isFull: queue.length === pageSize };
}

/** The products whose variations are worth fetching now; [] to go on listing. `most`: variations of one fetch. */
function nextFetch(queue: readonly Entry[], isLast: boolean, most: number): Entry[] {
  const waiting = queue.filter((entry) => entry.variations === null);
  if (waiting.length === 0) return [];
  const total = waiting.reduce((sum, entry) => sum + entry.variationCount, 0);
  const isFull = total >= most || waiting.length >= PARENTS_PER_CALL_MAX;
  if (!isFull && !isLast) return queue.length >= QUEUE_MAX || charsOf(queue) >= QUEUE_CHARS_MAX ? waiting : [];
  const batch = waiting.slice(0, PARENTS_PER_CALL_MAX);
  if (isLast && batch.length === waiting.length && total <= most) return batch;
  return fullPages(batch, most);
}

/** The longest run from the front that fills whole calls of a hundred; all of it when no run fills even one. */
function fullPages(waiting: readonly Entry[], most: number): Entry[] {
  const total = Math.min(
    most,
    waiting.reduce((sum, entry) => sum + entry.variationCount, 0),
  );
  const limit = Math.floor(total / 100) * 100;
  const run: Entry[] = [];
  let sum = 0;
  for (const entry of waiting) {
    if (run.length > 0 && limit > 0 && sum + entry.variationCount > limit) break;
    run.push(entry);
    sum += entry.variationCount;
  }
  return run;
}

function countOf(raw: unknown): number {
  const ids = (raw as { variations?: unknown }).variations;
  return Array.isArray(ids) ? ids.length : 0;
}

/** Descriptions are what makes products large. */
function charsOf(queue: readonly Entry[]): number {
  return queue.reduce((sum, { raw }) => {
    const { description } = raw as { description?: unknown };
    return sum + 2_000 + (typeof description === 'string' ? description.length : 0);
  }, 0);
}

function writeResume(position: ListPosition): string {
  return `${position.offset}:${position.lastId}`;
}

function readResume(text: string): ListPosition | null {
  const match = /^(\d{1,9}):(\d+)$/.exec(text);
  if (!match?.[1] || !match[2]) throw new ConnectorError('malformed', 'the scan cannot be resumed from this text');
  return match[2] === '0' ? null : { offset: Number(match[1]), lastId: match[2] };
}
