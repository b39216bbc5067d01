import { PRODUCT_FIELDS, VARIANT_FIELDS } from '../core/fields.ts';
import type { Tx } from '../db/database.ts';
import { recordEvent } from '../db/writers/events.ts';
import { raiseProblem } from '../db/writers/history.ts';
import { unended } from '../lib/unended.ts';
import type { ConnectorError } from '../model/connector-error.ts';
import type { ProblemId, ProductId } from '../model/ids.ts';
import { otherSide, PLATFORM_NAME, type Side } from '../model/platform.ts';
import type { StockLimit } from '../model/stock.ts';
import type { Finding } from '../model/store-info.ts';
import type { EngineContext } from './context.ts';
import { isPlaceAway } from './outcome.ts';
import type { PairView } from './pair-view.ts';

export interface ProblemWords {
  readonly code: string;
  readonly level: 'warning' | 'error';
  readonly message: string;
  readonly remedy: string;
}

/** [R19] Its subject: the product, and the path of the field. */
export const BACK_AND_FORTH = 'BACK_AND_FORTH';

/** Puts a problem in front of a person; the same trouble is one row that counts. Whether it was not there before. */
export function raise(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  about: { readonly productId: ProductId | null; readonly side: Side | null; readonly subject: string },
  words: ProblemWords,
  details: unknown = null,
): boolean {
  const at = ctx.clock.now();
  const isNew = raiseProblem(
    tx,
    ctx.random.id('prb_') as ProblemId,
    {
      workspaceId: view.pair.workspaceId,
      pairId: view.pair.id,
      storeId: about.side === null ? null : view.stores[about.side].id,
      productId: about.productId,
      side: about.side,
      subject: about.subject,
      details,
      ...words,
    },
    at,
  );
  if (isNew)
    recordEvent(tx, {
      workspaceId: view.pair.workspaceId,
      pairId: view.pair.id,
      type: 'problem',
      payload: { ...words, ...about },
      at,
    });
  return isNew;
}

const LIMIT_WORDS: Readonly<Record<StockLimit, (shop: string) => string>> = {
  sold_out: (shop) => `is sold out in ${shop}, which does not count it by itself`,
  shared: (shop) => `is counted together with other variants in ${shop}, which does not count it by itself`,
  elsewhere: (shop) => `is stocked in ${shop} at other places than the linked location`,
};

/** A field's name inside a sentence: "price", "option values", "SKU". */
function plainName(field: string): string {
  const label = ({ ...PRODUCT_FIELDS, ...VARIANT_FIELDS } as Readonly<Record<string, { readonly label: string }>>)[
    field
  ]?.label;
  if (label === undefined) return field;
  return label === label.toUpperCase() ? label : label.toLowerCase();
}

export function rejectedWords(side: Side, title: string, error: ConnectorError): ProblemWords {
  const { platformMessage, platformCode, conflictingId } = error.details;
  const field = error.details.field === undefined ? undefined : plainName(error.details.field);
  const said = platformMessage ?? error.message;
  if (isPlaceAway(error))
    return {
      code: 'WRITE_REJECTED',
      level: 'error',
      message: `"${title}" can't be written to ${PLATFORM_NAME[side]}: ${error.message}.`,
      remedy: 'Switch the location on again there; it is tried again by itself.',
    };
  if (platformMessage === undefined && platformCode === undefined && conflictingId === undefined)
    // We know that it would, and have not asked.
    return {
      code: 'WRITE_REJECTED',
      level: 'error',
      message: `"${title}" can't be written to ${PLATFORM_NAME[side]}${field === undefined ? '' : ` because of its ${field}`}: ${said}`,
      remedy: 'Change that in the shop where it was entered; it is tried again by itself.',
    };
  return {
    code: 'WRITE_REJECTED',
    level: 'error',
    message: `${PLATFORM_NAME[side]} refused "${title}"${field === undefined ? '' : ` because of its ${field}`}: ${said}${platformCode === undefined ? '' : ` (${platformCode})`}`,
    remedy:
      error.details.remedy ??
      (conflictingId === undefined
        ? `Change ${field === undefined ? 'the product' : `the ${field}`} on either side; it is tried again by itself.`
        : `Record ${conflictingId} on ${PLATFORM_NAME[side]} stands in the way. Give one of the two another ${field ?? 'value'}.`),
  };
}

