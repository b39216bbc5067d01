import type { UsageMeter } from '../../contracts/dashboard.ts';
import type { Db } from '../../db/database.ts';
import { sumUsage } from '../../db/readers/usage.ts';
import type { WorkspaceId } from '../../model/ids.ts';
import { periodStart, USAGE_KINDS, USAGE_METERS, type UsageLimits, usageLevel } from '../../model/usage.ts';

/** What a workspace has used in the hour or month that it is now. */
export function presentUsage(db: Db, workspaceId: WorkspaceId, limits: UsageLimits, now: number): UsageMeter[] {
  return USAGE_KINDS.map((kind) => {
    const { label, period } = USAGE_METERS[kind];
    const count = sumUsage(db, workspaceId, kind, periodStart(period, now));
    const limit = limits[kind];
    return { kind, label, period, count, limit, level: usageLevel(count, limit) };
  });
}
