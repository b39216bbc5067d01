import type { Activity, Story } from '../../api/activity.ts';
import type { Pair } from '../../api/pairs.ts';
import type { FeedItem } from '../../components/activity-feed.tsx';

/** Stories with the currency of the pair that each one happened in; `rows` are the journal rows that they were told from. */
export function feedItems(
  stories: readonly Story[],
  rows: readonly Activity[],
  pairs: readonly Pick<Pair, '_id' | 'currency'>[],
): readonly FeedItem[] {
  const pairOf = new Map(rows.map(({ seq, pairId }) => [seq, pairId]));
  const currencyOf = new Map<string | null | undefined, string | null>(
    pairs.map(({ _id, currency }) => [_id, currency]),
  );
  return stories.map((story) => ({ ...story, currency: currencyOf.get(pairOf.get(story.seq)) ?? null }));
}
