import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { createUndiciTransport } from '../../connectors/shared/undici-transport.ts';
import { createWooConnector } from '../../connectors/woocommerce/connector.ts';
import { makeCertificate } from '../support/make-certificate.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { makeTestLog } from '../support/test-log.ts';
import { makeTestRandom } from '../support/test-random.ts';
import { connectedWith, invalid, page, refusedWith, woo } from './depth/connecting.ts';
import { WOO_KEY, WOO_URL } from './depth/shops.ts';
import type { Host } from './depth/wire.ts';
import type { WorldOptions } from './depth/world.ts';

describe('connecting a WooCommerce store', () => {
  test('wrong keys', async () => {
    await refusedWith('SECRET_WRONG', woo({ consumerSecret: 'cs_wrong-secret-1' }));
    await refusedWith('KEY_UNKNOWN', woo({ consumerKey: 'ck_unknown' }));
  });

  test('a read-only key, and one that may only write', async () => {
    await refusedWith('KEY_READ_ONLY', woo(), { woo: { keys: [{ ...WOO_KEY, permissions: 'read' }] } });
    await refusedWith('KEY_WRITE_ONLY', woo(), { woo: { keys: [{ ...WOO_KEY, permissions: 'write' }] } });
  });

  test('an address as people paste it', async () => {
    for (const url of ['shop.example', '  HTTPS://shop.example/  ', `${WOO_URL}/wp-admin/admin.php?page=wc-settings`]) {
      const { address } = await connectedWith('REACHABLE', woo({ url }));
      assert.equal(address, WOO_URL, url);
    }
    const folder = { woo: { basePath: '/store', siteUrl: `${WOO_URL}/store` } };
    const { address } = await connectedWith('REACHABLE', woo({ url: `${WOO_URL}/store/` }), folder);
    assert.equal(address, `${WOO_URL}/store`);
    await refusedWith('NOT_WORDPRESS', woo(), folder);
    const deep = await refusedWith('ADDRESS_IS_A_PAGE', woo({ url: `${WOO_URL}/product/mug` }));
    assert.match(deep.remedy, /https:\/\/shop\.example$/);
  });

  test('an address that is none', async () => {
    for (const url of ['', 'my shop', 'ftp://shop.example', 'https://me:secret@shop.example', 'shop'])
      await invalid('url', woo({ url }));
    await refusedWith('NO_SUCH_HOST', woo({ url: 'https://nobody.example' }));
  });

  test('something that is not WooCommerce', async () => {
    const url = 'https://other.example';
    const at = (host: Host): WorldOptions => ({ hosts: { 'other.example': host } });
    const noRoute = '{"code":"rest_no_route","message":"No route was found","data":{"status":404}}';
    await refusedWith('NOT_WOOCOMMERCE', woo({ url }), at(page(404, noRoute, 'application/json')));
    await refusedWith('NOT_WORDPRESS', woo({ url }), at(page(404, '<h1>Not found</h1>')));
    await refusedWith('NOT_JSON', woo({ url }), at(page(200, '<h1>Welcome</h1>')));
    await refusedWith('NOT_JSON', woo({ url }), at(page(200, '{"hello":"world"}', 'application/json')));
    await refusedWith('BLOCKED', woo({ url }), at(page(403, '<h1>Attention required</h1>')));
  });

  test('a store that redirects, and one in maintenance', async () => {
    const moved = await refusedWith('REDIRECTED', woo(), { woo: { redirectTo: 'https://www.shop.example' } });
    assert.match(moved.remedy, /https:\/\/www\.shop\.example/);
    await refusedWith('MAINTENANCE', woo(), { woo: { maintenance: true } });
  });

  test('an old version, and old ones that still do', async () => {
    await refusedWith('VERSION_TOO_OLD', woo(), { woo: { version: '6.9.4' } });
    await connectedWith('VERSION_SLOW', woo(), { woo: { version: '9.8.0' } });
    await connectedWith('BARCODES_UNSUPPORTED', woo(), { woo: { version: '8.2.0' } });
  });

  test('hosts with quirks are worked around, and told', async () => {
    await connectedWith('AUTHORIZATION_STRIPPED', woo(), { woo: { stripAuthorization: true } });
    await connectedWith('PLAIN_PERMALINKS', woo(), { woo: { prettyPermalinks: false } });
  });

  test('a self-signed certificate, over a real loopback connection', async () => {
    using dir = makeTempDir();
    const { certFile, keyFile } = makeCertificate(dir.path);
    const server = createServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, (_request, response) => {
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const wire = createUndiciTransport({ allowLocal: true });
    try {
      const log = makeTestLog();
      const connector = createWooConnector({
        url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
        consumerKey: WOO_KEY.key,
        consumerSecret: WOO_KEY.secret,
        webhookSecrets: [],
        transport: wire.transport,
        clock: {
          now: () => Date.now(),
          brokenAt: () => 0,
          slowedAt: () => 0,
          wallNow: () => Date.now(),
          sleep: () => Promise.resolve(),
        },
        random: makeTestRandom(),
        log,
      });
      const { info, findings } = await connector.inspect();
      assert.equal(info, null);
      assert.deepEqual(
        findings.map(({ code }) => code),
        ['CERTIFICATE_UNTRUSTED'],
      );
    } finally {
      await wire.close();
      server.closeAllConnections();
      server.close();
    }
  });
});
