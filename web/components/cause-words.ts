import { beginSentence } from '../hooks/sentence.ts';

const CAUSE: Readonly<Record<string, string>> = {
  outside_change: 'Changed in the store',
  conflict_remote: 'Changed on both sides, and this one won',
  kept_hub: 'Changed on both sides, and the other one stayed',
  enforced: 'Set back to what the other store says',
  drift: 'Differs from the leading store',
  stock_delta: 'Sold or counted in the store',
  counted: 'Counted by a person',
  first_link: 'First link',
  linked: 'Linked',
  written: 'Written by us',
  unanswered: 'Sent by us, never answered: it may not have arrived',
  create: 'Created by us',
  delete: 'Deleted in the store',
  own_delete: 'Deleted in the store',
  joined: 'Turned out to be the same product as one of the other store, and goes on as that',
  gone: 'Was only in the record that was deleted',
  gone_too: 'Deleted in the store as well',
  draft: 'Taken off sale in the store',
  zero: 'Sold out in the store',
  price_cut: 'Price cut in the store',
  edit_wins: 'Deleted on one side and edited on the other: the edit stays',
  restore: 'Restored',
  person: 'Decided by a person',
};

const CODE = /^[a-z]+(?:_[a-z]+)*$/;
/** "timeout: no answer from ...": the kind of an error is for programs. */
const ERROR_KIND = /^(?:rate_limited|timeout|unavailable|malformed|unauthorized|not_found|rejected|unknown_outcome): /;

/** Why something was changed, or not, for people: of a code its words, of words a sentence's beginning. */
export function causeWords(cause: string): string {
  const known = CAUSE[cause];
  if (known) return known;
  const words = CODE.test(cause) ? cause.replaceAll('_', ' ') : cause.replace(ERROR_KIND, '');
  return beginSentence(words);
}
