import { isDrafting } from '../../core/safety.ts';
import { matchVariants } from '../../core/variants.ts';
import { transact } from '../../db/database.ts';
import { findProductByExternal } from '../../db/readers/products.ts';
import type { ProductBindingRow } from '../../db/schema/product.ts';
import { deleteProductBinding, updateProductBinding } from '../../db/writers/products.ts';
import type { ProductIntent } from '../../model/hub.ts';
import type { ProductId, VariantId } from '../../model/ids.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import type { CanonicalProduct, VariantFields } from '../../model/product.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { EngineContext } from '../context.ts';
import { loadHub } from '../hub.ts';
import { productLock } from '../locks.ts';
import { asConnectorError, outcomeOfRead } from '../outcome.ts';
import type { PairView } from '../pair-view.ts';
import { fenceOfRivals } from '../rivals.ts';
import { noteReadError } from '../stores/store-state.ts';
import { closeByKey } from './close-by-key.ts';
import { alsoLock, type ProductSubject } from './product-subject.ts';

/**
 * Settles product writes whose answer never came, after the fence: a create is looked up by its mark before it is tried again; an
 * update is read back, and what reads as it was sent has landed (`decide` takes it into the base).
 */
export async function settleProductIntents(
  ctx: EngineContext,
  view: PairView,
  subjects: readonly ProductSubject[],
  signal: AbortSignal,
): Promise<void> {
  for (const subject of subjects) {
    const hub = subject.productId === null ? null : loadHub(ctx.db, subject.productId);
    if (hub === null || subject.outcome !== null) continue;
    for (const side of SIDES) {
      const binding = hub.bindings[side];
      if (binding === undefined || subject.outcome !== null) continue;
      const now = ctx.clock.now();
      const own = binding.intent === null ? 0 : (binding.fencedUntil ?? 0);
      const fence =
        binding.externalId === null ? own : Math.max(own, fenceOfRivals(ctx, view, side, binding.externalId));
      if (fence > now) {
        subject.outcome ??= { type: 'snooze', ms: fence - now + 1 };
        break;
      }
      if (binding.intent === null) continue;
      if (binding.intent.sentAt === null) forgetUnsent(ctx, subject, hub.row.id, side, binding.intent);
      else if (binding.intent.type === 'update') subject.observe.add(side);
      else await settleCreate(ctx, view, subject, binding, binding.intent, signal);
    }
  }
}

/** It was stored and never sent (its sender is dead: this pass holds its lock): nothing of it can land, and it is decided anew. */
function forgetUnsent(
  ctx: EngineContext,
  subject: ProductSubject,
  productId: ProductId,
  side: Side,
  intent: ProductIntent,
): void {
  transact(ctx.db, (tx) => {
    if (intent.type === 'create') deleteProductBinding(tx, productId, side);
    else updateProductBinding(tx, productId, side, { intent: null, fencedUntil: null });
  });
  subject.observe.add(intent.type === 'create' ? otherSide(side) : side);
}

async function settleCreate(
  ctx: EngineContext,
  view: PairView,
  subject: ProductSubject,
  { productId, side, externalId: known }: ProductBindingRow,
  intent: Extract<ProductIntent, { type: 'create' }>,
  signal: AbortSignal,
): Promise<void> {
  try {
    // [M1] Whoever duplicates a product in WooCommerce duplicates our mark.
    const isOther = (id: string) => {
      const owner = findProductByExternal(ctx.db, view.pair.id, side, id);
      return owner !== null && owner !== productId;
    };
    const found = await view.connectors[side].findByMark(intent.mark, intent.decidedAt, signal, isOther);
    if (found !== null) {
      // [W3] Nobody knew what to lock until now, and whoever was told of a new record there may be at work on it.
      const lock = productLock(view.shops[side], found.externalId);
      if (known !== found.externalId && !alsoLock(ctx, subject, [lock])) return;
      // It landed: bound here, and merged by this very pass. The reading is from before the lock: somebody else may have read the record since.
      transact(ctx.db, (tx) => {
        updateProductBinding(tx, productId, side, {
          externalId: found.externalId,
          base: landedOf(view, side, intent.to, found),
          adminUrl: found.adminUrl,
        });
        // [P1] What was told while nobody knew whose it is closes with it from now on.
        closeByKey(ctx, tx, view, `${side}:${found.externalId}`, null);
      });
      subject.snapshots[side] = found;
    } else {
      transact(ctx.db, (tx) => deleteProductBinding(tx, productId, side));
    }
  } catch (error) {
    const failure = asConnectorError(error);
    noteReadError(ctx, view.stores[side], failure);
    subject.outcome ??= outcomeOfRead(failure);
  }
}

/**
 * What of a create is known to have landed. A platform that takes it in several steps may have taken the first only: a draft, with some of its variants
 * or none. The steps that are left are ours, and nobody's edit; what else differs from what was sent was typed there.
 */
function landedOf(view: PairView, side: Side, to: CanonicalProduct, found: ProductSnapshot): CanonicalProduct {
  const sent = view.connectors[side].represent(to);
  const { known } = matchVariants(to, new Map(), found);
  const isUnpublished = found.fields.status === 'draft' && isDrafting(sent.fields.status, 'draft');
  return {
    fields: isUnpublished ? { ...sent.fields, status: 'draft' } : sent.fields,
    variants: Object.fromEntries(
      Object.entries(sent.variants).flatMap(([id, own]) => {
        const shown = known.get(id as VariantId)?.fields;
        return shown === undefined ? [] : [[id, { ...own, weightMg: landedWeight(own, shown) }]];
      }),
    ),
  };
}

/** WooCommerce empties the weight of what needs no shipping in the call that makes it: it is a step of its own. */
function landedWeight({ weightMg, requiresShipping }: VariantFields, shown: VariantFields): number | null {
  return requiresShipping || shown.weightMg !== null ? weightMg : null;
}
