import { fingerprint } from '../../lib/hash.ts';
import type { Mark } from '../../model/snapshot.ts';
import type { MarkNode } from './wire.ts';

/**
 * A mark is a metafield of the type `id`, whose values Shopify keeps unique: the create is an upsert by it, and it is found by exact look-up, never by
 * search. There is one definition for each pair, so that a product may be carried by several. The namespace is a plain one, not the app's own: shops
 * move between apps (admin-made to Dev Dashboard), and marks that got lost with the old app would mean every product twice.
 */
export const MARK_NAMESPACE = 'twinshelf';
export const MARK_TYPE = 'id';
const KEY_PREFIX = 'mark_';

/** Keys are 2-64 characters of [A-Za-z0-9_-]; pair ids need not be, so the key is made from their fingerprint. */
export function markKey(pairId: string): string {
  return `${KEY_PREFIX}${fingerprint(pairId)}`;
}

export function markValue(mark: Mark): string {
  return `${encodeURIComponent(mark.pairId)}:${mark.hubId}`;
}

export function markMetafield(mark: Mark): { namespace: string; key: string; type: string; value: string } {
  return { namespace: MARK_NAMESPACE, key: markKey(mark.pairId), type: MARK_TYPE, value: markValue(mark) };
}

/** All marks among the metafields of our namespace; what is none of ours is left out. */
export function readMarks(metafields: readonly MarkNode[]): Mark[] {
  const marks: Mark[] = [];
  for (const { key, value } of metafields) {
    const at = value.indexOf(':');
    if (!key.startsWith(KEY_PREFIX) || at < 1) continue;
    const pairId = decoded(value.slice(0, at));
    const hubId = value.slice(at + 1);
    if (pairId !== null && hubId !== '' && markKey(pairId) === key) marks.push({ pairId, hubId });
  }
  return marks.sort((a, b) => (a.pairId < b.pairId ? -1 : a.pairId > b.pairId ? 1 : 0));
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
