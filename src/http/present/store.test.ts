import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainOf, urlOf } from './store.ts';

test('the address of a store is one that opens, on this machine too', () => {
  for (const [address, url, domain] of [
    ['https://shop.example/store', 'https://shop.example/store', 'shop.example'],
    ['garden.myshopify.com', 'https://garden.myshopify.com', 'garden.myshopify.com'],
    ['127.0.0.1:18090', 'http://127.0.0.1:18090', '127.0.0.1:18090'],
    ['localhost:18090', 'http://localhost:18090', 'localhost:18090'],
  ] as const)
    assert.deepEqual([urlOf({ address }), domainOf({ address })], [url, domain]);
});
