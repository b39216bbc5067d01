import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createUndiciTransport } from '../../connectors/shared/undici-transport.ts';
import { createWooConnector } from '../../connectors/woocommerce/connector.ts';
import { connectStore } from '../../engine/connect-store.ts';
import type { StoreCredentials } from '../../engine/context.ts';
import { createPair } from '../../engine/create-pair.ts';
import { Refusal } from '../../model/refusal.ts';
import type { Finding } from '../../model/store-info.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { makeTestLog } from '../support/test-log.ts';
import { makeTestRandom } from '../support/test-random.ts';
import { SHOP_DOMAIN, SHOP_SECRET, SHOP_TOKEN, WOO_KEY, WOO_URL } from './depth/shops.ts';
import type { Host } from './depth/wire.ts';
import { DepthWorld, WORKSPACE_ID, type WorldOptions } from './depth/world.ts';

interface Outcome {
  /** Null: connected. */
  readonly refusal: Refusal | null;
  readonly findings: readonly Finding[];
  readonly address: string | null;
  readonly storeCount: number;
}

const woo = (change: Partial<Extract<StoreCredentials, { platform: 'woocommerce' }>> = {}): StoreCredentials => ({
  platform: 'woocommerce',
  url: WOO_URL,
  consumerKey: WOO_KEY.key,
  consumerSecret: WOO_KEY.secret,
  ...change,
});

const shopify = (change: Partial<Extract<StoreCredentials, { platform: 'shopify' }>> = {}): StoreCredentials => ({
  platform: 'shopify',
  shopDomain: SHOP_DOMAIN,
  auth: { type: 'token', accessToken: SHOP_TOKEN, apiSecret: SHOP_SECRET },
  ...change,
});

const SECRETS = [WOO_KEY.key, WOO_KEY.secret, SHOP_TOKEN, SHOP_SECRET, 'wrong-secret-1', 'wrong-token-1'];

/** Connects one store in a fresh world. No word that comes out of it may carry a credential. */
async function connect(
  credentials: StoreCredentials,
  options: WorldOptions = {},
  prepare: (world: DepthWorld) => void = () => undefined,
): Promise<Outcome> {
  const log = makeTestLog();
  const world = await DepthWorld.open({ ...options, log });
  try {
    prepare(world);
    let outcome: Outcome;
    const count = () => (world.db.connection.prepare('SELECT count(*) AS n FROM store').get() as { n: number }).n;
    try {
      const { store, findings } = await world.clock.run(
        connectStore(world.ctx, { workspaceId: WORKSPACE_ID, name: 'Mine', credentials }),
      );
      outcome = { refusal: null, findings, address: store.address, storeCount: count() };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const findings = (error.details['findings'] ?? []) as readonly Finding[];
      outcome = { refusal: error, findings, address: null, storeCount: count() };
    }
    const words = `${log.text()} ${JSON.stringify(outcome.findings)} ${outcome.refusal?.message}`;
    for (const secret of SECRETS) assert.ok(!words.includes(secret), `${secret} is told`);
    return outcome;
  } finally {
    await world.close();
  }
}

/** Refused with this finding, in words and with a remedy, and nothing stored. */
async function refusedWith(code: string, ...how: Parameters<typeof connect>): Promise<Finding> {
  const { refusal, findings, storeCount } = await connect(...how);
  assert.ok(refusal !== null, `refused for ${code}, not connected`);
  assert.equal(refusal.code, 'STORE_CHECK_FAILED');
  const finding = findings.find((one) => one.code === code);
  assert.ok(finding, `${code} among ${findings.map((one) => `${one.code} (${one.message})`).join(', ')}`);
  assert.equal(finding.level, 'error');
  assert.ok(finding.message.length > 10 && finding.remedy.length > 10, 'words and a remedy');
  assert.ok(refusal.message.includes(findings.find((one) => one.level === 'error')?.message ?? '?'));
  assert.equal(storeCount, 0);
  return finding;
}

/** Connected, with this finding among the others. */
async function connectedWith(code: string | null, ...how: Parameters<typeof connect>): Promise<Outcome> {
  const outcome = await connect(...how);
  assert.equal(outcome.refusal, null, outcome.refusal?.message);
  assert.equal(outcome.storeCount, 1);
  if (code !== null)
    assert.ok(
      outcome.findings.some((one) => one.code === code),
      `${code} among ${outcome.findings.map((one) => one.code).join(', ')}`,
    );
  return outcome;
}

/** The form itself says what is wrong with an address, before anybody is called. */
async function invalid(field: string, ...how: Parameters<typeof connect>): Promise<void> {
  const { refusal, storeCount } = await connect(...how);
  assert.equal(refusal?.code, 'VALIDATION', refusal?.message);
  assert.match(JSON.stringify(refusal.details), new RegExp(`"field":"${field}"`));
  assert.equal(storeCount, 0);
}

