// A store that does not want us: for one reading, for one record, or altogether.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operation } from '../../connectors/memory/fault-plan.ts';
import { transact } from '../../db/database.ts';
import { findStore } from '../../db/readers/pairs.ts';
import { insertDelivery, pruneDeliveries } from '../../db/writers/deliveries.ts';
import { enqueueStoreCheck } from '../../engine/stores/check-store.ts';
import { testStore } from '../../engine/stores/connect-store.ts';
import { DAY_MS } from '../../lib/time.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { SIDES } from '../../model/platform.ts';
import { STORE_IDS } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

async function linked(): Promise<EngineFlow> {
  const flow = new EngineFlow();
  for (const title of ['Mug', 'Bowl']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase() }]);
  return flow.link();
}

const refuse = async (): Promise<never> => {
  throw new ConnectorError('rejected', 'Query cost is not allowed for this shop');
};

test('[A1] a reading that is refused is tried again until it is answered; a person is told meanwhile', async () => {
  const flow = await linked();
  flow.hands.shopify.readProducts = refuse;
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'descriptionHtml', '<p>New</p>');
  await flow.rest();
  assert.ok(flow.words('STORE_REFUSES').message.includes('Query cost'));
  delete flow.hands.shopify.readProducts;
  await flow.rest();
  assert.equal(flow.product('woocommerce', 'Mug').fields.descriptionHtml, '<p>New</p>');
  await flow.poll(1);
  assert.deepEqual(flow.problems(), []);
});

test('[A1] a stock reading that is refused is tried again too', async () => {
  const flow = await linked();
  flow.hands.shopify.readStock = refuse;
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 1);
  await flow.rest();
  assert.deepEqual(flow.quantities('MUG'), [10, 9]);
  delete flow.hands.shopify.readStock;
  await flow.rest();
  assert.deepEqual(flow.quantities('MUG'), [9, 9]);
  await flow.poll(1);
  assert.deepEqual(flow.problems(), []);
});

test('[A1] a store that has no room for us is told of when that lasts, and is no news while it passes', async () => {
  const flow = await linked();
  flow.hands.shopify.listChanged = async () => {
    throw new ConnectorError('rate_limited', 'Too many requests', { retryAfterMs: 1_000 });
  };
  await flow.poll(10);
  assert.deepEqual(flow.problems(), []);
  await flow.rest(10);
  assert.match(flow.words('STORE_AWAY').message, /Too many requests/);
  delete flow.hands.shopify.listChanged;
  await flow.rest(2);
  assert.deepEqual(flow.problems(), []);
});

test('[A5] a poll that our own limit leaves no room for is told of as that, and not as a store that is away', async () => {
  const flow = await linked();
  flow.hands.shopify.listChanged = async () => {
    throw new ConnectorError('rate_limited', 'no room', { retryAfterMs: 20 * 60_000, isOwnLimit: true });
  };
  await flow.poll(1);
  assert.deepEqual(flow.problems(), [], 'once is no news, however long it says');
  await flow.rest(6 * 60);
  assert.deepEqual(flow.problems(), ['STORE_LIMITED']);
  delete flow.hands.shopify.listChanged;
  await flow.rest(30);
  assert.deepEqual(flow.problems(), []);
});

test('[A1] one record that a store refuses to show is a problem of that record, and holds up no other', async () => {
  const flow = await linked();
  const mug = flow.product('shopify', 'Mug').id;
  const real = flow.world.shops.shopify;
  const { readProducts } = flow.connector('shopify');
  let isRefusing = true;
  flow.hands.shopify.readProducts = async (ids, signal) => {
    const outcomes = await readProducts(ids, signal);
    const error = new ConnectorError('rejected', 'This product can not be shown');
    return outcomes.map((outcome, i) => (isRefusing && ids[i] === mug ? { ok: false, error } : outcome));
  };
  for (const title of ['Mug', 'Bowl'])
    real.outside.editProduct(flow.product('shopify', title).id, 'descriptionHtml', `<p>New ${title}</p>`);
  await flow.rest();
  assert.equal(flow.product('woocommerce', 'Bowl').fields.descriptionHtml, '<p>New Bowl</p>');
  assert.deepEqual(flow.problems(), ['READ_REFUSED']);
  isRefusing = false;
  await flow.rest(30);
  assert.equal(flow.product('woocommerce', 'Mug').fields.descriptionHtml, '<p>New Mug</p>');
  assert.deepEqual(flow.problems(), []);
});

