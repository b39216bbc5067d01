import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPTIONAL_SCOPES, REQUIRED_SCOPES } from '../../../src/connectors/shopify/inspect.ts';
import { PUBLISHING_SCOPES, SHOPIFY_SCOPES } from './shopify-scopes.ts';

test('the connect page names the scopes that the doctor checks, and no others', () => {
  assert.deepEqual(SHOPIFY_SCOPES, Object.keys(REQUIRED_SCOPES));
  assert.deepEqual(PUBLISHING_SCOPES, Object.keys(OPTIONAL_SCOPES));
});
