import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Conflict, ResolveConflictsBody } from '../../src/contracts/conflicts.ts';
import { BULK_WHY, resolveInPortions } from './resolve-in-portions.ts';

const conflicts = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ _id: `cfl_${n}`, version: n }) as Conflict);

type Answer = { readonly outcome: 'done' | 'refused'; readonly code?: string; readonly message?: string };

/** A server that answers each by its id, and the requests that came. */
function serverOf(answer: (id: string) => Answer = () => ({ outcome: 'done' })) {
  const requests: ResolveConflictsBody['choices'][] = [];
  return {
    requests,
    send: async ({ choices }: ResolveConflictsBody) => {
      requests.push(choices);
      return {
        results: choices.map(({ conflictId }) => ({ conflictId, code: null, message: null, ...answer(conflictId) })),
      };
    },
  };
}

const quiet = { onProgress: () => undefined, isStopped: () => false };

test('all go, a portion at a time, each with the version that was shown, and progress is told', async () => {
  const { requests, send } = serverOf();
  const told: number[] = [];
  const course = { send, onProgress: (count: number) => told.push(count), isStopped: () => false };
  const result = await resolveInPortions(conflicts(60), 'shopify', course);
  assert.deepEqual(result, { done: 60, notResolved: [], failure: null });
  assert.deepEqual(
    requests.map(({ length }) => length),
    [25, 25, 10],
  );
  assert.deepEqual(requests[1]?.[0], { conflictId: 'cfl_25', version: 25, choice: 'shopify' });
  assert.deepEqual(told, [25, 50, 60]);
});

test('what was refused is listed with its reason, and holds up no other', async () => {
  const refusals: Readonly<Record<string, Answer>> = {
    cfl_1: { outcome: 'refused', code: 'CONFLICT_MOVED', message: 'A value changed while you were deciding.' },
    cfl_2: { outcome: 'refused', code: 'CONFLICT_CLOSED', message: 'This conflict is settled already.' },
    cfl_3: { outcome: 'refused', code: 'CONFLICT_CLOSED', message: 'This pair goes one way by now.' },
  };
  const { send } = serverOf((id) => refusals[id] ?? { outcome: 'done' });
  const { done, notResolved } = await resolveInPortions(conflicts(30), 'woocommerce', { send, ...quiet });
  assert.equal(done, 27);
  assert.deepEqual(
    notResolved.map(({ conflict, why }) => [conflict._id, why]),
    [
      ['cfl_1', BULK_WHY.moved],
      ['cfl_2', BULK_WHY.closed],
      ['cfl_3', 'This pair goes one way by now.'],
    ],
  );
});

test('a request that fails ends it: of its own nobody knows, and the rest was not sent', async () => {
  const server = serverOf();
  const send = (body: ResolveConflictsBody) =>
    server.requests.length === 1 ? Promise.reject(new Error('gone')) : server.send(body);
  const { done, notResolved, failure } = await resolveInPortions(conflicts(60), 'shopify', { send, ...quiet });
  assert.equal(done, 25);
  assert.equal(failure?.message, 'gone');
  assert.deepEqual(
    [notResolved.length, notResolved[0]?.why, notResolved[24]?.why, notResolved[25]?.why],
    [35, BULK_WHY.unknown, BULK_WHY.unknown, BULK_WHY.unsent],
  );
});

test('stopped, it sends no further portion', async () => {
  const { requests, send } = serverOf();
  const course = { send, onProgress: () => undefined, isStopped: () => requests.length > 0 };
  const { done, notResolved } = await resolveInPortions(conflicts(60), 'shopify', course);
  assert.deepEqual([done, notResolved.length, requests.length], [25, 35, 1]);
});
