// A store that nobody finds any more: its domain ran out, its certificate did, its host is down.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventRow } from '../../db/schema/machinery.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import { alertOfEvent } from '../../notify/alerts/alert-of-event.ts';
import { Story } from './depth/story.ts';

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
