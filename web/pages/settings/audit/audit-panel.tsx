import { Download } from 'lucide-react';
import { useMe } from '../../../api/account.ts';
import { useAudit, useExportAudit } from '../../../api/audit.ts';
import { wordsOf } from '../../../api/error-words.ts';
import { useWhyNot } from '../../../api/use-why-not.ts';
import { Card } from '../../../components/card.tsx';
import { EmptyShelf } from '../../../components/empty-shelf.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { ShowMore } from '../../../components/show-more.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { showToast } from '../../../components/toast.tsx';
import { PanelFrame } from '../panel-frame.tsx';
import { saveFile } from '../save-file.ts';
import { TAB_LABEL } from '../tabs.ts';
import { AuditList } from './audit-list.tsx';
import { useNames } from './use-names.ts';

const NOT_IN_DEMO =
  'The demo keeps no log to look at: it goes with everything in it. With an account of your own you see here who did what.';

/** Who did what in the workspace, and from where. */
export function AuditPanel() {
  const { data: user } = useMe();
  const whyNoAudit = useWhyNot('audit');
  const isAdmin = user !== undefined && !user.isDemo && whyNoAudit === null;
  const audit = useAudit(isAdmin);
  const names = useNames(isAdmin);
  const save = useExportAudit();
  if (user === undefined) return null;
  const why = user.isDemo ? NOT_IN_DEMO : whyNoAudit;
  return (
    <PanelFrame
      title={TAB_LABEL.audit}
      lead="Who did what here, and from where. Entries are only ever added; after 400 days they go."
      actions={
        <ReasonedButton
          icon={<Download aria-hidden="true" />}
          reason={why}
          busy={save.isPending}
          title="All entries, one JSON object a line"
          onClick={() =>
            save.mutate(undefined, {
              onSuccess: (text) => saveFile('audit.ndjson', text, 'application/x-ndjson'),
              onError: (error) =>
                showToast('error', wordsOf(error, 'The log could not be exported. Please try again.')),
            })
          }
        >
          {save.isPending ? 'Exporting' : 'Export all'}
        </ReasonedButton>
      }
    >
      <Card>
        {why === null ? (
          <QueryView
            query={audit}
            loading={<Skeleton type="list" count={8} />}
            failed="The audit log could not be read."
          >
            {({ pages }) => {
              const entries = pages.flatMap((page) => page.entries);
              if (entries.length === 0)
                return (
                  <EmptyShelf level={3} title="Nothing was done yet">
                    From now on, what people and their tokens do here is listed here.
                  </EmptyShelf>
                );
              return (
                <>
                  <AuditList entries={entries} names={names} />
                  <ShowMore query={audit}>Show more entries</ShowMore>
                </>
              );
            }}
          </QueryView>
        ) : (
          <EmptyShelf level={3} title={user.isDemo ? 'No audit log in the demo' : 'For administrators'}>
            {why}
          </EmptyShelf>
        )}
      </Card>
    </PanelFrame>
  );
}
