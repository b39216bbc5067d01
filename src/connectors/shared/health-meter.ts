import type { Clock } from '../../ports/clock.ts';
import type { ConnectorHealth } from '../../ports/connector.ts';

/** How many recent latencies the percentiles are taken from. */
const RING_SIZE = 512;

/** What a connector's `health()` answers: counts since start, and percentiles over the last `RING_SIZE` calls. */
export interface HealthMeter {
  /** One exchange ended; `errorKind` null when the store answered as it should. */
  record(call: { readonly latencyMs: number; readonly errorKind: string | null; readonly throttled?: boolean }): void;
  read(): ConnectorHealth;
}

export function createHealthMeter(clock: Clock): HealthMeter {
  const ring: number[] = [];
  let next = 0;
  let lastContactAt: number | null = null;
  let lastErrorAt: number | null = null;
  let lastErrorKind: string | null = null;
  let callCount = 0;
  let failureCount = 0;
  let throttledCount = 0;

  return {
    record(call) {
      callCount += 1;
      if (call.throttled === true) throttledCount += 1;
      if (call.errorKind === null) {
        lastContactAt = clock.now();
        ring[next] = call.latencyMs;
        next = (next + 1) % RING_SIZE;
        return;
      }
      failureCount += 1;
      lastErrorAt = clock.now();
      lastErrorKind = call.errorKind;
    },
    read() {
      const sorted = [...ring].sort((a, b) => a - b);
      return {
        lastContactAt,
        lastErrorAt,
        lastErrorKind,
        callCount,
        failureCount,
        throttledCount,
        latencyP50Ms: percentile(sorted, 0.5),
        latencyP99Ms: percentile(sorted, 0.99),
      };
    },
  };
}

/** Nearest-rank percentile of ascending values; null when there are none. */
function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? null;
}