/** Problems that a new link of the stock settles. */
export const STOCK_LINK_PROBLEMS = ['STOCK_TRACKING_CHANGED', 'STOCK_TRACKING_DIFFERS', 'STOCK_ZERO_CONSENT'] as const;

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
  webhooksRefused: (side: Side): ProblemWords => ({
    code: 'WEBHOOKS_REFUSED',
    level: 'warning',
    message: `Webhooks of ${PLATFORM_NAME[side]} come signed with another secret than the one we know, and are refused. What changes there is found by asking only, minutes late.`,
    remedy:
      side === 'shopify'
        ? "Enter the app's API secret key (in the Dev Dashboard: the client secret) anew: Stores, New keys."
        : 'Make a new webhook secret for this store, which is given to its webhooks (POST /api/stores/{id}/rotate-webhook-secret).',
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

export const WORDS = {
  readRefused: (side: Side, title: string, said: string): ProblemWords => ({
    code: 'READ_REFUSED',
    level: 'error',
    message: `"${title}" can't be read from ${PLATFORM_NAME[side]}: ${said}`,
    remedy: 'Put right in the shop what it says; it is read again by itself.',
  }),
  stockDoubt: (side: Side, label: string, units: number): ProblemWords => ({
    code: 'STOCK_DOUBT',
    level: 'warning',
    message: `${PLATFORM_NAME[side]} never answered a stock write for ${label}, and it can't be told whether up to ${units} unit${units === 1 ? '' : 's'} sold meanwhile. The lower number was taken.`,
    remedy: 'Count this item, set the right number in either shop, then press Try again.',
  }),
  restoredDoubt: (label: string, units: number): ProblemWords => ({
    code: 'STOCK_DOUBT',
    level: 'warning',
    message: `A backup was put back, and the stock of ${label} has moved differently in the two shops since it was made. The larger change was counted; up to ${units} unit${units === 1 ? '' : 's'} of the other may be missing from it.`,
    remedy: 'Count this item, set the right number in either shop, then press Try again.',
  }),
  /** `shown`: below 0 where it may be backordered, which is then no fault of anybody. */
  oversold: (label: string, quantity: number, shown: number): ProblemWords => ({
    code: 'OVERSOLD',
    level: shown < 0 ? 'warning' : 'error',
    message: `${label} was sold ${-quantity} time${quantity === -1 ? '' : 's'} more than there was. Both shops show ${shown}.`,
    remedy: shown < 0 ? 'It may be backordered: restock it.' : 'Restock it, or tell one of the buyers.',
  }),
  /** `limit`: why its number says nothing any more. */
  trackingChanged: (side: Side, label: string, limit?: StockLimit): ProblemWords => {
    const cause =
      limit === 'elsewhere'
        ? `${label} is not stocked at the linked location of ${PLATFORM_NAME[side]} any more, which does not mean that it is sold out.`
        : `Stock tracking of ${label} was changed on ${PLATFORM_NAME[side]}, so its numbers no longer mean the same.`;
    const first = limit === 'elsewhere' ? 'Stock it there again' : 'Track the item on both sides';
    return {
      code: 'STOCK_TRACKING_CHANGED',
      level: 'warning',
      message: `${cause} Nothing is counted or written until you decide.`,
      remedy: `${first}, then press Try again: its stock is linked anew.`,
    };
  },
  trackingDiffers: (label: string): ProblemWords => ({
    code: 'STOCK_TRACKING_DIFFERS',
    level: 'warning',
    message: `${label} is counted on one side only, so its stock is not kept the same. No number is made up.`,
    remedy: 'Track the item on both sides, then press Try again: its stock is linked anew.',
  }),
  stockLimited: (side: Side, label: string, limit: StockLimit, isCountedThere: boolean): ProblemWords => ({
    code: 'STOCK_LIMITED',
    level: 'warning',
    message: `${label} ${LIMIT_WORDS[limit](PLATFORM_NAME[side])}, so its stock is not kept the same. ${PLATFORM_NAME[otherSide(side)]} ${isCountedThere ? 'sells what it counts itself' : 'goes on selling it without end'}.`,
    remedy:
      limit === 'elsewhere'
        ? 'Stock it at the linked location, then press Try again; or take it off sale where it must not be sold.'
        : 'Track its stock on both sides, each variant by itself, then press Try again; or take it off sale where it must not be sold.',
  }),
  stockConsent: (label: string, woocommerce: number, shopify: number): ProblemWords => ({
    code: 'STOCK_ZERO_CONSENT',
    level: 'warning',
    message: `${label} has ${woocommerce} in WooCommerce and ${shopify} in Shopify. Zero against stock is never settled without you.`,
    remedy:
      'Set the right number in both shops, the one that is not 0 first: once neither is 0, they are linked by the rule of the pair. Or allow zero against stock in the pair settings, then press Try again.',
  }),
  /** `by`: the kind of key, and `which` of that kind the record bears. */
  ambiguous: (side: Side, title: string, by: string, which: string): ProblemWords => ({
    code: 'AMBIGUOUS_MATCH',
    level: 'warning',
    message: `"${title}" on ${PLATFORM_NAME[side]} could be more than one record by its ${by}${which === '' ? '' : ` (${which})`}. It is not linked by guessing.`,
    remedy: `Make the ${by} unique on both sides.`,
  }),
  /** `label`: of the variant and its product. Its counterpart is still sold there, and nothing of that is counted any more. */
  variantRemoved: (side: Side, label: string): ProblemWords => ({
    code: 'VARIANT_REMOVED',
    level: 'warning',
    message: `${label} was removed on ${PLATFORM_NAME[side]}. Its counterpart on ${PLATFORM_NAME[otherSide(side)]} is left alone: it is on sale there as before, with its own stock.`,
    remedy: `Remove it on ${PLATFORM_NAME[otherSide(side)]} too if it is not sold any more.`,
  }),
  stockDrift: (side: Side, label: string, shown: number, wanted: number): ProblemWords => ({
    code: 'DRIFT',
    level: 'warning',
    message: `The stock of ${label} was changed on ${PLATFORM_NAME[side]}, which only receives stock in this pair: it shows ${shown} instead of ${wanted}. It is left as it is until the source moves.`,
    remedy: 'Set the right number there, switch on "enforce" in the pair settings, or let stock travel both ways.',
  }),
  /** The same with `enforce`: written over, it came back. */
  stockDriftBack: (side: Side, label: string, shown: number, wanted: number): ProblemWords => ({
    code: 'DRIFT',
    level: 'warning',
    message: `The stock of ${label} does not stay on ${PLATFORM_NAME[side]} as it is written: whenever it was put right, something there made ${shown} of ${wanted} again. It is left as it is for an hour at least, or until the source moves.`,
    remedy: 'Find the plug-in or program that changes it there, or let stock travel both ways.',
  }),
  /** Both sides lead, and each makes something else of what the other gives it. */
  backAndForth: (title: string, field: string): ProblemWords => ({
    code: BACK_AND_FORTH,
    level: 'warning',
    message: `${field} of "${title}" goes back and forth: whenever one shop was given what the other shows, something there changed it again. Both are left as they are, and it is tried again once an hour at most.`,
    remedy:
      'Find the plug-in or program that changes it in one of the two shops (one that rounds prices, say) and switch it off there; then type the right value into either shop. What is typed is carried at once.',
  }),
  /** `enforce` is on: written over, it came back. */
  driftBack: (side: Side, title: string, field: string): ProblemWords => ({
    code: 'DRIFT',
    level: 'warning',
    message: `${field} of "${title}" does not stay on ${PLATFORM_NAME[side]} as it is written: whenever it was put right, something there changed it again. It is left as it is for an hour at least.`,
    remedy: 'Find the plug-in or program that changes it there, or give the source the same value.',
  }),
  drift: (side: Side, title: string, field: string): ProblemWords => ({
    code: 'DRIFT',
    level: 'warning',
    message: `${field} of "${title}" was changed on ${PLATFORM_NAME[side]}, which only receives in this pair. It is left as it is.`,
    remedy: 'Put it back there, give the source the same value, or switch on "enforce" in the pair settings.',
  }),
  deletedOnTarget: (side: Side, label: string): ProblemWords => ({
    code: 'DELETED_ON_TARGET',
    level: 'warning',
    message: `${label} was deleted on ${PLATFORM_NAME[side]}, which only receives in this pair.`,
    remedy: 'Delete it at the source too, or bring it back there: made again with the same SKU, it is linked again.',
  }),
} as const;
