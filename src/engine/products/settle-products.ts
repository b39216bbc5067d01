import { PRODUCT_FIELDS } from '../../core/fields.ts';
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
import { baseOf, loadHub } from '../hub.ts';
import { LOOK_AGAIN_MS, productLock } from '../locks.ts';
import { asConnectorError, outcomeOfRead } from '../outcome.ts';
import type { PairView } from '../pair-view.ts';
import { fenceOfRivals } from '../rivals.ts';
import { noteReadError } from '../stores/store-state.ts';
import { closeByKey } from './close-by-key.ts';
import { alsoLock, type ProductSubject } from './product-subject.ts';
import { endReused } from './reused-id.ts';

type CreateIntent = Extract<ProductIntent, { type: 'create' }>;

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
      subject.unanswered[side] = binding.intent.unanswered ?? 0;
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
  intent: CreateIntent,
  signal: AbortSignal,
): Promise<void> {
  try {
    // [M1] Whoever duplicates a product in WooCommerce duplicates our mark.
    const others: string[] = [];
    const isOther = (id: string) => {
      const owner = findProductByExternal(ctx.db, view.pair.id, side, id);
      if (owner === null || owner === productId) return false;
      others.push(id);
      return true;
    };
    const found =
      (await view.connectors[side].findByMark(intent.mark, intent.decidedAt, signal, isOther)) ??
      (await findReused(ctx, view, side, intent, others, signal));
    if (found !== null) {
      // [W3] Nobody knew what to lock until now, and whoever was told of a new record there may be at work on it.
      const lock = productLock(view.shops[side], found.externalId);
      if (known !== found.externalId && !alsoLock(ctx, subject, [lock])) return;
      // It landed: bound here, and merged by this very pass. The reading is from before the lock: somebody else may have read the record since.
      const isBound = transact(ctx.db, (tx) => {
        if (!endReused(ctx, tx, view, productId, side, found.externalId)) return false;
        updateProductBinding(tx, productId, side, {
          externalId: found.externalId,
          base: landedOf(view, side, intent.to, found),
          adminUrl: found.adminUrl,
          madeAt: found.madeAt ?? null,
        });
        // [P1] What was told while nobody knew whose it is closes with it from now on.
        closeByKey(ctx, tx, view, `${side}:${found.externalId}`, null);
        return true;
      });
      if (!isBound) {
        subject.outcome ??= { type: 'snooze', ms: LOOK_AGAIN_MS };
        return;
      }
      subject.snapshots[side] = found;
    } else {
      transact(ctx.db, (tx) => deleteProductBinding(tx, productId, side));
      if (others.length === 0) subject.unmarked.add(side);
    }
  } catch (error) {
    const failure = asConnectorError(error);
    noteReadError(ctx, view.stores[side], failure);
    subject.outcome ??= outcomeOfRead(failure);
  }
}

/**
 * [V6] Of those that bear the mark and are known as others by their ids: the one that was made at another time than what is known. Where that is not
 * known (a draft has no date yet): the one that bears the title which was sent, and not the one that is known. Throws `ConnectorError`.
 */
async function findReused(
  ctx: EngineContext,
  view: PairView,
  side: Side,
  { mark, to }: CreateIntent,
  others: readonly string[],
  signal: AbortSignal,
): Promise<ProductSnapshot | null> {
  for (const id of others) {
    const owner = findProductByExternal(ctx.db, view.pair.id, side, id);
    const hub = owner === null ? null : loadHub(ctx.db, owner);
    const [answer] = await view.connectors[side].readProducts([id], signal);
    if (answer?.ok === false && answer.error.kind !== 'not_found') throw answer.error;
    if (!answer?.ok) continue;
    const { madeAt, marks, fields } = answer.value;
    if (
      hub === null ||
      typeof madeAt !== 'number' ||
      !marks.some((own) => own.pairId === mark.pairId && own.hubId === mark.hubId)
    )
      continue;
    const known = hub.bindings[side]?.madeAt ?? null;
    const isTitled = ({ title }: { readonly title: string }) => PRODUCT_FIELDS.title.same(title, fields.title);
    const isOurs = isTitled(view.connectors[side].represent(to).fields) && !isTitled(baseOf(hub, side, view).fields);
    if (known === null ? isOurs : madeAt !== known) return answer.value;
  }
  return null;
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
