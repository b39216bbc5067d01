import { ConnectorError } from '../../model/connector-error.ts';
import type { SearchKey } from '../../model/search-key.ts';
import type { Signal } from '../../model/signal.ts';
import type { Mark, ProductSnapshot } from '../../model/snapshot.ts';
import type { ChangedPage, ScanPage } from '../../ports/connector.ts';
import type { Handling, MemoryPlatform } from './platform.ts';
import { markKey, type ProductRecord } from './records.ts';
import { readProduct } from './server.ts';

/** Whoever polls looks back by this much more than the platform's times can be late and coarse. */
const POLL_OVERLAP_MS = 5_000;

const SHRUNKEN_KEEP = 0.5;

/** One page of the catalogue after `resume`: by the order of creation, so that records that come and go between the pages move nothing. */
export function scanPage(platform: MemoryPlatform, resume: string | null, handling: Handling): ScanPage {
  const after = Number(resume ?? 0);
  const { fault } = handling;
  const isEmpty = fault?.type === 'empty_listing' || platform.listingOutage === 'empty';
  if (isEmpty) {
    platform.count('empty_listing');
    return { snapshots: [], resume: String(after), isComplete: true };
  }
  const isShrunken = fault?.type === 'shrunken_listing' || platform.listingOutage === 'shrunken';
  const keep = fault?.type === 'shrunken_listing' ? fault.keep : SHRUNKEN_KEEP;
  if (isShrunken) platform.count('shrunken_listing');
  const isSpotty = platform.listingOutage === 'spotty';
  const snapshots: ProductSnapshot[] = [];
  let last = after;
  // A Map keeps the order of insertion, which is the order of creation.
  for (const product of platform.shelf.products.values()) {
    if (product.order <= after || product.isTrashed) continue;
    if (isShrunken && shareOf(product.id) >= keep) continue;
    if (isSpotty && shareOf(product.id) >= platform.spottyKeep) {
      platform.count('spotty_listing');
      continue;
    }
    if (snapshots.length === platform.personality.pageSize)
      return { snapshots, resume: String(last), isComplete: false };
    const snapshot = readProduct(platform, product.id, handling);
    if (snapshot) snapshots.push(snapshot);
    last = product.order;
  }
  return { snapshots, resume: String(last), isComplete: true };
}

/** A number in [0, 1) that belongs to the id: a shrunken listing leaves out the same records on every page. */
function shareOf(id: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 16_777_619);
  return ((Math.imul(hash ^ (hash >>> 15), 2_246_822_519) >>> 8) & 0xffff) / 65_536;
}

/** A poll: from `since` on (store time, overlap taken off), after this record of this time; `startedAt` becomes the next `since`. */
interface Cursor {
  readonly since: number;
  readonly startedAt: number | null;
  readonly at: number;
  readonly order: number;
}

export function changedPage(platform: MemoryPlatform, text: string | null): ChangedPage {
  const now = platform.shelf.now();
  const cursor: Cursor =
    text === null ? { since: now, startedAt: null, at: 0, order: 0 } : (JSON.parse(text) as Cursor);
  if (text === null) return { signals: [], cursor: JSON.stringify(cursor), hasMore: false };
  const startedAt = cursor.startedAt ?? now;
  const trueNow = platform.clock.now();
  const from = cursor.since - POLL_OVERLAP_MS - platform.personality.modifiedStepMs;
  const found: ProductRecord[] = [];
  for (const product of platform.shelf.products.values()) {
    const { modifiedAt } = product;
    if (modifiedAt < from || product.visibleAt > trueNow || product.isTrashed) continue;
    if (modifiedAt > cursor.at || (modifiedAt === cursor.at && product.order > cursor.order)) {
      found.push(product);
    }
  }
  found.sort((a, b) => a.modifiedAt - b.modifiedAt || a.order - b.order);
  const page = found.slice(0, platform.personality.pageSize);
  const signals = page.map((product): Signal => ({ kind: 'product', externalId: product.id }));
  const last = page.at(-1);
  const hasMore = found.length > page.length;
  const next: Cursor =
    hasMore && last
      ? { since: cursor.since, startedAt, at: last.modifiedAt, order: last.order }
      : { since: startedAt, startedAt: null, at: 0, order: 0 };
  return { signals, cursor: JSON.stringify(next), hasMore };
}

/** The record that bears `mark`, straight from the platform's own index of identifiers. */
export function byIdentifier(platform: MemoryPlatform, mark: Mark, handling: Handling): ProductSnapshot | null {
  const [id] = platform.shelf.bearers(mark);
  return id === undefined ? null : readProduct(platform, id, handling);
}

export interface MarkPage {
  readonly found: ProductSnapshot | null;
  /** Where to go on, null when the listing is at its end. */
  readonly next: number | null;
}

/** One page of the records made since `createdAfter` (store time), the bin included, looked through for `mark`. */
export function markPage(
  platform: MemoryPlatform,
  mark: Mark,
  createdAfter: number,
  isOther: (externalId: string) => boolean,
  after: number,
  handling: Handling,
): MarkPage {
  const key = markKey(mark);
  let seen = 0;
  let last = after;
  for (const product of platform.shelf.products.values()) {
    if (product.order <= after || product.createdAt < createdAfter) continue;
    if (seen === platform.personality.pageSize) return { found: null, next: last };
    seen += 1;
    last = product.order;
    if (product.marks.some((one) => markKey(one) === key) && !isOther(product.id)) {
      return { found: readProduct(platform, product.id, handling), next: null };
    }
  }
  return { found: null, next: null };
}

/** Products with one of `keys` on a variant, as far as the search index knows them. */
export function byKeys(platform: MemoryPlatform, keys: readonly SearchKey[], handling: Handling): ProductSnapshot[] {
  const unsearched = keys.find((key) => platform.shutKeys.has(key));
  if (unsearched !== undefined) {
    const platformMessage = `the search for ${unsearched} is turned away`;
    throw new ConnectorError('rejected', platformMessage, { platformMessage, unsearched });
  }
  const now = platform.clock.now();
  const found = new Set<ProductRecord>();
  for (const key of keys)
    for (const { product, variant } of platform.shelf.bearing(key))
      if (!product.isTrashed && product.searchableAt <= now && !variant.isArchived) found.add(product);
  return [...found]
    .sort((a, b) => a.order - b.order)
    .flatMap((product) => readProduct(platform, product.id, handling) ?? []);
}
