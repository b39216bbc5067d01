import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { QueryClient } from '@tanstack/react-query';
import type { Activity, ActivityReply } from '../../src/contracts/activity.ts';
import { addActivity, askUntilLive, beginArrivals } from './activity.ts';
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
