import assert from 'node:assert/strict';
import { test } from 'node:test';
import { userErrorToConnectorError } from './user-errors.ts';

test('[C9] the daily limit of new variants is told with a time to ask again, whichever way Shopify tells of it', () => {
  const { kind, message, details } = userErrorToConnectorError({
    field: ['input', 'variants'],
    message: 'Daily variant creation limit reached, please try again later.',
    code: 'INVALID_INPUT',
  });
  assert.equal(kind, 'rate_limited');
  assert.match(message, /no more new variants/);
  assert.ok((details.retryAfterMs ?? 0) >= 3_600_000);
});
