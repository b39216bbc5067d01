import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confirmSlow } from './confirm-slow.ts';
import { fuzz } from './fuzz.ts';

test('a thousand drawn requests find no 5xx, no hang, no error out of shape', async () => {
  const report = await fuzz({ seed: 'short', count: 1_000 });
  assert.deepEqual(report.findings, []);
  // A fuzzer that is turned away at the door finds nothing.
  assert.ok(report.reached >= 25, `only ${report.reached} of ${report.routes} routes were reached`);
  for (const status of ['200', '401', '403', '404', '422'])
    assert.ok((report.byStatus[status] ?? 0) > 5, `${status} ${JSON.stringify(report.byStatus)}`);
});

test('slow by itself is told from slow because of the machine', async () => {
  const at = { cpuMs: 0, nowMs: 0 };
  /** How many times slower than the processor the machine lets this process be. */
  let slowness = 1;
  /** Each answer takes the next of these times, on the clock and of the processor; the last one from then on. */
  const taking = (...times: readonly { readonly ms: number; readonly cpuMs?: number }[]) => {
    let count = 0;
    return async () => {
      const time = times[Math.min(count++, times.length - 1)];
      at.nowMs += time?.ms ?? 0;
      at.cpuMs += time?.cpuMs ?? 0;
    };
  };
  const confirm = (send: () => Promise<unknown>, plain = taking({ ms: 2, cpuMs: 1 })) =>
    confirmSlow(send, plain, {
      cpuMs: () => at.cpuMs,
      nowMs: () => at.nowMs,
      burn: (cpuMs) => {
        at.cpuMs += cpuMs;
        at.nowMs += cpuMs * slowness;
      },
    });
  assert.match((await confirm(taking({ ms: 1_300, cpuMs: 1_200 }))) ?? '', /used 1200 ms of processor time/);
  assert.match((await confirm(taking({ ms: 9_000, cpuMs: 1_200 }), taking({ ms: 900 }))) ?? '', /of processor time/);
  assert.match((await confirm(taking({ ms: 3_100 }))) ?? '', /took 3100 ms, each time of 3/);
  assert.equal(
    await confirm(taking({ ms: 9_000, cpuMs: 40 }), taking({ ms: 2_500 })),
    null,
    'everything is slow just now',
  );
  assert.equal(await confirm(taking({ ms: 9_000, cpuMs: 1_200 }, { ms: 4, cpuMs: 3 })), null, 'only that one time');
  slowness = 20;
  assert.equal(
    await confirm(taking({ ms: 6_000, cpuMs: 300 })),
    null,
    'a password hash on a machine that does much else',
  );
  assert.match((await confirm(taking({ ms: 60_000, cpuMs: 300 }))) ?? '', /work of the same size/);
  // With the real meter: work that has to be done is seen.
  const burn = async () => {
    const from = process.cpuUsage();
    let sum = 0;
    while (process.cpuUsage(from).user < 1_050_000) for (let n = 0; n < 1_000_000; n++) sum += n;
    return sum;
  };
  assert.match((await confirmSlow(burn, async () => undefined)) ?? '', /of processor time/);
});
