// How often a run or a plan is tried before it is called failed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestRun } from '../../engine/runs/request-run.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { PairSettings } from '../../model/pair.ts';
import { SIDES } from '../../model/platform.ts';
import type { ScanPage, ScanRequest } from '../../ports/connector.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

const RETRIES = [1, 3, 5] as const;

function shelf(settings: Partial<PairSettings>): EngineFlow {
  const flow = new EngineFlow(settings);
  for (const sku of ['MUG', 'BOWL', 'JUG']) flow.stock(SIDES, { title: sku }, [{ sku }]);
  return flow;
}

/** Shopify's listing breaks off each time, after one more of its first `pages` products; how often it was begun. */
function breakListing(flow: EngineFlow, pages: number, onTry: (tries: number) => void = () => undefined) {
  const { scan } = flow.connector('shopify');
  const count = { tries: 0 };
  flow.hands.shopify.scan = async function* ({ resume }: ScanRequest): AsyncGenerator<ScanPage> {
    count.tries += 1;
    onTry(count.tries);
    const done = Number(resume ?? 0);
    for await (const { snapshots } of scan({ resume: null })) {
      if (done < pages)
        yield { snapshots: snapshots.slice(done, done + 1), resume: String(done + 1), isComplete: false };
      break;
    }
    throw new ConnectorError('unavailable', 'connect ECONNREFUSED');
  };
  return count;
}

function runOf(flow: EngineFlow): { status: string; error: string | null } | undefined {
  return flow.rows<{ status: string; error: string | null }>(
    "SELECT status, error_code AS error FROM run WHERE trigger = 'manual'",
  )[0];
}

for (const retries of RETRIES) {
  test(`[A4] retryAttempts ${retries}: so many tries of a run follow its first, then it is called failed`, async () => {
    const flow = await shelf({ retryAttempts: retries }).link();
    const count = breakListing(flow, 0);
    requestRun(flow.world.life().ctx, { pairId: PAIR_ID, trigger: 'manual' });
    await flow.rest(60);
    assert.deepEqual([count.tries, runOf(flow)], [retries + 1, { status: 'failed', error: 'UNAVAILABLE' }]);
  });

  test(`[A4] retryAttempts ${retries}: so many tries of a plan follow its first, then it is called failed`, async () => {
    const flow = shelf({ retryAttempts: retries });
    const count = breakListing(flow, 0);
    await flow.plan();
    assert.deepEqual([count.tries, flow.planStatus().errorCode], [retries + 1, 'UNAVAILABLE']);
  });
}

test('[A4] tries that get further are not counted, of a plan as of a run', async () => {
  const flow = shelf({ retryAttempts: 1 });
  const planned = breakListing(flow, 3);
  await flow.plan();
  // Three with a page to show for each, and one without.
  assert.deepEqual([planned.tries, flow.planStatus().status], [4, 'failed']);
  flow.hands.shopify = {};
  await flow.link();
  const run = breakListing(flow, 3);
  requestRun(flow.world.life().ctx, { pairId: PAIR_ID, trigger: 'manual' });
  await flow.rest();
  assert.deepEqual([run.tries, runOf(flow)?.status], [4, 'failed']);
});

test('[A4] a changed number of tries holds for what is being tried', async () => {
  const flow = await shelf({ retryAttempts: 5 }).link();
  const count = breakListing(flow, 0, (tries) => {
    if (tries === 2) flow.change({ retryAttempts: 1 });
  });
  requestRun(flow.world.life().ctx, { pairId: PAIR_ID, trigger: 'manual' });
  await flow.rest();
  assert.deepEqual([count.tries, runOf(flow)?.status], [2, 'failed']);
});

test('[A4] a store that has no room for us costs no try, of a plan as of a run', async () => {
  const flow = shelf({ retryAttempts: 1 });
  const { scan } = flow.connector('shopify');
  let tries = 0;
  flow.hands.shopify.scan = (request) => {
    tries += 1;
    if (tries > 6) return scan(request);
    throw tries === 1
      ? new ConnectorError('unavailable', 'connect ECONNREFUSED')
      : new ConnectorError('rate_limited', 'slow down', { retryAfterMs: 1_000 });
  };
  await flow.plan();
  assert.equal(flow.planStatus().status, 'ready');
});

test('[A1] a change that comes by itself is tried until it works, whatever the number of tries', async () => {
  const flow = await shelf({ retryAttempts: 1 }).link();
  flow.hands.woocommerce.readStock = async () => {
    throw new ConnectorError('unavailable', 'connect ECONNREFUSED');
  };
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 1);
  await flow.rest();
  delete flow.hands.woocommerce.readStock;
  await flow.rest();
  assert.deepEqual(flow.quantities('MUG'), [9, 9]);
});
