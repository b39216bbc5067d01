import type { Activity } from '../../contracts/activity.ts';
import type { EventRow } from '../../db/schema/machinery.ts';
import { capital } from '../../lib/capital.ts';
import { fieldWords } from '../../lib/field-words.ts';
import { isoTime } from '../../lib/time.ts';
import type { Halt } from '../../model/pair.ts';
import { PLATFORM_NAME, type Platform } from '../../model/platform.ts';
import type { RunStats } from '../../model/run.ts';
import type { ActivityNames } from '../activity-names.ts';
import { faultWords } from './fault-words.ts';
import { haltMessage } from './pair.ts';
import { valueWords } from './value-words.ts';

type Payload = Readonly<Record<string, unknown>>;

export function presentActivity(event: EventRow, names: ActivityNames): Activity {
  const payload = (event.payload ?? {}) as Payload;
  // Which of a product's variants it was tells its lines apart, on every page that shows them.
  const told = names.variant === null || payload['sku'] !== undefined ? payload : { ...payload, sku: names.variant };
  return {
    seq: event.seq,
    type: event.type,
    level: levelOf(event.type, payload),
    text: textOf(event.type, told, names),
    pairId: event.pairId,
    payload: event.payload === null ? null : told,
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
function textOf(type: string, payload: Payload, names: ActivityNames): string {
  const text = (key: string): string => (typeof payload[key] === 'string' ? payload[key] : '');
  const title = text('title') || names.record || '';
  const sku = text('sku') === '' || title === '' ? '' : ` (${text('sku')})`;
  const what = text('label') || `${title}${sku}` || text('sku') || 'A record';
  const side = sideName(payload['side']);
  const field = fieldWords(text('field'));
  const stockMove = `${count(payload['from'])} → ${count(payload['to'])}`;
  const store = names.store ?? 'a store';
  const pair = names.pair ?? 'a pair that was removed';
  switch (type) {
    case 'stock_changed':
      return `Stock of ${what} changed in ${side}: ${stockMove}`;
    case 'stock_counted':
      return `${what} was counted: ${count(payload['counted'])}. Stock set ${stockMove}`;
    case 'stock_written':
      return `Stock of ${what} written to ${side}: ${stockMove}`;
    case 'field_changed':
      return `${what} was changed in ${side}${moveWords(payload, names)}`;
    case 'product_written':
      if (payload['action'] === 'create') return `${what} was created in ${side}`;
      if (payload['action'] === 'create_variant') return `A new variant of ${what} was created in ${side}`;
      return `${what} was written to ${side}${moveWords(payload, names)}`;
    case 'product_deleted':
      return `${what} was deleted in ${side}`;
    case 'product_restored':
      return `${what} was restored in ${side}`;
    case 'problem':
      return names.store === null ? text('message') : `${names.store}: ${text('message')}`;
    case 'usage_alert':
      return text('message');
    case 'conflict_opened':
      return field === 'deleted'
        ? `${what} was deleted on one side and changed on the other`
        : `${what} was changed differently on both sides: ${field}`;
    case 'conflict_resolved':
      return `A conflict about ${what} is resolved: ${field}`;
    case 'pair_created':
      return names.pair === null ? 'A pair was made that was removed since' : `A pair was made: ${pair}`;
    case 'demo_data_removed':
      return demoWords(payload['reason']);
    case 'pair_deleted':
      return text('name') === '' ? 'A pair was removed' : `The pair of ${text('name')} was removed`;
    case 'pair_settings_changed':
      return `The settings of ${pair} were changed${settingsWords(payload)}`;
    case 'pair_halted':
      return `${names.pair === null ? '' : `${names.pair} are halted. `}${haltMessage(payload as unknown as Halt)}`;
    case 'pair_paused':
      return `The sync of ${pair} was paused`;
    case 'pair_resumed':
      return `The sync of ${pair} was resumed`;
    case 'plan_progress':
      return `Reading both catalogues: ${count(payload['progress'])} %`;
    case 'plan_ready':
      return `A plan for ${pair} is ready to be read`;
    case 'plan_failed':
      return `A plan for ${pair} could not be made${text('errorMessage') === '' ? '' : `: ${faultWords(text('errorMessage'), names.sides)}`}`;
    case 'run_started':
      return `Sync of ${pair} started`;
    case 'run_completed':
      return `Sync of ${pair} completed: ${runWords(payload)}`;
    case 'run_failed':
      return `Sync of ${pair} failed: ${faultWords(errorWords(payload), names.sides)}`;
    case 'run_cancelled':
      return `Sync of ${pair} cancelled: ${runWords(payload)}`;
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
      return capital(
        text('status') === 'error'
          ? `${store} does not let us in any more: ${text('reason')}`
          : `${store} lets us in again`,
      );
    case 'endpoint_disabled':
      return `Messages to ${text('url')} were switched off: ${text('reason')}`;
    case 'webhooks_repaired':
      return `Webhooks of ${store} were switched on`;
    default:
      return `${capital(type.replaceAll('_', ' '))}${what === 'A record' ? '' : `: ${what}`}`;
  }
}

function sideName(side: unknown): string {
  return side === 'woocommerce' || side === 'shopify' ? PLATFORM_NAME[side satisfies Platform] : 'a store';
}

function demoWords(reason: unknown): string {
  if (reason === 'failed') return 'The demo data could not be added: what was there of it is removed';
  if (reason === 'idle') return 'The demo data was removed: nobody used this workspace for a while';
  if (reason === 'restart') return 'The demo data was removed: it ends with the server';
  return 'The demo data was removed';
}

/** A number of units. */
function count(value: unknown): string {
  return typeof value === 'number' ? String(value) : '—';
}

/** ": price 12.00 USD → 15.50 USD"; '' where it is about no single field. */
function moveWords({ field, from, to }: Payload, { currency }: ActivityNames): string {
  if (typeof field !== 'string' || field === '') return '';
  const name = field.slice(field.lastIndexOf('.') + 1);
  return `: ${fieldWords(field)} ${valueWords(name, from, currency)} → ${valueWords(name, to, currency)}`;
}

function settingsWords({ changed }: Payload): string {
  return Array.isArray(changed) && changed.length > 0
    ? `: ${changed.map((name) => fieldWords(String(name))).join(', ')}`
    : '';
}

function runWords(payload: Payload): string {
  const stats = (payload['stats'] ?? {}) as Partial<RunStats>;
  const failed = stats.failed === undefined || stats.failed === 0 ? '' : `, ${stats.failed} failed`;
  const total = stats.totalProcessed ?? 0;
  return `${total} record${total === 1 ? '' : 's'}, ${stats.written ?? 0} written${failed}`;
}

function errorWords(payload: Payload): string {
  const error = (payload['error'] ?? {}) as { readonly message?: unknown };
  return typeof error.message === 'string' ? error.message : 'no reason was given';
}
