import assert from 'node:assert/strict';
import type { StoreCredentials } from '../../../engine/context.ts';
import { connectStore } from '../../../engine/stores/connect-store.ts';
import { Refusal } from '../../../model/refusal.ts';
import type { Finding } from '../../../model/store-info.ts';
import { makeTestLog } from '../../support/test-log.ts';
import { SHOP_DOMAIN, SHOP_SECRET, SHOP_TOKEN, WOO_KEY, WOO_URL } from './shops.ts';
import type { Host } from './wire.ts';
import { DepthWorld, WORKSPACE_ID, type WorldOptions } from './world.ts';

interface Outcome {
  /** Null: connected. */
  readonly refusal: Refusal | null;
  readonly findings: readonly Finding[];
  readonly address: string | null;
  readonly storeCount: number;
}

export const woo = (
  change: Partial<Extract<StoreCredentials, { platform: 'woocommerce' }>> = {},
): StoreCredentials => ({
  platform: 'woocommerce',
  url: WOO_URL,
  consumerKey: WOO_KEY.key,
  consumerSecret: WOO_KEY.secret,
  ...change,
});

export const shopify = (
  change: Partial<Extract<StoreCredentials, { platform: 'shopify' }>> = {},
): StoreCredentials => ({
  platform: 'shopify',
  shopDomain: SHOP_DOMAIN,
  auth: { type: 'token', accessToken: SHOP_TOKEN, apiSecret: SHOP_SECRET },
  ...change,
});

/** Must never be told, right ones and wrong ones. */
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
export async function refusedWith(code: string, ...how: Parameters<typeof connect>): Promise<Finding> {
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
export async function connectedWith(code: string | null, ...how: Parameters<typeof connect>): Promise<Outcome> {
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
export async function invalid(field: string, ...how: Parameters<typeof connect>): Promise<void> {
  const { refusal, storeCount } = await connect(...how);
  assert.equal(refusal?.code, 'VALIDATION', refusal?.message);
  assert.match(JSON.stringify(refusal.details), new RegExp(`"field":"${field}"`));
  assert.equal(storeCount, 0);
}

export function page(status: number, body: string, type = 'text/html'): Host {
  const headers = { 'content-type': type, date: new Date(Date.UTC(2026, 10, 21, 9)).toUTCString() };
  return { side: 'woocommerce', inject: async () => ({ status, headers, body: Buffer.from(body) }) };
}
