import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Db, transact } from '../db/database.ts';
import { latestEventSeq, listRecentEvents } from '../db/readers/events.ts';
import { pruneEvents, recordEvent } from '../db/writers/events.ts';
import type { WorkspaceId } from '../model/ids.ts';
import { openMemoryDatabase } from '../testing/support/memory-database.ts';
import { createJournal, type JournalMessage, type Subscription } from './journal.ts';

const OURS = 'ws_1' as WorkspaceId;
const THEIRS = 'ws_2' as WorkspaceId;

function record(db: Db, count: number, workspaceId = OURS, at = 0): void {
  transact(db, (tx) => {
    for (let index = 0; index < count; index++) {
      recordEvent(tx, { workspaceId, pairId: null, type: 'test', payload: { index }, at });
    }
  });
}

/** The next message, or null when none is there yet. */
async function poll(subscription: Subscription): Promise<(() => Promise<JournalMessage | null>) | never> {
  const iterator = subscription[Symbol.asyncIterator]();
  let pending: Promise<IteratorResult<JournalMessage>> | null = null;
  return async () => {
    pending ??= iterator.next();
    const result = await Promise.race([pending, new Promise<null>((resolve) => setImmediate(() => resolve(null)))]);
    if (result === null) return null;
    pending = null;
    return result.done ? null : result.value;
  };
}

async function seqs(next: () => Promise<JournalMessage | null>): Promise<number[]> {
  const seen: number[] = [];
  for (let message = await next(); message !== null; message = await next()) {
    seen.push(message.type === 'event' ? message.event.seq : -1);
  }
  return seen;
}

describe('a subscription', () => {
  test('gets what it missed, then what comes, of its own workspace only', async () => {
    const db = openMemoryDatabase();
    const journal = createJournal(db);
    record(db, 3);
    record(db, 2, THEIRS);
    const next = await poll(journal.subscribe({ workspaceId: OURS, afterSeq: 1 }));
    assert.deepEqual(await seqs(next), [2, 3]);
    record(db, 1, THEIRS);
    record(db, 2);
    assert.deepEqual(await seqs(next), [7, 8]);
  });

  test('from now on: nothing of before', async () => {
    const db = openMemoryDatabase();
    const journal = createJournal(db);
    record(db, 3);
    const next = await poll(journal.subscribe({ workspaceId: OURS, afterSeq: null }));
    assert.deepEqual(await seqs(next), []);
    record(db, 1);
    assert.deepEqual(await seqs(next), [4]);
  });

  test('is never told of what was rolled back', async () => {
    const db = openMemoryDatabase();
    const journal = createJournal(db);
    const next = await poll(journal.subscribe({ workspaceId: OURS, afterSeq: 0 }));
    assert.deepEqual(await seqs(next), []);
    assert.throws(() =>
      transact(db, (tx) => {
        recordEvent(tx, { workspaceId: OURS, pairId: null, type: 'lost', payload: 1, at: 0 });
        throw new Error('rolled back');
      }),
    );
    record(db, 1);
    const message = await next();
    assert.equal(message?.type === 'event' && message.event.type, 'test');
  });

  test('that is too slow is told so and can go on from its last event', async () => {
    const db = openMemoryDatabase();
    const journal = createJournal(db);
    const next = await poll(journal.subscribe({ workspaceId: OURS, afterSeq: 0, bufferMax: 5 }));
    record(db, 1);
    assert.deepEqual(await seqs(next), [1]);
    for (let index = 0; index < 9; index++) record(db, 1);
    const first = await next();
    // One was handed to the waiting call; the buffer behind it overflowed.
    assert.equal(first?.type === 'event' && first.event.seq, 2);
    const lagged = await next();
    assert.deepEqual(lagged, { type: 'lagged', reason: 'slow', resumeAfter: 2 });
    assert.equal(await next(), null);
    const again = await poll(journal.subscribe({ workspaceId: OURS, afterSeq: 2, bufferMax: 5 }));
    assert.deepEqual(await seqs(again), [3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('that asks for what was pruned, or for numbers of another database, has to read the state anew', async () => {
    const db = openMemoryDatabase();
    const journal = createJournal(db);
    record(db, 10);
    transact(db, (tx) => pruneEvents(tx, { beforeMs: 0, keepMax: 4, max: 100 }));
    for (const afterSeq of [3, 99]) {
      const next = await poll(journal.subscribe({ workspaceId: OURS, afterSeq }));
      assert.deepEqual(await next(), { type: 'lagged', reason: 'too_far_behind', resumeAfter: 10 });
    }
    const kept = await poll(journal.subscribe({ workspaceId: OURS, afterSeq: 0 }));
    assert.deepEqual(await seqs(kept), [7, 8, 9, 10]);
  });

  test('ends when it is closed, when its loop breaks, and when the journal closes', async () => {
    const db = openMemoryDatabase();
    const journal = createJournal(db);
    record(db, 2);
    const seen: number[] = [];
    for await (const message of journal.subscribe({ workspaceId: OURS, afterSeq: 0 })) {
      if (message.type === 'event') seen.push(message.event.seq);
      break;
    }
    assert.deepEqual(seen, [1]);
    const open = journal.subscribe({ workspaceId: OURS, afterSeq: 2 });
    const waiting = open[Symbol.asyncIterator]().next();
    journal.close();
    assert.equal((await waiting).done, true);
    assert.equal(db.hooks.afterCommit.size, 0);
  });
});

test('no gap, no double, in order, whatever the interleaving of commits, readers and subscriptions', async () => {
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('record' as const),
        count: fc.integer({ min: 1, max: 250 }),
        ours: fc.boolean(),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('read' as const),
        who: fc.nat(3),
        times: fc.integer({ min: 1, max: 60 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('subscribe' as const), who: fc.nat(3) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const db = openMemoryDatabase();
      const journal = createJournal(db);
      record(db, 5);
      const start = latestEventSeq(db);
      const readers = [0, 1, 2, 3].map(() => ({
        seen: [] as number[],
        /** Where the next subscription goes on from. */
        resumeAfter: start,
        next: null as null | (() => Promise<JournalMessage | null>),
      }));
      const open = async (reader: (typeof readers)[0]) => {
        const { resumeAfter: afterSeq } = reader;
        reader.next = await poll(journal.subscribe({ workspaceId: OURS, afterSeq, bufferMax: 100 }));
      };
      const read = async (reader: (typeof readers)[0]): Promise<boolean> => {
        if (reader.next === null) await open(reader);
        const message = (await reader.next?.()) ?? null;
        if (message === null) return false;
        if (message.type === 'event') {
          reader.seen.push(message.event.seq);
          reader.resumeAfter = message.event.seq;
        } else {
          // Ahead of the last one that was seen where the events between belong to others; a hole would show in the end.
          assert.ok(message.resumeAfter >= reader.resumeAfter);
          reader.resumeAfter = message.resumeAfter;
          reader.next = null;
        }
        return true;
      };
      for (const action of steps) {
        if (action.do === 'record') record(db, action.count, action.ours ? OURS : THEIRS);
        else if (action.do === 'subscribe') await open(readers[action.who]!);
        else for (let index = 0; index < action.times; index++) await read(readers[action.who]!);
      }
      const all = listRecentEvents(db, OURS, 100_000)
        .map(({ seq }) => seq)
        .reverse()
        .filter((seq) => seq > start);
      for (const reader of readers) {
        while (await read(reader));
        assert.deepEqual(reader.seen, all);
      }
      journal.close();
      db.connection.close();
    }),
    { numRuns: 60 },
  );
});
