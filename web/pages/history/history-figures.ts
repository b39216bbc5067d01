import type { SyncStats } from '../../api/runs.ts';
import type { Figure } from '../../components/shelf-strip.tsx';
import { formatDuration, formatNumber, formatShare } from '../../hooks/format.ts';

/** What all runs of a period came to. Notes are short: none wraps on a phone, where the strip would be taller than what stood there before. */
export function historyFigures(stats: SyncStats): readonly Figure[] {
  const { total, failed, recordsProcessed, recordsWritten, recordsFailed, averageDurationMs } = stats;
  return [
    {
      label: 'Runs',
      value: formatNumber(total),
      ...(total === 0
        ? {}
        : { note: averageDurationMs === null ? 'none has ended' : `${formatDuration(averageDurationMs)} on average` }),
    },
    { label: 'Failed runs', value: formatNumber(failed), ...share(failed, total, 'runs') },
    {
      label: 'Records written',
      value: formatNumber(recordsWritten),
      note: `of ${formatNumber(recordsProcessed)} looked at`,
    },
    {
      label: 'Records failed',
      value: formatNumber(recordsFailed),
      ...share(recordsFailed, recordsProcessed, 'records'),
    },
  ];
}

/** Of nothing there is no part. */
function share(part: number, whole: number, many: string): { readonly note?: string } {
  return whole === 0 ? {} : { note: `${formatShare(part, whole)} of ${many}` };
}
