import { PLATFORM_NAME, type Side } from '../../model/platform.ts';
import { type ProductSnapshot, UNSYNCABLE_REASONS, type UnsyncableReason } from '../../model/snapshot.ts';
import type { ProblemWords } from '../problems.ts';

type Unsyncable = NonNullable<ProductSnapshot['unsyncable']>;

const UNSYNCABLE_WORDS: Readonly<Record<UnsyncableReason, string>> = {
  unsupported_type: 'its product type has no counterpart on the other platform',
  too_many_options: 'it has more than 3 options, and Shopify holds at most 3',
  too_many_variants: 'it has more than 2,048 variants, and Shopify holds at most 2,048',
  any_variation: 'one of its variations applies to "any" value of an attribute',
  duplicate_options: 'two of its variants have the same option values',
  bundle: 'it is a bundle of other products',
  gift_card: 'it is a gift card',
  fractional_stock: 'its stock is not a whole number',
  malformed: 'the platform described it in a way that cannot be understood',
};

const unsyncableCode = (reason: UnsyncableReason): string => `UNSYNCABLE_${reason.toUpperCase()}`;
export const UNSYNCABLE_CODES: readonly string[] = UNSYNCABLE_REASONS.map(unsyncableCode);

export function unsyncableWords(side: Side, title: string, unsyncable: Unsyncable): ProblemWords {
  return {
    code: unsyncableCode(unsyncable.reason),
    level: 'warning',
    message: `"${title}" on ${PLATFORM_NAME[side]} is left out whole: ${reasonWords(unsyncable)}.`,
    remedy: 'Change the product so that both platforms can hold it, or leave it on one side.',
  };
}

/** The same in a list, where title and side stand beside it. */
export function leftOutWords(unsyncable: Unsyncable): string {
  return `Left out whole: ${reasonWords(unsyncable)}.`;
}

function reasonWords({ reason, detail }: Unsyncable): string {
  return `${UNSYNCABLE_WORDS[reason]}${detail === '' ? '' : ` (${detail})`}`;
}
