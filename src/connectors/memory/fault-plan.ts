import type { WorldRandom } from './world.ts';

export type Operation =
  | 'inspect'
  | 'read_products'
  | 'read_stock'
  | 'write_stock'
  | 'create_product'
  | 'update_product'
  | 'write_variants'
  | 'find_by_mark'
  | 'find_by_keys'
  | 'scan'
  | 'list_changed'
  | 'list_webhooks'
  | 'write_webhook';

/** What a plan knows of a request when it decides over it. */
export interface RequestFacts {
  readonly requestId: number;
  readonly at: number;
  readonly operation: Operation;
  readonly isWrite: boolean;
  readonly itemCount: number;
  readonly timeoutMs: number;
  readonly fenceMs: number;
}

export type RequestFault =
  | { readonly type: 'rate_limited'; readonly retryAfterMs: number }
  | { readonly type: 'unauthorized' }
  | { readonly type: 'server_error' | 'timeout' | 'connection_lost'; readonly when: 'before' | 'after' }
  /** We stop waiting at the timeout; the write lands `lateMs` after that (below fenceMs). Writes only. */
  | { readonly type: 'late_landing'; readonly lateMs: number }
  /** These items of the batch fail for themselves. Writes only. */
  | { readonly type: 'partial_batch'; readonly indexes: readonly number[] }
  | { readonly type: 'malformed' }
  | { readonly type: 'html_404' }
  /** Scans only: throws in the middle; calls itself complete and is empty; leaves records out. */
  | { readonly type: 'cut_listing' }
  | { readonly type: 'empty_listing' }
  | { readonly type: 'shrunken_listing'; readonly keep: number };

export interface RequestFate {
  /** From sending to the answer. */
  readonly latencyMs: number;
  /** When, of `latencyMs`, the server handles it: what it reads is read and what it writes is written at that moment. */
  readonly handledAfterMs: number;
  readonly isSlow: boolean;
  readonly fault: RequestFault | null;
}

export interface DeliveryFacts {
  readonly at: number;
  readonly topic: string;
  readonly by: 'outside' | 'us';
}

/** When each copy of a delivery arrives; no copy: it is lost. */
export interface DeliveryFate {
  readonly delaysMs: readonly number[];
  readonly isLate: boolean;
}

/** Decides over each request and each delivery. The platform counts what really fired. */
export interface FaultPlan {
  request(facts: RequestFacts): RequestFate;
  delivery(facts: DeliveryFacts): DeliveryFate;
}

/** Every fault that is counted: a simulation in which one of them never fired proves nothing about it. */
export const FAULT_NAMES = [
  'slow',
  'rate_limited',
  'unauthorized',
  'revoked',
  'server_error_before',
  'server_error_after',
  'timeout_before',
  'timeout_after',
  'connection_lost_before',
  'connection_lost_after',
  'late_landing',
  'partial_batch',
  'malformed',
  'html_404',
  'cut_listing',
  'empty_listing',
  'shrunken_listing',
  'spotty_listing',
  'forgetful',
  'own_throttle',
  'delivery_lost',
  'delivery_doubled',
  'delivery_late',
  'delivery_reordered',
  'delivery_refused',
  'webhook_switched_off',
] as const;
export type FaultName = (typeof FAULT_NAMES)[number];

/** No faults at all; every request takes `latencyMs` and is handled half way. */
export function calmPlan(latencyMs = 10): FaultPlan {
  return {
    request: () => ({ latencyMs, handledAfterMs: latencyMs / 2, isSlow: false, fault: null }),
    delivery: () => ({ delaysMs: [latencyMs], isLate: false }),
  };
}

/** Chances per request or delivery, 0 .. 1. */
export interface FaultRates {
  readonly slow: number;
  readonly rate_limited: number;
  readonly unauthorized: number;
  readonly server_error_before: number;
  readonly server_error_after: number;
  readonly timeout_before: number;
  readonly timeout_after: number;
  readonly connection_lost_before: number;
  readonly connection_lost_after: number;
  readonly late_landing: number;
  readonly partial_batch: number;
  readonly malformed: number;
  readonly html_404: number;
  readonly cut_listing: number;
  readonly empty_listing: number;
  readonly shrunken_listing: number;
  readonly delivery_lost: number;
  readonly delivery_doubled: number;
  readonly delivery_late: number;
}

/** A bad day. */
const ROUGH_RATES: FaultRates = {
  slow: 0.03,
  rate_limited: 0.02,
  unauthorized: 0.001,
  server_error_before: 0.02,
  server_error_after: 0.02,
  timeout_before: 0.015,
  timeout_after: 0.02,
  connection_lost_before: 0.01,
  connection_lost_after: 0.01,
  late_landing: 0.03,
  partial_batch: 0.03,
  malformed: 0.01,
  html_404: 0.01,
  cut_listing: 0.05,
  empty_listing: 0.01,
  shrunken_listing: 0.01,
  delivery_lost: 0.2,
  delivery_doubled: 0.1,
  delivery_late: 0.1,
};

