import type { Db } from '../db/database.ts';
import { latestEventSeq, listAllEventsAfter, listEventsAfter, prunedThroughSeq } from '../db/readers/events.ts';
import type { EventRow } from '../db/schema/machinery.ts';
import type { WorkspaceId } from '../model/ids.ts';

/**
 * What a subscriber is given. After `lagged` the stream ends: events after its last one were not delivered. Subscribe again
 * from `resumeAfter`; where the reason is `too_far_behind`, what lies between is gone, and the present state has to be read anew.
 */
export type JournalMessage =
  | { readonly type: 'event'; readonly event: EventRow }
  | { readonly type: 'lagged'; readonly reason: 'slow' | 'too_far_behind'; readonly resumeAfter: number };

export interface Subscription extends AsyncIterable<JournalMessage> {
  close(): void;
}

export interface SubscribeOptions {
  readonly workspaceId: WorkspaceId;
  /** Number of the last event the subscriber has; 0: all that are kept; null: only what comes from now on. */
  readonly afterSeq: number | null;
  /** Events that may wait for a slow consumer before it is told `lagged`. */
  readonly bufferMax?: number;
}

export interface Journal {
  subscribe(options: SubscribeOptions): Subscription;
  /** Ends all subscriptions. */
  close(): void;
}

const BUFFER_MAX = 1000;
const PAGE = 200;
/** Further behind than this, reading the state anew is cheaper than the events. Counted over all workspaces. */
const BACKFILL_MAX = 20_000;

/**
 * Live view of the event log: each subscriber first gets what it missed from the table (backfill), then, in one synchronous step
 * (cutover), joins those who are handed each event after its commit (streaming): no gap, no double, in order.
 */
export function createJournal(db: Db): Journal {
  const streaming = new Set<Reader>();
  const readers = new Set<Reader>();
  /** Everything up to here was handed to the streaming readers. */
  let handedOut = 0;

  function handOut(): void {
    if (streaming.size === 0) return;
    try {
      const latest = latestEventSeq(db);
      while (handedOut < latest) {
        const page = listAllEventsAfter(db, handedOut, PAGE);
        if (page.length === 0) handedOut = latest;
        for (const event of page) {
          handedOut = event.seq;
          for (const reader of streaming) reader.offer(event);
        }
      }
    } catch {
      // The commit stands, whatever becomes of its tellers: they go back to reading the table at their own pace.
      for (const reader of streaming) reader.fallBack();
      streaming.clear();
    }
  }

  function cutOver(reader: Reader): void {
    if (streaming.size === 0) handedOut = latestEventSeq(db);
    else handOut();
    streaming.add(reader);
  }

  db.hooks.afterCommit.add(handOut);
  return {
    subscribe(options) {
      const reader = new Reader(db, options, cutOver, (ended) => {
        readers.delete(ended);
        streaming.delete(ended);
      });
      if (!reader.isEnded()) readers.add(reader);
      return reader;
    },
    close() {
      db.hooks.afterCommit.delete(handOut);
      for (const reader of readers) reader.close();
    },
  };
}

class Reader implements Subscription, AsyncIterator<JournalMessage> {
  readonly #db: Db;
  readonly #workspaceId: WorkspaceId;
  readonly #bufferMax: number;
  readonly #cutOver: (reader: Reader) => void;
  readonly #onClose: (reader: Reader) => void;
  #buffer: JournalMessage[] = [];
  /** Everything up to here is in the buffer or was delivered. */
  #cursor: number;
  #phase: 'backfill' | 'streaming' | 'ended' = 'backfill';
  #waiting: ((result: IteratorResult<JournalMessage>) => void) | null = null;

  constructor(db: Db, options: SubscribeOptions, cutOver: (reader: Reader) => void, onClose: (reader: Reader) => void) {
    this.#db = db;
    this.#workspaceId = options.workspaceId;
    this.#bufferMax = options.bufferMax ?? BUFFER_MAX;
    this.#cutOver = cutOver;
    this.#onClose = onClose;
    const latest = latestEventSeq(db);
    // A number from the future comes from another database (restored, or a fresh one): it means nothing here.
    const isForeign = options.afterSeq !== null && options.afterSeq > latest;
    const from = options.afterSeq ?? latest;
    const isGone = from < prunedThroughSeq(db) || latest - from > BACKFILL_MAX;
    this.#cursor = from;
    if (isForeign || (isGone && from > 0)) this.#lag('too_far_behind', latest);
    else if (isGone) this.#cursor = Math.max(prunedThroughSeq(db), latest - BACKFILL_MAX);
  }

  [Symbol.asyncIterator](): AsyncIterator<JournalMessage> {
    return this;
  }

  async next(): Promise<IteratorResult<JournalMessage>> {
    if (this.#buffer.length === 0 && this.#phase === 'backfill') this.#backfill();
    const message = this.#buffer.shift();
    if (message !== undefined) return { done: false, value: message };
    if (this.#phase === 'ended') return { done: true, value: undefined };
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  async return(): Promise<IteratorResult<JournalMessage>> {
    this.close();
    return { done: true, value: undefined };
  }

  isEnded(): boolean {
    return this.#phase === 'ended';
  }

  /** Called by the journal with each committed event, in order. */
  offer(event: EventRow): void {
    if (this.#phase !== 'streaming' || event.seq <= this.#cursor) return;
    if (event.workspaceId !== this.#workspaceId) {
      this.#cursor = event.seq;
      return;
    }
    if (this.#buffer.length >= this.#bufferMax) {
      const first = this.#buffer[0];
      this.#lag('slow', first?.type === 'event' ? first.event.seq - 1 : this.#cursor);
      return;
    }
    this.#cursor = event.seq;
    this.#push({ type: 'event', event });
  }

  fallBack(): void {
    if (this.#phase === 'streaming') this.#phase = 'backfill';
    // Somebody may wait already: the next page has to find its way without being asked for.
    if (this.#waiting !== null) this.#lag('slow', this.#cursor);
  }

  close(): void {
    this.#buffer = [];
    this.#end();
  }

  /** A page from the table; when it was the last one, the reader joins the stream in the same step. */
  #backfill(): void {
    const page = listEventsAfter(this.#db, this.#workspaceId, this.#cursor, PAGE);
    for (const event of page) this.#push({ type: 'event', event });
    if (page.length === PAGE) {
      this.#cursor = page.at(-1)?.seq ?? this.#cursor;
      return;
    }
    this.#cursor = latestEventSeq(this.#db);
    this.#phase = 'streaming';
    this.#cutOver(this);
  }

  /** What waited is dropped with the rest, so that the stream has no hole in its middle. */
  #lag(reason: 'slow' | 'too_far_behind', resumeAfter: number): void {
    this.#buffer = [];
    this.#push({ type: 'lagged', reason, resumeAfter });
    this.#end();
  }

  #push(message: JournalMessage): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting === null) this.#buffer.push(message);
    else waiting({ done: false, value: message });
  }

  #end(): void {
    if (this.#phase === 'ended') return;
    this.#phase = 'ended';
    this.#onClose(this);
    this.#waiting?.({ done: true, value: undefined });
    this.#waiting = null;
  }
}