function page(status: number, body: string, type = 'text/html'): Host {
  const headers = { 'content-type': type, date: new Date(Date.UTC(2026, 10, 21, 9)).toUTCString() };
  return { side: 'woocommerce', inject: async () => ({ status, headers, body: Buffer.from(body) }) };
}

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
    const [key, cert] = [join(dir.path, 'key.pem'), join(dir.path, 'cert.pem')];
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
    execFileSync('openssl', [...request, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) => {
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
        clock: { now: () => Date.now(), sleep: () => Promise.resolve() },
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

describe('connecting a Shopify store', () => {
  const token = (accessToken: string) => ({ auth: { type: 'token' as const, accessToken, apiSecret: SHOP_SECRET } });

  test('wrong credentials', async () => {
    await refusedWith('CREDENTIALS_REFUSED', shopify(token('shpat_wrong-token-1')));
    const client = (clientSecret: string) =>
      ({ auth: { type: 'client_credentials', clientId: 'client-id-of-the-app', clientSecret } }) as const;
    await refusedWith('CREDENTIALS_REFUSED', shopify(client('wrong-secret-1')));
    await connectedWith('CREDENTIALS_VALID', shopify(client(SHOP_SECRET)));
    await refusedWith('CREDENTIALS_OTHER_ORGANISATION', shopify(client(SHOP_SECRET)), {
      shopify: { clientCredentials: 'shop_not_permitted' },
    });
  });

  test('an address as people paste it, and one that is none', async () => {
    for (const shopDomain of [
      'shelf',
      `https://${SHOP_DOMAIN}/admin/products`,
      'https://admin.shopify.com/store/shelf',
    ]) {
      const { address } = await connectedWith('REACHABLE', shopify({ shopDomain }));
      assert.equal(address, SHOP_DOMAIN, shopDomain);
    }
    for (const shopDomain of ['', 'shop.example', 'shelf.myshopify.com.evil.example', '127.0.0.1:80'])
      await invalid('shopDomain', shopify({ shopDomain }));
  });

  test('a shop that is not there, and something else that answers', async () => {
    const other = (host: Host) =>
      [shopify({ shopDomain: 'other.myshopify.com' }), { hosts: { 'other.myshopify.com': host } }] as const;
    await refusedWith('UNREACHABLE', shopify({ shopDomain: 'nobody.myshopify.com' }));
    await refusedWith('UNREACHABLE', ...other(page(404, '{"errors":"Not Found"}', 'application/json')));
    await refusedWith('ANSWER_NOT_UNDERSTOOD', ...other(page(200, '<h1>Welcome</h1>')));
  });

  test('missing scopes', async () => {
    const scopes = ['write_products', 'read_inventory', 'read_locations', 'write_publications'];
    const finding = await refusedWith('SCOPE_MISSING_WRITE_INVENTORY', shopify(), { shopify: { scopes } });
    assert.match(finding.message, /writes stock/);
    await refusedWith('SCOPE_MISSING_READ_LOCATIONS', shopify(), {
      shopify: { scopes: ['write_products', 'write_inventory'] },
    });
    await refusedWith('SCOPE_MISSING_READ_PRODUCTS', shopify(), { shopify: { scopes: ['read_locations'] } });
    await connectedWith('SCOPE_MISSING_WRITE_PUBLICATIONS', shopify(), {
      shopify: { scopes: ['write_products', 'write_inventory', 'read_locations'] },
    });
  });

  test('a version that Shopify no longer speaks', async () => {
    await refusedWith('API_VERSION_DIFFERS', shopify(), { shopifyApiVersion: '2024-01' });
  });

  test('without the API secret it connects, and is polled', async () => {
    const outcome = await connectedWith(
      'WEBHOOK_SECRET_MISSING',
      shopify({ auth: { type: 'token', accessToken: SHOP_TOKEN } }),
    );
    assert.ok(outcome.findings.every(({ level }) => level !== 'error'));
  });
});

test('two stores of different currencies pair with prices off, and never with prices on', async () => {
  for (const [options, words] of [
    [{ woo: { currency: 'EUR' } }, /EUR/],
    [{ woo: { pricesIncludeTax: true, calcTaxes: true } }, /with tax/],
  ] as const) {
    const world = await DepthWorld.open(options);
    try {
      const ids: string[] = [];
      for (const credentials of [woo(), shopify()])
        ids.push(
          (await world.clock.run(connectStore(world.ctx, { workspaceId: WORKSPACE_ID, name: 'x', credentials }))).store
            .id,
        );
      const stores = {
        workspaceId: WORKSPACE_ID,
        woocommerceStoreId: ids[0],
        shopifyStoreId: ids[1],
      } as unknown as Parameters<typeof createPair>[1];
      assert.throws(
        () => createPair(world.ctx, { ...stores, settings: { syncPrices: true } }),
        (error: unknown) =>
          error instanceof Refusal && error.code === 'PRICE_BASIS_DIFFERS' && words.test(error.message),
      );
      assert.equal(createPair(world.ctx, stores).settings.syncPrices, false);
      assert.throws(() => createPair(world.ctx, stores), /pair already/);
    } finally {
      await world.close();
    }
  }
});

test('one store is connected once, whatever it is called', async () => {
  const world = await DepthWorld.open();
  try {
    const connectAs = (credentials: StoreCredentials) =>
      world.clock.run(connectStore(world.ctx, { workspaceId: WORKSPACE_ID, name: 'x', credentials }));
    await connectAs(woo());
    await assert.rejects(connectAs(woo({ url: 'shop.example/' })), /connected in this workspace already/);
    await connectAs(shopify());
    await assert.rejects(connectAs(shopify({ shopDomain: 'shelf' })), /connected in this workspace already/);
  } finally {
    await world.close();
  }
});
