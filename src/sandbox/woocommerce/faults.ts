/** What goes wrong with one request. `before` and `after` say whether the store had applied it. */
export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly when?: 'before' | 'after';
      readonly retryAfterS?: number;
    }
  /** The connection closes without an answer. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' }
  /** No answer for so long; without `ms`, never. */
  | { readonly kind: 'hang'; readonly when: 'before' | 'after'; readonly ms?: number }
  /** The key is not known any more, for this request. */
  | { readonly kind: 'key_revoked' };

export interface FaultTarget {
  readonly method: string;
  /** Pattern of the route, such as "/wc/v3/products/<id>". */
  readonly route: string;
  /** Path and query, as they came. */
  readonly url: string;
  /** '' where there is none. */
  readonly body: string;
}

export type FaultHook = (target: FaultTarget) => Fault | undefined;

/** A fault in plain data, for callers on the other side of a wire. */
export interface FaultRule {
  readonly fault: Fault;
  readonly method?: string;
  /** Part of the route's pattern. */
  readonly route?: string;
  /** How many requests it hits; without it, all. */
  readonly times?: number;
  /** Of those that match, how many are hit, 0 to 1. */
  readonly chance?: number;
}

export function hookOfRule(rule: FaultRule, random: () => number): FaultHook {
  let left = rule.times ?? Number.POSITIVE_INFINITY;
  return ({ method, route }) => {
    if (left <= 0 || (rule.method !== undefined && rule.method !== method)) return undefined;
    if (rule.route !== undefined && !route.includes(rule.route)) return undefined;
    if (rule.chance !== undefined && random() >= rule.chance) return undefined;
    left--;
    return rule.fault;
  };
}
