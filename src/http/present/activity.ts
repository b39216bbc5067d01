import type { Activity } from '../../contracts/activity.ts';
import type { EventRow } from '../../db/schema/machinery.ts';
import { isoTime } from '../../lib/time.ts';
import type { Halt } from '../../model/pair.ts';
import { PLATFORM_NAME, type Platform } from '../../model/platform.ts';
import { haltMessage } from './pair.ts';

type Payload = Readonly<Record<string, unknown>>;

export function presentActivity(event: EventRow): Activity {
  const payload = (event.payload ?? {}) as Payload;
  return {
    seq: event.seq,
    type: event.type,
    level: levelOf(event.type, payload),
    text: textOf(event.type, payload),
    pairId: event.pairId,
    payload: event.payload ?? null,
    at: isoTime(event.at),
  };
}

function levelOf(type: string, payload: Payload): Activity['level'] {
  if (type === 'problem') return payload['level'] === 'error' ? 'error' : 'warning';
  if (type === 'pair_halted' || type === 'sync_failed' || type === 'plan_failed') return 'error';
  if (type === 'store_health_changed') return payload['status'] === 'error' ? 'error' : 'info';
  if (type.startsWith('conflict_opened') || type === 'conflict') return 'warning';
  return 'info';
}

/** A line for people. A type that has no words yet is shown by its name: nothing is left out. */
function textOf(type: string, payload: Payload): string {
  const text = (key: string): string => (typeof payload[key] === 'string' ? payload[key] : '');
  const what = text('label') || text('title') || text('sku') || 'A record';
  const side = sideName(payload['side']);
  const move = `${show(payload['from'])} → ${show(payload['to'])}`;
  switch (type) {
    case 'stock_changed':
      return `Stock of ${what} changed in ${side}: ${move}`;
    case 'stock_written':
      return `Stock of ${what} written to ${side}: ${move}`;
    case 'field_changed':
    case 'product_changed':
      return `${what} was changed in ${side}${text('field') === '' ? '' : `: ${text('field')} ${move}`}`;
    case 'product_written':
      return `${what} was updated in ${side}`;
    case 'product_created':
      return `${what} was created in ${side}`;
    case 'product_linked':
      return `${what} was linked`;
    case 'product_archived':
      return `${what} was put away in ${side}`;
    case 'problem':
      return text('message');
    case 'pair_halted':
      return haltMessage(payload as unknown as Halt);
    case 'pair_paused':
      return 'The pair was paused';
    case 'pair_resumed':
      return 'The pair was resumed';
    case 'store_health_changed':
      return text('status') === 'error' ? `A store stopped answering: ${text('reason')}` : 'A store answers again';
    case 'sync_completed':
      return 'Sync completed';
    case 'sync_failed':
      return `Sync failed${text('message') === '' ? '' : `: ${text('message')}`}`;
    case 'conflict_opened':
      return `${what} was changed differently on both sides: ${text('field')}`;
    case 'conflict_closed':
      return `A conflict about ${what} is settled`;
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
