import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { type Conflict, useConflicts } from '../../api/conflicts.ts';
import { areAllLevel } from '../../api/known-as.ts';
import { isListBehind } from '../../api/long-lists.ts';
import { usePairs } from '../../api/pairs.ts';
import { useRecordConflicts } from '../../api/record-conflicts.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Count } from '../../components/count.tsx';
import { EmptyShelf } from '../../components/empty-shelf.tsx';
import { Level } from '../../components/level.tsx';
import { ListBehind } from '../../components/list-behind.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { ShowMore } from '../../components/show-more.tsx';
import type { Side } from '../../components/side.ts';
import { Skeleton } from '../../components/skeleton.tsx';
import { Toolbar } from '../../components/toolbar.tsx';
import { plural } from '../../hooks/format.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { oneOf, useQueryState } from '../../hooks/use-query-state.ts';
import { link } from '../../routes.ts';
import { BulkBar, CHOOSE_ALL } from './bulk-bar.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import { amountOf } from './bulk-words.ts';
import { ConflictDetail, RECORD_HEADING } from './conflict-detail.tsx';
import { ConflictList, listItemId } from './conflict-list.tsx';
import css from './conflicts-page.module.css';
import { groupByRecord } from './group-conflicts.ts';
import { recordAfter, shownRecord } from './shown-record.ts';
import { useChosen } from './use-chosen.ts';
import { useFocusWish } from './use-focus-wish.ts';

const STATES = ['open', 'closed'] as const;
const NONE_HEADING = 'no-conflicts';

/** Whether Back leads to the list. */
function isFromList(): boolean {
  return (history.state as { isFromList?: unknown } | null)?.isFromList === true;
}

/** In place of a record that the address names and that has nothing to decide: another one would be taken for it. */
function Settled({ state, onBack }: { readonly state: (typeof STATES)[number]; readonly onBack: () => void }) {
  return (
    <Card>
      <EmptyShelf
        title={state === 'open' ? 'Resolved meanwhile' : 'Nothing was resolved here'}
        actions={<Button onClick={onBack}>All conflicts</Button>}
      >
        {state === 'open'
          ? 'No conflict of this record is open. What was resolved is listed under Resolved.'
          : 'No conflict of this record was resolved.'}
      </EmptyShelf>
    </Card>
  );
}

