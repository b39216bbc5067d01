import { PRODUCT_FIELDS, VARIANT_FIELDS } from '../core/fields.ts';
import type { Tx } from '../db/database.ts';
import { recordEvent } from '../db/writers/events.ts';
import { raiseProblem } from '../db/writers/history.ts';
import { unended } from '../lib/unended.ts';
import type { ConnectorError } from '../model/connector-error.ts';
import type { ProblemId, ProductId } from '../model/ids.ts';
import { otherSide, PLATFORM_NAME, type Side } from '../model/platform.ts';
import type { StockLimit } from '../model/stock.ts';
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
/** [M1] Of a product that is in one shop alone. */
export const SAME_TITLE = 'SAME_TITLE';

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

/** Of the records that a person is shown in one sentence. */
const NAMED_MAX = 3;

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

/** Whether a key stands in a sentence, and not only as a part of another word: there are shops whose SKUs are S, M and L. */
function isNamed(key: string, said: string): boolean {
  for (let at = said.indexOf(key); at >= 0; at = said.indexOf(key, at + 1)) {
    const around = [said.slice(0, at).at(-1), said.at(at + key.length)];
    if (!around.some((char) => char !== undefined && /[\p{L}\p{N}]/u.test(char))) return true;
  }
  return false;
}

/** Which of them it is about, where it does not say so itself. */
function keyWords(keys: readonly string[], said: string): string {
  const [first] = keys;
  if (first === undefined || keys.some((key) => isNamed(key, said))) return '';
  if (keys.length === 1) return ` (${first})`;
  const more = keys.length > NAMED_MAX ? ` and ${keys.length - NAMED_MAX} more` : '';
  return ` (one of ${keys.slice(0, NAMED_MAX).join(', ')}${more})`;
}

/** `label`: of the product or the item, in quotation marks. */
export function rejectedWords(side: Side, label: string, error: ConnectorError): ProblemWords {
  const { platformMessage, platformCode, conflictingId } = error.details;
  const said = platformMessage ?? error.message;
  const field = error.details.field === undefined ? undefined : plainName(error.details.field);
  const which = field === undefined ? '' : ` because of its ${field}${keyWords(error.details.keys ?? [], said)}`;
  if (isPlaceAway(error))
    return {
      code: 'WRITE_REJECTED',
      level: 'error',
      message: `${label} can't be written to ${PLATFORM_NAME[side]}: ${error.message}.`,
      remedy: 'Switch the location on again there; it is tried again by itself.',
    };
  if (platformMessage === undefined && platformCode === undefined && conflictingId === undefined)
    // We know that it would, and have not asked.
    return {
      code: 'WRITE_REJECTED',
      level: 'error',
      message: `${label} can't be written to ${PLATFORM_NAME[side]}${which}: ${said}`,
      remedy: 'Change that in the shop where it was entered; it is tried again by itself.',
    };
  return {
    code: 'WRITE_REJECTED',
    level: 'error',
    message: `${PLATFORM_NAME[side]} refused ${label}${which}: ${said}${platformCode === undefined ? '' : ` (${platformCode})`}`,
    remedy:
      error.details.remedy ??
      (conflictingId === undefined
        ? `Change ${field === undefined ? 'the product' : `the ${field}`} on either side; it is tried again by itself.`
        : `Record ${conflictingId} on ${PLATFORM_NAME[side]} stands in the way. Give one of the two another ${field ?? 'value'}.`),
  };
}

/** Problems that a new link of the stock settles. */
export const STOCK_LINK_PROBLEMS = ['STOCK_TRACKING_CHANGED', 'STOCK_TRACKING_DIFFERS', 'STOCK_ZERO_CONSENT'] as const;

