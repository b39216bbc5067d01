import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { transact } from '../../db/database.ts';
import { findPair, findStore } from '../../db/readers/pairs.ts';
import { updateStore } from '../../db/writers/stores.ts';
import type { StoreCredentials } from '../../engine/context.ts';
import { createPair, updatePairSettings } from '../../engine/pairs/create-pair.ts';
import { noteFindings } from '../../engine/stores/check-store.ts';
import { connectStore } from '../../engine/stores/connect-store.ts';
import { Refusal } from '../../model/refusal.ts';
import { connectedWith, invalid, page, refusedWith, shopify, woo } from './depth/connecting.ts';
import { SHOP_DOMAIN, SHOP_SECRET, SHOP_TOKEN } from './depth/shops.ts';
import type { Host } from './depth/wire.ts';
import { DepthWorld, WORKSPACE_ID } from './depth/world.ts';

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

  test('a sound shop: what the doctor looked at is told, where webhooks go included', async () => {
    const { findings } = await connectedWith('WEBHOOKS_DELIVERABLE', shopify(token(SHOP_TOKEN)));
    assert.deepEqual(
      findings.map(({ code, level }) => [code, level]),
      [
        'REACHABLE',
        'CREDENTIALS_VALID',
        'SCOPES_GRANTED',
        'API_VERSION_SERVED',
        'LOCATION_FOUND',
        'CLOCK',
        'CURRENCY',
        'TAX_BASIS',
        'WEIGHT_UNIT',
        'TIME_ZONE',
        'WEBHOOKS_DELIVERABLE',
      ].map((code) => [code, 'ok']),
    );
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

test('a WooCommerce store whose taxes are switched off pairs with prices on, whichever basis Shopify has; what it said before is no basis any more', async () => {
  for (const taxesIncluded of [true, false]) {
    const world = await DepthWorld.open({ woo: { pricesIncludeTax: !taxesIncluded, calcTaxes: false } });
    try {
      const connect = async (credentials: StoreCredentials) =>
        (await world.clock.run(connectStore(world.ctx, { workspaceId: WORKSPACE_ID, name: 'x', credentials }))).store;
      const [woocommerce, other] = [await connect(woo()), await connect(shopify())];
      const info = other.info ?? assert.fail('it was looked at');
      transact(world.ctx.db, (tx) => updateStore(tx, other.id, { info: { ...info, pricesIncludeTax: taxesIncluded } }));
      const stores = { workspaceId: WORKSPACE_ID, woocommerceStoreId: woocommerce.id, shopifyStoreId: other.id };
      assert.equal(createPair(world.ctx, stores).settings.syncPrices, true);
      const off = woocommerce.info ?? assert.fail('it was looked at');
      transact(world.ctx.db, (tx) => {
        updateStore(tx, woocommerce.id, { info: { ...off, pricesIncludeTax: true, chargesTax: true } });
        noteFindings(world.ctx, tx, findStore(tx, woocommerce.id) ?? assert.fail('it is connected'), off, []);
      });
      assert.equal(findStore(world.ctx.db, woocommerce.id)?.info?.pricesIncludeTax, null);
    } finally {
      await world.close();
    }
  }
});

test('a store that does not tell its tax basis pairs with prices off, until a person switches them on; what it told before holds', async () => {
  const world = await DepthWorld.open({ woo: { calcTaxes: true } });
  try {
    const connect = async (credentials: StoreCredentials) =>
      (await world.clock.run(connectStore(world.ctx, { workspaceId: WORKSPACE_ID, name: 'x', credentials }))).store;
    const [woocommerce, other] = [await connect(woo()), await connect(shopify())];
    const info = woocommerce.info ?? assert.fail('it was looked at');
    const stores = { workspaceId: WORKSPACE_ID, woocommerceStoreId: woocommerce.id, shopifyStoreId: other.id };
    const basis = () => findStore(world.ctx.db, woocommerce.id)?.info?.pricesIncludeTax;
    const look = (pricesIncludeTax: boolean | null) =>
      transact(world.ctx.db, (tx) => {
        const store = findStore(tx, woocommerce.id) ?? assert.fail('it is connected');
        noteFindings(world.ctx, tx, store, { ...info, pricesIncludeTax }, []);
      });
    transact(world.ctx.db, (tx) => updateStore(tx, woocommerce.id, { info: { ...info, pricesIncludeTax: null } }));
    const pair = createPair(world.ctx, stores);
    assert.equal(pair.settings.syncPrices, false);
    assert.equal(updatePairSettings(world.ctx, pair.id, { syncPrices: true }).settings.syncPrices, true);
    const syncsPrices = () => findPair(world.ctx.db, pair.id)?.settings.syncPrices;
    look(null);
    assert.deepEqual([basis(), syncsPrices()], [null, true], 'a person has looked');
    look(false);
    look(null);
    assert.deepEqual([basis(), syncsPrices()], [false, true]);
    look(true);
    assert.deepEqual([basis(), syncsPrices()], [true, false]);
  } finally {
    await world.close();
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
