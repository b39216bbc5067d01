import { type PerSide, SIDES, type Side } from '../../../model/platform.ts';
import type { Story } from './story.ts';
import { type Deeds, FIRST_QUANTITY, type Half } from './subject.ts';

/** How a story ends. */
export interface Ending {
  readonly halves: PerSide<readonly Half[]>;
  /** How many records of it are in the bin or put away. */
  readonly away: PerSide<number>;
  readonly deeds: Deeds;
  /** Codes of open problems. */
  readonly problems: readonly string[];
  /** A person is asked about it. */
  readonly isAsked: boolean;
  readonly status: string;
}

type Rules = Pick<Story, 'subject' | 'set' | 'stock' | 'deletes' | 'buffer' | 'steps'>;

/** What a person may rightly be told after such steps. */
const TOLD = ['STOCK_DOUBT', 'VARIANT_REMOVED', 'AMBIGUOUS_MATCH'];
/** Problems by which a person is asked: nothing of it needs to be the same before that is decided. */
const ASKED = ['AMBIGUOUS_MATCH', 'WRITE_REJECTED', 'STOCK_ZERO_CONSENT'];

/** What is wrong with an ending, in words that begin the same for the same kind of fault; null: nothing is. */
export function judge(story: Rules, ending: Ending): string | null {
  const { halves, problems, isAsked, status } = ending;
  if (status !== 'active') return `the pair is ${status}`;
  for (const side of SIDES)
    if (halves[side].filter(({ typed }) => typed === null).length > 1) return `made twice in ${side}`;
  for (const code of problems) if (!isTold(code, story, ending)) return `a person is told of ${code}`;
  if (isAsked || problems.some((code) => ASKED.includes(code))) return null;
  for (const side of SIDES) if (halves[side].length > 1) return `more than one in ${side}`;
  const [woocommerce] = halves.woocommerce;
  const [shopify] = halves.shopify;
  if (woocommerce === undefined && shopify === undefined) return null;
  const isLeft = problems.includes('VARIANT_REMOVED');
  if (woocommerce === undefined || shopify === undefined)
    return story.deletes === 'keep' || isLeft ? null : 'in one shop only, and nobody is told';
  if (isLeft) return 'in both shops, and a person is told that it was removed';
  if (woocommerce.quantity !== shopify.quantity) return `not level: ${woocommerce.quantity} and ${shopify.quantity}`;
  if (woocommerce.text !== shopify.text) return `not the same: ${woocommerce.text} and ${shopify.text}`;
  const { least, most } = boundsOf(story, ending.deeds, woocommerce.typed, shopify.typed);
  if (woocommerce.quantity > most) return `too many: ${woocommerce.quantity} of ${most}`;
  return woocommerce.quantity < least ? `too few: ${woocommerce.quantity} of ${least}` : null;
}

function isTold(code: string, { steps }: Rules, { problems, away, halves, deeds }: Ending): boolean {
  // [S5] The lower of two explanations, where nothing decides, may be one by which more was sold than there was, or all [S8].
  if (code === 'OVERSOLD') return problems.includes('STOCK_DOUBT');
  // [S5] So may the one that is shown while a write has no answer: what is deleted meanwhile, and added again, is linked with that.
  if (code === 'STOCK_ZERO_CONSENT')
    return problems.includes('STOCK_DOUBT') || (deeds.isMoved && steps.some(({ act }) => act === 'upset'));
  // Somebody's record in the bin has the SKU still.
  const isInTheWay = (side: Side) => away[side] > 0 && halves[side].length === 0;
  if (code === 'WRITE_REJECTED') return SIDES.some(isInTheWay);
  return TOLD.includes(code);
}

interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** How many both shops may show. Where it was there all along, and every write was answered, that is one number; else what was typed bounds it [S7]. */
function boundsOf(
  { subject, set, stock, buffer, steps }: Rules,
  { added, sold, isMoved }: Deeds,
  one: number | null,
  other: number | null,
): Bounds {
  const upset = steps.filter(({ act }) => act === 'upset');
  const numbers = [FIRST_QUANTITY, ...added];
  // [S5] While a write has no answer the lower number is shown, and may be what is linked anew. A removed one's rest may have the buffer off twice.
  const least = upset.length > 0 ? Number.NEGATIVE_INFINITY : Math.min(...numbers) - sold - 2 * buffer;
  if (!isMoved) {
    const shown = Math.max(0, FIRST_QUANTITY - sold - buffer);
    // A shop that can't compare is written blindly: what lands late is written over what it sold meanwhile, and nobody can tell.
    const isBlind = set !== 'keyed' && upset.some(({ fault }) => fault === 'late');
    return { least: upset.length > 0 ? least : shown, most: isBlind ? FIRST_QUANTITY : shown };
  }
  // Variants that were removed in both shops are new ones; a product was linked before.
  const isSummed = subject === 'variant' && stock === 'sum';
  if (one !== null && other !== null) return { least, most: isSummed ? one + other : Math.max(one, other) };
  return { least, most: one ?? other ?? Math.max(...numbers) };
}
