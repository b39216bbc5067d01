import { and, eq, gte, sum } from 'drizzle-orm';
import type { WorkspaceId } from '../../model/ids.ts';
import type { UsageKind } from '../../model/usage.ts';
import type { Db } from '../database.ts';
import { usage } from '../schema/usage.ts';

/** What a workspace used since `since`, ms: a full hour or month. */
export function sumUsage(db: Db, workspaceId: WorkspaceId, kind: UsageKind, since: number): number {
  const row = db.query
    .select({ n: sum(usage.count).mapWith(Number) })
    .from(usage)
    .where(and(eq(usage.workspaceId, workspaceId), eq(usage.kind, kind), gte(usage.since, since)))
    .get();
  return row?.n ?? 0;
}