test('[A2] a store that does not let us in pauses the pair but for a probe, and all goes on by itself', async () => {
  const flow = await linked();
  const seen: Operation[] = [];
  for (const side of SIDES) {
    const calm = flow.shop(side).faults;
    flow.shop(side).faults = {
      ...calm,
      request: (facts) => {
        seen.push(facts.operation);
        return calm.request(facts);
      },
    };
  }
  flow.shop('shopify').revokeCredentials();
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 3);
  await flow.rest(5);
  assert.ok(flow.words('STORE_NO_ACCESS').remedy.includes('by itself'));
  seen.length = 0;
  await flow.poll();
  await flow.rest(60);
  assert.deepEqual([...new Set(seen.filter((operation) => operation !== 'list_changed'))], ['inspect']);
  assert.ok(seen.filter((operation) => operation === 'inspect').length < 12, 'ever more seldom');
  flow.shop('shopify').restoreCredentials();
  await flow.rest(20);
  assert.deepEqual(flow.quantities('MUG'), [7, 7]);
  assert.deepEqual(flow.problems(), []);
  assert.deepEqual(
    flow.rows<{ status: string }>('SELECT status FROM store').map(({ status }) => status),
    ['connected', 'connected'],
  );
});

test('[A2] a store that a person looks at while it is down is not one that shuts us out: its pairs go on', async () => {
  const flow = await linked();
  const shop = flow.shop('woocommerce');
  const look = async () => {
    const answer = testStore(flow.world.life().ctx, STORE_IDS.woocommerce);
    await flow.world.clock.runFor(5_000);
    return answer;
  };
  const calm = shop.faults;
  shop.faults = {
    ...calm,
    request: (facts) => ({ ...calm.request(facts), fault: { type: 'server_error', when: 'before' } }),
  };
  assert.equal((await look())[0]?.level, 'error');
  shop.faults = calm;
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 3);
  await flow.world.clock.runFor(20_000);
  assert.deepEqual([flow.quantities('MUG'), flow.problems()], [[7, 7], []]);
  shop.revokeCredentials();
  await look();
  assert.deepEqual(flow.problems(), ['STORE_NO_ACCESS']);
  shop.restoreCredentials();
  await look();
  assert.deepEqual(flow.problems(), [], 'and the look that it lets us in ends it at once');
});

test('[A2] a key that may only read any more: told once, and nothing is written until it may write again', async () => {
  const flow = await linked();
  const { inspect } = flow.connector('shopify');
  let mayWrite = false;
  let denied = 0;
  flow.hands.shopify.inspect = async (signal) => {
    const calm = await inspect(signal);
    const lost = {
      code: 'SCOPE_MISSING_WRITE_INVENTORY',
      level: 'error',
      message: 'It may not write stock.',
      remedy: '',
    } as const;
    return mayWrite ? calm : { ...calm, findings: [...calm.findings, lost] };
  };
  const { writeStock } = flow.connector('shopify');
  flow.hands.shopify.writeStock = async (writes, signal) => {
    if (mayWrite) return await writeStock(writes, signal);
    denied += 1;
    return writes.map(() => ({
      outcome: 'failed',
      error: new ConnectorError('unauthorized', 'It may not write stock.'),
    }));
  };
  for (let sold = 0; sold < 4; sold += 1) {
    flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 1);
    flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'descriptionHtml', `<p>${sold}</p>`);
    await flow.rest(10);
  }
  const health = () =>
    flow.rows<{ status: string }>(
      "SELECT payload ->> 'status' AS status FROM event WHERE type = 'store_health_changed'",
    );
  assert.deepEqual(
    health().map(({ status }) => status),
    ['error'],
  );
  assert.equal(denied, 1);
  assert.match(flow.words('STORE_NO_ACCESS').message, /may not write stock/);
  mayWrite = true;
  await flow.rest(20);
  assert.deepEqual(flow.quantities('MUG'), [6, 6]);
  assert.deepEqual(flow.problems(), []);
});

