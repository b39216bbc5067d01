import type { Activity } from '../../contracts/activity.ts';
import type { EventRow } from '../../db/schema/machinery.ts';
import { fieldWords } from '../../lib/field-words.ts';
import { isoTime } from '../../lib/time.ts';
import type { Halt } from '../../model/pair.ts';
import { PLATFORM_NAME, type Platform } from '../../model/platform.ts';
import type { RunStats } from '../../model/run.ts';
import { haltMessage } from './pair.ts';

type Payload = Readonly<Record<string, unknown>>;

/** `recordTitle`: of the record that the event is about, where it still exists. */
export function presentActivity(event: EventRow, recordTitle: string | null): Activity {
  const payload = (event.payload ?? {}) as Payload;
  return {
    seq: event.seq,
    type: event.type,
    level: levelOf(event.type, payload),
    text: textOf(event.type, payload, recordTitle),
    pairId: event.pairId,
    payload: event.payload ?? null,
    at: isoTime(event.at),
  };
}

function levelOf(type: string, payload: Payload): Activity['level'] {
  if (type === 'problem') return payload['level'] === 'error' ? 'error' : 'warning';
  if (type === 'pair_halted' || type === 'run_failed' || type === 'plan_failed' || type === 'endpoint_disabled')
    return 'error';
  if (type === 'store_health_changed') return payload['status'] === 'error' ? 'error' : 'info';
  if (type === 'conflict_opened' || type === 'usage_alert') return 'warning';
  return 'info';
}

/** A line for people. A type that has no words yet is shown by its name: nothing is left out. */
function textOf(type: string, payload: Payload, recordTitle: string | null): string {
  const text = (key: string): string => (typeof payload[key] === 'string' ? payload[key] : '');
  const title = text('title') || recordTitle || '';
  const sku = text('sku') === '' || title === '' ? '' : ` (${text('sku')})`;
  const what = text('label') || `${title}${sku}` || text('sku') || 'A record';
  const side = sideName(payload['side']);
  const field = fieldWords(text('field'));
  const move = `${show(payload['from'])} → ${show(payload['to'])}`;
  switch (type) {
    case 'stock_changed':
      return `Stock of ${what} changed in ${side}: ${move}`;
    case 'stock_counted':
      return `${what} was counted: ${show(payload['counted'])}. Stock set ${move}`;
    case 'stock_written':
      return `Stock of ${what} written to ${side}: ${move}`;
    case 'field_changed':
      return `${what} was changed in ${side}${field === '' ? '' : `: ${field} ${move}`}`;
    case 'product_written':
      return `${what} was written to ${side}`;
    case 'product_deleted':
      return `${what} was deleted in ${side}`;
    case 'product_restored':
      return `${what} was restored in ${side}`;
    case 'problem':
    case 'usage_alert':
      return text('message');
    case 'conflict_opened':
      return `${what} was changed differently on both sides: ${field}`;
    case 'conflict_resolved':
      return `A conflict about ${what} is settled: ${field}`;
    case 'pair_created':
      return 'A pair was made';
    case 'pair_deleted':
      return 'A pair was removed';
    case 'pair_settings_changed':
      return 'The settings of the pair were changed';
    case 'pair_halted':
      return haltMessage(payload as unknown as Halt);
    case 'pair_paused':
      return 'The pair was paused';
    case 'pair_resumed':
      return 'The pair was resumed';
    case 'plan_progress':
      return `Reading both catalogues: ${show(payload['progress'])} %`;
    case 'plan_ready':
      return 'A plan is ready to be read';
    case 'plan_failed':
      return `A plan could not be made${text('message') === '' ? '' : `: ${text('message')}`}`;
    case 'run_started':
      return 'Sync started';
    case 'run_completed':
      return `Sync completed: ${runWords(payload)}`;
    case 'run_failed':
      return `Sync failed: ${errorWords(payload)}`;
    case 'run_cancelled':
      return `Sync cancelled: ${runWords(payload)}`;
    case 'store_connected':
      return `${text('name')} was connected`;
    case 'store_keys_renewed':
      return `${text('name')} has new keys`;
    case 'store_moved':
      return `${text('name')} has moved from ${text('from')} to ${text('to')}`;
    case 'store_disconnected':
      return `${text('name')} was disconnected`;
    case 'store_renamed':
      return `A store is called ${text('name')} now`;
    case 'store_health_changed':
      return text('status') === 'error' ? `A store stopped answering: ${text('reason')}` : 'A store answers again';
    case 'endpoint_disabled':
      return `Messages to ${text('url')} were switched off: ${text('reason')}`;
    case 'webhooks_repaired':
      return 'Webhooks were switched on';
    default:
      return `${type.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase())}${what === 'A record' ? '' : `: ${what}`}`;
  }
}

function sideName(side: unknown): string {
  return side === 'woocommerce' || side === 'shopify' ? PLATFORM_NAME[side satisfies Platform] : 'a store';
}

function show(value: unknown): string {
  if (value === null || value === undefined) return '—';
  if (typeof value === 'string') return value.length > 60 ? `${value.slice(0, 57)}…` : value;
  return typeof value === 'number' ? String(value) : JSON.stringify(value).slice(0, 60);
}

function runWords(payload: Payload): string {
  const stats = (payload['stats'] ?? {}) as Partial<RunStats>;
  const failed = stats.failed === undefined || stats.failed === 0 ? '' : `, ${stats.failed} failed`;
  return `${stats.totalProcessed ?? 0} records, ${stats.written ?? 0} written${failed}`;
}

function errorWords(payload: Payload): string {
  const error = (payload['error'] ?? {}) as { readonly message?: unknown };
  return typeof error.message === 'string' ? error.message : 'no reason was given';
}
