import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StockWrite } from '../../ports/connector.ts';
import { createHealthMeter } from '../shared/health-meter.ts';
import { createTokenSource } from './auth.ts';
import { createShopifyClient } from './client.ts';
import { createUntrackedItems } from './stock-reader.ts';
import { callKey, writeStock } from './stock-writer.ts';
import { createTestClock, type GraphqlRequest, graphqlTransport, silentLog, testRandom } from './test-support.ts';

const LOCATION = 'gid://shopify/Location/1';
const write = (item: number, expected = 1, to = 2, key = `k${item}`): StockWrite => ({
  stockId: `gid://shopify/InventoryItem/${item}`,
  expected,
  to,
  key,
});

interface Row {
  inventoryItemId: string;
  quantity: number;
  changeFromQuantity: number;
}
interface Sent {
  readonly key: string;
  readonly rows: readonly Row[];
}

/** Answers `inventorySetQuantities` by a function over the rows; the error rows are [index, code, message]. */
function setUp(
  respond: (rows: readonly Row[], count: number) => object,
  activation: object = { data: { inventoryActivate: { userErrors: [] } } },
) {
  const sent: Sent[] = [];
  const activated: string[] = [];
  const clock = createTestClock();
  const transport = graphqlTransport(({ operationName, variables }: GraphqlRequest) => {
    if (operationName === 'StockActivate') {
      activated.push(String(variables['inventoryItemId']));
      return activation;
    }
    const { quantities } = variables['input'] as { quantities: Row[] };
    sent.push({ key: String(variables['key']), rows: quantities });
    return respond(quantities, sent.length);
  });
  const origin = 'https://x.myshopify.com';
  const tokens = createTokenSource({ auth: { type: 'token', accessToken: 'shpat_x' }, origin, transport, clock });
  const client = createShopifyClient({
    origin,
    tokens,
    transport,
    clock,
    random: testRandom,
    log: silentLog,
    health: createHealthMeter(clock),
  });
  const context = () =>
    Promise.resolve({ currency: 'USD', weightUnit: 'GRAMS', locationId: LOCATION, adminProducts: '' });
  const untracked = createUntrackedItems();
  return {
    sent,
    activated,
    untracked,
    run: (writes: readonly StockWrite[]) => writeStock({ client, context, untracked }, writes),
  };
}

const answer = (
  userErrors: readonly [index: number | null, code: string | null, message?: string][],
  changes: readonly string[] = [],
) => ({
  data: {
    inventorySetQuantities: {
      inventoryAdjustmentGroup:
        changes.length === 0
          ? null
          : { changes: changes.map((id) => ({ name: 'available', delta: 1, item: { id, tracked: true } })) },
      userErrors: userErrors.map(([index, code, message = 'words']) => ({
        code,
        message,
        field: index === null ? null : ['input', 'quantities', String(index), 'changeFromQuantity'],
      })),
    },
  },
});
const STALE = 'CHANGE_FROM_QUANTITY_STALE';

const kinds = (outcomes: readonly { readonly outcome: string }[]) => outcomes.map(({ outcome }) => outcome);

test('[C7, C25] refused rows are told one by one; of the others nothing was done, and no second call leaves on its own', async () => {
  const { run, sent } = setUp(() =>
    answer([
      [1, STALE],
      [2, 'INVALID_INVENTORY_ITEM'],
    ]),
  );
  const outcomes = await run([write(1), write(2), write(3), write(4)]);
  assert.deepEqual(kinds(outcomes), ['withheld', 'stale', 'failed', 'withheld']);
  assert.ok(outcomes[2]?.outcome === 'failed' && outcomes[2].error.kind === 'not_found');
  assert.equal(sent.length, 1);
});

