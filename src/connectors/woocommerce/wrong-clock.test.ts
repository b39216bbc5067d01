// Polls of a shop whose clock was wrong for a moment, or whose records are dated ahead.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededRandom, seededRandomPort } from '../../testing/simulator/random.ts';
import { VirtualClock } from '../../testing/simulator/virtual-clock.ts';
import { createWooConnector } from './connector.ts';

const MINUTE_MS = 60_000;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

interface Shop {
  /** By how much its clock is ahead. */
  readonly aheadMs: number;
  /** When its only product was changed, as it says itself. */
  readonly changedAt: number;
}

/** A shop with one product, asked what has changed. */
async function openPolls(shopAt: (now: number) => Shop) {
  const clock = new VirtualClock();
  clock.autoRun();
  const connector = createWooConnector({
    url: 'https://shop.example',
    consumerKey: 'ck_1',
    consumerSecret: 'cs_1',
    webhookSecrets: ['s'],
    clock,
    random: seededRandomPort(new SeededRandom('changes'), clock),
    log: silent,
    info: { currency: 'USD', priceDecimals: 2, weightUnit: 'kg' },
    transport: async ({ url }) => {
      const asked = new URL(url);
      const { aheadMs, changedAt } = shopAt(clock.now());
      const after = Date.parse(`${asked.searchParams.get('modified_after')}Z`);
      const isThere = asked.pathname.endsWith('/products') && asked.searchParams.get('status') === 'any';
      const date_modified_gmt = new Date(Number.isFinite(changedAt) ? changedAt : 0).toISOString().slice(0, 19);
      const found = isThere && changedAt > after && Number.isFinite(changedAt) ? [{ id: 7, date_modified_gmt }] : [];
      return {
        status: 200,
        headers: {
          'content-type': 'application/json',
          date: new Date(clock.now() + aheadMs).toUTCString(),
          'x-wp-total': String(found.length),
        },
        body: new TextEncoder().encode(JSON.stringify(found)),
      };
    },
  });
  let { cursor } = await connector.listChanged(null);
  const poll = async (): Promise<readonly string[]> => {
    const named: string[] = [];
    for (;;) {
      const page = await connector.listChanged(cursor);
      named.push(...page.signals.map(({ externalId }) => externalId));
      cursor = page.cursor;
      if (!page.hasMore) return named;
    }
  };
  return { clock, poll };
}

test('[C21] a shop’s clock is six hours ahead for a moment: what changes after that is named by one of the next polls', async () => {
  let aheadMs = 0;
  let changedAt = Number.POSITIVE_INFINITY;
  const { clock, poll } = await openPolls((now) => ({
    aheadMs,
    changedAt: changedAt <= now ? changedAt : Number.POSITIVE_INFINITY,
  }));
  await clock.sleep(MINUTE_MS);
  aheadMs = 6 * 60 * MINUTE_MS;
  await poll();
  aheadMs = 0;
  await clock.sleep(MINUTE_MS);
  await poll();
  changedAt = clock.now() + MINUTE_MS / 2;
  const named: string[] = [];
  for (let i = 0; i < 10; i += 1) {
    await clock.sleep(MINUTE_MS);
    named.push(...(await poll()));
  }
  assert.ok(named.includes('7'));
});

test('[C21] what is made with a date to come, and says it was changed then, is named at once and when that has come, not by every poll between', async () => {
  let changedAt = Number.POSITIVE_INFINITY;
  const { clock, poll } = await openPolls(() => ({ aheadMs: 0, changedAt }));
  const namedBy = async (minutes: number) => {
    let count = 0;
    for (let i = 0; i < minutes; i += 1) {
      await clock.sleep(MINUTE_MS);
      count += (await poll()).length;
    }
    return count;
  };
  assert.equal(await namedBy(2), 0);
  const madeAt = clock.now();
  changedAt = madeAt + 60 * MINUTE_MS;
  assert.equal(await namedBy(50), 1);
  // Put off: another date is another change.
  changedAt = madeAt + 70 * MINUTE_MS;
  assert.equal(await namedBy(15), 1);
  assert.ok((await namedBy(10)) > 0);
  assert.equal(await namedBy(10), 0);
});
