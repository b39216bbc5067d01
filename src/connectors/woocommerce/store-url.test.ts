import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import { normaliseStoreUrl } from './store-url.ts';

const GOOD: Record<string, string> = {
  'shop.example': 'https://shop.example',
  '  https://shop.example/  ': 'https://shop.example',
  'http://shop.example': 'http://shop.example',
  'HTTPS://Shop.Example': 'https://shop.example',
  'https://shop.example/store/': 'https://shop.example/store',
  'https://shop.example/wp-admin/': 'https://shop.example',
  'https://shop.example/wp-admin/admin.php?page=wc-settings&tab=advanced&section=keys': 'https://shop.example',
  'https://shop.example/store/wp-json/wc/v3/products': 'https://shop.example/store',
  'https://shop.example/wp-login.php?redirect_to=x': 'https://shop.example',
  'https://shop.example/?utm_source=x#top': 'https://shop.example',
  'https://shop.example/index.php/wp-json/': 'https://shop.example',
  'shop.example:8443/a//b/': 'https://shop.example:8443/a/b',
  'https://shop.example:443/': 'https://shop.example',
  'https://shöp.example': 'https://xn--shp-tna.example',
  'http://localhost:8080/wp': 'http://localhost:8080/wp',
  'http://127.0.0.1:9000': 'http://127.0.0.1:9000',
  'http://[::1]:9000/': 'http://[::1]:9000',
  '127.0.0.1:9000': 'http://127.0.0.1:9000',
  'localhost:8080/wp': 'http://localhost:8080/wp',
  'localhost.example:8080': 'https://localhost.example:8080',
  '//shop.example/x': 'https://shop.example/x',
};

for (const [text, expected] of Object.entries(GOOD)) {
  test(`"${text}" is ${expected}`, () => {
    assert.equal(normaliseStoreUrl(text), expected);
    assert.equal(normaliseStoreUrl(expected), expected);
  });
}

for (const text of [
  '',
  '   ',
  'shop',
  'my shop.example',
  'ftp://shop.example',
  'https://user:pass@shop.example',
  'https://',
  'javascript://x',
]) {
  test(`"${text}" is refused in plain words`, () => {
    assert.throws(
      () => normaliseStoreUrl(text),
      (error) =>
        error instanceof ConnectorError &&
        error.kind === 'rejected' &&
        error.details.field === 'url' &&
        error.message.length > 10,
    );
  });
}
