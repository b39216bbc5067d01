import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { ConnectorError } from '../../model/connector-error.ts';
import { createHealthMeter } from '../shared/health-meter.ts';
import { type HttpRequest, type HttpResponse, TransportError } from '../shared/transport.ts';
import { createTokenSource } from './auth.ts';
import { createShopifyClient } from './client.ts';
import { OPERATIONS } from './operations.gen.ts';
import { createTestClock, graphqlTransport, jsonResponse, silentLog, testRandom } from './test-support.ts';
import { shape } from './wire.ts';

const TOKEN = 'shpat_very_secret_token';
const answer = shape(Type.Object({ ok: Type.Boolean() }));
const READ = OPERATIONS.bulkOperation;
const WRITE = OPERATIONS.stockSet;

function setUp(respond: (count: number, http: HttpRequest) => object) {
  const clock = createTestClock();
  let count = 0;
  const transport = graphqlTransport((_request, http) => {
    count += 1;
    return respond(count, http);
  });
  const origin = 'https://my-shop.myshopify.com';
  const tokens = createTokenSource({ auth: { type: 'token', accessToken: TOKEN }, origin, transport, clock });
  const health = createHealthMeter(clock);
  const client = createShopifyClient({ origin, tokens, transport, clock, random: testRandom, log: silentLog, health });
  const call = (operation: typeof READ | typeof WRITE, signal?: AbortSignal) =>
    client.call(operation, {}, answer, { signal });
  return { client, clock, transport, health, call };
}

async function failureOf(work: Promise<unknown>): Promise<ConnectorError> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof ConnectorError, String(error));
    return error;
  }
  return assert.fail('it should have failed');
}

const error = (code: string | null, message = 'words', more: object = {}) => ({
  data: null,
  errors: [{ message, ...(code === null ? {} : { extensions: { code } }), ...more }],
});

