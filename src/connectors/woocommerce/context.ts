import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { WooClient } from './client.ts';
import type { RecordReader } from './record-reader.ts';
import type { RefusedCodes } from './refused-codes.ts';
import type { StoreFacts } from './store-facts.ts';
import type { TagBook } from './tag-book.ts';
import type { VariationReader } from './variations.ts';

/** What the parts of this connector share. */
export interface WooContext {
  readonly client: WooClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly pageSize: number;
  readonly records: RecordReader;
  readonly tags: TagBook;
  readonly refusedCodes: RefusedCodes;
  readonly variations: VariationReader;
  /** Kept until somebody reads them anew; a failed reading is tried again by the next caller. */
  facts(): Promise<StoreFacts>;
}

/** The store's own time, by the Date header of its answers. */
export function storeNow(context: WooContext): number {
  return context.clock.now() + (context.client.state.clockSkewMs ?? 0);
}
