import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { type Db, transact } from '../../db/database.ts';
import { findEndpoint, findMessage, listMessages } from '../../db/readers/endpoints.ts';
import type { EndpointRow } from '../../db/schema/endpoint.ts';
import { updateEndpoint } from '../../db/writers/endpoints.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { purgeSandbox } from '../../db/writers/purge-sandbox.ts';
import { updateStore } from '../../db/writers/stores.ts';
import { DAY_MS, HOUR_MS } from '../../lib/time.ts';
import type { MessageId, PairId, WorkspaceId } from '../../model/ids.ts';
import type { JobOutcome } from '../../model/job.ts';
import { Refusal } from '../../model/refusal.ts';
import type { Poster } from '../../ports/poster.ts';
import { createCipher } from '../../system/cipher.ts';
import { insertWorld } from '../../testing/http/insert-world.ts';
import { openMemoryDatabase } from '../../testing/support/memory-database.ts';
import { makeTestClock, type TestClock } from '../../testing/support/test-clock.ts';
import { makeTestLog } from '../../testing/support/test-log.ts';
import { makeTestRandom } from '../../testing/support/test-random.ts';
import type { NotifyContext } from '../context.ts';
import { followJournal } from '../follow-journal.ts';
import { collectMessages, keepSeen, type Seen } from './collect-messages.ts';
import {
  changeEndpoint,
  createEndpoint,
  removeEndpoint,
  replayMessage,
  rotateEndpointSecret,
  testEndpoint,
} from './manage-endpoints.ts';
import { RETRY_AFTER_MS, sendMessage } from './send-message.ts';
import { signMessage } from './sign-message.ts';

const WORKSPACE = 'ws_1' as WorkspaceId;

let db: Db;
let clock: TestClock;
let ctx: NotifyContext;
/** What the receiver gets, and what it answers: an HTTP status, or an error. */
let received: Parameters<Poster['post']>[0][];
let answer: number | Error;

beforeEach(() => {
  db = openMemoryDatabase();
  clock = makeTestClock();
  received = [];
  answer = 200;
  ctx = {
    ...{ db, clock, random: makeTestRandom(), log: makeTestLog(), cipher: createCipher([new Uint8Array(32)]) },
    poster: {
      refuses: (url) => (url.startsWith('https:') ? null : 'only https addresses can be called'),
      post: async (request) => {
        received.push(request);
        if (answer instanceof Error) throw answer;
        return { status: answer };
      },
    },
  };
});
afterEach(() => db.connection.close());

const form = (events: EndpointRow['events'] = []) => ({
  kind: 'events' as const,
  url: 'https://hooks.example/in',
  description: '',
  events,
});
const note = (type: string, payload: object = {}, workspaceId = WORKSPACE) =>
  transact(db, (tx) => recordEvent(tx, { workspaceId, pairId: 'pair_1' as PairId, type, payload, at: clock.now() }));
const messages = (endpoint: EndpointRow) => [...listMessages(db, endpoint.id, {}).rows].reverse();
const fresh = (endpoint: EndpointRow): EndpointRow => {
  const row = findEndpoint(db, endpoint.id);
  assert.ok(row);
  return row;
};
const send = (messageId: MessageId): Promise<JobOutcome> =>
  sendMessage(ctx, { id: 1, key: 'k', payload: { messageId }, attempts: 0 }, new AbortController().signal);

