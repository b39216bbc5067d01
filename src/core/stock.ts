import type { PairSettings } from '../model/pair.ts';
import { type PerSide, SIDES } from '../model/platform.ts';
import type { BackorderRule } from '../model/product.ts';
import { QUANTITY_MAX, type StockIntent, type StockReading, type StockSnapshot } from '../model/stock.ts';

/**
 * [S1] What a side is to show for a hub quantity: less the buffer, at most the cap, never below zero unless the item may be
 * backordered, within what the platforms can hold. It shapes only what is published and is never fed back.
 */
export function stockTarget(
  quantity: number,
  backorders: BackorderRule,
  settings: Pick<PairSettings, 'stockBuffer' | 'stockCap'>,
): number {
  const buffered = quantity > 0 ? Math.max(0, quantity - settings.stockBuffer) : quantity;
  const capped = settings.stockCap === null ? buffered : Math.min(buffered, settings.stockCap);
  const floored = backorders === 'no' ? Math.max(0, capped) : capped;
  return Math.max(-QUANTITY_MAX, Math.min(QUANTITY_MAX, floored));
}

/** [S1] What both shops show less of than the hub holds. */
export function keptBackOf(
  quantity: number,
  backorders: BackorderRule,
  settings: Pick<PairSettings, 'stockBuffer' | 'stockCap'>,
): number {
  return Math.max(0, quantity - stockTarget(quantity, backorders, settings));
}

export interface StockBase {
  readonly quantity: number;
  readonly tracked: boolean;
}

export type StockObservation =
  /** [S2] Counted: the hub moves by `delta` (possibly 0), the base becomes `base`. */
  | { readonly is: 'counted'; readonly delta: number; readonly base: StockBase }
  /** [S6] Tracking was turned on or off: re-based without a delta; a person says how it goes on. */
  | { readonly is: 'epoch'; readonly base: StockBase };

/** [S2][S6] One side's reading against what it was last known to hold. Never called while that side's intent is open. */
export function observeStock(base: StockBase, remote: StockSnapshot): StockObservation {
  if (base.tracked !== remote.tracked)
    return { is: 'epoch', base: { quantity: remote.quantity, tracked: remote.tracked } };
  if (!remote.tracked) return { is: 'counted', delta: 0, base };
  return { is: 'counted', delta: remote.quantity - base.quantity, base: { quantity: remote.quantity, tracked: true } };
}

/**
 * [V5] By what each side moves the hub once a variant that was only hidden on one of them is shown there again. The two had nothing to do with each other
 * meanwhile: what both rose by may be the same goods, put into either shop, and is counted once. Null: one does not count it, or did not [S6].
 */
export function countHidden(bases: PerSide<StockBase>, readings: PerSide<StockSnapshot>): PerSide<number> | null {
  if (SIDES.some((side) => !bases[side].tracked || !readings[side].tracked)) return null;
  const w = readings.woocommerce.quantity - bases.woocommerce.quantity;
  const s = readings.shopify.quantity - bases.shopify.quantity;
  if (w <= 0 || s <= 0) return { woocommerce: w, shopify: s };
  return w >= s ? { woocommerce: w, shopify: 0 } : { woocommerce: 0, shopify: s };
}

/** How the fate of an open intent became known. */
export type StockEvidence =
  /** The platform said that the write was applied, now or by an earlier try; or its call is judged to have landed. */
  | { readonly from: 'answer' }
  /** The platform said that the write did not happen and never will (refused before it was applied); or so its call is judged. */
  | { readonly from: 'refusal' }
  /** The item was read after the fence; `stampDecides`: the item carries the key of the last write of ours that landed. */
  | { readonly from: 'reading'; readonly remote: StockSnapshot; readonly stampDecides: boolean };

export type CallFate = 'landed' | 'not_landed' | 'unclear';

/**
 * So many items more have to speak for one explanation than for the other. Fewer may have been sold by chance in just the number that was to be
 * set: an article that sells in one shop sells in the other, and three of three were seen to.
 */
const CALL_MARGIN = 5;

/** What one call sets moves in one moment; so long that may take, with times of whole seconds, ms. */
const ONE_MOMENT_MS = 5_000;

/** Our clock may have been set back by this much between the call and the reading, ms. */
const CLOCK_MARGIN_MS = 5_000;

/**
 * [S5] What became of a call that is done whole or not at all, by what all its items hold when nothing of it can land any more. One that has not
 * moved since the call left proves that nothing was done. Else those at what was to be set say that it landed, where they came to it together; those
 * at what was expected say that it did not. `lostMs`: so much may our time have fallen behind the store's since the call left, at most. What has not
 * moved only if it fell behind by less leaves it open, and so do the numbers then.
 */
export function judgeCall(
  items: readonly { readonly intent: Omit<StockIntent, 'key'>; readonly remote: StockReading }[],
  lostMs = 0,
): CallFate {
  const counted = items.filter(({ remote }) => remote.tracked);
  // Before the numbers are asked: what both shops had sold as often before the call left looks as if the call had set it. Five of five were seen to.
  if (counted.some(({ intent, remote }) => hasRested(intent, remote, lostMs))) return 'not_landed';
  if (counted.some(({ intent, remote }) => hasRested(intent, remote, 0))) return 'unclear';
  const atTo = counted.filter(({ intent, remote }) => remote.quantity === intent.to).map(({ remote }) => remote);
  const atFrom = counted.filter(({ intent, remote }) => remote.quantity === intent.from).length;
  // Where most of them have moved since, a rush is on, and some have come to either number by themselves: what both shops sold of an item is often the same.
  const isTold = (count: number, against: number) => count - against >= CALL_MARGIN && count * 2 > counted.length;
  if (isTold(movedTogether(atTo), atFrom)) return 'landed';
  return isTold(atFrom, atTo.length) ? 'not_landed' : 'unclear';
}

