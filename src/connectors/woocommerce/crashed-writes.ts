import { idText } from '../shared/exact-json.ts';
import type { BatchItem } from './batch.ts';
import { readMarks } from './marks.ts';
import type { WireMeta } from './wire.ts';

/** Which records PHP has died over, or beside which: the answer does not say which of a batch it was. */
export interface CrashedWrites {
  noteCrash(path: string, items: readonly BatchItem[]): void;
  /** PHP has lived to answer. */
  noteAnswer(path: string, items: readonly BatchItem[]): void;
  /** How many from the front go together, at most `most`: what a batch has died with goes alone, until it has been answered. */
  runLength(path: string, items: readonly BatchItem[], most: number): number;
}

/** Of the records that nothing has been answered about since, the oldest are forgotten. */
const RECORDS_MAX = 2_000;

/**
 * WooCommerce saves a batch item by item, in one process: what stands behind the one that PHP dies over is never saved, however often both are sent
 * together. Sent alone, each is known by its own answer.
 */
export function createCrashedWrites(): CrashedWrites {
  const crashed = new Set<string>();
  return {
    noteCrash(path, items) {
      for (const item of items) crashed.add(keyOf(path, item));
      for (const key of crashed) {
        if (crashed.size <= RECORDS_MAX) break;
        crashed.delete(key);
      }
    },
    noteAnswer(path, items) {
      for (const item of items) crashed.delete(keyOf(path, item));
    },
    runLength(path, items, most) {
      const next = items.slice(0, most).findIndex((item) => crashed.has(keyOf(path, item)));
      return next < 0 ? Math.min(most, items.length) : Math.max(1, next);
    },
  };
}

/** What is new has no id yet: a product has our mark, a variation what is chosen by it. */
function keyOf(path: string, { verb, body }: BatchItem): string {
  const id = verb === 'update' ? idText(body['id']) : null;
  if (id !== null) return `${path} ${id}`;
  const meta = body['meta_data'];
  const marks = Array.isArray(meta) ? readMarks(meta as readonly WireMeta[]) : [];
  return `${path} ${JSON.stringify(marks.length > 0 ? marks : (body['attributes'] ?? null))}`;
}
