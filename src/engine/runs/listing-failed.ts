import { transact } from '../../db/database.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import { setScanState } from '../../db/writers/observations.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { EngineContext } from '../context.ts';
import type { PairView } from '../pair-view.ts';
import { STORE_WORDS } from '../store-words.ts';
import { noteReadError, raiseAboutStore } from '../stores/store-state.ts';

/** A listing that can't go on from where it was left: what it was read from is gone, or was not whole. */
const PLACE_LOST = 'SCAN_RESUME_LOST';

/**
 * [B11] Takes note of what ended a listing, and gives what its job is to fail with. One that can't go on is none that the store refuses: it begins anew
 * with the job's next try, and is whole only when it has come to its end; what it had shown was there, and stays noted.
 */
export function listingFailed(
  ctx: EngineContext,
  scanId: string,
  store: StoreRow,
  error: ConnectorError,
): ConnectorError {
  if (error.details.platformCode !== PLACE_LOST) {
    noteReadError(ctx, store, error);
    return error;
  }
  transact(ctx.db, (tx) => setScanState(tx, scanId, store.platform, { resume: null, count: 0, isComplete: false }));
  return new ConnectorError('unavailable', error.message, error.details);
}

/**
 * By what code a run or a plan fails that no further try is made of. [B11] A store that answers, and whose list is cut short each time, is away for
 * nobody, and every comparison of its pairs fails: a person is told, until a list of it comes whole.
 */
export function failureCode(ctx: EngineContext, view: PairView, { kind, message, details }: ConnectorError): string {
  const side = details.cutShort;
  if (side === undefined) return kind.toUpperCase();
  const words = STORE_WORDS.listingCut(side, message);
  transact(ctx.db, (tx) => raiseAboutStore(ctx, tx, view.stores[side], view.pair, words));
  return words.code;
}
