import type { Activity } from '../../src/contracts/activity.ts';

type Side = 'woocommerce' | 'shopify';

/** A journal row as a person reads it. A change and the write that it caused are one story. */
export interface Story {
  readonly seq: number;
  readonly at: string;
  readonly level: Activity['level'];
  /** Side that was written; null: nothing crossed (yet). */
  readonly to: Side | null;
  /** Side where it was seen, as long as nothing crossed. */
  readonly seenOn: Side | null;
  readonly title: string;
  /** `title`, `price`, `stock`, ...; '' where it is not about one field. */
  readonly field: string;
  readonly sku: string;
  readonly from: unknown;
  readonly value: unknown;
  readonly recordId: string | null;
  /** From seeing the change to having written it, by the server's clock. */
  readonly tookMs: number | null;
  /** The server's own words, for rows that have no fields to show. */
  readonly text: string;
  readonly type: string;
}

type Payload = Readonly<Record<string, unknown>>;

/** A write this much later than a change of the same thing was not caused by it. */
const CAUSED_WITHIN_MS = 120_000;

const CHANGED: ReadonlySet<string> = new Set(['stock_changed', 'field_changed', 'product_changed']);
const WRITTEN: ReadonlySet<string> = new Set(['stock_written', 'field_written', 'product_written', 'product_created']);

function text(payload: Payload, key: string): string {
  const value = payload[key];
  return typeof value === 'string' ? value : '';
}

function sideOf(payload: Payload): Side | null {
  const side = payload['side'] ?? payload['target'] ?? payload['origin'];
  return side === 'woocommerce' || side === 'shopify' ? side : null;
}

function toStory(row: Activity, names: ReadonlyMap<string, string>): Story {
  const payload = (row.payload ?? {}) as Payload;
  const isStock = row.type.startsWith('stock_');
  const side = sideOf(payload);
  const isWritten = WRITTEN.has(row.type);
  return {
    seq: row.seq,
    at: row.at,
    level: row.level,
    to: isWritten ? side : null,
    seenOn: CHANGED.has(row.type) ? side : null,
    title:
      text(payload, 'label') || text(payload, 'title') || names.get(text(payload, 'productId')) || text(payload, 'sku'),
    field: isStock ? 'stock' : text(payload, 'field'),
    sku: text(payload, 'sku'),
    from: payload['from'],
    value: payload['to'],
    recordId: text(payload, 'productId') || null,
    tookMs: null,
    text: row.text,
    type: row.type,
  };
}

/** What a story is about, so that a change and its write find each other. */
function subjectOf(row: Activity): string {
  const payload = (row.payload ?? {}) as Payload;
  const subject = text(payload, 'variantId') || text(payload, 'productId') || text(payload, 'sku');
  return `${subject}/${row.type.startsWith('stock_') ? 'stock' : text(payload, 'field')}`;
}

const VARIANT_PATH = /^variant\.([^.]+)\.(.+)$/;

/** What a person is asked about, in the words of `subjectOf`. */
function contestedBy(row: Activity): string {
  const payload = (row.payload ?? {}) as Payload;
  const [, variantId, field] = VARIANT_PATH.exec(text(payload, 'field')) ?? [];
  return `${variantId ?? text(payload, 'productId')}/${field ?? text(payload, 'field')}`;
}

/** Some rows carry a SKU only; another row of the same product may know its name. */
function namesOf(rows: readonly Activity[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const row of rows) {
    const payload = (row.payload ?? {}) as Payload;
    const name = text(payload, 'title');
    if (name !== '' && !names.has(text(payload, 'productId'))) names.set(text(payload, 'productId'), name);
  }
  return names;
}

/** Journal rows, newest first, as stories, newest first. */
export function toStories(rows: readonly Activity[]): Story[] {
  const names = namesOf(rows);
  const stories: Story[] = [];
  const waiting = new Map<string, { story: Story; side: Side | null }>();
  for (const row of rows.toReversed()) {
    const story = toStory(row, names);
    const subject = subjectOf(row);
    if (CHANGED.has(row.type)) {
      waiting.set(subject, { story, side: story.seenOn });
    } else if (WRITTEN.has(row.type)) {
      const cause = waiting.get(subject);
      const tookMs = cause ? Date.parse(row.at) - Date.parse(cause.story.at) : -1;
      if (cause && cause.side !== story.to && tookMs >= 0 && tookMs < CAUSED_WITHIN_MS) {
        const told = stories.indexOf(cause.story);
        if (told >= 0) stories.splice(told, 1);
        stories.push({ ...story, title: cause.story.title || story.title, tookMs });
        continue;
      }
    }
    // From here on it waits for a person: what is written then was decided by them, and how long they took is not how long it took.
    if (row.type === 'conflict_opened') waiting.delete(contestedBy(row));
    stories.push(story);
  }
  return stories.reverse();
}
