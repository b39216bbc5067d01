import { useConflicts } from '../../api/conflicts.ts';
import { Card } from '../../components/card.tsx';
import { Count } from '../../components/count.tsx';
import { EmptyShelf } from '../../components/empty-shelf.tsx';
import { Level } from '../../components/level.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { plural } from '../../hooks/format.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { oneOf, useQueryState } from '../../hooks/use-query-state.ts';
import { ConflictDetail } from './conflict-detail.tsx';
import { ConflictList } from './conflict-list.tsx';
import css from './conflicts-page.module.css';
import { groupByRecord } from './group-conflicts.ts';

const STATES = ['open', 'closed'] as const;

export function ConflictsPage() {
  usePageTitle('Conflicts');
  const [params, change] = useQueryState();
  const state = oneOf(params.get('state'), STATES) ?? 'open';
  const conflicts = useConflicts(state);
  return (
    <>
      <PageHead
        title="Conflicts"
        aside={
          state === 'open' &&
          conflicts.data &&
          conflicts.data.total > 0 && (
            <Count label={plural(conflicts.data.total, 'open conflict')}>{conflicts.data.total}</Count>
          )
        }
        actions={
          <Segmented
            label="Which conflicts"
            value={state}
            options={[
              { value: 'open', label: 'Open' },
              { value: 'closed', label: 'Resolved' },
            ]}
            onChange={(next) => change({ state: next === 'open' ? null : next, id: null })}
          />
        }
      >
        Both stores changed the same field after they last agreed. Only those fields wait; the rest keeps syncing.
      </PageHead>
      <QueryView
        query={conflicts}
        failed="The conflicts could not be read."
        loading={<Skeleton type="card" count={2} />}
      >
        {({ conflicts: list }) => {
          const records = groupByRecord(list);
          const wanted = params.get('id');
          const chosen = records.find(({ recordId }) => recordId === wanted) ?? null;
          const shown = chosen ?? records[0] ?? null;
          if (!shown) {
            return (
              <Card>
                {state === 'open' ? (
                  <div className={css.good}>
                    <Level tilt="level" size="lg" label="Both stores agree" />
                    <h2>All level. Nothing to decide.</h2>
                  </div>
                ) : (
                  <EmptyShelf title="Nothing has been resolved yet" />
                )}
              </Card>
            );
          }
          return (
            <div className={css.columns} data-chosen={chosen !== null || undefined}>
              <ConflictList
                records={records}
                currentId={shown.recordId}
                onChoose={(recordId) => change({ id: recordId })}
              />
              <ConflictDetail key={shown.recordId} record={shown} onBack={() => change({ id: null })} />
            </div>
          );
        }}
      </QueryView>
    </>
  );
}
