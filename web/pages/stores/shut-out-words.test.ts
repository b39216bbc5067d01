import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awayWords, shutOutWords } from './shut-out-words.ts';

test("a store's own words about our keys do not stand alone: whose they are and what to do is said with them", () => {
  assert.equal(
    shutOutWords({ name: 'Northfold', statusReason: 'Shopify refused this app the access to this shop.' }),
    'Northfold does not let us in any more: Shopify refused this app the access to this shop. Test the connection to see what shuts us out and what to do.',
  );
  assert.match(
    shutOutWords({ name: 'Northfold', statusReason: null }),
    /^Northfold does not let us in any more\. Test/,
  );
});

test('a store that is away is told of as that, and not as one that shuts us out', () => {
  assert.match(
    awayWords({ name: 'Northfold' }),
    /^Northfold has not answered for some time\. It is asked again by itself/,
  );
});
