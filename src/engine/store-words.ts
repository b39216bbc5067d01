import { HOUR_MS, MINUTE_MS } from '../lib/time.ts';
import { unended } from '../lib/unended.ts';
import { otherSide, PLATFORM_NAME, type Side } from '../model/platform.ts';
import { DELIVERY_BYTES_MAX } from '../model/signal.ts';
import type { Finding } from '../model/store-info.ts';
import type { ProblemWords } from './problems.ts';

function waitWords(ms: number): string {
  if (ms < 2 * HOUR_MS) return `${Math.round(ms / MINUTE_MS)} minutes`;
  return `${Math.round(ms / HOUR_MS)} hours`;
}

/** About a store as a whole. */
export const STORE_WORDS = {
  noAccess: (side: Side, said: string): ProblemWords => ({
    code: 'STORE_NO_ACCESS',
    level: 'error',
    message: `${PLATFORM_NAME[side]} does not let us in any more: ${unended(said)}. Nothing of this pair is read or written until it does.`,
    remedy:
      'Test the connection (Stores, Test connection) to see what shuts us out. Enter new keys (Stores, New keys), or give the old ones their rights back: it goes on by itself.',
  }),
  refuses: (side: Side, said: string): ProblemWords => ({
    code: 'STORE_REFUSES',
    level: 'error',
    message: `${PLATFORM_NAME[side]} refuses to be read: ${said}`,
    remedy:
      'Test the connection (Stores, Test connection) to see what it lacks; where the shop has moved, enter its address (Stores, New address). It is asked again by itself.',
  }),
  placeAway: (side: Side, said: string): ProblemWords => ({
    code: 'STORE_REFUSES',
    level: 'error',
    message: `No stock of this pair is counted or written at present: ${unended(said)}. What is new waits for it; all else goes on.`,
    remedy: `Switch the location on again in ${PLATFORM_NAME[side]}: it goes on by itself. To keep the stock of another location the same, delete the pair and link the two stores again.`,
  }),
  /** [B11] */
  listingCut: (side: Side, said: string): ProblemWords => ({
    code: 'LISTING_CUT_SHORT',
    level: 'error',
    message: `${PLATFORM_NAME[side]}'s list of products does not come whole: ${unended(said)}. Such a list proves nothing, so nothing is deleted or changed by it. What webhooks and polls tell of goes on; the two shops as a whole can't be compared.`,
    remedy:
      side === 'woocommerce'
        ? 'Something shortens what the shop lists: a cache or firewall in front of it, or a plugin that hides products. Have it leave /wp-json/wc/v3 as it is, then sync again. This closes with the next list that comes whole.'
        : 'Something between this server and Shopify shortens its answers: see that no proxy or virus scanner does. Then sync again. This closes with the next list that comes whole.',
  }),
  away: (side: Side, said: string): ProblemWords => ({
    code: 'STORE_AWAY',
    level: 'error',
    message: `${PLATFORM_NAME[side]} has not answered for some time: ${unended(said)}. What is sold in one shop does not reach the other meanwhile.`,
    remedy:
      'See whether the shop opens in a browser; where it has moved, enter its address (Stores, New address). It is asked again by itself, and what was missed is caught up.',
  }),
  limited: (side: Side): ProblemWords => ({
    code: 'STORE_LIMITED',
    level: 'warning',
    message: `The limit of requests a minute that is set here leaves no room to ask ${PLATFORM_NAME[side]} what has changed. What no webhook tells of comes late.`,
    remedy:
      "Set a higher limit in the pair's settings (of several pairs of a shop the lowest counts), or wait until what uses it up is done: it goes on by itself.",
  }),
  /** `isNew`: of what makes products or variants only. */
  writesLimited: (side: Side, said: string, isNew: boolean, retryAfterMs: number): ProblemWords => ({
    code: 'WRITES_LIMITED',
    level: 'warning',
    message: `${unended(said)}. What this pair has to ${isNew ? 'make' : 'write'} in ${PLATFORM_NAME[side]} waits${isNew ? '; all else goes on' : ''}.`,
    remedy: `It is tried again by itself after ${waitWords(retryAfterMs)} each time, until the shop takes it. Press Try again where you know that it does by now.`,
  }),
  webhooksRefused: (side: Side): ProblemWords => ({
    code: 'WEBHOOKS_REFUSED',
    level: 'warning',
    message: `Webhooks of ${PLATFORM_NAME[side]} come signed with another secret than the one we know, and are refused. What changes there is found by asking only, minutes late.`,
    remedy:
      side === 'shopify'
        ? "Enter the app's API secret key (in the Dev Dashboard: the client secret) anew: Stores, New keys."
        : 'Make a new webhook secret for this store, which is given to its webhooks: Stores, Settings, New webhook secret.',
  }),
  /** Who sent it is not known, and nothing of it is told. */
  webhookTooLarge: (side: Side): ProblemWords => ({
    code: 'WEBHOOK_TOO_LARGE',
    level: 'warning',
    message: `Something larger than ${DELIVERY_BYTES_MAX / (1024 * 1024)} MB came to the address for ${PLATFORM_NAME[side]}'s webhooks, and was not taken. If it was a webhook of the shop, nothing is lost: the shop is asked at once what changed.`,
    remedy:
      "Where a product's description holds pictures in itself (data:), put them into the media library instead. Where the shop has no such product, say which addresses its webhooks come from: Stores, Settings, Webhook sources. This closes when none came for two days.",
  }),
  webhooksShut: (side: Side, said: string): ProblemWords => ({
    code: 'WEBHOOKS_SHUT',
    level: 'warning',
    message: `${PLATFORM_NAME[side]} does not let us look after its webhooks: ${unended(said)}. What changes there is found by asking, minutes late.`,
    remedy:
      side === 'shopify'
        ? 'Test the connection (Stores, Test connection) to see what the app lacks. It is tried again by itself.'
        : "Allow requests to /wp-json/wc/v3/webhooks in the firewall or security plugin, and give the key's user the right to manage the shop. It is tried again by itself.",
  }),
  needsCare: (side: Side, findings: readonly Finding[]): ProblemWords => ({
    code: 'STORE_NEEDS_CARE',
    level: findings.some(({ level }) => level === 'error') ? 'error' : 'warning',
    message: `${PLATFORM_NAME[side]}: ${findings.map(({ message }) => message).join(' ')}`,
    remedy: [...new Set(findings.map(({ remedy }) => remedy).filter((remedy) => remedy !== ''))].join(' '),
  }),
  /** What the prices of the two stores mean now, for people. */
  pricesHeld: (side: Side, own: string, other: string): ProblemWords => ({
    code: 'PRICES_HELD',
    level: 'error',
    message: `${PLATFORM_NAME[side]} counts its prices in ${own} now, and ${PLATFORM_NAME[otherSide(side)]} in ${other}: prices of this pair are not synced any more, and nothing new is made in either store.`,
    remedy: 'Give both stores the same currency and tax basis again, then switch the syncing of prices on.',
  }),
  pricesAlike: (basis: string): ProblemWords => ({
    code: 'PRICES_HELD',
    level: 'error',
    message: `Both stores count their prices in ${basis} again. Prices of this pair are still not synced: whoever changed them meanwhile may have meant another currency or another tax.`,
    remedy:
      'See that the prices in both stores are right, then switch the syncing of prices on: what was changed on one side is carried.',
  }),
  weightsHeld: (side: Side, from: string, to: string): ProblemWords => ({
    code: 'WEIGHTS_HELD',
    level: 'error',
    message: `${PLATFORM_NAME[side]} changed its unit of weight from ${from} to ${to}, which converts none of its numbers: weights of this pair are not synced any more.`,
    remedy: `See that the weights in ${PLATFORM_NAME[side]} are right in ${to}, then press Try again: what it shows counts from then on. Or give it its former unit back.`,
  }),
} as const;