export function ConflictsPage() {
  usePageTitle('Conflicts');
  const [params, change] = useQueryState();
  const [, navigate] = useLocation();
  const { data: pairs } = usePairs();
  const isLevel = areAllLevel(pairs?.pairs);
  const state = oneOf(params.get('state'), STATES) ?? 'open';
  const q = params.get('q') ?? undefined;
  const conflicts = useConflicts(state, q);
  const records = groupByRecord(conflicts.data?.pages.flatMap((page) => page.conflicts) ?? []);
  const total = conflicts.data?.pages[0]?.total ?? 0;
  const wanted = params.get('id');
  const isListed = records.some(({ recordId }) => recordId === wanted);
  const asked = useRecordConflicts(conflicts.data && !isListed ? wanted : null, state);
  const focusOn = useFocusWish();
  const chosen = useChosen(conflicts, records, `${state} ${q ?? ''}`);
  const [bulk, setBulk] = useState<{ readonly side: Side; readonly conflicts: readonly Conflict[] } | null>(null);
  /** What the address names now; undefined: another page is shown. */
  const place = useRef<string | null | undefined>(undefined);
  useEffect(() => {
    place.current = wanted;
    return () => {
      place.current = undefined;
    };
  }, [wanted]);

  const open = (recordId: string): void => {
    // On a phone the list and what is opened from it are two pages: Back leads from one to the other.
    const query = { id: recordId, ...(state === 'open' ? {} : { state }), ...(q === undefined ? {} : { q }) };
    navigate(link.conflicts(query), { replace: wanted !== null, state: { isFromList: wanted === null } });
    focusOn(RECORD_HEADING);
  };
  const back = (recordId: string | null): void => {
    if (isFromList()) history.back();
    else change({ id: null });
    focusOn(...[recordId, records[0]?.recordId ?? null].flatMap((id) => (id ? [listItemId(id)] : [])), NONE_HEADING);
  };
  const goOn = (recordId: string, isSettled: boolean): void => {
    // Who went elsewhere while it was stored stays there.
    if (place.current !== wanted) return;
    if (isSettled) change({ id: recordAfter(records, recordId) });
    focusOn(RECORD_HEADING, NONE_HEADING);
  };

  const endBulk = (done: number | null): void => {
    setBulk(null);
    if (done === null) return;
    chosen.clear();
    focusOn(CHOOSE_ALL, RECORD_HEADING, NONE_HEADING);
  };

  return (
    <>
      <PageHead
        title="Conflicts"
        aside={state === 'open' && total > 0 && <Count label={plural(total, 'open conflict')}>{total}</Count>}
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
      {/* Of what is all level nothing is looked for. */}
      {(total > 0 || q !== undefined) && (
        <div className={css.filter} data-chosen={wanted !== null || undefined}>
          <Toolbar>
            <SearchField
              label="Filter by record, SKU or field"
              value={q ?? ''}
              onChange={(text) => change({ q: text || null, id: null })}
            />
          </Toolbar>
        </div>
      )}
      <QueryView
        query={conflicts}
        failed="The conflicts could not be read."
        loading={<Skeleton type="card" count={2} />}
      >
        {() => {
          const shown = shownRecord(records, wanted, asked.data && groupByRecord(asked.data.conflicts));
          if (!shown || (shown.is === 'settled' && records.length === 0)) {
            return (
              <Card>
                {q !== undefined ? (
                  <EmptyShelf
                    title="No conflict matches the filter"
                    actions={<Button onClick={() => change({ q: null })}>Clear filter</Button>}
                  />
                ) : pairs?.pairs.length === 0 ? (
                  <EmptyShelf title="No pair yet" actions={<ButtonLink href={link.stores()}>Stores</ButtonLink>}>
                    A conflict is a field that both stores of a pair changed.
                  </EmptyShelf>
                ) : state === 'open' ? (
                  <div className={css.good}>
                    {isLevel && <Level tilt="level" size="lg" label="Both stores agree" />}
                    <h2 id={NONE_HEADING} tabIndex={-1}>
                      {isLevel ? 'All level. Nothing to resolve.' : 'Nothing to resolve.'}
                    </h2>
                  </div>
                ) : (
                  <EmptyShelf title="Nothing has been resolved yet" />
                )}
              </Card>
            );
          }
          return (
            <div className={css.columns} data-chosen={wanted !== null || undefined}>
              <div>
                {state === 'open' && records.length > 1 && (
                  <BulkBar
                    total={total}
                    chosen={chosen.conflicts.length > 0 ? amountOf(chosen.conflicts) : null}
                    isAll={chosen.isAll}
                    isCut={chosen.isCut}
                    busy={chosen.isReading}
                    onAll={chosen.chooseAll}
                    onKeep={(side) => setBulk({ side, conflicts: chosen.conflicts })}
                  />
                )}
                <ConflictList
                  records={records}
                  currentId={shown.is === 'record' ? shown.record.recordId : null}
                  onOpen={open}
                  chosen={state === 'open' && records.length > 1 ? chosen.ids : null}
                  onToggle={chosen.toggle}
                />
                <ShowMore query={conflicts}>Show more conflicts</ShowMore>
              </div>
              {shown.is === 'record' ? (
                <ConflictDetail
                  key={shown.record.recordId}
                  record={shown.record}
                  onBack={() => back(shown.record.recordId)}
                  onSaved={(isSettled) => goOn(shown.record.recordId, isSettled)}
                />
              ) : (
                <QueryView
                  query={asked}
                  failed="The conflicts of this record could not be read."
                  loading={<Skeleton type="card" />}
                >
                  {() => <Settled state={state} onBack={() => back(null)} />}
                </QueryView>
              )}
            </div>
          );
        }}
      </QueryView>
      <ListBehind query={conflicts} isBehind={isListBehind(conflicts.data)} />
      {bulk && <BulkDialog side={bulk.side} conflicts={bulk.conflicts} onClose={endBulk} />}
    </>
  );
}
