// Polls of a shop whose clock was wrong for a moment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededRandom, seededRandomPort } from '../../testing/simulator/random.ts';
import { VirtualClock } from '../../testing/simulator/virtual-clock.ts';
import { createWooConnector } from './connector.ts';

const MINUTE_MS = 60_000;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

test('[C21] a shop’s clock is six hours ahead for a moment: what changes after that is named by one of the next polls', async () => {
  const clock = new VirtualClock();
  clock.autoRun();
  let aheadMs = 0;
  let changedAt = Number.POSITIVE_INFINITY;
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
      const after = Date.parse(`${asked.searchParams.get('modified_after')}Z`);
      const isThere = asked.pathname.endsWith('/products') && asked.searchParams.get('status') === 'any';
      const found = isThere && changedAt > after && changedAt <= clock.now() ? [{ id: 7 }] : [];
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
  const poll = async () => {
    const named: string[] = [];
    for (;;) {
      const page = await connector.listChanged(cursor);
      named.push(...page.signals.map(({ externalId }) => externalId));
      cursor = page.cursor;
      if (!page.hasMore) return named;
    }
  };
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
