import { wordsOf } from '../../api/error-words.ts';
import type { Pair } from '../../api/pairs.ts';
import { TEXT } from '../../content/messages.en.ts';

/** Those of a store's pairs that a sync can be started for. */
export function readyPairs<Known extends Pick<Pair, '_id' | 'status'>>(
  pairs: readonly Known[],
  pairIds: readonly string[],
): readonly Known[] {
  return pairs.filter(({ _id, status }) => status === 'active' && pairIds.includes(_id));
}

/** Of syncs that were started together: how many could not be, and each reason once. Null: all could. */
export function unstartedWords(outcomes: readonly PromiseSettledResult<unknown>[]): string | null {
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (errors.length === 0) return null;
  const whys = new Set(errors.map((error) => wordsOf(error, '')).filter((why) => why !== ''));
  const [isOne, why] = [outcomes.length === 1, [...whys].join(' ')];
  if (isOne && why === '') return TEXT.dashboard.syncFailed;
  const tried = isOne ? 'Could not start the sync.' : `Could not start ${errors.length} of ${outcomes.length} syncs.`;
  return `${tried} ${why || 'Please try again.'}`;
}
