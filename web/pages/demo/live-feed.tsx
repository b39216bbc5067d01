import { ArrowRight } from 'lucide-react';
import { Link } from 'wouter';
import { useStories } from '../../api/activity.ts';
import { useLiveStatus } from '../../api/live.ts';
import { ActivityFeed } from '../../components/activity-feed.tsx';
import { CardFoot } from '../../components/card.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { link } from '../../routes.ts';
import css from './live-feed.module.css';

/** Rows fetched for the feed and for the crossings between the boards: one list for both. */
export const FEED_LIMIT = 50;
/** Rows shown: as many as stand beside the shelves. */
const SHOWN_MAX = 14;

export function LiveFeed({ currency }: { readonly currency: string | null }) {
  const { query, stories } = useStories('all', FEED_LIMIT);
  const isLive = useLiveStatus() === 'connected';
  const instead =
    query.data === undefined ? (
      <QueryView query={query} loading={<Skeleton type="list" count={6} />} failed="The activity could not be read.">
        {() => null}
      </QueryView>
    ) : stories.length === 0 ? (
      <p className={css.empty}>Nothing has changed yet. Sell one of something.</p>
    ) : null;
  return (
    <ActivityFeed
      items={stories.slice(0, SHOWN_MAX).map((story) => ({ ...story, currency }))}
      isLive={isLive}
      instead={instead}
      foot={
        <CardFoot>
          <Link href={link.activity()}>
            All activity <ArrowRight aria-hidden="true" />
          </Link>
        </CardFoot>
      }
    />
  );
}