/** Every error shape of facts §11: what it means for a read, and for a write. */
const TABLE: readonly [name: string, response: object, read: string, write: string][] = [
  [
    '401 bad token',
    jsonResponse({ errors: '[API] Invalid API key or access token' }, 401),
    'unauthorized',
    'unauthorized',
  ],
  ['402 frozen shop', jsonResponse({ errors: 'Payment Required' }, 402), 'unavailable', 'unavailable'],
  ['403', jsonResponse({ errors: 'Forbidden' }, 403), 'unauthorized', 'unauthorized'],
  ['404 html', jsonResponse('<html>Not found</html>', 404), 'unavailable', 'unavailable'],
  ['423 locked', jsonResponse({ errors: 'Locked' }, 423), 'unavailable', 'unavailable'],
  ['302', jsonResponse('', 302, { location: 'https://elsewhere' }), 'unavailable', 'unavailable'],
  ['429 without Retry-After', jsonResponse('', 429), 'rate_limited', 'rate_limited'],
  ['429, long', jsonResponse('', 429, { 'retry-after': '90' }), 'rate_limited', 'rate_limited'],
  ['430', jsonResponse('', 430), 'rate_limited', 'rate_limited'],
  ['500', jsonResponse('oops', 500), 'unavailable', 'unknown_outcome'],
  ['502 html', jsonResponse('<html>', 502), 'unavailable', 'unknown_outcome'],
  ['503, long Retry-After', jsonResponse('', 503, { 'retry-after': '90' }), 'rate_limited', 'unknown_outcome'],
  ['400', jsonResponse({ errors: 'Bad request' }, 400), 'rejected', 'rejected'],
  ['200 html', jsonResponse('<html>hello</html>'), 'malformed', 'unknown_outcome'],
  ['200 empty', jsonResponse(''), 'malformed', 'unknown_outcome'],
  ['200 null', jsonResponse('null'), 'malformed', 'unknown_outcome'],
  ['200 no data', jsonResponse({ extensions: {} }), 'malformed', 'unknown_outcome'],
  ['another shape', { data: { ok: 'yes' } }, 'malformed', 'unknown_outcome'],
  [
    '(a) coercion',
    error('INVALID_VARIABLE', 'bad', {
      extensions: { code: 'INVALID_VARIABLE', problems: [{ path: ['input', 'quantities', 0, 'quantity'] }] },
    }),
    'rejected',
    'rejected',
  ],
  ['(b) undefinedField', { errors: error('undefinedField').errors }, 'rejected', 'rejected'],
  ['(b) argumentNotAccepted', { errors: error('argumentNotAccepted').errors }, 'rejected', 'rejected'],
  ['(b) missingRequiredArguments', { errors: error('missingRequiredArguments').errors }, 'rejected', 'rejected'],
  ['(b) parse error without a code', { errors: [{ message: 'syntax' }] }, 'rejected', 'rejected'],
  ['(c) ACCESS_DENIED', error('ACCESS_DENIED'), 'unauthorized', 'unauthorized'],
  [
    '(c) ACCESS_DENIED beside data',
    { data: { ok: true }, errors: error('ACCESS_DENIED').errors },
    'unauthorized',
    'unauthorized',
  ],
  ['(d) THROTTLED for good', error('THROTTLED', 'Throttled'), 'rate_limited', 'rate_limited'],
  ['(d) MAX_COST_EXCEEDED', error('MAX_COST_EXCEEDED'), 'rejected', 'rejected'],
  [
    '(d) MAX_INPUT_SIZE_EXCEEDED',
    error('MAX_INPUT_SIZE_EXCEEDED', 'too many', { path: ['inventorySetQuantities', 'input', 'quantities'] }),
    'rejected',
    'rejected',
  ],
  ['(e) BAD_REQUEST', error('BAD_REQUEST'), 'rejected', 'rejected'],
  ['(e) NOT_FOUND definition', error('NOT_FOUND'), 'rejected', 'rejected'],
  ['(e) RESOURCE_NOT_FOUND', error('RESOURCE_NOT_FOUND', 'invalid id'), 'not_found', 'not_found'],
  ['(e) INVALID_FIELD_ARGUMENTS', error('INVALID_FIELD_ARGUMENTS'), 'rejected', 'rejected'],
  ['(f) INTERNAL_SERVER_ERROR', error('INTERNAL_SERVER_ERROR'), 'unavailable', 'unknown_outcome'],
  [
    '(f) beside ACCESS_DENIED',
    { data: null, errors: [...error('ACCESS_DENIED').errors, ...error('INTERNAL_SERVER_ERROR').errors] },
    'unauthorized',
    'unknown_outcome',
  ],
  ['TIMEOUT', error('TIMEOUT'), 'timeout', 'unknown_outcome'],
  ['an unknown code', error('SOMETHING_NEW', 'hm', { path: ['x'] }), 'malformed', 'unknown_outcome'],
  [
    'search warning',
    {
      data: { ok: true },
      extensions: {
        search: [
          {
            path: ['products'],
            query: 'skuu:1',
            warnings: [{ field: 'skuu', message: 'Invalid search field', code: 'invalid_field' }],
          },
        ],
      },
    },
    'rejected',
    'rejected',
  ],
];

for (const [name, response, read, write] of TABLE) {
  test(`[C1] [C8] ${name}: a read is ${read}, a write ${write}`, async () => {
    for (const [operation, kind] of [
      [READ, read],
      [WRITE, write],
    ] as const) {
      const { call, transport, clock } = setUp(() => response);
      const failure = await failureOf(call(operation));
      assert.equal(failure.kind, kind, `${operation.kind}: ${failure.message}`);
      if (kind === 'unknown_outcome') assert.equal(transport.requests.length, 1, 'never sent again');
      assert.ok(clock.slept.reduce((sum, ms) => sum + ms, 0) <= 31_000, 'never waits for long');
      assert.ok(transport.requests.length <= 31);
    }
  });
}

test('the missing scope is named, and the refused field too', async () => {
  const denied = setUp(() =>
    error('ACCESS_DENIED', 'Access denied for locations field.', {
      extensions: { code: 'ACCESS_DENIED', requiredAccess: '`read_locations` access scope.' },
    }),
  );
  assert.match((await failureOf(denied.call(READ))).message, /read_locations/);
  const coercion = setUp(() => TABLE.find(([name]) => name.startsWith('(a)'))![1]);
  assert.equal((await failureOf(coercion.call(WRITE))).details.field, 'stock');
});

