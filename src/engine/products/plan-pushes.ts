import { mayFollow } from '../../core/direction.ts';
import type { Tx } from '../../db/database.ts';
import { upsertProductBinding } from '../../db/writers/products.ts';
import type { ProductIntent } from '../../model/hub.ts';
import type { VariantId } from '../../model/ids.ts';
import { otherSide, PLATFORM_NAME, SIDES, type Side } from '../../model/platform.ts';
import type { ProductWrite } from '../../ports/connector.ts';
import type { EngineContext } from '../context.ts';
import { enqueueProductSync } from '../enqueue.ts';
import type { HubState } from '../hub.ts';
import { mayBearMark } from '../matching/look-for-mark.ts';
import { hasNamesake, NAMESAKE, tellNamesake } from '../matching/namesakes.ts';
import type { PairView } from '../pair-view.ts';
import { otherPrices } from '../pairs/other-prices.ts';
import { NO_VARIANTS, withheldWords } from '../plan/plan-item.ts';
import { tellOfNew } from '../stock/limited-stock.ts';
import { meetStock } from '../stock/meet-stock.ts';
import { livingOf } from './decide.ts';
import { NOTHING_LEFT_OUT } from './left-out.ts';
import { newVariantsOf, stockOf } from './new-variants.ts';
import { planUpdate } from './plan-update.ts';
import type { ProductSubject } from './product-subject.ts';
import type { ProductPush } from './push-products.ts';
import type { Stored } from './store-decision.ts';
import { createPutOff, putOff, unansweredSoFar } from './unanswered.ts';

/**
 * [R12] Turns what each side lacks into writes, and stores their intents. A side that was not read in this pass is not written, and one whose record
 * was `lost` in it gets no other yet.
 */
export function planProductPushes(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  stored: Stored,
  lost: readonly Side[],
): readonly ProductPush[] {
  const hub = meetStock(ctx, tx, view, subject, stored.hub);
  return SIDES.flatMap((side) => {
    if (hub.bindings[side] === undefined)
      return lost.includes(side) || subject.awaited === side ? [] : planCreate(ctx, tx, view, subject, hub, side);
    const push = planUpdate(ctx, tx, view, subject, { ...stored, hub }, side);
    return push === null ? [] : [push];
  });
}

/**
 * [M1] A record that has only just been met waits so long before it is made on the other side, ms. Whoever adds a product to both shops (a
 * program that feeds them, a person with two windows) does so within seconds, a webhook of the one may come before the other's record can be
 * found: a search index lags.
 */
export const CREATE_WAIT_MS = 15_000;

/**
 * Whether the record has to wait: until then, and for a search that was asked after that, whenever it is answered. Then a job of its own comes back for
 * it, and a run that met it says so. A plan has just listed both shops.
 */
function mustWait(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  hub: HubState,
  side: Side,
): boolean {
  const now = ctx.clock.now();
  const dueAt = hub.row.createdAt + CREATE_WAIT_MS;
  if (subject.isListed || view.pair.status !== 'active' || (subject.searchedAt ?? now) >= dueAt) return false;
  const ref = { productId: hub.row.id };
  enqueueProductSync(tx, view.pair.id, { ref, observe: [otherSide(side)] }, Math.max(now, dueAt));
  subject.result = 'skipped';
  subject.detail = `new: it is looked for in ${PLATFORM_NAME[side]} once more, and made there some seconds after this run`;
  return true;
}

function planCreate(
  ctx: EngineContext,
  tx: Tx,
  view: PairView,
  subject: ProductSubject,
  hub: HubState,
  side: Side,
): readonly ProductPush[] {
  const { settings } = view;
  const isSourceRead = subject.snapshots[otherSide(side)] !== undefined;
  if (
    !isSourceRead ||
    hub.row.state !== 'live' ||
    !settings.syncProducts ||
    !settings.createOn[side] ||
    !mayFollow(side, settings)
  )
    return [];
  const live = livingOf(hub);
  const variants = newVariantsOf(view, subject, hub, side, Object.keys(live.variants) as VariantId[]);
  if (variants.length === 0) {
    subject.result = 'skipped';
    subject.detail = NO_VARIANTS;
    return [];
  }
  const withheld = subject.snapshots[otherSide(side)]?.withheld;
  const why = otherPrices(view) ?? (withheld === undefined ? null : withheldWords(side, withheld));
  if (why !== null) {
    subject.result = 'skipped';
    subject.detail = why;
    return [];
  }
  if (mustWait(ctx, tx, view, subject, hub, side)) return [];
  if (hasNamesake(tx, hub.row, side)) {
    tellNamesake(ctx, tx, view, hub.row, side);
    subject.result = 'skipped';
    subject.detail = NAMESAKE;
    return [];
  }
  if (mayBearMark(ctx, view, hub, side) && !subject.unmarked.has(side)) {
    // It has come back, or got another title, in this very pass: who bears its mark is asked by the next.
    subject.result = 'skipped';
    subject.detail = `it is looked for in ${PLATFORM_NAME[side]} before it is made there`;
    enqueueProductSync(
      tx,
      view.pair.id,
      { ref: { productId: hub.row.id }, observe: [otherSide(side)] },
      ctx.clock.now(),
    );
    return [];
  }
  const mark = { pairId: view.pair.id, hubId: hub.row.id };
  const intent: ProductIntent = {
    type: 'create',
    key: ctx.random.id('prw_'),
    mark,
    // What it is made with, price included, is what hub and side agree on then.
    to: {
      ...live,
      variants: { ...live.variants, ...Object.fromEntries(variants.map((v) => [v.variantId, v.fields])) },
    },
    stock: stockOf(variants),
    decidedAt: ctx.clock.now(),
    sentAt: null,
    ...unansweredSoFar(tx, subject, hub, side),
  };
  const until = createPutOff(ctx, tx, hub, side, intent);
  if (until !== null) {
    putOff(tx, view, subject, hub, side, until);
    return [];
  }
  upsertProductBinding(tx, {
    productId: hub.row.id,
    side,
    pairId: view.pair.id,
    storeId: view.stores[side].id,
    externalId: null,
    base: null,
    intent,
    fencedUntil: null,
    adminUrl: '',
    madeAt: null,
    seenInScan: view.pair.scanNumber,
  });
  tellOfNew(ctx, tx, view, subject, hub, side, variants);
  const write: ProductWrite = { type: 'create', mark, fields: live.fields, variants };
  return [{ subject, productId: hub.row.id, side, intent, write, leftOut: NOTHING_LEFT_OUT }];
}