test('the same intents make the same key in whatever order; other numbers make another', () => {
  const group = (...writes: StockWrite[]) => writes;
  const key = callKey(group(write(1), write(2)), LOCATION);
  assert.match(key, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  assert.equal(callKey(group(write(2), write(1)), LOCATION), key);
  for (const other of [
    group(write(1)),
    group(write(1), write(2, 1, 3)),
    group(write(1), write(2, 5, 2)),
    group(write(1), write(2, 1, 2, 'other')),
  ]) {
    assert.notEqual(callKey(other, LOCATION), key);
  }
  assert.notEqual(callKey(group(write(1), write(2)), 'gid://shopify/Location/2'), key);
});

test('[C8] asked for in another order, the same writes make the same call to the letter: Shopify replays it and does not do it twice', async () => {
  const { run, sent } = setUp(() => answer([]));
  await run([write(3), write(10), write(2)]);
  await run([write(10), write(2), write(3)]);
  assert.equal(sent.length, 2);
  assert.deepEqual(sent[0], sent[1]);
});

test('an item stands once in a call', async () => {
  const { run, sent } = setUp(() => answer([]));
  await assert.rejects(run([write(1, 1, 2, 'a'), write(2), write(1, 2, 3, 'b')]), /stands once/);
  assert.deepEqual(sent, []);
});

test('rows that the answer shows as changed are applied although others were refused', async () => {
  const { run, sent } = setUp(() => answer([[1, STALE]], [write(1).stockId]));
  assert.deepEqual(
    (await run([write(1), write(2)])).map(({ outcome }) => outcome),
    ['applied', 'stale'],
  );
  assert.equal(sent.length, 1);
});

test("a refusal that names no row is nobody's as long as there are several; alone it is told", async () => {
  const { run, sent } = setUp(() => answer([[null, 'NON_MUTABLE_INVENTORY_ITEM']]));
  assert.deepEqual(kinds(await run([1, 2, 3].map((item) => write(item)))), ['withheld', 'withheld', 'withheld']);
  const [alone] = await run([write(3)]);
  assert.ok(alone?.outcome === 'failed' && alone.error.kind === 'rejected');
  assert.equal(sent.length, 2);
});

test('what is wrong with the call as such is told of each of its rows', async () => {
  const { run } = setUp(() => answer([[null, 'INVALID_LOCATION']]));
  const outcomes = await run([1, 2, 3, 4].map((item) => write(item)));
  assert.ok(outcomes.every((outcome) => outcome.outcome === 'failed' && outcome.error.kind === 'rejected'));
});

test('an item that is not stocked at the location is put there, and waits for the next call', async () => {
  const { run, sent, activated } = setUp(() =>
    answer([[1, 'INVALID_LOCATION', 'The specified inventory item is not stocked at the location.']]),
  );
  const outcomes = await run([write(1), write(2)]);
  assert.deepEqual(kinds(outcomes), ['withheld', 'withheld']);
  assert.ok(
    outcomes[1]?.outcome === 'withheld' && outcomes[1].cause?.kind === 'rejected',
    'with what to say should it stay so',
  );
  assert.deepEqual(activated, [write(2).stockId]);
  assert.equal(sent.length, 1);
});

test('[C8] nobody knows whether an item was put into the location: that its stock was not set is certain', async () => {
  const { run } = setUp(
    () => answer([[0, 'INVALID_LOCATION', 'The specified inventory item is not stocked at the location.']]),
    { errors: [{ message: 'Internal error', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] },
  );
  const [outcome] = await run([write(1, 0, 5)]);
  assert.ok(outcome?.outcome === 'failed');
  assert.equal(outcome.error.kind, 'unavailable');
});

test('a key whose earlier attempt failed: nothing was done under it, and nothing will be', async () => {
  const { run, sent } = setUp(() => answer([[null, 'IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED']]));
  assert.deepEqual(await run([write(1), write(2)]), [{ outcome: 'already_failed' }, { outcome: 'already_failed' }]);
  assert.equal(sent.length, 1);
});

test('[C8] another request with this key under way: nobody knows yet', async () => {
  const { run, sent } = setUp(() => answer([[null, 'IDEMPOTENCY_CONCURRENT_REQUEST']]));
  const outcomes = await run([write(1), write(2)]);
  assert.ok(outcomes.every((outcome) => outcome.outcome === 'failed' && outcome.error.kind === 'unknown_outcome'));
  assert.equal(sent.length, 1);
});

test('what GraphQL would refuse for the whole call never gets into one', async () => {
  const { run, sent } = setUp(() => answer([]));
  const outcomes = await run([write(1, 1, 1.5), { ...write(2), stockId: '42' }, write(3, 1, 2e9), write(4)]);
  assert.deepEqual(kinds(outcomes), ['failed', 'failed', 'failed', 'withheld']);
  assert.deepEqual(sent, []);
});

test('a call takes 250 rows; every row carries its expectation', async () => {
  const { run, sent } = setUp(() => answer([]));
  const many = Array.from({ length: 251 }, (_, item) => write(item + 1, item, item + 1));
  await run(many.slice(1));
  assert.deepEqual(
    sent.map(({ rows }) => rows.length),
    [250],
  );
  assert.ok(
    sent.every(({ rows }) => rows.every(({ changeFromQuantity, quantity }) => changeFromQuantity === quantity - 1)),
  );
  await assert.rejects(run(many), /at most 250/);
});
