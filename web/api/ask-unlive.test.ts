import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { noAnswer } from './api-error.ts';
import { askUnlive } from './ask-unlive.ts';

let client: QueryClient;
let asked: string[];
let isThere: boolean;
let leave: (() => void)[];

beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } });
  asked = [];
  isThere = true;
  leave = ['overview', 'pairs'].map((name) =>
    new QueryObserver(client, { queryKey: [name], queryFn: () => ask(name) }).subscribe(() => undefined),
  );
});
afterEach(() => {
  for (const one of leave) one();
  client.clear();
});

async function ask(name: string): Promise<string> {
  asked.push(name);
  if (!isThere) throw noAnswer();
  return name;
}

test('without the live channel everything on the page is asked for, and nothing else', async () => {
  await client.prefetchQuery({ queryKey: ['left'], queryFn: () => ask('left') });
  asked = [];
  assert.equal(await askUnlive(client, false), true);
  assert.deepEqual(asked, ['overview', 'pairs']);
  isThere = false;
  assert.equal(await askUnlive(client, false), false);
});

test('while it stands only what had no answer is asked for', async () => {
  await client.refetchQueries();
  asked = [];
  assert.equal(await askUnlive(client, true), false);
  assert.deepEqual(asked, []);
  isThere = false;
  await client.refetchQueries({ queryKey: ['pairs'] });
  isThere = true;
  asked = [];
  assert.equal(await askUnlive(client, true), true);
  assert.deepEqual(asked, ['pairs']);
});
