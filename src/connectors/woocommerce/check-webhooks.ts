import type { Finding } from '../../model/store-info.ts';
import { parseUrl } from '../shared/parse-url.ts';
import { isPrivateHost, NO_WEBHOOK_ADDRESS, webhooksGoTo } from '../shared/webhook-target.ts';
import type { Add } from './check-version.ts';
import type { WooClient } from './client.ts';
import { explainFailure } from './explain-failure.ts';
import type { InspectRequest } from './inspect.ts';
import { listOurWebhooks } from './webhook-admin.ts';

/**
 * Whether this server's webhooks can come, and whether the store still sends them [C14]. The first goes by WordPress' rules alone: the second is asked all
 * the same, as a plugin may let through what they refuse.
 */
export async function checkWebhooks(
  client: WooClient,
  request: Pick<InspectRequest, 'callbackUrl' | 'siteUrl' | 'signal'>,
  findings: Finding[],
  add: Add,
): Promise<void> {
  const { callbackUrl, siteUrl, signal } = request;
  if (callbackUrl === undefined) return;
  if (callbackUrl === null) {
    findings.push(NO_WEBHOOK_ADDRESS);
    return;
  }
  const target = parseUrl(callbackUrl);
  const site = parseUrl(siteUrl);
  const isOwnHost = target !== null && target.hostname === site?.hostname;
  const isOddPort =
    target !== null && !['', '80', '443', '8080'].includes(target.port) && !(isOwnHost && target.port === site?.port);
  const isPrivate = target !== null && isPrivateHost(target.hostname);
  const isUndeliverable = target === null || isOddPort || (isPrivate && !isOwnHost);
  if (isUndeliverable) {
    const remedy =
      'Make this server reachable at a public address on port 443 (or 80, 8080). Until then changes are found by asking the store every minute.';
    add(
      'WEBHOOKS_UNDELIVERABLE',
      'warning',
      'WordPress does not deliver webhooks to private addresses or unusual ports, which is what this server has.',
      remedy,
    );
  }
  try {
    const hooks = await listOurWebhooks(client, callbackUrl, signal);
    const broken = hooks.filter((hook) => hook.status !== 'active');
    if (broken.length > 0)
      add(
        'WEBHOOKS_DISABLED',
        'warning',
        `WooCommerce has switched off ${broken.length} of our webhooks after failed deliveries.`,
        'They are made anew by themselves; check that this server can be reached from the store.',
      );
    else if (hooks.length > 0) add('WEBHOOKS', 'ok', `${hooks.length} webhooks are active.`);
    else if (!isUndeliverable) findings.push(webhooksGoTo(callbackUrl));
  } catch (error) {
    // Nothing that the sync could not do without: what a firewall keeps back here alone, it lets pass elsewhere.
    const { message, remedy } = explainFailure(error, siteUrl);
    add(
      'WEBHOOKS_UNKNOWN',
      'warning',
      `WooCommerce did not say which webhooks it has for us: ${message} Until it does, changes are found by asking the store every minute.`,
      `Allow requests to /wp-json/wc/v3/webhooks in the firewall or security plugin. ${remedy}`,
    );
  }
}