export interface RandomFaultPlan extends FaultPlan {
  /** 0: no more faults (latencies stay random); 1: the rates as given. */
  setIntensity(intensity: number): void;
}

export interface RandomPlanOptions {
  readonly rates?: Partial<FaultRates>;
  readonly latencyMs?: readonly [min: number, max: number];
  /** Late deliveries come within this; 48 h on a real platform. */
  readonly deliveryLateMsMax?: number;
}

const WRITE_FAULTS = ['late_landing', 'partial_batch'] as const;
const SCAN_FAULTS = ['cut_listing', 'empty_listing', 'shrunken_listing'] as const;
const ANY_FAULTS = [
  'rate_limited',
  'unauthorized',
  'server_error_before',
  'server_error_after',
  'timeout_before',
  'timeout_after',
  'connection_lost_before',
  'connection_lost_after',
  'malformed',
  'html_404',
] as const;
type RequestFaultName = (typeof WRITE_FAULTS | typeof SCAN_FAULTS | typeof ANY_FAULTS)[number];

/** Faults by chance: one draw decides which, so that rates add up as they are given. */
export function randomPlan(random: WorldRandom, options: RandomPlanOptions = {}): RandomFaultPlan {
  const rates: FaultRates = { ...ROUGH_RATES, ...options.rates };
  const [latencyMin, latencyMax] = options.latencyMs ?? [5, 400];
  const lateMax = options.deliveryLateMsMax ?? 2 * 3_600_000;
  let intensity = 1;

  const choose = (names: readonly RequestFaultName[]): RequestFaultName | null => {
    let at = random.unit();
    for (const name of names) {
      at -= rates[name] * intensity;
      if (at < 0) return name;
    }
    return null;
  };

  return {
    setIntensity(next) {
      intensity = next;
    },
    request(facts) {
      const isSlow = random.chance(rates.slow * intensity);
      const latencyMs = isSlow
        ? facts.timeoutMs * (0.2 + 0.7 * random.unit())
        : latencyMin + random.unit() * (latencyMax - latencyMin);
      const names = facts.isWrite ? [...ANY_FAULTS, ...WRITE_FAULTS] : [...ANY_FAULTS];
      const chosen = choose(facts.operation === 'scan' ? [...SCAN_FAULTS, ...ANY_FAULTS] : names);
      const fault = chosen === null ? null : draw(chosen, facts, random);
      return {
        latencyMs: Math.ceil(latencyMs),
        handledAfterMs: Math.floor(latencyMs * random.unit()),
        isSlow,
        fault,
      };
    },
    delivery() {
      const delay = (): number => 5 + random.int(3_000);
      if (random.chance(rates.delivery_lost * intensity)) return { delaysMs: [], isLate: false };
      const isLate = random.chance(rates.delivery_late * intensity);
      const delaysMs = [isLate ? 10_000 + random.int(lateMax) : delay()];
      if (random.chance(rates.delivery_doubled * intensity)) delaysMs.push(delay() * (1 + random.int(100)));
      return { delaysMs, isLate };
    },
  };
}

function draw(name: RequestFaultName, facts: RequestFacts, random: WorldRandom): RequestFault {
  switch (name) {
    case 'rate_limited':
      return { type: name, retryAfterMs: 1_000 * (1 + random.int(random.chance(0.1) ? 120 : 10)) };
    case 'unauthorized':
    case 'malformed':
    case 'html_404':
    case 'cut_listing':
    case 'empty_listing':
      return { type: name };
    case 'server_error_before':
    case 'server_error_after':
    case 'timeout_before':
    case 'timeout_after':
    case 'connection_lost_before':
    case 'connection_lost_after': {
      const isAfter = name.endsWith('_after');
      const type = name.slice(0, isAfter ? -'_after'.length : -'_before'.length);
      return { type: type as 'server_error' | 'timeout' | 'connection_lost', when: isAfter ? 'after' : 'before' };
    }
    case 'late_landing':
      return { type: name, lateMs: 1 + random.int(facts.fenceMs - 1) };
    case 'partial_batch': {
      const indexes = Array.from({ length: facts.itemCount }, (_, index) => index).filter(() => random.chance(0.5));
      return { type: name, indexes: indexes.length > 0 ? indexes : [0] };
    }
    case 'shrunken_listing':
      return { type: name, keep: 0.3 + 0.5 * random.unit() };
  }
}
