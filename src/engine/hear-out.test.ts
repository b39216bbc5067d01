import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../testing/simulator/virtual-clock.ts';
import { HEAR_OUT_MS, hearOut } from './hear-out.ts';

const WHY = new Error('the server is stopping');

/** What a write of that length is answered, and when; the work is to end after `endsAfterMs`. */
async function hear(takesMs: number, endsAfterMs: number): Promise<readonly [answer: string, afterMs: number]> {
  const clock = new VirtualClock();
  const work = new AbortController();
  const from = clock.now();
  if (endsAfterMs === 0) work.abort(WHY);
  else void clock.sleep(endsAfterMs).then(() => work.abort(WHY));
  const answer = await clock.run(
    hearOut(work.signal, clock, async (cut) => {
      try {
        await clock.sleep(takesMs, cut);
        return 'heard';
      } catch (error) {
        assert.equal(error, WHY);
        return 'cut off';
      }
    }),
  );
  const afterMs = clock.now() - from;
  await clock.runUntil(from + endsAfterMs);
  assert.equal(clock.nextAt(), null, 'no timer is left');
  return [answer, afterMs];
}

test('a write is heard out for a while after its work is to end, and not at all when it begins after that', async () => {
  assert.deepEqual(await hear(3_000, 1_000), ['heard', 3_000]);
  assert.deepEqual(await hear(3_000, 10_000), ['heard', 3_000]);
  assert.deepEqual(await hear(30_000, 1_000), ['cut off', 1_000 + HEAR_OUT_MS]);
  assert.deepEqual(await hear(30_000, 0), ['cut off', 0]);
});
