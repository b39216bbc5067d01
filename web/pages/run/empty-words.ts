import type { Run } from '../../api/runs.ts';

interface Words {
  readonly title: string;
  readonly text: string | null;
}

/** What an empty list of a run's records means. It holds what was written, skipped or failed: a record that was level leaves no line. */
export function emptyWords({ status, stats }: Pick<Run, 'status' | 'stats'>, isFiltered: boolean): Words {
  if (status === 'running') return { title: 'Reading both stores', text: 'Records appear here as they are done.' };
  if (isFiltered) return { title: 'No record in this list', text: null };
  if (status !== 'completed') return { title: 'It ended before any record was written', text: null };
  if (stats.totalProcessed === 0) return { title: 'There was no record to look at', text: null };
  return { title: 'Nothing had to be written', text: 'Records that need no write have no line here.' };
}
