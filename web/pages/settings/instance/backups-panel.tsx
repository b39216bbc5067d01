import { DatabaseBackup } from 'lucide-react';
import { type Backup, useBackups, useMakeBackup } from '../../../api/backups.ts';
import { wordsOf } from '../../../api/error-words.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Card, CardHead } from '../../../components/card.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { EmptyShelf } from '../../../components/empty-shelf.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { formatDateTime, formatWhen } from '../../../hooks/format.ts';
import { PanelFrame } from '../panel-frame.tsx';
import { TAB_LABEL } from '../tabs.ts';
import { AdministratorsOnly } from './administrators-only.tsx';
import { BACKUP_REASON_LABEL, dailyWords, formatSize, inShell, unansweredWords } from './backup-words.ts';
import css from './instance.module.css';
import { RestoreCard } from './restore-card.tsx';

const COLUMNS: readonly Column<Backup>[] = [
  {
    key: 'made',
    head: 'Made',
    grow: true,
    cell: ({ madeAt, name }) => (
      <span className={css.stacked}>
        <time dateTime={madeAt} title={formatDateTime(madeAt)} className={css.name}>
          {formatWhen(madeAt)}
        </time>
        <span className={css.below}>{name}</span>
      </span>
    ),
  },
  { key: 'why', head: 'Why', cell: ({ reason }) => <span className={css.when}>{BACKUP_REASON_LABEL[reason]}</span> },
  {
    key: 'size',
    head: 'Size',
    align: 'end',
    cell: ({ sizeBytes }) => <span className={css.when}>{formatSize(sizeBytes)}</span>,
  },
];

function Backups() {
  const backups = useBackups();
  const make = useMakeBackup();
  const isMaking = make.isPending || backups.data?.isMaking === true;
  const unanswered = unansweredWords(make.error, isMaking);
  const hasFailed = make.isError && unanswered === null;
  return (
    <PanelFrame
      title={TAB_LABEL.backups}
      lead="Copies of the database with everything in it, on the disk of the server."
      actions={
        <Button
          look="primary"
          icon={<DatabaseBackup aria-hidden="true" />}
          busy={isMaking}
          onClick={() => make.mutate()}
        >
          Make a backup now
        </Button>
      }
    >
      <div className={css.stack}>
        {make.isSuccess && (
          <Banner tone="ok">
            The backup is made, and was read from end to end: {make.data.backup.name},{' '}
            {formatSize(make.data.backup.sizeBytes)}.
          </Banner>
        )}
        {unanswered !== null && (
          <Banner tone="warn" urgent>
            {unanswered}
          </Banner>
        )}
        {hasFailed && (
          <Banner tone="bad" urgent>
            {wordsOf(make.error, 'The backup could not be made. Please try again.')}
          </Banner>
        )}
        <QueryView
          query={backups}
          loading={<Skeleton type="table" count={4} />}
          failed="The backups could not be read."
        >
          {(reply) => (
            <div className={css.stack}>
              {reply.lastFailure !== null && !hasFailed && (
                <Banner tone="bad">
                  The last try failed, {formatWhen(reply.lastFailure.at)}: {reply.lastFailure.text}
                </Banner>
              )}
              <Card>
                <CardHead level={3} title="Daily" />
                <p className={css.words}>{dailyWords(reply)}</p>
              </Card>
              <Card>
                {reply.backups.length === 0 ? (
                  <EmptyShelf level={3} title="There is no backup yet">
                    Backups that are made daily, by hand or before an upgrade are listed here.
                  </EmptyShelf>
                ) : (
                  <DataTable caption="Backups" columns={COLUMNS} rows={reply.backups} rowKey={({ name }) => name} />
                )}
              </Card>
              <RestoreCard example={inShell(`${reply.directory}/${reply.backups[0]?.name ?? 'FILE'}`)} />
            </div>
          )}
        </QueryView>
      </div>
    </PanelFrame>
  );
}

/** Copies of the database: which there are, one more, and how one is put back. */
export function BackupsPanel() {
  return (
    <AdministratorsOnly tab="backups">
      <Backups />
    </AdministratorsOnly>
  );
}
