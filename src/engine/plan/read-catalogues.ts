import { titleKey } from '../../core/match.ts';
import { transact } from '../../db/database.ts';
import { findScanState, setScanState, storeObservation } from '../../db/writers/observations.ts';
import { SIDES } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { keysOf } from '../matching/keys-of.ts';
import { asConnectorError } from '../outcome.ts';
import type { PairView } from '../pair-view.ts';
import { listingFailed } from '../runs/listing-failed.ts';
import { noteStoreListed } from '../stores/store-state.ts';

/** [M1] By which it is told from others, and never matched. */
function titleKeys({
  fields: { title },
}: ProductSnapshot): readonly { readonly type: 'title'; readonly value: string }[] {
  const value = titleKey(title);
  return value === '' ? [] : [{ type: 'title', value }];
}

/**
 * Reads both catalogues whole into observations of `scanId`, page by page, each page one transaction: a crash goes on after the last
 * page. Memory holds one page of each side. Throws `ConnectorError` when a listing can't be had or is cut short. `onPage` is told after each page
 * and answers whether to go on; false: it was not wanted any more, and was left where it stood.
 */
export async function readCatalogues(
  ctx: EngineContext,
  view: PairView,
  scanId: string,
  signal: AbortSignal,
  onPage: (read: { readonly woocommerce: number; readonly shopify: number }) => boolean,
): Promise<boolean> {
  const read = { woocommerce: 0, shopify: 0 };
  let isWanted = true;
  // The other side's page is waited for when one throws: nobody writes observations of a run that has ended.
  const ends = await Promise.allSettled(
    SIDES.map(async (side) => {
      const state = findScanState(ctx.db, scanId, side);
      read[side] = state.count;
      if (state.isComplete) return;
      try {
        for await (const page of view.connectors[side].scan({ resume: state.resume, signal })) {
          read[side] += page.snapshots.length;
          transact(ctx.db, (tx) => {
            for (const snapshot of page.snapshots)
              storeObservation(tx, scanId, side, snapshot, [
                ...keysOf(ctx, view, side, snapshot),
                ...titleKeys(snapshot),
              ]);
            setScanState(tx, scanId, side, { resume: page.resume, count: read[side], isComplete: page.isComplete });
          });
          isWanted &&= onPage(read);
          if (!isWanted) return;
        }
        noteStoreListed(ctx, view.stores[side].id);
      } catch (error) {
        isWanted = false;
        throw listingFailed(ctx, scanId, view.stores[side], asConnectorError(error));
      }
    }),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return isWanted;
}