test('messages are signed as Standard Webhooks has it', () => {
  // The example of its specification.
  const headers = signMessage({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    sentAt: 1_614_265_330_000,
    body: '{"test": 2432232314}',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  });
  assert.deepEqual(headers, {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('an endpoint is told of what happens after it was made, in order, each once', () => {
  note('pair_paused');
  const { endpoint } = createEndpoint(ctx, WORKSPACE, form());
  note('stock_changed', { productId: 'prd_1', sku: 'MUG', side: 'shopify', from: 9, to: 8 });
  note('run_progress');
  note('problem', { code: 'OVERSOLD', message: 'Mug was sold 1 time more than there was.' });
  note('pair_halted', {}, 'ws_other' as WorkspaceId);
  collectMessages(ctx);
  collectMessages(ctx);
  assert.deepEqual(
    messages(endpoint).map((row) => JSON.parse(row.body)),
    [
      {
        type: 'stock.changed',
        timestamp: '2026-01-05T09:00:00.000Z',
        data: { pairId: 'pair_1', recordId: 'prd_1', sku: 'MUG', side: 'shopify', from: 9, to: 8 },
      },
      {
        type: 'stock.oversold',
        timestamp: '2026-01-05T09:00:00.000Z',
        data: { pairId: 'pair_1', code: 'OVERSOLD', message: 'Mug was sold 1 time more than there was.' },
      },
    ],
  );
});

test('a plan that could not be made is told like one that is ready, with the reason that the API gives', () => {
  const { endpoint } = createEndpoint(ctx, WORKSPACE, form(['plan.ready', 'plan.failed']));
  note('plan_progress', { planId: 'plan_1', progress: 10 });
  note('plan_failed', { planId: 'plan_1', errorCode: 'TIMEOUT', errorMessage: 'WooCommerce gave no answer.' });
  note('plan_ready', { planId: 'plan_2', status: 'ready' });
  collectMessages(ctx);
  assert.deepEqual(
    messages(endpoint).map((row) => [row.type, JSON.parse(row.body).data]),
    [
      [
        'plan.failed',
        { pairId: 'pair_1', planId: 'plan_1', error: { code: 'TIMEOUT', message: 'WooCommerce gave no answer.' } },
      ],
      ['plan.ready', { pairId: 'pair_1', planId: 'plan_2', status: 'ready' }],
    ],
  );
});

test('a store that gives no answer is no store.error: what ends that has no event, and each of its pairs is told', () => {
  const { endpoint } = createEndpoint(ctx, WORKSPACE, form());
  note('problem', { code: 'STORE_AWAY', subject: 'str_1' });
  note('store_health_changed', { storeId: 'str_1', status: 'error', reason: 'The key was refused.' });
  note('store_health_changed', { storeId: 'str_1', status: 'connected', reason: null });
  collectMessages(ctx);
  assert.deepEqual(
    messages(endpoint).map(({ type }) => type),
    ['problem.raised', 'store.error', 'store.recovered'],
  );
});

test('an endpoint that wants only some events gets only those, over many pages of the journal', () => {
  const { endpoint } = createEndpoint(ctx, WORKSPACE, form(['run.failed', 'run.failed']));
  assert.deepEqual(endpoint.events, ['run.failed']);
  for (let n = 0; n < 450; n += 1) note(n % 150 === 0 ? 'run_failed' : 'stock_written', { n });
  collectMessages(ctx);
  assert.deepEqual(
    messages(endpoint).map((row) => JSON.parse(row.body).data.n),
    [0, 150, 300],
  );
});

test('what a version had nothing to tell about, a later one that tells more does not dig out', async () => {
  const { endpoint } = createEndpoint(ctx, WORKSPACE, form(['run.failed']));
  const known: Seen = new Map();
  for (let n = 0; n < 5; n += 1) note('stock_written', { n });
  collectMessages(ctx, known);
  assert.equal(fresh(endpoint).seenSeq, 0, 'nothing to tell, nothing written');
  keepSeen(ctx, known);
  assert.equal(fresh(endpoint).seenSeq, 5);
  // The next version starts, and finds more worth telling; here: it tells of everything.
  transact(db, (tx) => updateEndpoint(tx, endpoint.id, { events: [] }));
  note('run_failed');
  collectMessages(ctx);
  assert.deepEqual(
    messages(endpoint).map(({ type }) => type),
    ['run.failed'],
  );

  const follower = followJournal(ctx);
  follower.start();
  note('run_progress');
  await new Promise((resolve) => setImmediate(resolve));
  follower.stop();
  assert.equal(fresh(endpoint).seenSeq, 7, 'written down when the server stops');
});

test('what happened before an endpoint was changed is told as it was asked for then', () => {
  const { endpoint } = createEndpoint(ctx, WORKSPACE, form(['run.failed']));
  note('run_failed');
  note('run_completed');
  changeEndpoint(ctx, endpoint, { events: ['run.completed'] });
  note('run_failed');
  note('run_completed');
  collectMessages(ctx);
  assert.deepEqual(
    messages(endpoint).map(({ type }) => type),
    ['run.failed', 'run.completed'],
  );
});

test('what is delivered is logged, and sent once', async () => {
  const { endpoint, secret } = createEndpoint(ctx, WORKSPACE, form());
  note('plan_ready');
  collectMessages(ctx);
  const [message] = messages(endpoint);
  assert.ok(message);
  clock.setWallAhead(HOUR_MS);
  assert.deepEqual(await send(message.id), { type: 'done' });
  assert.deepEqual(await send(message.id), { type: 'done' });
  assert.equal(received.length, 1);
  const { headers, body, url } = received[0] ?? assert.fail();
  assert.equal(url, 'https://hooks.example/in');
  assert.equal(headers['webhook-id'], message.id);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  // A receiver refuses what is minutes old by its own clock.
  assert.equal(headers['webhook-timestamp'], String(Math.floor(clock.wallNow() / 1000)));
  const signed = `${message.id}.${headers['webhook-timestamp']}.${body}`;
  assert.equal(headers['webhook-signature'], `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  const logged = findMessage(db, message.id);
  assert.deepEqual(
    [logged?.status, logged?.attempts, logged?.lastStatus, logged?.lastError],
    ['delivered', 1, 200, null],
  );
});

test('what is not taken is tried for about three days, then failed, and can be sent again', async () => {
  const { endpoint } = createEndpoint(ctx, WORKSPACE, form());
  const id = testEndpoint(ctx, endpoint);
  answer = 503;
  let waited = 0;
  for (const pause of RETRY_AFTER_MS) {
    const outcome = await send(id);
    assert.equal(outcome.type, 'retry');
    const { afterMs = 0 } = outcome as { afterMs?: number };
    assert.ok(afterMs >= pause && afterMs <= pause * 1.2, `${afterMs}`);
    waited += afterMs;
    clock.advance(afterMs);
  }
  assert.ok(waited > 3 * DAY_MS && waited < 4 * DAY_MS, `${waited / DAY_MS} days`);
  answer = new Error('the connection was refused');
  assert.deepEqual(await send(id), { type: 'done' });
  const failed = findMessage(db, id);
  assert.deepEqual([failed?.status, failed?.attempts, failed?.lastStatus], ['failed', 10, null]);
  assert.match(failed?.lastError ?? '', /refused/);

  answer = 204;
  replayMessage(ctx, fresh(endpoint), id);
  assert.deepEqual(await send(id), { type: 'done' });
  const replayed = findMessage(db, id);
  assert.deepEqual([replayed?.status, replayed?.attempts], ['delivered', 1]);
  assert.equal(fresh(endpoint).failingSince, null);
  assert.equal(new Set(received.map((request) => request.body)).size, 1, 'always the same body');
});

test('an endpoint that is gone, or takes nothing for five days, is switched off and told', async () => {
  const { endpoint } = createEndpoint(ctx, WORKSPACE, form());
  answer = 410;
  await send(testEndpoint(ctx, endpoint));
  assert.equal(fresh(endpoint).status, 'disabled');
  assert.match(fresh(endpoint).statusReason ?? '', /410/);
  assert.throws(() => testEndpoint(ctx, fresh(endpoint)), isRefusal('ENDPOINT_DISABLED'));

  const other = createEndpoint(ctx, WORKSPACE, form(['run.failed'])).endpoint;
  answer = 500;
  await send(testEndpoint(ctx, other));
  clock.advance(5 * DAY_MS - 1);
  await send(testEndpoint(ctx, fresh(other)));
  assert.equal(fresh(other).status, 'enabled');
  clock.advance(1);
  const waiting = testEndpoint(ctx, fresh(other));
  await send(waiting);
  assert.equal(fresh(other).status, 'disabled');
  const told = db.connection
    .prepare<[], { payload: string }>(`SELECT payload FROM event WHERE type = 'endpoint_disabled'`)
    .all();
  assert.equal(told.length, 2);

  // What happened meanwhile is not told afterwards; what waited is sent.
  note('run_failed');
  changeEndpoint(ctx, fresh(other), { enabled: true });
  collectMessages(ctx);
  assert.equal(messages(other).length, 3);
  answer = 200;
  assert.deepEqual(await send(waiting), { type: 'done' });
  assert.equal(findMessage(db, waiting)?.status, 'delivered');
});

test('a new address is not switched off for what the old one did not take', async () => {
  const { endpoint } = createEndpoint(ctx, WORKSPACE, form());
  answer = 500;
  await send(testEndpoint(ctx, endpoint));
  clock.advance(4 * DAY_MS);
  changeEndpoint(ctx, fresh(endpoint), { url: 'https://hooks.example/new' });
  clock.advance(2 * DAY_MS);
  await send(testEndpoint(ctx, fresh(endpoint)));
  assert.equal(fresh(endpoint).status, 'enabled');
  clock.advance(5 * DAY_MS);
  // An attempt that was under way says nothing of an address that was set meanwhile.
  const { post } = ctx.poster;
  const poster: Poster = {
    ...ctx.poster,
    post(request) {
      changeEndpoint(ctx, fresh(endpoint), { url: 'https://hooks.example/newer' });
      return post(request);
    },
  };
  const id = testEndpoint(ctx, fresh(endpoint));
  const outcome = await sendMessage(
    { ...ctx, poster },
    { id: 1, key: 'k', payload: { messageId: id }, attempts: 0 },
    new AbortController().signal,
  );
  assert.equal(outcome.type, 'retry', 'it is tried at the new address');
  assert.deepEqual([fresh(endpoint).status, fresh(endpoint).failingSince], ['enabled', null]);
});

test('what the old address has taken late says nothing of the new one, which takes nothing', async () => {
  const { endpoint } = createEndpoint(ctx, WORKSPACE, form());
  const { post } = ctx.poster;
  const since = clock.now();
  // While the attempt is under way a person gives it a new address, and something else fails there.
  const poster: Poster = {
    ...ctx.poster,
    async post(request) {
      changeEndpoint(ctx, fresh(endpoint), { url: 'https://hooks.example/new' });
      answer = 500;
      await send(testEndpoint(ctx, fresh(endpoint)));
      assert.equal(fresh(endpoint).failingSince, since);
      answer = 200;
      return post(request);
    },
  };
  const id = testEndpoint(ctx, endpoint);
  const job = { id: 1, key: 'k', payload: { messageId: id }, attempts: 0 };
  assert.deepEqual(await sendMessage({ ...ctx, poster }, job, new AbortController().signal), { type: 'done' });
  assert.equal(findMessage(db, id)?.status, 'delivered');
  assert.equal(fresh(endpoint).failingSince, since);
});

test('for a day after the secret was changed messages carry both signatures', async () => {
  const { endpoint } = createEndpoint(ctx, WORKSPACE, form());
  const secret = rotateEndpointSecret(ctx, endpoint);
  assert.notEqual(fresh(endpoint).secret, secret, 'it is stored sealed');
  await send(testEndpoint(ctx, fresh(endpoint)));
  clock.advance(24 * HOUR_MS);
  await send(testEndpoint(ctx, fresh(endpoint)));
  assert.deepEqual(
    received.map(({ headers }) => headers['webhook-signature']?.split(' ').length),
    [2, 1],
  );
});

test('an address that can not be called is refused, and there are at most 20 endpoints', () => {
  assert.throws(() => createEndpoint(ctx, WORKSPACE, { ...form(), url: 'http://10.0.0.1/' }), isRefusal('VALIDATION'));
  const { endpoint } = createEndpoint(ctx, WORKSPACE, form());
  assert.throws(() => changeEndpoint(ctx, endpoint, { url: 'ftp://hooks.example' }), isRefusal('VALIDATION'));
  for (let n = 1; n < 20; n += 1) createEndpoint(ctx, WORKSPACE, form());
  assert.throws(() => createEndpoint(ctx, WORKSPACE, form()), isRefusal('ENDPOINT_LIMIT'));
});

test('a deleted endpoint gets nothing more', async () => {
  const { endpoint } = createEndpoint(ctx, WORKSPACE, form());
  const id = testEndpoint(ctx, endpoint);
  removeEndpoint(ctx, endpoint.id);
  assert.equal((await send(id)).type, 'cancel');
  assert.deepEqual(received, []);
});

function isRefusal(code: string) {
  return (error: unknown): boolean => error instanceof Refusal && error.code === code;
}

test('programs are not told of what a sandbox went through', () => {
  const { endpoint } = createEndpoint(ctx, WORKSPACE, form());
  const { pairId, storeIds } = insertWorld(db, WORKSPACE, clock.now());
  transact(db, (tx) => {
    for (const id of Object.values(storeIds)) updateStore(tx, id, { isSandbox: true });
    recordEvent(tx, { workspaceId: WORKSPACE, pairId, type: 'stock_changed', payload: {}, at: clock.now() });
  });
  note('stock_changed', { sku: 'MUG' });
  collectMessages(ctx);
  assert.equal(messages(endpoint).length, 1);
  // A job under way notes it when the pair has just gone, and nothing has swept after it yet.
  transact(db, (tx) => {
    purgeSandbox(tx, WORKSPACE, clock.now());
    recordEvent(tx, { workspaceId: WORKSPACE, pairId, type: 'stock_written', payload: {}, at: clock.now() });
    const subject = storeIds.shopify;
    recordEvent(tx, { workspaceId: WORKSPACE, pairId: null, type: 'problem', payload: { subject }, at: clock.now() });
  });
  collectMessages(ctx);
  assert.equal(messages(endpoint).length, 1);
});