test('a permission that the app is given is used from the next call on, though the token that lacks it lives for a day', async () => {
  const clock = createTestClock();
  const used: string[] = [];
  let grants = 0;
  const transport = async (http: HttpRequest) => {
    await Promise.resolve();
    if (http.url.endsWith('/access_token')) {
      grants += 1;
      return jsonResponse({ access_token: `token-${grants}`, expires_in: 86_399 });
    }
    used.push(http.headers['x-shopify-access-token'] ?? '');
    return jsonResponse(used.at(-1) === 'token-1' ? error('ACCESS_DENIED') : { data: { ok: true } });
  };
  const origin = 'https://my-shop.myshopify.com';
  const auth = { type: 'client_credentials', clientId: 'id', clientSecret: 'a-secret' } as const;
  const tokens = createTokenSource({ auth, origin, transport, clock });
  const health = createHealthMeter(clock);
  const client = createShopifyClient({ origin, tokens, transport, clock, random: testRandom, log: silentLog, health });
  const call = () => client.call(READ, {}, answer);
  for (let i = 0; i < 3; i += 1) assert.equal((await failureOf(call())).kind, 'unauthorized');
  assert.equal(grants, 1, 'what is denied all the time does not cost a token each');
  clock.advance(60_000);
  await failureOf(call());
  assert.deepEqual(await call(), { ok: true });
  assert.deepEqual(used, ['token-1', 'token-1', 'token-1', 'token-1', 'token-2']);
});

test('no errors, written out, are none: a write that was made is not in doubt', async () => {
  for (const errors of [[], null]) {
    const { call, transport } = setUp(() => ({ data: { ok: true }, errors }));
    assert.deepEqual([await call(READ), await call(WRITE)], [{ ok: true }, { ok: true }]);
    assert.equal(transport.requests.length, 2);
    assert.equal((await failureOf(setUp(() => ({ errors })).call(WRITE))).kind, 'unknown_outcome');
  }
});

test('errors that a call tolerates leave the rest of the answer', async () => {
  const { client } = setUp(() => ({
    data: { ok: true },
    errors: [{ message: 'x', path: ['productsCount'], extensions: { code: 'ACCESS_DENIED' } }],
  }));
  const data = await client.call(READ, {}, answer, { tolerates: ({ path }) => path?.[0] === 'productsCount' });
  assert.deepEqual(data, { ok: true });
});

/** What a connection can do: the table of transport failures. */
for (const [failure, phase, read, write] of [
  ['blocked', 'before_send', 'unavailable', 'unavailable'],
  ['dns', 'before_send', 'unavailable', 'unavailable'],
  ['refused', 'before_send', 'unavailable', 'unavailable'],
  ['tls', 'before_send', 'unavailable', 'unavailable'],
  ['timeout', 'before_send', 'timeout', 'timeout'],
  ['timeout', 'after_send', 'timeout', 'unknown_outcome'],
  ['connection_lost', 'after_send', 'unavailable', 'unknown_outcome'],
  ['too_large', 'after_send', 'malformed', 'unknown_outcome'],
] as const) {
  test(`[C8] ${failure} ${phase}: a read is ${read}, a write ${write}, sent once`, async () => {
    for (const [operation, kind] of [
      [READ, read],
      [WRITE, write],
    ] as const) {
      const { call, transport } = setUp(() => {
        throw new TransportError(phase, failure, `${failure} with ${TOKEN}`);
      });
      const thrown = await failureOf(call(operation));
      assert.equal(thrown.kind, kind);
      assert.ok(!thrown.message.includes(TOKEN), '[C12]');
      if (operation.kind === 'mutation') assert.equal(transport.requests.length, 1);
    }
  });
}

test('[C9] a read is repeated on passing faults, a few times', async () => {
  const { call, transport } = setUp((count) => (count < 3 ? jsonResponse('', 502) : { data: { ok: true } }));
  assert.deepEqual(await call(READ), { ok: true });
  assert.equal(transport.requests.length, 3);
  const never = setUp(() => jsonResponse('', 500));
  await failureOf(never.call(READ));
  assert.equal(never.transport.requests.length, 4);
});

test('[C9] a shop that gave no answer at all is asked once a call, until it does', async () => {
  let isDown = true;
  const { call, transport } = setUp(() => {
    if (isDown) throw new TransportError('before_send', 'timeout', 'no answer');
    return { data: { ok: true } };
  });
  await failureOf(call(READ));
  assert.equal(transport.requests.length, 4);
  await failureOf(call(READ));
  assert.equal(transport.requests.length, 5);
  isDown = false;
  await call(READ);
  isDown = true;
  await failureOf(call(READ));
  assert.equal(transport.requests.length, 10, 'four times again');
});

