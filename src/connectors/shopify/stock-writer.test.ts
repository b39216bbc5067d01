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
function setUp(respond: (rows: readonly Row[], count: number) => object) {
  const sent: Sent[] = [];
  const activated: string[] = [];
  const clock = createTestClock();
  const transport = graphqlTransport(({ operationName, variables }: GraphqlRequest) => {
    if (operationName === 'StockActivate') {
      activated.push(String(variables['inventoryItemId']));
      return { data: { inventoryActivate: { userErrors: [] } } };
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

test('[C7] refused rows are told one by one, the others go again in a call with a key of their own', async () => {
  const { run, sent } = setUp((rows) => {
    const errors = rows.flatMap((row, index): [number, string][] => {
      if (row.inventoryItemId.endsWith('/2')) return [[index, STALE]];
      if (row.inventoryItemId.endsWith('/3')) return [[index, 'INVALID_INVENTORY_ITEM']];
      return [];
    });
    return answer(errors);
  });
  const outcomes = await run([write(1), write(2), write(3), write(4)]);
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['applied', 'stale', 'failed', 'applied'],
  );
  assert.ok(outcomes[2]?.outcome === 'failed' && outcomes[2].error.kind === 'not_found');
  assert.equal(sent.length, 2);
  assert.notEqual(sent[0]?.key, sent[1]?.key);
  assert.deepEqual(
    sent[1]?.rows.map(({ inventoryItemId }) => inventoryItemId),
    [write(1).stockId, write(4).stockId],
  );
});

test('the same intents make the same key in whatever order; other numbers make another', () => {
  const group = (...writes: StockWrite[]) => writes.map((one) => ({ write: one }));
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

test('an item stands once in a call; its second write goes after the first', async () => {
  const { run, sent } = setUp(() => answer([]));
  const outcomes = await run([write(1, 1, 2, 'a'), write(2), write(1, 2, 3, 'b')]);
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['applied', 'applied', 'applied'],
  );
  assert.deepEqual(
    sent.map(({ rows }) => rows.map(({ quantity }) => quantity)),
    [[2, 2], [3]],
  );
});

test('rows that the answer shows as changed are applied although others were refused', async () => {
  const { run, sent } = setUp(() => answer([[1, STALE]], [write(1).stockId]));
  assert.deepEqual(
    (await run([write(1), write(2)])).map(({ outcome }) => outcome),
    ['applied', 'stale'],
  );
  assert.equal(sent.length, 1);
});

test('a refusal that names no row is narrowed down by halves', async () => {
  const { run, sent } = setUp((rows) =>
    answer(
      rows.some(({ inventoryItemId }) => inventoryItemId.endsWith('/3')) ? [[null, 'NON_MUTABLE_INVENTORY_ITEM']] : [],
    ),
  );
  const outcomes = await run([1, 2, 3, 4].map((item) => write(item)));
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['applied', 'applied', 'failed', 'applied'],
  );
  assert.ok(sent.length <= 5);
});

test('what is wrong with the call as such is not narrowed down', async () => {
  const { run, sent } = setUp(() => answer([[null, 'INVALID_LOCATION']]));
  const outcomes = await run([1, 2, 3, 4].map((item) => write(item)));
  assert.ok(outcomes.every((outcome) => outcome.outcome === 'failed' && outcome.error.kind === 'rejected'));
  assert.equal(sent.length, 1);
});

test('an item that is not stocked at the location is activated, then set', async () => {
  const { run, sent, activated } = setUp((_rows, count) =>
    answer(
      count === 1 ? [[1, 'INVALID_LOCATION', 'The specified inventory item is not stocked at the location.']] : [],
    ),
  );
  assert.deepEqual(
    (await run([write(1), write(2)])).map(({ outcome }) => outcome),
    ['applied', 'applied'],
  );
  assert.deepEqual(activated, [write(2).stockId]);
  assert.equal(sent.length, 2);
  assert.notEqual(sent[0]?.key, sent[1]?.key, 'Shopify remembers the key of a refused call, and refuses it again');
});

test('one that stays unstocked fails instead of going round for ever', async () => {
  const { run, activated } = setUp((rows) =>
    answer(rows.map((_, index): [number, string, string] => [index, null as never, 'not stocked at the location'])),
  );
  const [outcome] = await run([write(1)]);
  assert.equal(outcome?.outcome, 'failed');
  assert.equal(activated.length, 1);
});

test('a key whose earlier attempt failed is replaced, twice at most', async () => {
  const { run, sent } = setUp((_rows, count) =>
    answer(count === 1 ? [[null, 'IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED']] : []),
  );
  assert.deepEqual(await run([write(1)]), [{ outcome: 'applied' }]);
  assert.equal(new Set(sent.map(({ key }) => key)).size, 2);
  const never = setUp(() => answer([[null, 'IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED']]));
  assert.equal((await never.run([write(1)]))[0]?.outcome, 'failed');
  assert.equal(never.sent.length, 3);
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
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['failed', 'failed', 'failed', 'applied'],
  );
  assert.deepEqual(
    sent.map(({ rows }) => rows.length),
    [1],
  );
});

test('more than 250 are split; every row carries its expectation', async () => {
  const { run, sent } = setUp(() => answer([]));
  await run(Array.from({ length: 600 }, (_, item) => write(item + 1, item, item + 1)));
  assert.deepEqual(
    sent.map(({ rows }) => rows.length),
    [250, 250, 100],
  );
  assert.ok(
    sent.every(({ rows }) => rows.every(({ changeFromQuantity, quantity }) => changeFromQuantity === quantity - 1)),
  );
});