/** The most that one call can have moved: those whose last moves lie in one moment, and those of whom the platform doesn't tell it. */
function movedTogether(readings: readonly StockReading[]): number {
  const moments = readings.flatMap(({ unmovedSince }) => unmovedSince ?? []).sort((a, b) => a - b);
  const within = moments.map((first) => moments.filter((at) => at >= first && at - first <= ONE_MOMENT_MS).length);
  return readings.length - moments.length + Math.max(0, ...within);
}

function hasRested({ sentAt }: Pick<StockIntent, 'sentAt'>, { unmovedSince }: StockReading, lostMs: number): boolean {
  return sentAt !== null && unmovedSince !== undefined && unmovedSince < sentAt - lostMs - CLOCK_MARGIN_MS;
}

export interface StockSettlement {
  /** What outside changes are known to have added up to while the intent was open. */
  readonly delta: number;
  readonly base: number;
  /** Whether our write took effect, as far as can be told. */
  readonly applied: boolean;
  /** Not null: neither key nor stamp decided; this many units may be missing from the hub, and a person is told. */
  readonly doubt: number | null;
}

/**
 * [S4][S5] Settles an open intent.
 * With a stamp the reading decides exactly. Without one the reading with the lower hub value is taken: too little stock is the safe error, and it
 * is put in front of a person.
 */
export function settleStock(intent: StockIntent, evidence: StockEvidence): StockSettlement {
  if (evidence.from === 'answer') return { delta: 0, base: intent.to, applied: true, doubt: null };
  if (evidence.from === 'refusal') return { delta: 0, base: intent.from, applied: false, doubt: null };
  const { quantity, stamp } = evidence.remote;
  const ifApplied = { delta: quantity - intent.to, base: quantity, applied: true, doubt: null };
  const ifNot = { delta: quantity - intent.from, base: quantity, applied: false, doubt: null };
  if (evidence.stampDecides) return stamp === intent.key ? ifApplied : ifNot;
  const lower = ifApplied.delta <= ifNot.delta ? ifApplied : ifNot;
  return { ...lower, doubt: Math.abs(ifApplied.delta - ifNot.delta) };
}

/** [S5] While an intent's fate is unknown, the least that the fenced side may have moved by; never above 0. */
export function provisionalDelta(intent: StockIntent, remote: StockSnapshot): number {
  if (!remote.tracked) return 0;
  return Math.min(0, remote.quantity - intent.to, remote.quantity - intent.from);
}

export type StockLink =
  | { readonly is: 'linked'; readonly quantity: number }
  /** [S8] Zero against non-zero is settled only with a person's consent. */
  | { readonly is: 'needs_consent' }
  /** [S7] One side doesn't count this item: nothing to keep level. */
  | { readonly is: 'untracked' };

/** [S7][S8] The hub quantity of two stocks that were never linked, by the pair's rule. */
export function linkStock(
  woocommerce: StockSnapshot,
  shopify: StockSnapshot,
  settings: Pick<PairSettings, 'stockLinkRule' | 'allowZeroStockLink'> &
    Partial<Pick<PairSettings, 'syncDirection' | 'stockTwoWay'>>,
): StockLink {
  if (!woocommerce.tracked || !shopify.tracked) return { is: 'untracked' };
  const w = woocommerce.quantity;
  const s = shopify.quantity;
  if (w === s) return { is: 'linked', quantity: w };
  if (w <= 0 !== s <= 0 && !settings.allowZeroStockLink) return { is: 'needs_consent' };
  switch (stockLinkRuleOf(settings)) {
    case 'woocommerce':
      return { is: 'linked', quantity: w };
    case 'shopify':
      return { is: 'linked', quantity: s };
    case 'smaller':
      return { is: 'linked', quantity: Math.min(w, s) };
    case 'sum':
      return { is: 'linked', quantity: w + s };
  }
}

/**
 * [S7] The hub quantity of stock that was one before: its two numbers are of the same goods, and the smaller counts. `known`: what the hub held; what
 * was kept back of it in both shops (S1) is not sold; `keptBack`: where that was by another buffer or cap than now.
 */
export function relinkStock(
  woocommerce: StockSnapshot,
  shopify: StockSnapshot,
  known: { readonly quantity: number; readonly keptBack: number | null; readonly backorders: BackorderRule },
  settings: Parameters<typeof linkStock>[2] & Parameters<typeof stockTarget>[2],
): StockLink {
  const own = { ...settings, stockLinkRule: 'smaller' as const };
  const link = linkStock(woocommerce, shopify, own);
  // [L4] The source of one-way stock shows all that it has.
  if (link.is !== 'linked' || stockLinkRuleOf(own) !== 'smaller') return link;
  const kept = known.keptBack ?? keptBackOf(known.quantity, known.backorders, settings);
  return { is: 'linked', quantity: link.quantity + kept };
}

/** [L4] Where stock itself is one-way, the source's number is the truth from the start, whatever the rule says. */
function stockLinkRuleOf(
  settings: Pick<PairSettings, 'stockLinkRule'> & Partial<Pick<PairSettings, 'syncDirection' | 'stockTwoWay'>>,
): PairSettings['stockLinkRule'] {
  if (settings.stockTwoWay !== false || settings.syncDirection === undefined) return settings.stockLinkRule;
  if (settings.syncDirection === 'bidirectional') return settings.stockLinkRule;
  return settings.syncDirection === 'woocommerce_to_shopify' ? 'woocommerce' : 'shopify';
}
