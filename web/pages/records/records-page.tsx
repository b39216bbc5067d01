import { Link } from 'wouter';
import { type KnownAs, knownAs } from '../../api/known-as.ts';
import { isListBehind } from '../../api/long-lists.ts';
import { usePairs } from '../../api/pairs.ts';
import { type RecordSummary, useRecords } from '../../api/records.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Chip } from '../../components/chip.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyShelf } from '../../components/empty-shelf.tsx';
import { ListBehind } from '../../components/list-behind.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { artFor, ProductThumb } from '../../components/product-art.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { RECORD_STATES, RecordState, STATE_NAME } from '../../components/record-state.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { ShowMore } from '../../components/show-more.tsx';
import { SideTile } from '../../components/side-tile.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Toolbar } from '../../components/toolbar.tsx';
import { formatNumber, formatWhen, plural } from '../../hooks/format.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { oneOf, useQueryState } from '../../hooks/use-query-state.ts';
import { link } from '../../routes.ts';
import css from './records-page.module.css';

const columnsWith = (knownOf: (record: RecordSummary) => KnownAs | null): readonly Column<RecordSummary>[] => [
  {
    key: 'record',
    head: 'Record',
    grow: true,
    cell: (record) => (
      <span className={css.record}>
        <ProductThumb art={artFor(record.title, record.sku)} />
        <span className={css.words}>
          <Link href={link.record(record._id)} className={css.title}>
            {record.title}
          </Link>
          <span className={css.meta}>
            {record.sku !== '' && <code>{record.sku}</code>}
            {record.variantCount > 1 && plural(record.variantCount, 'variant')}
          </span>
        </span>
      </span>
    ),
  },
  {
    key: 'on',
    head: 'On',
    cell: ({ woocommerceId, shopifyId }) => (
      <span className={css.sides}>
        <SideTile side="woocommerce" hollow={woocommerceId === null} />
        <SideTile side="shopify" hollow={shopifyId === null} />
      </span>
    ),
  },
  { key: 'state', head: 'State', cell: (record) => <RecordState state={record.state} known={knownOf(record)} /> },
  {
    key: 'stock',
    head: 'Stock',
    align: 'end',
    cell: ({ quantity }) => (quantity === null ? 'Not counted' : formatNumber(quantity)),
  },
  {
    key: 'changed',
    // Of its fields, by which the list is ordered: a sale changes the stock, and is no edit.
    head: 'Last edit',
    align: 'end',
    cell: ({ updatedAt }) => (
      <time dateTime={updatedAt} className={css.when}>
        {formatWhen(updatedAt)}
      </time>
    ),
  },
];

export function RecordsPage() {
  usePageTitle('Records');
  const [params, change] = useQueryState();
  const state = oneOf(params.get('state'), RECORD_STATES) ?? undefined;
  const q = params.get('q') ?? undefined;
  const records = useRecords({ state, q });
  const pairs = usePairs();
  const counts = records.data?.pages[0]?.stateCounts;
  const all = pairs.data?.pairs ?? [];
  const knownOf = ({ pairId }: RecordSummary): KnownAs | null => {
    const pair = all.find(({ _id }) => _id === pairId);
    return pair === undefined ? null : knownAs(pair);
  };
  const isSeenNow = all.every((pair) => knownAs(pair) === 'now');
  return (
    <>
      <PageHead title="Records">
        Every product of your pairs, with whether both stores agree on it. What was edited last comes first.
      </PageHead>
      <Toolbar>
        <SearchField
          label="Filter by name, SKU or barcode"
          value={q ?? ''}
          onChange={(text) => change({ q: text || null })}
        />
        {RECORD_STATES.filter((value) => (counts?.[value] ?? 0) > 0 || state === value).map((value) => (
          <Chip
            key={value}
            pressed={state === value}
            onToggle={() => change({ state: state === value ? null : value })}
            count={formatNumber(counts?.[value] ?? 0)}
          >
            {value === 'level' && !isSeenNow ? 'Level, as last seen' : STATE_NAME[value]}
          </Chip>
        ))}
      </Toolbar>
      <Card>
        <QueryView
          // A record is not called level before it is known whether anybody looks at its stores.
          query={pairs.isPending ? { ...records, data: undefined } : records}
          loading={<Skeleton type="table" count={8} />}
          failed="The records could not be read."
        >
          {({ pages }) => {
            const rows = pages.flatMap((page) => page.records);
            if (rows.length === 0) {
              const isFiltered = state !== undefined || q !== undefined;
              return (
                <EmptyShelf
                  title={isFiltered ? 'No record matches the filters' : 'No records yet'}
                  actions={
                    isFiltered ? (
                      <Button onClick={() => change({ q: null, state: null })}>Clear filters</Button>
                    ) : (
                      <ButtonLink href={link.plans()} look="primary">
                        Read a plan
                      </ButtonLink>
                    )
                  }
                >
                  {!isFiltered && 'Records appear when a plan links the products of both stores.'}
                </EmptyShelf>
              );
            }
            return (
              <>
                <DataTable caption="Records" columns={columnsWith(knownOf)} rows={rows} rowKey={({ _id }) => _id} />
                <ShowMore query={records}>Show more records</ShowMore>
              </>
            );
          }}
        </QueryView>
      </Card>
      <ListBehind query={records} isBehind={isListBehind(records.data)} />
    </>
  );
}
