import { ConnectorError } from '../../model/connector-error.ts';
import type { Finding } from '../../model/store-info.ts';
import { ADDRESS_REFUSED } from '../shared/address-guard.ts';
import { sentence } from '../shared/sentence.ts';
import { ANSWER_TOO_LARGE } from '../shared/transport.ts';
import { explainUnreachable } from '../shared/unreachable.ts';
import { MIXED_ANSWER } from './errors.ts';

type Make = (name: string, message: string, remedy: string) => Finding;

const SIGN_IN_PAGE = /\/(?:wp-login\.php|wp-signup\.php)$/;

/** Their words may be a whole page. */
function cut(words: string): string {
  const short = words.replace(/\s+/g, ' ').trim();
  return (short.length > 160 ? `${short.slice(0, 160)}…` : short).replace(/\.$/, '');
}

/** A failure of the doctor's own calls as a finding: what it means for a merchant, and what to do. */
export function explainFailure(error: unknown, siteUrl: string): Finding {
  if (!(error instanceof ConnectorError)) throw error;
  const code = error.details.platformCode ?? '';
  const said = error.details.platformMessage ?? '';
  const finding = (name: string, message: string, remedy: string): Finding => ({
    code: name,
    level: 'error',
    message,
    remedy,
  });
  if (/^http_30\d$/.test(code)) {
    const target = said || 'another address';
    if (SIGN_IN_PAGE.test(target))
      return finding(
        'SIGN_IN_PAGE',
        'The store sends us to its sign-in page.',
        'A plugin shows the shop to members only (coming soon, private site, forced sign-in): have it leave /wp-json/wc/v3/ out.',
      );
    return redirected(target, siteUrl.replace(/\/+$/, ''), finding);
  }
  if (code === ADDRESS_REFUSED) return refusedAddress(error.message, siteUrl, finding);
  const unreachable = explainUnreachable(code, siteUrl);
  if (unreachable !== null) return finding(unreachable.code, sentence(unreachable.words), unreachable.remedy);
  // First of all: what the store says behind it is told once it stands alone.
  if (code === MIXED_ANSWER) return notJson(said, finding);
  if (error.kind === 'unauthorized') return unauthorized(siteUrl.startsWith('https:'), code, said, finding);
  if (code === 'rest_no_route')
    return finding(
      'NOT_WOOCOMMERCE',
      'WordPress answers, but WooCommerce does not.',
      'Install and activate WooCommerce, or check the path of the address.',
    );
  if (/maintenance/.test(error.message))
    return finding('MAINTENANCE', 'The store is in maintenance.', 'Wait until it is back; this resolves by itself.');
  if (code === 'http_404')
    return finding(
      'NOT_WORDPRESS',
      `No WordPress answers at ${siteUrl}.`,
      'Check the address; if the shop is in a folder, add it (https://shop.example/store).',
    );
  if (code === 'http_503')
    return finding(
      'UNAVAILABLE',
      'The store is not available just now: its server is too busy, it is in maintenance, or a firewall turns us away.',
      'Wait, this is tried again by itself. If it lasts while the shop opens in a browser, allow requests to /wp-json/wc/v3/ in the firewall or security plugin.',
    );
  if (/^http_(?:403|406)$/.test(code))
    return finding(
      'BLOCKED',
      'A firewall or security plugin answers in place of the store.',
      'Allow requests to /wp-json/wc/v3/ in the firewall or security plugin.',
    );
  if (code === ANSWER_TOO_LARGE)
    return finding(
      'ANSWER_TOO_LARGE',
      'The store answers with more than can be taken in at once.',
      'See which plugin adds to the answers below /wp-json/wc/v3/, or keeps large texts with products, and have it leave them out.',
    );
  if (error.kind === 'malformed') return notJson(said, finding);
  if (error.kind === 'timeout')
    return finding(
      'TIMED_OUT',
      `${siteUrl} does not answer in time.`,
      'Check that the shop can be opened in a browser, and how busy its server is.',
    );
  if (error.kind === 'rate_limited')
    return finding(
      'RATE_LIMITED',
      'The store asks us to slow down.',
      'Ask your host to raise the limit for the REST API.',
    );
  if (code === 'internal_server_error' || /^http_5\d\d$/.test(code))
    return finding(
      'STORE_FAILED',
      said === '' ? sentence(error.message) : `The store failed: “${cut(said)}”.`,
      'Look into the log of its PHP errors (WooCommerce, Status, Logs), or ask the host: a plugin that crashes, or too little memory, is the usual reason.',
    );
  return finding(
    'UNREACHABLE',
    `The store can't be reached: ${error.message.replace(/\.+$/, '')}.`,
    'Check that the shop can be opened in a browser.',
  );
}

function notJson(said: string, finding: Make): Finding {
  return finding(
    'NOT_JSON',
    `The store answers with ${said === '' ? 'a page' : `“${cut(said)}”`} instead of data alone.`,
    'A plugin or an error message disturbs the answers: switch off that PHP shows its warnings (WP_DEBUG_DISPLAY), and see that nothing caches, rewrites or adds to what comes from /wp-json/.',
  );
}