test('[C9] THROTTLED waits for what is missing, at the rate that the store reports', async () => {
  const throttled = {
    data: null,
    errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
    extensions: {
      cost: {
        requestedQueryCost: 700,
        actualQueryCost: null,
        throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 200, restoreRate: 100 },
      },
    },
  };
  for (const operation of [READ, WRITE]) {
    const { call, clock, health } = setUp((count) => (count === 1 ? throttled : { data: { ok: true } }));
    const startedAt = clock.now();
    await call(operation);
    const waited = clock.now() - startedAt;
    assert.ok(waited >= 5_000 && waited <= 8_000, `${waited}`);
    assert.equal(health.read().throttledCount, 1);
  }
});

test('[C8] [C9] a shop that is given no more new variants today: nothing was made and nothing is in doubt, and nobody asks again in a second', async () => {
  const { call, transport, clock } = setUp(() => ({
    data: { productSet: null },
    errors: [
      {
        message: 'Daily variant creation limit reached, please try again later.',
        path: ['productSet'],
        extensions: { code: 'VARIANT_THROTTLE_EXCEEDED' },
      },
    ],
    extensions: { cost: { requestedQueryCost: 10, actualQueryCost: 10 } },
  }));
  const failure = await failureOf(call(WRITE));
  assert.equal(failure.kind, 'rate_limited');
  assert.match(failure.message, /no more new variants/);
  assert.ok((failure.details.retryAfterMs ?? 0) >= 3_600_000);
  assert.deepEqual([transport.requests.length, clock.slept], [1, []]);
});

test('[C9] 429 with Retry-After is waited out, for a write too; past 30 s it fails with the time', async () => {
  const { call, clock } = setUp((count) =>
    count === 1 ? jsonResponse('', 429, { 'retry-after': '2' }) : { data: { ok: true } },
  );
  const startedAt = clock.now();
  assert.deepEqual(await call(WRITE), { ok: true });
  assert.ok(clock.now() - startedAt >= 2_000);
  const long = setUp(() => jsonResponse('', 429, { 'retry-after': '90' }));
  const failure = await failureOf(long.call(WRITE));
  assert.equal(failure.details.retryAfterMs, 90_000);
  assert.equal(long.transport.requests.length, 1);
});

test('[C12] neither the token nor anything like it leaves in an error; it travels in its header only', async () => {
  const { call, transport } = setUp((_count, http) => {
    assert.equal(http.headers['x-shopify-access-token'], TOKEN);
    assert.ok(!http.url.includes(TOKEN) && !String(http.body).includes(TOKEN));
    return error('SOMETHING', `the token ${TOKEN} is bad`, { path: ['x'] });
  });
  const failure = await failureOf(call(READ));
  assert.ok(!JSON.stringify({ ...failure.details, message: failure.message }).includes(TOKEN));
  assert.equal(transport.requests.length, 1);
});

test('[C1] a cancelled call is a ConnectorError and sends nothing', async () => {
  const { call, transport } = setUp(() => ({ data: { ok: true } }));
  assert.equal((await failureOf(call(WRITE, AbortSignal.abort()))).kind, 'unavailable');
  assert.equal(transport.requests.length, 0);
});

test('the clock of the store and the version that it served are observed', async () => {
  const clockAt = Date.UTC(2026, 10, 21);
  const headers = { date: new Date(clockAt + 3_600_000).toUTCString(), 'x-shopify-api-version': '2027-01' };
  const { client, call } = setUp(() => jsonResponse({ data: { ok: true } }, 200, headers) satisfies HttpResponse);
  await call(READ);
  assert.equal(client.observed().served, '2027-01');
  assert.ok(Math.abs((client.observed().clockSkewMs ?? 0) - 3_600_000) <= 1_000);
});

test('a use that Shopify calls deprecated is remembered beyond the answer that told it', async () => {
  const { client, call } = setUp((count) =>
    jsonResponse({ data: { ok: true } }, 200, count === 1 ? { 'x-shopify-api-deprecated-reason': 'https://x' } : {}),
  );
  await call(READ);
  await call(READ);
  assert.equal(client.observed().deprecatedReason, 'https://x');
});
