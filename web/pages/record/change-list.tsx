import { Link } from 'wouter';
import type { Change, RecordReply } from '../../api/records.ts';
import { causeWords } from '../../components/cause-words.ts';
import { FeedRow, ValueChange } from '../../components/feed-row.tsx';
import { fieldName, fieldValue } from '../../components/field-value.ts';
import { Lane } from '../../components/lane.tsx';
import { SideTile } from '../../components/side-tile.tsx';
import { formatWhen } from '../../hooks/format.ts';
import { link } from '../../routes.ts';
import css from './change-list.module.css';

interface ChangeListProps {
  readonly changes: readonly Change[];
  readonly record: RecordReply['record'];
}

export function ChangeList({ changes, record }: ChangeListProps) {
  if (changes.length === 0) return <p className={css.none}>Nothing has changed since it was linked.</p>;
  return (
    <ol className={css.list}>
      {changes.map((change) => {
        const variant = record.hub.variants.find(({ variantId }) => variantId === change.variantId);
        const text = (value: unknown): string => fieldValue(change.field, value, record.currency);
        return (
          <FeedRow
            key={change.seq}
            time={formatWhen(change.at)}
            mark={
              change.target ? (
                <Lane to={change.target} order="story" />
              ) : change.origin ? (
                <SideTile side={change.origin} />
              ) : null
            }
            title={
              variant && record.hub.variants.length > 1
                ? `${fieldName(change.field)}, ${variant.label}`
                : fieldName(change.field)
            }
          >
            <ValueChange
              {...(change.from === null || change.from === undefined ? {} : { from: text(change.from) })}
              to={text(change.to)}
            />
            <span className={css.cause}>
              {causeWords(change.cause)}
              {change.runId && (
                <>
                  {', '}
                  <Link href={link.run(change.runId)}>run</Link>
                </>
              )}
            </span>
          </FeedRow>
        );
      })}
    </ol>
  );
}
