import { useMemo } from 'react';
import { LOG_SUBJECTS, type LogSubject, useInstanceLog, usePeople } from '../../../api/instance-owner.ts';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { Chip } from '../../../components/chip.tsx';
import { EmptyShelf } from '../../../components/empty-shelf.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { ShowMore } from '../../../components/show-more.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { oneOf, useQueryState } from '../../../hooks/use-query-state.ts';
import { AuditList } from '../audit/audit-list.tsx';
import { PanelFrame } from '../panel-frame.tsx';
import { TAB_LABEL } from '../tabs.ts';
import { AdministratorsOnly } from './administrators-only.tsx';
import css from './instance.module.css';

const SUBJECT_LABEL: Readonly<Record<LogSubject, string>> = {
  account: 'Accounts',
  session: 'Devices',
  instance: 'Administrators',
  workspace: 'Workspaces',
};

function Log() {
  const [params, change] = useQueryState();
  const about = oneOf(params.get('about'), LOG_SUBJECTS) ?? undefined;
  const log = useInstanceLog(about);
  const { data: people } = usePeople();
  const names = useMemo(() => new Map((people?.users ?? []).map(({ _id, name }) => [_id, name])), [people]);
  return (
    <PanelFrame
      title={TAB_LABEL.log}
      lead="What people did with their accounts, and what was done about the instance. What is done in a workspace stands in its own audit log. Entries are only ever added; after 400 days they go."
    >
      <fieldset className={css.filters} aria-label="Only what is about">
        {LOG_SUBJECTS.map((value) => (
          <Chip
            key={value}
            pressed={about === value}
            onToggle={() => change({ about: about === value ? null : value })}
          >
            {SUBJECT_LABEL[value]}
          </Chip>
        ))}
      </fieldset>
      <Card>
        <QueryView query={log} loading={<Skeleton type="list" count={8} />} failed="The log could not be read.">
          {({ pages }) => {
            const entries = pages.flatMap((page) => page.entries);
            if (entries.length === 0)
              return (
                <EmptyShelf
                  level={3}
                  title={
                    about === undefined ? 'Nothing here yet' : `Nothing about ${SUBJECT_LABEL[about].toLowerCase()}`
                  }
                  actions={about && <Button onClick={() => change({ about: null })}>Clear filters</Button>}
                >
                  {about === undefined && 'A changed password, a new administrator: from now on it is listed here.'}
                </EmptyShelf>
              );
            return (
              <>
                <AuditList entries={entries} names={names} />
                <ShowMore query={log}>Show more entries</ShowMore>
              </>
            );
          }}
        </QueryView>
      </Card>
    </PanelFrame>
  );
}

/** Who did what with accounts and the instance, and from where. */
export function LogPanel() {
  return (
    <AdministratorsOnly tab="log">
      <Log />
    </AdministratorsOnly>
  );
}
