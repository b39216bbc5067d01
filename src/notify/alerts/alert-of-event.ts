import type { EventNames } from '../../db/readers/name-event.ts';
import type { EventRow } from '../../db/schema/machinery.ts';
import { fieldWords } from '../../lib/field-words.ts';
import type { AlertKind } from '../../model/alert.ts';
import { doesStockGoOn, type HaltReason } from '../../model/pair.ts';
import { PLATFORM_NAME, type Platform } from '../../model/platform.ts';

export interface NewAlert {
  readonly kind: AlertKind;
  /** The same subject again is the same trouble. */
  readonly subject: string;
  /** One line for people. */
  readonly message: string;
}

/** What of the journal is worth telling people who are not looking; null: it can wait for the dashboard. */
export function alertOfEvent(event: EventRow, names: Partial<EventNames> = {}): NewAlert | null {
  const payload = (event.payload ?? {}) as Readonly<Record<string, unknown>>;
  const text = (key: string): string => (typeof payload[key] === 'string' ? payload[key] : '');
  switch (event.type) {
    case 'run_failed': {
      const error = (payload['error'] ?? {}) as { readonly message?: unknown };
      const reason = typeof error.message === 'string' ? error.message : 'no reason was given';
      return {
        kind: 'sync_failed',
        subject: event.pairId ?? '',
        message: `${names.pair ? `A sync of ${names.pair}` : 'A sync'} failed: ${reason}`,
      };
    }
    case 'store_health_changed':
      if (payload['status'] !== 'error') return null;
      return {
        kind: 'store_unreachable',
        subject: text('storeId'),
        message: `${names.store ?? 'A store'} can not be worked with any more: ${text('reason')}`,
      };
    case 'pair_halted': {
      const side = payload['side'];
      const where = side === 'woocommerce' || side === 'shopify' ? ` in ${PLATFORM_NAME[side satisfies Platform]}` : '';
      return {
        kind: 'pair_halted',
        subject: event.pairId ?? '',
        message: `${names.pair ? `The sync of ${names.pair}` : 'A pair'} was halted for safety (${text('reason').replaceAll('_', ' ')}${where}). ${doesStockGoOn(text('reason') as HaltReason) ? 'Products wait until you decide; stock goes on where the pair syncs in real time.' : 'Nothing is written until you decide.'}`,
      };
    }
    case 'problem':
      if (payload['code'] === 'STORE_AWAY')
        return {
          kind: 'store_unreachable',
          subject: text('subject'),
          message: `${names.store ? `${names.store}: ` : ''}${text('message')}`,
        };
      if (payload['code'] !== 'OVERSOLD') return null;
      return { kind: 'oversold', subject: text('subject'), message: text('message') };
    case 'conflict_opened':
      return {
        kind: 'conflict_waiting',
        subject: `${text('productId')}:${text('field')}`,
        message: `"${text('title')}"${names.variant ? ` (${names.variant})` : ''} was changed differently on both sides: ${fieldWords(text('field'))}. It waits for your decision.`,
      };
    case 'usage_alert':
      return {
        kind: 'usage',
        subject: [text('kind'), text('since'), text('level')].join(':'),
        message: `${text('message')}. ${text('level') === 'exceeded' ? 'Nothing is refused for it' : 'Nothing is refused when it is reached'}.`,
      };
    default:
      return null;
  }
}
