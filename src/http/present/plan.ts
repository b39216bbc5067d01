import type { Plan, PlanItem } from '../../contracts/plans.ts';
import type { PlanView } from '../../db/readers/view-plan.ts';
import type { PlanItemRow } from '../../db/schema/run.ts';
import { isoTime } from '../../lib/time.ts';
import { faultWords, type SideNames } from './fault-words.ts';
import { isoTimeOrNull } from './store.ts';

export function presentPlan({ plan, currency, runId }: PlanView, names: SideNames): Plan {
  const { counts } = plan;
  return {
    _id: plan.id,
    pairId: plan.pairId,
    status: plan.status,
    hash: plan.hash,
    progress: plan.progress,
    counts: {
      woocommerce: { ...counts.woocommerce },
      shopify: { ...counts.shopify },
      linked: counts.linked,
      level: counts.level,
      ambiguous: counts.ambiguous,
      skipped: counts.skipped,
      conflicts: counts.conflicts,
      unlike: counts.unlike ?? 0,
      read: { ...counts.read },
    },
    currency,
    error:
      plan.errorCode === null ? null : { code: plan.errorCode, message: faultWords(plan.errorMessage ?? '', names) },
    createdAt: isoTime(plan.createdAt),
    readyAt: isoTimeOrNull(plan.readyAt),
    runId,
  };
}

export function presentPlanItem(row: PlanItemRow): PlanItem {
  const { data } = row;
  return {
    seq: row.seq,
    action: row.action as PlanItem['action'],
    side: data.side,
    title: row.title,
    sku: row.sku,
    imageUrl: data.imageUrl,
    reason: data.reason,
    recordId: row.productId,
    woocommerceId: row.woocommerceId,
    shopifyId: row.shopifyId,
    fields: data.fields.map(({ side, field, from, to }) => ({ side, field, from: from ?? null, to: to ?? null })),
    stock: data.stock.map(({ label, woocommerce, shopify, result, rule, only }) => ({
      label,
      woocommerce,
      shopify,
      result,
      rule,
      ...(only === undefined ? {} : { only }),
    })),
    conflicts: data.conflicts,
    unlike: data.unlike ? { ...data.unlike } : null,
    refused: (data.refused ?? []).map(({ side, message }) => ({ side, message })),
    candidates: (data.candidates ?? []).map(({ side, externalId, title }) => ({ side, externalId, title })),
  };
}
