import { useMemo } from 'react';
import { Link } from 'wouter';
import type { Change, RecordReply } from '../../api/records.ts';
import { causeWords } from '../../components/cause-words.ts';
import { FeedRow, ValueChange } from '../../components/feed-row.tsx';
import { fieldValue } from '../../components/field-value.ts';
import { Lane } from '../../components/lane.tsx';
import { SideTile } from '../../components/side-tile.tsx';
import { formatWhen } from '../../hooks/format.ts';
import { link } from '../../routes.ts';
import css from './change-list.module.css';
import { type ChangeStory, changeTitle, formerLabels, hasValues, toChangeStories } from './change-stories.ts';

interface ChangeListProps {
  readonly changes: readonly Change[];
  readonly record: RecordReply['record'];
}

function Mark({ change, carried }: ChangeStory) {
  const target = change.target ?? carried?.target;
  if (target) return <Lane to={target} order="story" />;
  return change.origin ? <SideTile side={change.origin} /> : null;
}

function Why({ change, carried }: ChangeStory) {
  const runId = change.runId ?? carried?.runId;
  return (
    <>
      {causeWords(change.cause)}
      {carried && ', then written by us'}
      {runId && (
        <>
          {', '}
          <Link href={link.run(runId)}>run</Link>
        </>
      )}
    </>
  );
}

export function ChangeList({ changes, record }: ChangeListProps) {
  const stories = useMemo(() => toChangeStories(changes), [changes]);
  const former = useMemo(() => formerLabels(changes), [changes]);
  const { variants } = record.hub;
  const labelOf = ({ variantId: id, field }: Change): string => {
    if (id === null) return '';
    const known = variants.find(({ variantId }) => variantId === id);
    if (known) return variants.length > 1 ? known.label : '';
    return former.get(id) ?? (field === 'deleted' ? '' : 'a variant that is gone');
  };
  if (changes.length === 0) return <p className={css.none}>Nothing has changed since it was linked.</p>;
  return (
    <ol className={css.list}>
      {stories.map((story) => {
        const { change } = story;
        const label = labelOf(change);
        const text = (value: unknown): string => fieldValue(change.field, value, record.currency);
        return (
          <FeedRow
            key={story.seq}
            time={formatWhen(change.at)}
            mark={<Mark {...story} />}
            title={label === '' ? changeTitle(change) : `${changeTitle(change)}, ${label}`}
          >
            {hasValues(change) && (
              <ValueChange
                {...(change.from === null || change.from === undefined ? {} : { from: text(change.from) })}
                to={text(change.to)}
              />
            )}
            <span className={css.cause}>
              <Why {...story} />
            </span>
          </FeedRow>
        );
      })}
    </ol>
  );
}
