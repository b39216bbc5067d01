import assert from 'node:assert/strict';
import type { Config } from '../../config/config.ts';
import type { SessionReply } from '../../contracts/auth.ts';
import type { PairReply } from '../../contracts/pairs.ts';
import type { PlanWithItemsReply } from '../../contracts/plans.ts';
import type { ConnectStoreReply } from '../../contracts/stores.ts';
import type { RunReply } from '../../contracts/sync.ts';
import type { PerSide } from '../../model/platform.ts';
import { createShopifySandbox, type ShopifySandbox } from '../../sandbox/shopify/create-shopify-sandbox.ts';
import { createWooSandbox, type WooSandbox } from '../../sandbox/woocommerce/create-woo-sandbox.ts';
import { eventually, type RunningApp, startTestApp } from './start-test-app.ts';

export interface LinkedApp extends AsyncDisposable {
  readonly running: RunningApp;
  /** The owner's access token. */
  readonly session: string;
  readonly pairId: string;
  readonly storeIds: PerSide<string>;
  readonly woo: WooSandbox;
  readonly shopify: ShopifySandbox;
  /** An API token of that scope. */
  makeToken(scope: 'read' | 'operate' | 'manage'): Promise<string>;
}

/** Who owns what is linked. */
export const OWNER = {
  ...{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', password: 'Secret-12' },
  ...{ confirmPassword: 'Secret-12', agreeToTerms: true },
};

/** The whole program with two sandbox stores that hold the given products and are linked; `await using app = …` ends all of it. */
export async function startLinkedApp(
  dataDir: string,
  products: readonly { readonly title: string; readonly sku: string }[],
  change: Partial<Config> = {},
): Promise<LinkedApp> {
  const woo = createWooSandbox({ currency: 'USD' });
  const shopify = createShopifySandbox({ allowHttpWebhooks: true });
  for (const { title, sku } of products) {
    woo.controls.addProduct({ title, sku, regularPrice: '12.00', stock: 10 });
    shopify.controls.addProduct({ title, sku, price: '12.00', stock: 10 });
  }
  const { url } = await woo.listen();
  const { origin } = await shopify.listen();
  const running = await startTestApp(dataDir, change);
  let session = '';

  async function ask<T>(method: 'GET' | 'POST', path: string, body: object | null = null): Promise<T> {
    const reply = await running.call<T>(method, path, body, session);
    assert.ok(reply.status < 300, `${method} ${path}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  session = (await ask<SessionReply>('POST', '/api/auth/signup', OWNER)).accessToken;
  const connect = async (form: object) => (await ask<ConnectStoreReply>('POST', '/api/stores/connect', form)).store._id;
  const keys = { consumerKey: 'ck_sandbox', consumerSecret: 'cs_sandbox' };
  const woocommerceStoreId = await connect({ name: 'Garden Shop', platform: 'woocommerce', url, ...keys });
  const shopifyStoreId = await connect({
    ...{ name: 'Garden Studio', platform: 'shopify', shopDomain: new URL(origin).host },
    ...{ accessToken: 'shpat_sandbox_token', apiSecret: 'sandbox-client-secret' },
  });
  const { pair } = await ask<PairReply>('POST', '/api/pairs', { woocommerceStoreId, shopifyStoreId });
  const planned = await ask<PlanWithItemsReply>('POST', `/api/pairs/${pair._id}/plan`);
  const plan = await eventually('the plan', async () => {
    const { plan: now } = await ask<PlanWithItemsReply>('GET', `/api/plans/${planned.plan._id}`);
    return now.status === 'planning' ? null : now;
  });
  const { run } = await ask<RunReply>('POST', `/api/plans/${plan._id}/apply`, { hash: plan.hash });
  await eventually('the first link', async () => {
    const now = (await ask<RunReply>('GET', `/api/sync/status/${run._id}`)).run;
    return now.status === 'completed' ? now : null;
  });

  return {
    ...{ running, session, pairId: pair._id, woo, shopify },
    storeIds: { woocommerce: woocommerceStoreId, shopify: shopifyStoreId },
    async makeToken(scope) {
      return (await ask<{ secret: string }>('POST', '/api/workspace/tokens', { name: scope, scope })).secret;
    },
    async [Symbol.asyncDispose]() {
      await running.app.stop();
      await woo.close();
      await shopify.close();
    },
  };
}
