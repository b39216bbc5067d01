import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurns } from './turns.ts';

/** Answers with the names of who was served, in their order; refused ones are not in it. */
async function servedOf(calls: readonly (readonly [name: string, ip: string])[]): Promise<string[]> {
  const served: string[] = [];
  const queue = createTurns();
  const turns = calls.map(([name, ip]) => queue.take(ip, async () => void served.push(name)));
  await Promise.allSettled(turns);
  return served;
}

const times = (count: number, one: (n: number) => readonly [string, string]) =>
  Array.from({ length: count }, (_, n) => one(n));

test('all addresses of an IPv6 /64 are one source, and a /48 has a share of its own', async () => {
  const served = await servedOf([
    ...times(6, (n) => [`one ${n}`, `2001:db8:1:1::${n}`]),
    ...times(40, (n) => [`many ${n}`, `2001:db8:1:${n + 2}::1`]),
  ]);
  assert.equal(served.filter((name) => name.startsWith('one')).length, 4);
  assert.equal(served.length, 12);
});

test('who comes to a queue that others have filled is served after one of each of them', async () => {
  // 25 sources with four places each: the queue is full.
  const flood = times(100, (n) => [`flood ${n}`, `203.0.113.${n % 25}`]);
  const served = await servedOf([...flood, ['honest', '198.51.100.1'], ['neighbour', '2001:db8::1']]);
  assert.equal(served.indexOf('honest'), 26, 'after what was at work');
  assert.equal(served.indexOf('neighbour'), 27);
  assert.equal(served.length, 100, 'two of those that waited behind their own made room');
});

test('a source with few waits behind no source with many', async () => {
  const served = await servedOf([...times(4, (n) => [`a${n}`, '192.0.2.1']), ['b0', '192.0.2.2'], ['b1', '192.0.2.2']]);
  assert.deepEqual(served, ['a0', 'a1', 'b0', 'a2', 'b1', 'a3']);
});
