import type { WebhookStats } from './webhooks/dispatcher.ts';

export interface OperationStats {
  calls: number;
  requestedCost: number;
  actualCost: number;
  throttled: number;
  /** Answers with top-level errors, refusals and faults. */
  errors: number;
}

export interface RequestTimes {
  readonly operation: string;
  /** Milliseconds of the process clock, from the first byte in to the last byte out. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly status: number;
}

export interface SandboxStats {
  requests: number;
  requestedCost: number;
  actualCost: number;
  throttled: number;
  readonly byOperation: Record<string, OperationStats>;
  readonly webhooks: WebhookStats;
  readonly times: RequestTimes[];
  /** Everything back to zero, the webhook counts too. */
  reset(): void;
}

export function createStats(webhooks: WebhookStats): SandboxStats {
  const stats: SandboxStats = {
    requests: 0,
    requestedCost: 0,
    actualCost: 0,
    throttled: 0,
    byOperation: {},
    webhooks,
    times: [],
    reset() {
      stats.requests = 0;
      stats.requestedCost = 0;
      stats.actualCost = 0;
      stats.throttled = 0;
      stats.times.length = 0;
      for (const name of Object.keys(stats.byOperation)) delete stats.byOperation[name];
      for (const key of Object.keys(webhooks) as (keyof WebhookStats)[]) webhooks[key] = 0;
    },
  };
  return stats;
}

export function recordCall(
  stats: SandboxStats,
  operation: string,
  call: { requestedCost: number; actualCost: number; outcome: string },
): void {
  stats.byOperation[operation] ??= { calls: 0, requestedCost: 0, actualCost: 0, throttled: 0, errors: 0 };
  const entry = stats.byOperation[operation];
  stats.requests += 1;
  entry.calls += 1;
  if (call.outcome === 'throttled') {
    stats.throttled += 1;
    entry.throttled += 1;
    return;
  }
  if (call.outcome !== 'ok') entry.errors += 1;
  stats.requestedCost += call.requestedCost;
  stats.actualCost += call.actualCost;
  entry.requestedCost += call.requestedCost;
  entry.actualCost += call.actualCost;
}
