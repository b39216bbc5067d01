import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '../../lib/time.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { VirtualClock } from '../../testing/simulator/virtual-clock.ts';
import { ANSWER_TOO_LARGE, TransportError } from '../shared/transport.ts';
import { sendBatch } from './batch.ts';
import { createCrashedWrites } from './crashed-writes.ts';
import { create, openStore, variant } from './open-store.test.ts';
import { createPageSize } from './page-size.ts';

const named = (count: number, from: string) =>
  Array.from({ length: count }, (_, index) => {
    const title = `${from}-${index}`;
    return create({ title, handle: title.toLowerCase() }, [variant()], `prd_${title}`);
  });

const LATE = ['timeout', 'no answer within 60 s', ''] as const;
const LARGE = ['too_large', 'more than is read', ANSWER_TOO_LARGE] as const;

/** A store that has been quick, and from now on the answer to a batch of more than so many is lost, as a late one by default. */
async function openSlow(most: number, [failure, words, code]: typeof LATE | typeof LARGE = LATE) {
  const store = await openStore();
  await store.connector.writeProducts(named(75, 'Quick'));
  store.sent.length = 0;
  const limit = { most };
  store.hooks.answer = (_path, body) => {
    const { create: made = [], update: changed = [] } = (body ?? {}) as Record<string, unknown[]>;
    if (made.length + changed.length <= limit.most) return null;
    throw new TransportError('after_send', failure, words, code);
  };
  const sizes = () => store.sent.splice(0).map(({ body }) => (body.create ?? body.update).length);
  return { ...store, limit, sizes };
}

test('a store is given a few at first, and more once those were quick: a hundred on a slow host would outlast the wait for them', async () => {
  const store = await openStore();
  const sizes = () => store.sent.splice(0).map(({ body }) => body.create.length);
  store.hooks.answer = async (_path, body) => {
    if (body !== undefined) await store.clock.sleep(700 * (body as { create: unknown[] }).create.length);
    return null;
  };
  const slow = await store.connector.writeProducts(named(100, 'A'));
  assert.deepEqual([...new Set(slow.map((one) => one.ok || one.error.kind))], [true, 'unavailable']);
  assert.deepEqual(sizes(), [25, 25, 25]);
  store.hooks.answer = () => null;
  for (const expected of [[25, 50, 25], [100]]) {
    const quick = await store.connector.writeProducts(named(100, `B${expected.length}`));
    assert.ok(quick.every(({ ok }) => ok));
    assert.deepEqual(sizes(), expected);
  }
});

test('a store that does not answer a batch of a hundred in time is given fewer at once', async () => {
  const { connector, sizes } = await openSlow(30);
  const kinds = new Set((await connector.writeProducts(named(100, 'A'))).map((one) => !one.ok && one.error.kind));
  assert.deepEqual([...kinds], ['unknown_outcome']);
  assert.deepEqual(sizes(), [100]);
  const outcomes = await connector.writeProducts(named(60, 'B'));
  assert.ok(outcomes.every(({ ok }) => ok));
  assert.deepEqual(sizes(), [25, 25, 10]);
});

test('a store that answers a batch with more than we take is given as few as we do take, and no more for a day', async () => {
  const { connector, sizes, clock } = await openSlow(8, LARGE);
  const write = async (letter: string) =>
    new Set((await connector.writeProducts(named(100, letter))).map((one) => (one.ok ? 'ok' : one.error.kind)));
  for (const letter of ['A', 'B']) assert.ok((await write(letter)).has('unknown_outcome'));
  sizes();
  assert.deepEqual([...(await write('C'))], ['ok']);
  await clock.sleep(HOUR_MS);
  sizes();
  assert.deepEqual(
    [...(await write('D'))],
    ['ok'],
    'each that is lost would be waited for until it can’t land any more',
  );
  assert.equal(Math.max(...sizes()), 6);
});

test('what comes after a small batch without an answer is not sent: each would be waited for as long', async () => {
  const { connector, sizes, limit } = await openSlow(30);
  await connector.writeProducts(named(100, 'A'));
  sizes();
  limit.most = 20;
  const outcomes = await connector.writeProducts(named(60, 'B'));
  const kinds = outcomes.map((one) => (one.ok ? 'ok' : one.error.kind));
  assert.deepEqual(
    [kinds[0], kinds[24], kinds[25], kinds[59]],
    [...Array(2).fill('unknown_outcome'), ...Array(2).fill('unavailable')],
  );
  assert.deepEqual(sizes(), [25]);
});

test('what is left once a call has taken long is not sent either, and nothing is known to have happened to it', async () => {
  const { connector, hooks, clock, sizes } = await openSlow(30);
  await connector.writeProducts(named(100, 'A'));
  sizes();
  hooks.answer = async (_path, body) => {
    if (body !== undefined) await clock.sleep(30_000);
    return null;
  };
  const outcomes = await connector.writeProducts(named(60, 'B'));
  const kinds = outcomes.map((one) => (one.ok ? 'ok' : one.error.kind));
  assert.deepEqual([kinds[0], kinds[49], kinds[50], kinds[59]], ['ok', 'ok', 'unavailable', 'unavailable']);
  assert.deepEqual(sizes(), [25, 25]);
});

test('a batch that is refused whole is split until only the bad item fails', async () => {
  let calls = 0;
  const client = {
    send: async (_method: string, _path: string, body: unknown) => {
      calls += 1;
      const items = (body as { update: { id: number }[] }).update;
      if (items.some(({ id }) => id === 13)) throw new ConnectorError('rejected', 'no 13');
      return { data: { update: items }, headers: {} };
    },
    clean: (text: string) => text,
    batches: createPageSize(new VirtualClock(), 25),
    crashed: createCrashedWrites(),
  } as never;
  const items = Array.from({ length: 40 }, (_, id) => ({ verb: 'update' as const, body: { id } }));
  const results = await sendBatch(client, '/products/batch', items, {});
  assert.deepEqual(
    results.flatMap((result, index) => (result.ok ? [] : [index])),
    [13],
  );
  assert.ok(calls < 15);
});
