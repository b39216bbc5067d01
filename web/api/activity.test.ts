import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { QueryClient } from '@tanstack/react-query';
import type { Activity, ActivityReply } from '../../src/contracts/activity.ts';
import { addActivity, askUntilLive, beginArrivals, withNewest, withOlder } from './activity.ts';
import { KEY } from './keys.ts';

const LIST = KEY.activity({ filter: 'all', limit: 8 });

let client: QueryClient;

beforeEach(() => {
  client = new QueryClient();
});

function row(seq: number): Activity {
  return { seq, type: 'stock_changed', level: 'info', text: '', pairId: null, payload: {}, at: '2026-01-01T00:00:00Z' };
}

function answer(lastSeq: number, ...seqs: readonly number[]): ActivityReply {
  const filterCounts = { all: 0, orders: 0, products: 0, errors: 0 };
  return { activity: seqs.map(row), filterCounts, lastSeq, nextCursor: null };
}

function seqsOf(reply: ActivityReply | undefined): readonly number[] {
  return (reply?.activity ?? []).map(({ seq }) => seq);
}

test('what arrives while the list is on its way is in the list, once and newest first', async () => {
  beginArrivals(client, 4);
  const reply = await askUntilLive(client, () => {
    for (const seq of [5, 6, 7]) addActivity(client, row(seq));
    return Promise.resolve(answer(5, 5, 4));
  });
  assert.deepEqual(seqsOf(reply), [7, 6, 5, 4]);
  assert.equal(reply.lastSeq, 7);
});

test('an answer from before the live channel stood is asked for again', async () => {
  const answers = [answer(3, 3), answer(6, 6, 3)];
  const reply = await askUntilLive(client, () => {
    beginArrivals(client, 6);
    return Promise.resolve(answers.shift() ?? answer(0));
  });
  assert.deepEqual(seqsOf(reply), [6, 3]);
  assert.equal(answers.length, 0);
});

test('a list that is older than the live channel is behind, one that is as old is not', () => {
  client.setQueryData(LIST, answer(6, 6));
  assert.equal(beginArrivals(client, 6), false);
  assert.equal(beginArrivals(client, 7), true);
});

test('a row that arrives is in front of the list, and once however often it comes', () => {
  client.setQueryData(LIST, answer(6, 6));
  beginArrivals(client, 6);
  for (const seq of [8, 7, 8]) addActivity(client, row(seq));
  assert.deepEqual(seqsOf(client.getQueryData(LIST)), [8, 7, 6]);
});

/** Newest first. */
const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => from - n);
const more = { nextCursor: 'more' };

test('what leaves a full list at its end is older, and can be had', () => {
  client.setQueryData(LIST, answer(200, ...range(200, 1)));
  addActivity(client, row(201));
  const full = client.getQueryData<ActivityReply>(LIST);
  assert.deepEqual(seqsOf(full), range(201, 2));
  assert.notEqual(full?.nextCursor, null);
});

test('older rows that were asked for stay below what comes: nothing leaves the list then', () => {
  const older = { ...answer(400, ...range(200, 101)), ...more };
  client.setQueryData(LIST, withOlder({ ...answer(400, ...range(400, 201)), ...more }, 201, older));
  addActivity(client, row(401));
  assert.deepEqual(seqsOf(client.getQueryData(LIST)), range(401, 101));
  const last = withOlder({ ...answer(400, 3, 2), ...more }, 2, answer(400, 1));
  assert.deepEqual([seqsOf(last), last.nextCursor], [[3, 2, 1], null]);
  const moved = withOlder({ ...answer(400, 9, 8), ...more }, 2, answer(400, 1));
  assert.deepEqual(seqsOf(moved), [9, 8], 'they are below another row');
});

test('a page that is left open with older rows does not grow for ever: the oldest go, and can be had again', () => {
  client.setQueryData(LIST, { ...answer(2_400, ...range(2_400, 401)), hasOlder: true });
  addActivity(client, row(2_401));
  const long = client.getQueryData<ActivityReply>(LIST);
  assert.deepEqual(seqsOf(long), range(2_401, 402));
  assert.notEqual(long?.nextCursor, null);
});

test('read anew, the newest rows stand above the older ones, unless there is a gap between them or rows are gone', () => {
  const known = withOlder({ ...answer(6, 6, 5), ...more }, 5, { ...answer(6, 4, 3), ...more });
  const anew = (...seqs: readonly number[]) => withNewest(known, { ...answer(9, ...seqs), nextCursor: 'anew' });
  assert.deepEqual([seqsOf(anew(7, 6)), anew(7, 6).nextCursor], [[7, 6, 5, 4, 3], 'more']);
  assert.deepEqual([seqsOf(anew(9, 8)), anew(9, 8).nextCursor], [[9, 8], 'anew'], 'a gap');
  assert.deepEqual(seqsOf(anew(7, 5)), [7, 5], '6 is gone');
  assert.deepEqual(seqsOf(withNewest(known, answer(6, 6, 5))), [6, 5], 'and now there are no older ones');
  assert.deepEqual(seqsOf(withNewest({ ...answer(6, 6, 5), ...more }, answer(7, 7, 6))), [7, 6], 'none were asked for');
  assert.deepEqual(seqsOf(withNewest(undefined, answer(7, 7, 6))), [7, 6]);
});

test('after demo data was removed no older row is kept: it may be one of those', () => {
  client.setQueryData(LIST, withOlder({ ...answer(6, 6, 5), ...more }, 5, { ...answer(6, 4, 3), ...more }));
  addActivity(client, { ...row(7), type: 'demo_data_removed' });
  const fresh = { ...answer(7, 7, 6), ...more };
  assert.deepEqual(seqsOf(withNewest(client.getQueryData(LIST), fresh)), [7, 6]);
});
