import { sentence } from './sentence.ts';

interface Fault {
  readonly code: string;
  readonly message: string;
}

/** By the kind of answer that ended it: the same kinds for a run and for a plan. */
const ADVICE: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'Test the connection under Stores to see what shuts us out and what to do.',
  UNAVAILABLE: 'See whether the store opens in a browser, then start it again.',
  TIMEOUT: 'See whether the store opens in a browser, and how busy its server is, then start it again.',
  LISTING_CUT_SHORT: 'What to do is told under Problems.',
  MALFORMED: 'Test the connection under Stores to see what disturbs its answers.',
};

/** Why a run or a plan came to nothing, as whole sentences, and what to do: cause, then fix. */
export function faultWords(fault: Fault | null): string {
  const message = (fault?.message ?? '').trim();
  if (fault === null || message === '') return 'No reason was given.';
  const advice = ADVICE[fault.code];
  return `${sentence(message)}${advice === undefined ? '' : ` ${advice}`}`;
}
