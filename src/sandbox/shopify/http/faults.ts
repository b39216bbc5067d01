import type { SandboxEnvironment } from '../types.ts';

/** What a test can make go wrong with one request. */
export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: unknown;
      readonly retryAfterSeconds?: number;
      readonly when?: 'before' | 'after';
    }
  /** No answer for `hangMs` (default two minutes), then the connection is cut. `after`: the work was done all the same. */
  | { readonly kind: 'timeout'; readonly when: 'before' | 'after'; readonly hangMs?: number }
  /** The connection is cut at once. */
  | { readonly kind: 'reset'; readonly when: 'before' | 'after' }
  | { readonly kind: 'token_revoked' }
  | { readonly kind: 'throttled' }
  /** HTTP 200 with INTERNAL_SERVER_ERROR in `errors`; `after`: the work was done all the same. */
  | { readonly kind: 'internal_error'; readonly when?: 'before' | 'after' }
  /** Answered, but late. */
  | { readonly kind: 'slow'; readonly delayMs: number };

export interface FaultableRequest {
  readonly kind: 'query' | 'mutation' | 'token' | 'upload' | 'download';
  /** Operation name, or the first root field. */
  readonly operation: string;
  readonly rootFields: readonly string[];
  readonly variables: Readonly<Record<string, unknown>>;
  /** 1 for the first request of this operation. */
  readonly attempt: number;
}

export type FaultHook = (request: FaultableRequest) => Fault | null | undefined;

export interface FaultRule {
  readonly operation?: string;
  readonly rootField?: string;
  readonly kind?: FaultableRequest['kind'];
  /** How often it strikes; default 1. */
  readonly times?: number;
  /** Share of the matching requests, default 1. */
  readonly rate?: number;
  readonly fault: Fault;
}

export interface FaultSwitch {
  set(fault: FaultHook | FaultRule | readonly FaultRule[] | null): void;
  pick(request: Omit<FaultableRequest, 'attempt'>): Fault | null;
}

export function createFaultSwitch(environment: SandboxEnvironment): FaultSwitch {
  let hook: FaultHook | null = null;
  const attempts = new Map<string, number>();
  return {
    set(fault) {
      if (fault === null || typeof fault === 'function') hook = fault;
      else hook = hookFromRules(Array.isArray(fault) ? fault : [fault as FaultRule], environment);
    },
    pick(request) {
      const attempt = (attempts.get(request.operation) ?? 0) + 1;
      attempts.set(request.operation, attempt);
      return hook?.({ ...request, attempt }) ?? null;
    },
  };
}

function hookFromRules(rules: readonly FaultRule[], environment: SandboxEnvironment): FaultHook {
  const left = rules.map((rule) => rule.times ?? 1);
  return (request) => {
    for (const [index, rule] of rules.entries()) {
      const fits =
        (rule.operation === undefined || rule.operation === request.operation) &&
        (rule.rootField === undefined || request.rootFields.includes(rule.rootField)) &&
        (rule.kind === undefined || rule.kind === request.kind);
      if (!fits || (left[index] ?? 0) <= 0) continue;
      if (rule.rate !== undefined && environment.random() >= rule.rate) continue;
      left[index] = (left[index] ?? 0) - 1;
      return rule.fault;
    }
    return null;
  };
}
