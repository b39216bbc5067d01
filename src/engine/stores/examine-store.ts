import { PLATFORM_NAME, type Platform } from '../../model/platform.ts';
import { Refusal } from '../../model/refusal.ts';
import type { Finding, StoreInfo } from '../../model/store-info.ts';
import type { Connector } from '../../ports/connector.ts';
import type { Random } from '../../ports/random.ts';
import type { EngineContext, StoreCredentials } from '../context.ts';

export interface Examined {
  readonly info: StoreInfo;
  readonly findings: readonly Finding[];
  readonly address: string;
}

/**
 * What the doctor says of a store that these keys open; nothing is stored. Refuses with STORE_CHECK_FAILED when something stands in the
 * way of working with it: every finding, in plain words with its remedy, is in the refusal's details.
 */
export async function examineStore(
  ctx: EngineContext,
  credentials: StoreCredentials,
  webhookSecret: string,
): Promise<Examined> {
  const { connector, address } = ctx.connectors.probe(credentials, webhookSecret);
  try {
    return { ...(await examine(ctx, connector, credentials.platform)), address };
  } finally {
    await connector.close();
  }
}

/** The same over a connector that its caller closes. */
export async function examine(
  ctx: EngineContext,
  connector: Connector,
  platform: Platform,
): Promise<Omit<Examined, 'address'>> {
  // The store has no id yet, and so no address of its own: what is in front of it is the same for all.
  const callback = ctx.publicUrl === null ? null : `${ctx.publicUrl}/api/webhooks/new`;
  const { info, findings } = await connector.inspect(undefined, callback);
  const first = findings.find((finding) => finding.level === 'error');
  if (info === null || first !== undefined) {
    throw new Refusal(
      'STORE_CHECK_FAILED',
      first === undefined ? `${PLATFORM_NAME[platform]} could not be reached.` : `${first.message} ${first.remedy}`,
      { findings },
    );
  }
  return { info, findings };
}

/**
 * The secret that the platform signs webhooks with: Shopify takes the app's own, and a store whose secret is not known ('') can't be told from
 * a forger. Null: the platform takes one that we make.
 */
export function secretOf(credentials: StoreCredentials): string | null {
  if (credentials.platform === 'woocommerce') return null;
  return credentials.auth.type === 'token' ? (credentials.auth.apiSecret ?? '') : credentials.auth.clientSecret;
}

export function newWebhookSecret(random: Random): string {
  return random.id('whs_') + random.id('');
}
