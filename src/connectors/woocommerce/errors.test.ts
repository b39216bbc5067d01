import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { ConnectorErrorKind } from '../../model/connector-error.ts';
import { classifyAnswer, classifyError } from './errors.ts';
import { wire } from './wire.ts';

const FIXTURES = new URL('./fixtures/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, FIXTURES), 'utf8');
const same = (text: string) => text;

interface Expected {
  readonly kind: ConnectorErrorKind;
  readonly status: number;
  readonly field?: string;
  readonly conflictingId?: string;
}

/** Every error body that was recorded from a real store. */
const RECORDED: Record<string, Expected> = {
  'error_401_bad_secret.json': { kind: 'unauthorized', status: 401 },
  'error_401_read_only_key.json': { kind: 'unauthorized', status: 401 },
  'error_401_unknown_key.json': { kind: 'unauthorized', status: 401 },
  'error_404_product.json': { kind: 'not_found', status: 404 },
  'error_404_put.json': { kind: 'not_found', status: 400 },
  'error_404_route.json': { kind: 'unavailable', status: 404 },
  'error_batch_limit.json': { kind: 'rejected', status: 413 },
  'error_frac.json': { kind: 'rejected', status: 400, field: 'stock' },
  'error_global_unique_id_duplicated.json': { kind: 'rejected', status: 400, field: 'barcode', conflictingId: '11' },
  'error_image_bad.json': { kind: 'rejected', status: 400 },
  'error_invalid_json.json': { kind: 'rejected', status: 400 },
  'error_name_int.json': { kind: 'rejected', status: 400, field: 'title' },
  'error_price_number.json': { kind: 'rejected', status: 400, field: 'price' },
  'error_refund_gateway.json': { kind: 'rejected', status: 500 },
  'error_refund_too_much.json': { kind: 'rejected', status: 500 },
  'error_registration_email_exists.json': { kind: 'rejected', status: 400 },
  'error_rest_invalid_param.json': { kind: 'rejected', status: 400 },
  'error_sku_duplicated.json': { kind: 'rejected', status: 400, field: 'sku', conflictingId: '11' },
  'error_status_bad.json': { kind: 'rejected', status: 400, field: 'status' },
  'error_stock_string.json': { kind: 'rejected', status: 400, field: 'stock' },
  'error_term_exists.json': { kind: 'rejected', status: 400, field: 'tags', conflictingId: '16' },
  'error_type_bad.json': { kind: 'rejected', status: 400 },
  'error_webhook_topic.json': { kind: 'rejected', status: 400 },
};

test('every recorded error is in the table', () => {
  const recorded = readdirSync(FIXTURES).filter((name) => name.startsWith('error_'));
  assert.deepEqual(recorded.toSorted(), Object.keys(RECORDED).toSorted());
});

for (const [name, expected] of Object.entries(RECORDED)) {
  test(`${name} is ${expected.kind}`, () => {
    const text = read(name);
    for (const intent of ['read', 'write'] as const) {
      const error = classifyAnswer({ status: expected.status, headers: {}, text, intent }, same, 0);
      assert.equal(error.kind, expected.kind);
      assert.equal(error.details.field, expected.field);
      assert.equal(error.details.conflictingId, expected.conflictingId);
      assert.equal(error.details.platformCode, (JSON.parse(text) as { code: string }).code);
      assert.ok((error.details.platformMessage ?? '').length > 0);
    }
  });
}

test('a SKU that a product in the bin keeps from a new one is told of as such', () => {
  for (const said of [
    'The product with SKU (MUG) you are trying to insert is already present in the lookup table',
    'The SKU (MUG) you are trying to insert is already under processing',
  ]) {
    const answer = { code: 'woocommerce_rest_product_not_created', message: said, data: { status: 400 } };
    const { kind, details, message } = classifyError(answer, 400, 'write', same);
    assert.deepEqual([kind, details.field], ['rejected', 'sku']);
    assert.match(message, /“.*MUG.*”: perhaps by a product in its bin/);
    assert.match(details.remedy ?? '', /delete it there for good, or restore it/);
  }
  const other = { code: 'woocommerce_rest_product_not_created', message: 'No.', data: { status: 400 } };
  const { field, remedy } = classifyError(other, 400, 'write', same).details;
  assert.deepEqual([field, remedy], [undefined, undefined]);
});

test('items of a recorded batch are classed one by one', () => {
  const batch = JSON.parse(read('batch_mixed_errors.json')) as Record<string, { error?: unknown }[]>;
  const kinds = [...(batch['create'] ?? []), ...(batch['update'] ?? []), ...(batch['delete'] ?? [])].flatMap(
    ({ error }) => (wire.error.Check(error) ? [classifyError(error, 400, 'write', same).kind] : []),
  );
  assert.deepEqual(kinds, ['rejected', 'not_found', 'not_found', 'not_found']);
});

const PAGE = '<!DOCTYPE html><html><head><title>x</title><style>p{}</style></head><body><h1>Sorry</h1></body></html>';
const MAINTENANCE =
  '<html><body><h1>Briefly unavailable for scheduled maintenance. Check back in a minute.</h1></body></html>';

const PAGES: readonly (readonly [number, string, ConnectorErrorKind, ConnectorErrorKind])[] = [
  [301, '', 'unavailable', 'unavailable'],
  [302, '', 'unavailable', 'unavailable'],
  [307, '', 'unavailable', 'unavailable'],
  [308, '', 'unavailable', 'unavailable'],
  [401, PAGE, 'unauthorized', 'unauthorized'],
  [403, PAGE, 'unavailable', 'unavailable'],
  [404, PAGE, 'unavailable', 'unavailable'],
  [408, PAGE, 'timeout', 'unknown_outcome'],
  [413, PAGE, 'rejected', 'rejected'],
  [429, PAGE, 'rate_limited', 'rate_limited'],
  [500, PAGE, 'unavailable', 'unknown_outcome'],
  [502, PAGE, 'unavailable', 'unknown_outcome'],
  [503, PAGE, 'unavailable', 'unknown_outcome'],
  [503, MAINTENANCE, 'unavailable', 'unavailable'],
  // As WordPress 6.9 answers a call that accepts JSON.
  [
    503,
    '{"code":"wp_die","message":"Briefly unavailable for scheduled maintenance. Check back in a minute.","data":{"status":503},"additional_errors":[]}',
    'unavailable',
    'unavailable',
  ],
  [504, '', 'unavailable', 'unknown_outcome'],
  [
    500,
    '{"code":"internal_server_error","message":"There has been a critical error.","data":{"status":500}}',
    'unavailable',
    'unknown_outcome',
  ],
  [
    400,
    '{"code":"woocommerce_rest_cannot_create","message":"Slug is already in use.","data":{"status":400}}',
    'rejected',
    'rejected',
  ],
  [
    403,
    '{"code":"woocommerce_rest_cannot_edit","message":"Sorry.","data":{"status":403}}',
    'unauthorized',
    'unauthorized',
  ],
  [
    400,
    '{"code":"woocommerce_rest_product_not_created","message":"in a race","data":{"status":400}}',
    'rejected',
    'rejected',
  ],
];

for (const [status, text, onRead, onWrite] of PAGES) {
  test(`status ${status} with ${text.slice(0, 30) || 'nothing'}: ${onRead} to a read, ${onWrite} to a write`, () => {
    const headers = { location: 'https://www.shop.example/wp-json/?consumer_secret=cs_1', 'retry-after': '7' };
    const kindOf = (intent: 'read' | 'write') => classifyAnswer({ status, headers, text, intent }, same, 0);
    assert.equal(kindOf('read').kind, onRead);
    assert.equal(kindOf('write').kind, onWrite);
    assert.ok(!JSON.stringify(kindOf('read')).includes('cs_1'));
    if (status === 429) assert.equal(kindOf('read').details.retryAfterMs, 7_000);
  });
}
