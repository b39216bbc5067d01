import { ConnectorError } from '../../model/connector-error.ts';
import type { Finding } from '../../model/store-info.ts';
import { parseUrl } from '../shared/parse-url.ts';
import { isPrivateHost, NO_WEBHOOK_ADDRESS, webhooksGoTo } from '../shared/webhook-target.ts';
import type { ShopifyClient } from './client.ts';
import { listOurWebhooks, NEEDED_TOPICS } from './webhook-subscriptions.ts';

/** Whether the shop's webhooks can come: Shopify calls public addresses over https only, and drops who fails to answer. */
export async function inspectWebhooks(
  client: ShopifyClient,
  /** Null: no store can reach this server. */
  callbackUrl: string | null,
  /** A stand-in on this machine calls whatever it is told to. */
  isLocalShop: boolean,
  signal: AbortSignal | undefined,
): Promise<Finding> {
  const target = parseUrl(callbackUrl ?? '');
  if (callbackUrl === null || target === null) return NO_WEBHOOK_ADDRESS;
  if (!isLocalShop && (target.protocol !== 'https:' || isPrivateHost(target.hostname)))
    return {
      code: 'WEBHOOKS_UNDELIVERABLE',
      level: 'warning',
      message: `Shopify sends webhooks to public https addresses only, and this server’s is ${target.origin}.`,
      remedy: `${NO_WEBHOOK_ADDRESS.remedy} Until then changes are found by asking the shop.`,
    };
  try {
    const topics = new Set((await listOurWebhooks(client, callbackUrl, signal)).map(({ topic }) => topic));
    const missing = Object.keys(NEEDED_TOPICS).filter((topic) => !topics.has(topic)).length;
    if (topics.size === 0) return webhooksGoTo(callbackUrl);
    if (missing === 0)
      return { code: 'WEBHOOKS', level: 'ok', message: `${topics.size} webhooks are active.`, remedy: '' };
    return {
      code: 'WEBHOOKS_DISABLED',
      level: 'warning',
      message: `${missing} of our webhooks are not there: Shopify removes what could not be delivered eight times in a row.`,
      remedy: 'They are made anew by themselves; check that this server can be reached from the internet.',
    };
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    return {
      code: 'WEBHOOKS_UNKNOWN',
      level: 'warning',
      message: `Shopify did not say which webhooks it has for us: ${error.message}.`,
      remedy: 'Run the check again in a minute.',
    };
  }
}