test('[A2] what the doctor told of a store that then shut us out closes when it lets us in again', async () => {
  const flow = await linked();
  const { ctx } = flow.world.life();
  const readOnly = {
    code: 'KEY_READ_ONLY',
    level: 'error',
    message: 'The key may only read.',
    remedy: 'Give it "Read/Write".',
  } as const;
  const { inspect } = flow.connector('woocommerce');
  flow.hands.woocommerce.inspect = async (signal) => {
    const calm = await inspect(signal);
    return { ...calm, findings: [...calm.findings, readOnly] };
  };
  transact(ctx.db, (tx) => enqueueStoreCheck(tx, STORE_IDS.woocommerce, flow.world.clock.now()));
  await flow.rest();
  assert.deepEqual(flow.problems(), ['STORE_NEEDS_CARE']);
  const { writeStock } = flow.connector('woocommerce');
  flow.hands.woocommerce.writeStock = async (writes) =>
    writes.map(() => ({ outcome: 'failed', error: new ConnectorError('unauthorized', 'The key may only read') }));
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 1);
  // The hourly look comes while the store is shut.
  await flow.rest(90);
  assert.deepEqual(flow.problems(), ['STORE_NEEDS_CARE', 'STORE_NO_ACCESS']);
  delete flow.hands.woocommerce.inspect;
  flow.hands.woocommerce.writeStock = writeStock;
  await flow.rest(20);
  assert.deepEqual(flow.quantities('MUG'), [9, 9]);
  assert.deepEqual(flow.problems(), []);
});

test('an address that a platform does not deliver to is no finding while signed deliveries come from there', async () => {
  const flow = await linked();
  const { ctx } = flow.world.life();
  const far = {
    code: 'WEBHOOKS_UNDELIVERABLE',
    level: 'warning',
    message: 'They do not come.',
    remedy: 'Move.',
  } as const;
  const { inspect } = flow.connector('woocommerce');
  flow.hands.woocommerce.inspect = async (signal) => ({ ...(await inspect(signal)), findings: [far] });
  const told = async () => {
    const answer = testStore(ctx, STORE_IDS.woocommerce);
    await flow.world.clock.runFor(5_000);
    const kept = findStore(ctx.db, STORE_IDS.woocommerce)?.findings;
    return [await answer, kept].map((findings) => findings?.map(({ code }) => code));
  };
  const deliver = (receivedAt: number) =>
    transact(ctx.db, (tx) =>
      insertDelivery(tx, { storeId: STORE_IDS.woocommerce, deliveryId: `d${receivedAt}`, topic: 't', receivedAt }),
    );
  transact(ctx.db, (tx) => pruneDeliveries(tx, Number.MAX_SAFE_INTEGER, 1_000));
  deliver(flow.world.clock.now() - 8 * DAY_MS);
  assert.deepEqual(await told(), [[far.code], [far.code]]);
  deliver(flow.world.clock.now() - DAY_MS);
  assert.deepEqual(await told(), [[], []]);
  transact(ctx.db, (tx) => enqueueStoreCheck(tx, STORE_IDS.woocommerce, flow.world.clock.now()));
  await flow.rest();
  assert.deepEqual(findStore(ctx.db, STORE_IDS.woocommerce)?.findings, []);
});

test('a way of calling a store that ends is told without anybody asking, and closes once it is well', async () => {
  const flow = await linked();
  const ends = {
    code: 'API_VERSION_EXPIRES',
    level: 'warning',
    message: 'It ends on 2027-10-01.',
    remedy: 'Update this program.',
  } as const;
  const { inspect } = flow.connector('shopify');
  flow.hands.shopify.inspect = async (signal) => {
    const calm = await inspect(signal);
    return { ...calm, findings: [...calm.findings, ends] };
  };
  transact(flow.world.life().ctx.db, (tx) => enqueueStoreCheck(tx, STORE_IDS.shopify, flow.world.clock.now()));
  await flow.rest();
  assert.ok(flow.words('STORE_NEEDS_CARE').message.includes('2027-10-01'));
  delete flow.hands.shopify.inspect;
  await flow.rest(90);
  assert.deepEqual(flow.problems(), []);
});

test('[A1] a list of changes that can not go on from where it was begins anew, and a full look finds what is between', async () => {
  const flow = await linked();
  const { listChanged } = flow.connector('shopify');
  const lost: (string | null)[] = [];
  flow.hands.shopify.listChanged = async (cursor, signal) => {
    if (cursor === null || lost.length > 1) return listChanged(cursor, signal);
    lost.push(cursor);
    throw new ConnectorError('rejected', 'too much at once', { platformCode: 'TOO_MANY_CHANGES' });
  };
  const runs = () => flow.rows('SELECT 1 FROM run').length;
  const before = runs();
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'descriptionHtml', '<p>New</p>');
  for (let i = 0; i < 3; i += 1) await flow.poll();
  assert.ok(lost.length > 0);
  assert.ok(runs() > before);
  assert.equal(flow.product('woocommerce', 'Mug').fields.descriptionHtml, '<p>New</p>');
  assert.deepEqual(flow.problems(), []);
});
