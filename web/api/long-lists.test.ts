import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type InfiniteData, InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { createInvalidator } from './ask-again.ts';
import { isListBehind, type LongList, withFront } from './long-lists.ts';

interface Row {
  readonly _id: string;
  readonly stock?: number;
}
interface Page {
  readonly records: readonly Row[];
  readonly nextCursor: number | null;
}

const LIST: LongList = { rows: 'records', id: '_id' };
const PAGES = 20;
const PAGE_SIZE = 50;

/** What the server has, newest first, and how often it was asked for a page. */
let rows: Row[];
let requests: number;
beforeEach(() => {
  rows = Array.from({ length: PAGES * PAGE_SIZE }, (_, n) => ({ _id: `rec_${n}`, stock: 1 }));
  requests = 0;
});

function listIn(client: QueryClient, list: LongList | null) {
  return new InfiniteQueryObserver<Page, Error, InfiniteData<Page, number>, readonly string[], number>(client, {
    queryKey: ['records', 'all'],
    initialPageParam: 0,
    ...(list ? { meta: { list } } : {}),
    queryFn: async ({ pageParam }) => {
      requests += 1;
      const answer = rows.slice(pageParam, pageParam + PAGE_SIZE);
      await sleep(1);
      return { records: answer, nextCursor: pageParam + PAGE_SIZE < rows.length ? pageParam + PAGE_SIZE : null };
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

/** So many requests does one live message cost where all twenty pages are shown. */
async function requestsPerMessage(
  list: LongList | null,
): Promise<{ count: number; isBehind: boolean; first: Row | undefined }> {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  const observer = listIn(client, list);
  const leave = observer.subscribe(() => undefined);
  try {
    await observer.refetch();
    for (let page = 1; page < PAGES; page += 1) await observer.fetchNextPage();
    requests = 0;
    rows = rows.map((row, n) => (n === 0 ? { ...row, stock: 0 } : row));
    createInvalidator(client)('records');
    await sleep(300);
    const { data } = observer.getCurrentResult();
    assert.equal(data?.pages.length, PAGES);
    return { count: requests, isBehind: isListBehind(data), first: data?.pages[0]?.records[0] };
  } finally {
    leave();
    client.clear();
  }
}

test('with twenty pages shown, a live message costs one request and not twenty', async () => {
  assert.equal((await requestsPerMessage(null)).count, PAGES, 'what it costs as a whole');
  rows[0] = { _id: 'rec_0', stock: 1 };
  const { count, isBehind, first } = await requestsPerMessage(LIST);
  assert.equal(count, 1);
  assert.equal(first?.stock, 0, 'and the first page is as it is now');
  assert.ok(isBehind, 'the others are known to be older');
});

test('read as a whole, on wish, the list is behind no more; one more page does not make it so', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  const observer = listIn(client, LIST);
  const leave = observer.subscribe(() => undefined);
  await observer.refetch();
  await observer.fetchNextPage();
  createInvalidator(client)('records');
  await sleep(100);
  await observer.fetchNextPage();
  assert.ok(isListBehind(observer.getCurrentResult().data));
  await observer.refetch();
  assert.ok(!isListBehind(observer.getCurrentResult().data));
  leave();
  client.clear();
});

const page = (ids: string, more: object = {}) => ({ records: [...ids].map((_id) => ({ _id })), ...more });
const ids = (data: InfiniteData<object, unknown>) =>
  data.pages.map((one) => (one as ReturnType<typeof page>).records.map(({ _id }) => _id).join(''));
const merged = (known: readonly string[], front: string, list = LIST) =>
  withFront({ pages: known.map((one) => page(one)), pageParams: [] }, page(front), list);

test('what is new stands in front, what it pushed down stays, and nothing stands twice', () => {
  assert.deepEqual(ids(merged(['abc', 'def'], 'xab')), ['xabc', 'def']);
  assert.deepEqual(ids(merged(['abc', 'def'], 'eab')), ['eabc', 'df']);
});

test('what is gone from the first page is gone, and what moved up into it stands there alone', () => {
  assert.deepEqual(ids(merged(['abc', 'def'], 'acd')), ['acd', 'ef']);
});

test('in a list that only grows older pages are not behind, unless more came than a page shows', () => {
  const grows = { ...LIST, grows: true };
  assert.ok(!isListBehind(merged(['abc', 'def'], 'xab', grows)));
  const gap = merged(['abc', 'def'], 'xyz', grows);
  assert.ok(isListBehind(gap));
  assert.deepEqual(ids(gap), ['xyzabc', 'def']);
});