export const WORDS = {
  /** `asked`: the shop that lets nobody search for it. */
  unsearched: (target: Side, title: string, asked: Side, error: ConnectorError): ProblemWords => ({
    code: 'WRITE_REJECTED',
    level: 'error',
    message: `"${title}" is neither linked nor made in ${PLATFORM_NAME[target]}, ${asked === target ? 'which' : `since ${PLATFORM_NAME[asked]}`} can't be searched for it first: ${unended(error.details.platformMessage ?? error.message)}.`,
    remedy:
      error.details.remedy ?? 'Put right what it says, or give the product another SKU; it is tried again by itself.',
  }),
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
      remedy: `${first}, then press Try again: its stock is linked anew, and the smaller number counts. Where both shops have sold meanwhile, count it after that.`,
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
      'Set the right number in both shops, the one that is not 0 first: once neither is 0, they are linked by the rule of the pair. Or allow zero against stock in the pair settings: then they are linked at once, by the same rule.',
  }),
  /** `by`: the kind of key, and `which` of that kind the record bears. `left`: rivals whose counterparts were deleted; `isAll`: there are no others. */
  ambiguous: (
    side: Side,
    title: string,
    by: string,
    which: string,
    left: readonly { readonly title: string; readonly side: Side }[] = [],
    isAll = false,
  ): ProblemWords => {
    const named = left.slice(0, NAMED_MAX).map((one) => `"${one.title}" on ${PLATFORM_NAME[one.side]}`);
    const more = left.length > named.length ? ` and ${left.length - named.length} more` : '';
    const unique = `Make the ${by} unique on both sides.`;
    const letGo = `What was put away here when its counterpart was deleted still bears it: ${named.join(', ')}${more}. Delete it there for good, or give it another ${by}.`;
    return {
      code: 'AMBIGUOUS_MATCH',
      level: 'warning',
      message: `"${title}" on ${PLATFORM_NAME[side]} could be more than one record by its ${by}${which === '' ? '' : ` (${which})`}. It is not linked by guessing.`,
      remedy: left.length === 0 ? unique : isAll ? letGo : `${unique} ${letGo}`,
    };
  },
  /** `partner`: what it leads to on the other side by another key. */
  ambiguousPartner: (side: Side, title: string, by: string, partner: string): ProblemWords => ({
    code: 'AMBIGUOUS_MATCH',
    level: 'warning',
    message: `"${title}" on ${PLATFORM_NAME[side]} leads to "${partner}" on ${PLATFORM_NAME[otherSide(side)]}, which shares its ${by} with another record. It is not linked by guessing.`,
    remedy: `Give "${partner}" or the other record another ${by}.`,
  }),
  /** `bearer`: the title of what bears its mark on this side, and is known as another product. */
  markElsewhere: (side: Side, title: string, bearer: string): ProblemWords => ({
    code: 'WRITE_REJECTED',
    level: 'error',
    message: `"${title}" can't be made in ${PLATFORM_NAME[side]}: "${bearer}" there bears the mark by which we know "${title}", as after an import of what was exported, and is linked as a product of its own. To make it would write over "${bearer}".`,
    remedy: `If "${bearer}" is a leftover, delete it in ${PLATFORM_NAME[side]}, and "${title}" is made by itself. If both are to stay, take the mark off "${bearer}" there (its metafield whose key begins with "mark_"), then press Try again.`,
  }),
  /** `side`: the one that has it. */
  sameTitle: (side: Side, title: string): ProblemWords => ({
    code: SAME_TITLE,
    level: 'warning',
    message: `"${title}" is in both shops and shares no SKU or barcode there: it may be one product or two. It is neither linked nor made in ${PLATFORM_NAME[otherSide(side)]} again.`,
    remedy:
      'If it is one, give both the same SKU or the same barcode, and they are linked. If they are two, give one of them another title, and each is made in the other shop.',
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
      'Find the plug-in or program that changes it in one of the two shops (one that rounds prices, say) and switch it off there; then type the right value into either shop. What is typed is carried at once; but the very value that the program makes is taken for its own there: type that one into the other shop.',
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