/** Redirects are not followed. Where one leads back to where it came from, or to where we may not go, its address is no advice. */
function redirected(target: string, siteUrl: string, finding: Make): Finding {
  const address = target.replace(/\/(?:wp-json|index\.php)\/?.*$/, '').replace(/\/+$/, '');
  if (target === `${siteUrl}/wp-json/wc/v3/products`)
    return finding(
      'REDIRECTED_IN_A_CIRCLE',
      `${siteUrl} redirects requests to its API back to where they came from, in a circle.`,
      'In WordPress let both addresses under Settings, General begin with https://. Behind a proxy, let it send X-Forwarded-Proto; at Cloudflare choose the SSL mode "Full".',
    );
  if (siteUrl.startsWith('https:') && address === siteUrl.replace(/^https:/, 'http:'))
    return finding(
      'REDIRECTED_TO_HTTP',
      `${siteUrl} redirects to ${address}, which is not encrypted.`,
      'In WordPress let both addresses under Settings, General begin with https://. Behind a proxy, let it send X-Forwarded-Proto, so that WordPress sees the encryption.',
    );
  if (address === siteUrl)
    return finding(
      'API_REDIRECTED',
      `The store redirects requests to its API to ${target}.`,
      'In WordPress open Settings, Permalinks and save them once; where a plugin or the web server redirects, let it leave /wp-json/ out.',
    );
  return finding(
    'REDIRECTED',
    `${siteUrl} redirects to ${target}.`,
    `Give the address that it redirects to (for a store that is connected: Stores, New address): ${address}`,
  );
}

/** Nothing was sent: this server calls only what stands on the public internet, and only over TLS. */
function refusedAddress(message: string, siteUrl: string, finding: Make): Finding {
  if (siteUrl.startsWith('http:'))
    return finding(
      'HTTPS_NEEDED',
      `${siteUrl} is not encrypted: others on the way could read what is sent, the keys included.`,
      'Connect the store by its https:// address; where it has none, most hosts give a certificate for free. For tests, stores on this machine can be allowed (ALLOW_LOCAL_STORES).',
    );
  return finding(
    'ADDRESS_NOT_PUBLIC',
    `${message}.`,
    'Give the address that the store has on the internet. For tests, stores on this machine and in its network can be allowed (ALLOW_LOCAL_STORES).',
  );
}

function unauthorized(isTls: boolean, code: string, said: string, finding: Make): Finding {
  if (/does not have read permissions/i.test(said))
    return finding('KEY_WRITE_ONLY', 'The key may only write.', 'Give the key "Read/Write" permission.');
  if (/consumer key is invalid/i.test(said)) return unknownKey(isTls, finding);
  // One code for both, and the words are in the store's language: the wrong secret is by far the more common.
  if (code === 'woocommerce_rest_authentication_error')
    return finding(
      'SECRET_WRONG',
      'The consumer secret does not belong to the consumer key.',
      'Copy both anew from WooCommerce: Settings, Advanced, REST API. The secret is shown only once.',
    );
  // A key that WooCommerce does not know is looked for among WordPress' users, where some of them have application passwords.
  if (/^woocommerce_rest_cannot_|^invalid_username$/.test(code)) return unknownKey(isTls, finding);
  if (code === 'http_401')
    return finding(
      'PASSWORD_PROTECTED',
      'A password of the web server stands in front of the store.',
      'Let requests to /wp-json/wc/v3/ through without it (staging sites and "private site" switches of hosts set one).',
    );
  // WooCommerce's own refusals are known by their codes: this one came before it had looked at the key.
  if (!code.startsWith('woocommerce_'))
    return finding(
      'API_CLOSED',
      `WordPress refuses the request before WooCommerce looks at the key: “${cut(said || code)}”.`,
      'A security plugin closes the REST API: allow /wp-json/wc/v3/ in it. If none does, create a key with Read/Write permission for an administrator: Settings, Advanced, REST API.',
    );
  return finding(
    'UNAUTHORIZED',
    'The store refuses the key.',
    'Create a key with Read/Write permission for an administrator: Settings, Advanced, REST API.',
  );
}

function unknownKey(isTls: boolean, finding: Make): Finding {
  // Requests without encryption are signed: nothing about it can be in the way.
  if (!isTls)
    return finding(
      'KEY_UNKNOWN',
      'WooCommerce does not know this key, or its user may not manage the shop.',
      'Create a key with Read/Write permission for an administrator: Settings, Advanced, REST API.',
    );
  return finding(
    'KEY_UNKNOWN',
    'WooCommerce does not know this key, its user may not manage the shop, or the server does not see the encryption.',
    'Create a key with Read/Write permission for an administrator: Settings, Advanced, REST API. Behind a proxy, let it send X-Forwarded-Proto.',
  );
}
