import type { Tx } from '../db/database.ts';
import { findWorkspace } from '../db/readers/workspaces.ts';
import { recordEvent } from '../db/writers/events.ts';
import { addUsage, markUsageTold } from '../db/writers/usage.ts';
import { isoTime } from '../lib/time.ts';
import type { WorkspaceId } from '../model/ids.ts';
import {
  isHigherLevel,
  type Usage,
  type UsageKind,
  type UsageLimits,
  usageLevel,
  usageMessage,
} from '../model/usage.ts';

export interface CountedUsage {
  readonly workspaceId: WorkspaceId;
  readonly kind: UsageKind;
  /** When the period began, ms. */
  readonly since: number;
  readonly count: number;
}

/**
 * Adds what was counted to what is stored. Where a limit comes near or is passed, the journal notes it, once for each level and period: what
 * was noted stands in the same row as the count.
 */
export function recordUsage(tx: Tx, counted: readonly CountedUsage[], limits: UsageLimits, now: number): void {
  for (const usage of counted) {
    const workspace = findWorkspace(tx, usage.workspaceId);
    // Deleted since it was counted.
    if (workspace === null) continue;
    const { count, toldLevel } = addUsage(tx, usage, usage.count);
    const limit = limits[usage.kind];
    const level = usageLevel(count, limit);
    if (workspace.isDemo || limit === null || !isHigherLevel(level, toldLevel)) continue;
    markUsageTold(tx, usage, level);
    const { workspaceId, kind, since } = usage;
    const all: Usage = { kind, since, count, limit };
    const payload = { ...all, since: isoTime(since), level, message: usageMessage(all, level) };
    recordEvent(tx, { workspaceId, pairId: null, type: 'usage_alert', payload, at: now });
  }
}
