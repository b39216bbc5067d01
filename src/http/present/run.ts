import type { Run, RunItem } from '../../contracts/sync.ts';
import type { RunListRow } from '../../db/readers/list-runs.ts';
import type { RunWrites } from '../../db/readers/run-writes.ts';
import type { RunItemRow } from '../../db/schema/run.ts';
import { isoTime } from '../../lib/time.ts';
import type { ProductId } from '../../model/ids.ts';
import { faultWords, type SideNames } from './fault-words.ts';
import { isoTimeOrNull } from './store.ts';

export function presentRun(row: RunListRow, sides: SideNames): Run {
  const { run } = row;
  return {
    _id: run.id,
    pairId: run.pairId,
    planId: run.planId,
    storeName: storeName(row),
    entityType: run.area,
    direction: run.direction,
    trigger: run.trigger,
    status: run.status,
    progress: run.progress,
    stats: {
      totalProcessed: run.stats.totalProcessed,
      successful: run.stats.successful,
      failed: run.stats.failed,
      written: run.stats.written,
      skipped: run.stats.skipped,
    },
    duration: run.finishedAt === null ? null : run.finishedAt - run.startedAt,
    error: run.errorCode === null ? null : { code: run.errorCode, message: faultWords(run.errorMessage ?? '', sides) },
    isCancelRequested: run.isCancelRequested,
    createdAt: isoTime(run.startedAt),
    finishedAt: isoTimeOrNull(run.finishedAt),
  };
}

function storeName({ woocommerceName, shopifyName }: RunListRow): string {
  if (woocommerceName === null || shopifyName === null) return 'A pair that was removed';
  return `${woocommerceName} and ${shopifyName}`;
}

/** The record that an item is about; null: something of one side that is none. */
export function recordOf({ subject }: RunItemRow): ProductId | null {
  return subject.includes(':') ? null : (subject as ProductId);
}

export function presentRunItem(row: RunItemRow, writes: RunWrites | null): RunItem {
  return {
    subject: row.subject,
    recordId: recordOf(row),
    title: row.title,
    action: row.action,
    outcome: row.outcome,
    detail: row.detail,
    writes: (writes?.shown ?? []).map(({ field, target, options, from, to }) => ({
      ...{ field, side: target, variantLabel: options.length === 0 ? null : options.join(' / ') },
      ...{ from, to },
    })),
    writeCount: writes?.count ?? 0,
    at: isoTime(row.at),
  };
}
