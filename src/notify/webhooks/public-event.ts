import type { EventRow } from '../../db/schema/machinery.ts';
import type { EndpointEvent } from '../../model/endpoint.ts';

export interface PublicEvent {
  readonly type: EndpointEvent;
  readonly data: Readonly<Record<string, unknown>>;
}

const NAMES: Readonly<Record<string, EndpointEvent>> = {
  stock_changed: 'stock.changed',
  stock_counted: 'stock.counted',
  stock_written: 'stock.written',
  field_changed: 'field.changed',
  product_written: 'product.written',
  product_deleted: 'product.deleted',
  product_restored: 'product.restored',
  conflict_opened: 'conflict.opened',
  conflict_resolved: 'conflict.resolved',
  plan_ready: 'plan.ready',
  plan_failed: 'plan.failed',
  run_started: 'run.started',
  run_completed: 'run.completed',
  run_failed: 'run.failed',
  run_cancelled: 'run.cancelled',
  pair_halted: 'pair.halted',
  pair_paused: 'pair.paused',
  pair_resumed: 'pair.resumed',
  usage_alert: 'usage.alert',
};

/** What the journal noted, as it is told outside; null for what concerns nobody there (progress of a run, a renamed store). */
export function publicEvent(event: EventRow): PublicEvent | null {
  const payload = (event.payload ?? {}) as Readonly<Record<string, unknown>>;
  const type = nameOf(event.type, payload);
  if (type === null) return null;
  const { productId, ...rest } = type === 'plan.failed' ? planFailure(payload) : payload;
  return { type, data: { pairId: event.pairId, ...(productId === undefined ? {} : { recordId: productId }), ...rest } };
}

/** The reason in the shape that the API and `run.failed` have. */
function planFailure({ errorCode, errorMessage, ...rest }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...rest, error: { code: errorCode, message: errorMessage } };
}

/**
 * A store that gives no answer is a problem of each of its pairs, and its end is none's event: as `store.error` it would be told several times, and no
 * `store.recovered` would follow.
 */
function nameOf(type: string, payload: Readonly<Record<string, unknown>>): EndpointEvent | null {
  if (type === 'problem') return payload['code'] === 'OVERSOLD' ? 'stock.oversold' : 'problem.raised';
  if (type === 'store_health_changed') return payload['status'] === 'error' ? 'store.error' : 'store.recovered';
  return NAMES[type] ?? null;
}
