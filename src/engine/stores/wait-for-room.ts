import { mayFollow } from '../../core/direction.ts';
import { transact } from '../../db/database.ts';
import { otherSide, PLATFORM_NAME, SIDES } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import { loadHub } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import type { ProductSubject } from '../products/product-subject.ts';
import { newAgainAt } from './writes-limited.ts';

/**
 * [A1] Where a shop has no room for what is new, nothing else is made there before it is asked again: ten thousand products would be looked for and refused
 * one by one each time. Those that are due then ask for all of them.
 */
export function waitForRoom(ctx: EngineContext, view: PairView, subjects: readonly ProductSubject[]): void {
  for (const side of SIDES) {
    const { settings } = view;
    const againAt = newAgainAt(ctx, view, side);
    if (againAt === null || !settings.syncProducts || !settings.createOn[side] || !mayFollow(side, settings)) continue;
    transact(ctx.db, (tx) => {
      for (const subject of subjects) {
        const { productId, snapshots } = subject;
        if (subject.outcome !== null || productId === null) continue;
        if (snapshots[otherSide(side)] === undefined || snapshots[side] !== undefined) continue;
        const hub = loadHub(tx, productId);
        if (hub === null || hub.row.state !== 'live' || hub.bindings[side] !== undefined) continue;
        subject.awaited = side;
        subject.result = 'skipped';
        subject.detail = `${PLATFORM_NAME[side]} has no room for new ones for some time: it is made later`;
        enqueueProductSync(tx, view.pair.id, { ref: { productId }, observe: [otherSide(side)] }, againAt);
      }
    });
  }
}
