import { CircleCheck, CircleX, Info, Pause, Play, TriangleAlert } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { formatDuration, formatMoment, formatNumber } from '../hooks/format.ts';
import css from './activity-feed.module.css';
import { IconButton } from './button.tsx';
import { Card, CardHead } from './card.tsx';
import { FeedRow, ValueChange } from './feed-row.tsx';
import { fieldName, fieldValue, isPrice } from './field-value.ts';
import { Lane } from './lane.tsx';
import type { Side } from './side.ts';
import { SideTile } from './side-tile.tsx';
import { Status } from './status.tsx';

/** One thing that happened, as the feed shows it. */
export interface FeedItem {
  readonly seq: number;
  readonly at: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly to: Side | null;
  readonly seenOn: Side | null;
  readonly title: string;
  readonly field: string;
  /** Tells the variants of one product apart. */
  readonly sku: string;
  readonly from: unknown;
  readonly value: unknown;
  readonly tookMs: number | null;
  readonly text: string;
  readonly type: string;
  /** Of its pair; null: not known. */
  readonly currency: string | null;
}

function Mark({ item }: { readonly item: FeedItem }) {
  if (item.level === 'error') return <CircleX className={css.bad} aria-label="Failed" role="img" />;
  if (item.level === 'warning') return <TriangleAlert className={css.warn} aria-label="Warning" role="img" />;
  if (item.to) return <Lane to={item.to} order="story" />;
  if (item.seenOn) return <SideTile side={item.seenOn} />;
  if (item.type.endsWith('_completed')) return <CircleCheck className={css.ok} aria-label="Done" role="img" />;
  return <Info className={css.quiet} aria-hidden="true" />;
}

function Name({ item }: { readonly item: FeedItem }) {
  if (item.sku === '' || item.sku === item.title) return item.title;
  return (
    <>
      {item.title} <code className={css.sku}>{item.sku}</code>
    </>
  );
}

function Row({ item, fresh }: { readonly item: FeedItem; readonly fresh: boolean }) {
  const { currency } = item;
  // Without the pairs, which may still be on their way, the server's sentence knows the currency.
  const isReadable = currency !== null || !isPrice(item.value);
  const hasField = item.field !== '' && item.title !== '' && item.value !== undefined && isReadable;
  return (
    <FeedRow
      time={formatMoment(item.at)}
      mark={<Mark item={item} />}
      title={hasField ? <Name item={item} /> : item.text}
      fresh={fresh}
    >
      {hasField && (
        <>
          {fieldName(item.field)}{' '}
          <ValueChange
            {...(item.from === undefined || item.from === null
              ? {}
              : { from: fieldValue(item.field, item.from, currency) })}
            to={fieldValue(item.field, item.value, currency)}
          />
          {item.tookMs !== null && <span className={css.took}> in {formatDuration(item.tookMs)}</span>}
        </>
      )}
    </FeedRow>
  );
}

interface ActivityFeedProps {
  readonly items: readonly FeedItem[];
  readonly isLive: boolean;
  /** In place of the rows: a skeleton, an error, or that nothing has happened. */
  readonly instead?: ReactNode;
  readonly foot?: ReactNode;
}

/** What is happening, newest first. It never speaks by itself, and it can be held still. */
export function ActivityFeed({ items, isLive, instead, foot }: ActivityFeedProps) {
  const [held, setHeld] = useState<readonly FeedItem[] | null>(null);
  const firstSeq = useRef<number | null>(null);
  if (firstSeq.current === null && items.length > 0) firstSeq.current = items[0]?.seq ?? 0;
  const oldest = held?.at(-1)?.seq ?? 0;
  // What is older does not move it.
  const shown = held ? [...held, ...items.filter(({ seq }) => seq < oldest)] : items;
  const waiting = held ? items.filter(({ seq }) => seq > (held[0]?.seq ?? 0)).length : 0;
  return (
    <Card labelledBy="live-activity">
      <CardHead
        id="live-activity"
        title="Live activity"
        aside={
          <Status tone={held || !isLive ? 'quiet' : 'running'} small>
            {held ? (waiting > 0 ? `Paused, ${formatNumber(waiting)} new` : 'Paused') : isLive ? 'Live' : 'Not live'}
          </Status>
        }
        actions={
          <IconButton
            label={held ? 'Resume the feed' : 'Pause the feed'}
            icon={held ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
            size="sm"
            onClick={() => setHeld(held ? null : items)}
          />
        }
      />
      {instead ?? (
        <ol className={css.list} aria-live="off" aria-label="Events, newest first">
          {shown.map((item) => (
            <Row key={item.seq} item={item} fresh={item.seq > (firstSeq.current ?? 0)} />
          ))}
        </ol>
      )}
      {foot}
    </Card>
  );
}
