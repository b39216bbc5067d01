// A store that nobody finds any more: its domain ran out, its certificate did, its host is down.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventRow } from '../../db/schema/machinery.ts';
import { testStore } from '../../engine/stores/connect-store.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import type { Side } from '../../model/platform.ts';
import { alertOfEvent } from '../../notify/alerts/alert-of-event.ts';
import { Story } from './depth/story.ts';
import type { Answer, Host } from './depth/wire.ts';

test('[A1] a store that is away for long is told of until it answers again, and what was missed is caught up', () =>
  Story.play(async (story) => {
    story.addBoth('MUG');
    await story.link();
    story.world.requestFate = (side) => (side === 'woocommerce' ? 'never_lands' : 'passes');
    await story.rest(5 * MINUTE_MS);
    assert.deepEqual(story.codes(), [], 'a restart of the shop’s server is no news');
    story.shop.placeOrder([{ variant: 'MUG', quantity: 1 }]);
    await story.rest(60 * MINUTE_MS);
    assert.deepEqual(story.codes(), ['STORE_AWAY']);
    const events = story.world.db.connection
      .prepare("SELECT seq, type, payload FROM event WHERE type = 'problem' AND payload LIKE '%STORE_AWAY%'")
      .all() as { payload: string }[];
    assert.equal(events.length, 1, 'told once');
    const event = { type: 'problem', payload: JSON.parse(events[0]!.payload) as unknown } as EventRow;
    assert.equal(alertOfEvent(event)?.kind, 'store_unreachable');
    story.world.requestFate = () => 'passes';
    await story.rest(5 * MINUTE_MS);
    assert.deepEqual(story.codes(), []);
    assert.deepEqual(story.stock('MUG'), [9, 9]);
  }));

/** Something before the store answers in its place; where `at` gives nothing, the store does. */
function standBefore(story: Story, side: Side, at: (url: string) => Answer | null): () => void {
  const host = story.world.shops.hosts[side] as { inject: Host['inject'] };
  const { inject } = host;
  host.inject = async (request) => at(request.url) ?? inject.call(host, request);
  return () => {
    host.inject = inject;
  };
}

const answer = (status: number, body: string, headers = {}): Answer => ({ status, headers, body: Buffer.from(body) });

for (const [name, kept] of [
  ['a page', answer(403, '<!doctype html><h1>Forbidden</h1>')],
  ['a refusal', answer(401, '{"code":"rest_forbidden","message":"Not here.","data":{"status":401}}')],
] as const)
  test(`[A1, A2] a firewall that keeps webhooks alone from a store, by ${name}: told of once, and the store is worked with as before`, () =>
    Story.play(async (story) => {
      story.addBoth('MUG');
      await story.link();
      const letThrough = standBefore(story, 'woocommerce', (url) => (url.includes('/webhooks') ? kept : null));
      await story.rest(4 * 60 * MINUTE_MS);
      const events = story.world.db.connection
        .prepare("SELECT payload FROM event WHERE type IN ('problem', 'store_health_changed')")
        .all() as { payload: string }[];
      assert.deepEqual([story.codes(), events.length], [['WEBHOOKS_SHUT'], 1]);
      assert.match(story.problems()[0]?.remedy ?? '', /firewall/);
      story.woo.placeOrder([{ ref: 'MUG', quantity: 1 }]);
      await story.rest(2 * MINUTE_MS);
      assert.deepEqual(story.stock('MUG'), [9, 9]);
      const { ctx, stores } = story.world;
      const findings = await story.world.clock.run(testStore(ctx, stores.woocommerce));
      assert.deepEqual(
        findings.filter(({ level }) => level !== 'ok').map(({ code, level }) => [code, level]),
        [['WEBHOOKS_UNKNOWN', 'warning']],
        'a person who has it looked at does not shut it either',
      );
      assert.deepEqual(story.codes(), ['WEBHOOKS_SHUT']);
      letThrough();
      await story.rest(20 * MINUTE_MS);
      assert.deepEqual(story.codes(), []);
    }));

test('[A1] a store that wants to be left alone for an hour is told of', () =>
  Story.play(async (story) => {
    story.addBoth('MUG');
    await story.link();
    const open = standBefore(story, 'shopify', () => answer(503, '', { 'retry-after': '3600' }));
    await story.rest(40 * MINUTE_MS);
    assert.deepEqual(story.codes(), ['STORE_AWAY']);
    open();
    await story.rest(70 * MINUTE_MS);
    assert.deepEqual(story.codes(), []);
  }));
