import { fieldWords } from '../lib/field-words.ts';
import { MINUTE_MS } from '../lib/time.ts';
import { unended } from '../lib/unended.ts';
import { PLATFORM_NAME, type Side } from '../model/platform.ts';
import type { ProblemWords } from './problems.ts';

/** [W8] Its subject: as of WRITE_REJECTED. */
export const WRITE_UNANSWERED = 'WRITE_UNANSWERED';

/** [W8] So many writes of one record to one side in a row without an answer, and a person is told: a host that is slow for a while is nothing. */
export const UNANSWERED_TOLD = 5;

/** [W8] A stock write that is repeated as it was for so long, in vain, is told likewise, ms: by then it is known of the shop whether it answers at all. */
export const UNANSWERED_MS = 30 * MINUTE_MS;

/** `tried`: what was to be done, "to make "Mug"". `count`: how often in a row; null: for some time. */
export function unansweredWords(side: Side, tried: string, count: number | null, said: string): ProblemWords {
  const shop = PLATFORM_NAME[side];
  const often = count === null ? 'It was tried for more than half an hour' : `It was tried ${count} times in a row`;
  return {
    code: WRITE_UNANSWERED,
    level: 'error',
    message: `${shop} gives no clear answer when it is asked ${tried}, and does not show that it was done. ${often}; the last time: ${unended(said)}.`,
    remedy: `It is tried again by itself, once an hour at least. Do the same by hand in ${shop}: where that takes long or fails too, a plug-in, an app or the host of the shop is in its way. Where it works, this is settled by it. Press Try again once it is mended.`,
  };
}

/** Fields that are named; the others are counted. */
const NAMED_MAX = 4;

/** What a write of a product was to do, as part of a sentence. `names`: of its fields. `added`, `removed`: how many of its variants. */
export function triedWords(title: string, names: readonly string[], added: number, removed: number): string {
  const all = [...new Set(names.map(fieldWords))];
  if (added > 0) all.push(`${added} new variant(s)`);
  if (removed > 0) all.push(`${removed} removed variant(s)`);
  const more = all.length > NAMED_MAX ? ` and ${all.length - NAMED_MAX} more` : '';
  return `to change "${title}" (${all.slice(0, NAMED_MAX).join(', ')}${more})`;
}

/** `label`: of the item, with its quotation marks. */
export function triedStockWords(label: string, to: number): string {
  return `to set the stock of ${label} to ${to}`;
}
