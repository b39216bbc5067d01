import { parsePath } from '../../core/fields.ts';
import { findStore } from '../../db/readers/pairs.ts';
import { SIDES } from '../../model/platform.ts';
import type { VariantFields } from '../../model/product.ts';
import type { EngineContext } from '../context.ts';
import { isBound, loadHub } from '../hub.ts';
import { asConnectorError, outcomeOfRead } from '../outcome.ts';
import type { PairView } from '../pair-view.ts';
import { decideSubject } from '../products/decide-subject.ts';
import type { ProductSubject } from '../products/product-subject.ts';
import { asKnown } from '../products/store-subject.ts';
import { noteReadError } from './store-state.ts';
import { hasOtherUnits, watchUnits } from './store-units.ts';

/** How old an answer may be that a run goes by, ms. */
const RUN_AGE_MS = 10_000;

/**
 * [A3] Before a price or a weight is taken or written, both stores are asked what their numbers mean, after these were read: a webhook comes within a
 * second of a change, and no poll has seen by then that the shop has another currency. Passes that move neither ask nothing.
 */
export async function confirmUnits(
  ctx: EngineContext,
  view: PairView,
  subjects: readonly ProductSubject[],
  signal: AbortSignal,
): Promise<void> {
  const concerned = subjects.filter((subject) => subject.outcome === null && movesNumbers(ctx, view, subject));
  if (concerned.length === 0) return;
  // Webhooks bring what was typed this second. What a run lists is older, and ten thousand of it share a few answers.
  const isRun = concerned.every(({ job }) => job === null);
  const since = ctx.clock.now() - (isRun ? RUN_AGE_MS : 0);
  await Promise.all(
    SIDES.map(async (side) => {
      const store = view.stores[side];
      try {
        await watchUnits(ctx, store, view.connectors[side], since, signal);
      } catch (error) {
        const failure = asConnectorError(error);
        noteReadError(ctx, store, failure);
        for (const subject of concerned) subject.outcome ??= outcomeOfRead(failure);
      }
    }),
  );
  // Also where another has noticed it meanwhile: what this pass has read was read by the units that held when it began.
  const isOther = SIDES.some((side) => {
    const [read, now] = [view.stores[side].info, findStore(ctx.db, view.stores[side].id)?.info ?? null];
    return read !== null && now !== null && hasOtherUnits(now, read);
  });
  if (isOther) for (const subject of concerned) subject.outcome ??= { type: 'snooze', ms: 0 };
}

/** Whether a subject's readings would move a price or a weight of the hub or of a side, or make something with them. */
function movesNumbers(ctx: EngineContext, view: PairView, subject: ProductSubject): boolean {
  const isRead = SIDES.some((side) => subject.snapshots[side] !== undefined);
  if (!isRead) return false;
  const hub = subject.productId === null ? null : loadHub(ctx.db, subject.productId);
  if (hub === null) return true;
  if (asKnown(ctx.db, view, hub, subject) !== 'apart') return false;
  if (SIDES.some((side) => !isBound(hub, side))) return true;
  const { reconciliation } = decideSubject(ctx, view, hub, subject);
  if (reconciliation.changes.some(({ path }) => isNumber(parsePath(path)?.name))) return true;
  return SIDES.some((side) => {
    const write = reconciliation.sides[side]?.write ?? null;
    if (write === null) return false;
    return (
      write.newVariants.length > 0 || Object.values(write.variants).some((fields) => Object.keys(fields).some(isNumber))
    );
  });
}

const NUMBERS: ReadonlySet<string> = new Set<keyof VariantFields>(['price', 'weightMg']);

function isNumber(name: string | undefined): boolean {
  return name !== undefined && NUMBERS.has(name);
}
